import DataModel
import Testing

@Suite("Most similar name")
struct NearestTests {
  private let names = ["title", "done", "due", "description", "owner", "todo_id", "created_at"]

  @Test(
    "finds the intended name when a name has a typo",
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
    "suggests no name when all known names are too different",
    arguments: ["", "x", "price", "tttt", "o_n_e_r_w", "dxxx", "🙂", "ownership_of_everything"])
  func far(word: String) {
    #expect(nearest(word, among: names) == nil)
  }

  @Test("prefers the closest name, and the first of equally similar names")
  func preference() {
    #expect(nearest("tag", among: ["tag_colour", "tags"]) == "tags")
    #expect(nearest("bat", among: ["cat", "hat"]) == "cat")
    #expect(nearest("pass", among: ["password_hash", "password"]) == "password")
  }

  @Test("suggests the known name ab, but not b, for the unknown name a")
  func oneLetter() {
    #expect(nearest("a", among: ["b"]) == nil)
    #expect(nearest("a", among: ["ab"]) == "ab")
    #expect(nearest("a", among: []) == nil)
    #expect(nearest("a", among: [""]) == nil)
  }

  @Test("finds a similar name for a name with an accent, but none for a very long name")
  func oddWords() {
    #expect(nearest("café", among: ["cafe"]) == "cafe")
    #expect(nearest(String(repeating: "x", count: 1_000_000), among: names) == nil)
  }
}
