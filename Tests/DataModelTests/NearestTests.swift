import DataModel
import Testing

@Suite("The nearest name")
struct NearestTests {
  private let names = ["title", "done", "due", "description", "owner", "todo_id", "created_at"]

  @Test(
    "a mistyped name is recognised",
    arguments: [
      ("titel", "title"), ("tilte", "title"), ("Title", "title"), ("TITLES", "title"),
      ("don", "done"),
      ("deu", "due"), ("descripton", "description"), ("desc", "description"), ("d", "due"),
      ("todoid", "todo_id"), ("create_at", "created_at"), ("created", "created_at"), ("due", "due"),
    ])
  func near(word: String, expected: String) {
    #expect(nearest(word, among: names) == expected)
  }

  @Test(
    "a word that is far from all names has no nearest one",
    arguments: ["", "x", "price", "tttt", "o_n_e_r_w", "dxxx", "🙂", "ownership_of_everything"])
  func far(word: String) {
    #expect(nearest(word, among: names) == nil)
  }

  @Test("a slip is preferred to a beginning, and the first to the second at the same distance")
  func preference() {
    #expect(nearest("tag", among: ["tag_colour", "tags"]) == "tags")
    #expect(nearest("bat", among: ["cat", "hat"]) == "cat")
    #expect(nearest("pass", among: ["password_hash", "password"]) == "password")
  }

  @Test("one letter is not another letter")
  func oneLetter() {
    #expect(nearest("a", among: ["b"]) == nil)
    #expect(nearest("a", among: ["ab"]) == "ab")
    #expect(nearest("a", among: []) == nil)
    #expect(nearest("a", among: [""]) == nil)
  }

  @Test("accents and a very long word do no harm")
  func oddWords() {
    #expect(nearest("café", among: ["cafe"]) == "cafe")
    #expect(nearest(String(repeating: "x", count: 1_000_000), among: names) == nil)
  }
}
