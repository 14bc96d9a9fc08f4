import DataModel
import Testing

@Suite("Section titles")
struct SectionTitleTests {
  @Test(
    "files a letter with diacritics or a ligature under its base letter",
    arguments: [
      ("Œuvre", "O"), ("œuvre", "O"), ("ß", "S"), ("ẞ", "S"), ("Þór", "T"), ("þ", "T"), ("Ðe", "D"),
      ("đ", "D"), ("Æ", "A"), ("Øl", "O"), ("Łódź", "L"), ("ı", "I"), ("ĳ", "I"), ("ſ", "S"),
      ("ﬁn", "F"), ("ŋ", "N"), ("Élan", "E"), ("e\u{301}", "E"), ("a", "A"),
    ])
  func letters(text: String, title: String) {
    #expect(SectionTitle.of(.text(text)) == title)
  }

  @Test(
    "files digits, other scripts and punctuation under #",
    arguments: ["1984", "Ωmega", "Яблоко", "日本", "", " x", "-", "ª", "ə"])
  func rest(text: String) {
    #expect(SectionTitle.of(.text(text)) == "#")
    #expect(SectionTitle.of(.null) == "#")
  }
}
