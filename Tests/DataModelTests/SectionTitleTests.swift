import DataModel
import Testing

@Suite("Titles of list sections")
struct SectionTitleTests {
  @Test(
    "puts text that begins with É, Æ or Ł into the section of the base letter E, A or L",
    arguments: [
      ("Œuvre", "O"), ("œuvre", "O"), ("ß", "S"), ("ẞ", "S"), ("Þór", "T"), ("þ", "T"), ("Ðe", "D"),
      ("đ", "D"), ("Æ", "A"), ("Øl", "O"), ("Łódź", "L"), ("ı", "I"), ("ĳ", "I"), ("ſ", "S"),
      ("ﬁn", "F"), ("ŋ", "N"), ("Élan", "E"), ("e\u{301}", "E"), ("a", "A"),
    ])
  func letters(text: String, title: String) {
    #expect(SectionTitle.of(.text(text)) == title)
  }

  @Test(
    "puts text that begins with a digit, another script or punctuation into the section #",
    arguments: ["1984", "Ωmega", "Яблоко", "日本", "", " x", "-", "ª", "ə"])
  func rest(text: String) {
    #expect(SectionTitle.of(.text(text)) == "#")
    #expect(SectionTitle.of(.null) == "#")
  }
}
