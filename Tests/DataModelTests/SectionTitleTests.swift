import DataModel
import Testing

@Suite("The titles of sections")
struct SectionTitleTests {
  @Test(
    "a letter with a name of its own stands under the one it comes from",
    arguments: [
      ("Œuvre", "O"), ("œuvre", "O"), ("ß", "S"), ("ẞ", "S"), ("Þór", "T"), ("þ", "T"), ("Ðe", "D"),
      ("đ", "D"), ("Æ", "A"), ("Øl", "O"), ("Łódź", "L"), ("ı", "I"), ("ĳ", "I"), ("ſ", "S"),
      ("ﬁn", "F"), ("ŋ", "N"), ("Élan", "E"), ("e\u{301}", "E"), ("a", "A"),
    ])
  func letters(text: String, title: String) {
    #expect(SectionTitle.of(.text(text)) == title)
  }

  @Test(
    "digits, other scripts and what is no letter stand under #",
    arguments: ["1984", "Ωmega", "Яблоко", "日本", "", " x", "-", "ª", "ə"])
  func rest(text: String) {
    #expect(SectionTitle.of(.text(text)) == "#")
    #expect(SectionTitle.of(.null) == "#")
  }
}
