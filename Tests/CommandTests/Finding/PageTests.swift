import ProgramHarness
import Testing

@Suite("Pages", .onEveryStore)
struct PageTests {
  private struct Page {
    let ids: [String]
    let next: String?
    let previous: String?
  }

  private func page(_ place: Place, _ words: String...) throws -> Page {
    let answer = try place.program.run(
      ["list", "book", "--order", "pages,-title", "--limit", "2", "-o", "page"] + words
    ).exits(0).json
    #expect(answer.keys == ["next", "previous", "records"])
    return Page(
      ids: answer["records"]?.elements.compactMap { $0["book_id"]?.text } ?? [],
      next: answer["next"]?.text, previous: answer["previous"]?.text)
  }

  private func library() throws -> Place {
    let place = try Place()
    try place.keepLibrary()
    try place.prepare("save", "book", "e", "title=Egg", "pages=100")
    return place
  }

  @Test("page tokens lead forward and back, and end in null")
  func walking() throws {
    let place = try library()
    let first = try page(place)
    #expect(first.ids == ["d", "c"])
    #expect(first.previous == nil)
    let second = try page(place, "--after", try #require(first.next))
    #expect(second.ids == ["b", "a"])
    let third = try page(place, "--after", try #require(second.next))
    #expect(third.ids == ["e"])
    #expect(third.next == nil)
    let back = try page(place, "--before", try #require(third.previous))
    #expect(back.ids == ["b", "a"])
    #expect(back.next == second.next)
    let start = try page(place, "--before", try #require(back.previous))
    #expect(start.ids == ["d", "c"])
    #expect(start.previous == nil)
  }

  @Test("a token keeps its position when records are deleted and added")
  func changes() throws {
    let place = try library()
    let next = try #require(try page(place).next)
    try place.prepare("delete", "book", "c")
    try place.prepare("save", "book", "z", "title=A", "pages=50")
    #expect(try page(place, "--after", next).ids == ["b", "z"])
  }

  @Test("an empty page has a token that leads back", arguments: ["", "-"])
  func emptyPages(sign: String) throws {
    let place = try library()
    func page(_ words: String...) throws -> Page {
      let answer = try place.program.run(
        ["list", "book", "--order", "\(sign)pages", "--limit", "2", "-o", "page"] + words
      ).exits(0).json
      return Page(
        ids: answer["records"]?.elements.compactMap { $0["book_id"]?.text } ?? [],
        next: answer["next"]?.text, previous: answer["previous"]?.text)
    }
    let all = try place.program.run(
      ["list", "book", "--order", "\(sign)pages", "-o", "ids"]
    ).exits(0).lines
    let second = try page("--after", try #require(try page().next))
    let third = try #require(second.next)
    try place.prepare("delete", "book", all[4])
    let empty = try page("--after", third)
    #expect(empty.ids == [])
    #expect(empty.next == nil)
    #expect(try page("--before", try #require(empty.previous)).ids == [all[2], all[3]])
    let first = try #require(try page("--after", third).previous)
    let start = try #require(try page("--before", first).previous)
    try place.prepare("delete", "book", all[0], all[1])
    let none = try page("--before", start)
    #expect(none.ids == [])
    #expect(none.previous == nil)
    #expect(try page("--after", try #require(none.next)).ids == [all[2], all[3]])
  }

  @Test("a token keeps its position when its record moves")
  func moved() throws {
    let place = try library()
    let next = try #require(try page(place).next)
    try place.prepare("save", "book", "c", "pages=900")
    #expect(try page(place, "--after", next).ids == ["b", "a"])
    #expect(try page(place, "--before", next).ids == ["d"])
  }

  @Test("rejects tokens of other queries and invalid tokens")
  func misuse() throws {
    let place = try library()
    let next = try #require(try page(place).next)
    let list = ["list", "book", "--after", next]
    for words in [[], ["--order", "pages"], ["--order", "pages,-title", "pages=50"]] {
      try place.program.run(list + words).exits(2).printsNothing().says(
        "--after: the token belongs to another query")
    }
    try place.program.run(list + ["--order", "pages,-title", "--fields", "title"]).exits(0)
    for token in ["", "x", "e30", "W10", "WzFd", "!", "WyIwMTIzNDU2Nzg5YWJjZGVmIl0", next + "A"] {
      try place.run("list", "book", "--after", token).exits(2).printsNothing().says("--after")
    }
    try place.run("list", "book", "--after", next, "--before", next).exits(2).says("--before")
  }

  @Test("a query with now() can be continued later")
  func time() throws {
    let place = try library()
    let words = [
      "list", "book", "--where", "created_at > now() - 7d", "-o", "page", "--limit", "3",
    ]
    let first = try place.program.run(words).exits(0).json
    let next = try #require(first["next"]?.text)
    let second = try place.program.run(words + ["--after", next]).exits(0).json
    #expect(second["records"]?.elements.count == 2)
    #expect(second["next"]?.text == nil)
  }

  @Test("prints an empty page, and a page without a limit")
  func edges() throws {
    let place = try library()
    try place.run("list", "book", "pages=7", "-o", "page").prints(
      "{\"records\":[],\"next\":null,\"previous\":null}\n")
    try place.run("list", "book", "--limit", "0", "-o", "page").prints(
      "{\"records\":[],\"next\":null,\"previous\":null}\n")
    let all = try place.run("list", "book", "-o", "page").exits(0).json
    #expect(all["records"]?.elements.count == 5)
    try place.run("get", "book", "a", "-o", "page").exits(2)
  }
}
