import DataModel
import Testing

@Suite("Titles of list sections")
struct SectionTitleTests {
  @Test(
    "assigns a letter with diacritics or a ligature to the section of its base letter",
    arguments: [
      ("Œuvre", "O"), ("œuvre", "O"), ("ß", "S"), ("ẞ", "S"), ("Þór", "T"), ("þ", "T"), ("Ðe", "D"),
      ("đ", "D"), ("Æ", "A"), ("Øl", "O"), ("Łódź", "L"), ("ı", "I"), ("ĳ", "I"), ("ſ", "S"),
      ("ﬁn", "F"), ("ŋ", "N"), ("Élan", "E"), ("e\u{301}", "E"), ("a", "A"),
    ])
  func letters(text: String, title: String) {
    #expect(SectionTitle.of(.text(text)) == title)
  }

  @Test(
    "assigns digits, other scripts and punctuation to the section #",
    arguments: ["1984", "Ωmega", "Яблоко", "日本", "", " x", "-", "ª", "ə"])
  func rest(text: String) {
    #expect(SectionTitle.of(.text(text)) == "#")
    #expect(SectionTitle.of(.null) == "#")
  }
}
