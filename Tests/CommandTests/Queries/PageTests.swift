import ProgramHarness
import Testing

@Suite("Pages", .onEveryStore)
struct PageTests {
  private struct Page {
    let ids: [String]
    let next: String?
    let previous: String?
  }

  private func page(_ folder: TestFolder, _ arguments: String...) throws -> Page {
    let answer = try folder.program.run(
      ["list", "book", "--order", "pages,-title", "--limit", "2", "-o", "page"] + arguments
    ).exits(0).json
    #expect(answer.keys == ["next", "previous", "records"])
    return Page(
      ids: answer["records"]?.elements.compactMap { $0["book_id"]?.text } ?? [],
      next: answer["next"]?.text, previous: answer["previous"]?.text)
  }

  private func library() throws -> TestFolder {
    let folder = try TestFolder()
    try folder.saveLibrary()
    try folder.prepare("save", "book", "e", "title=Egg", "pages=100")
    return folder
  }

  @Test("prints tokens for the next and the previous page, or null when there is no such page")
  func walking() throws {
    let folder = try library()
    let first = try page(folder)
    #expect(first.ids == ["d", "c"])
    #expect(first.previous == nil)
    let second = try page(folder, "--after", try #require(first.next))
    #expect(second.ids == ["b", "a"])
    let third = try page(folder, "--after", try #require(second.next))
    #expect(third.ids == ["e"])
    #expect(third.next == nil)
    let back = try page(folder, "--before", try #require(third.previous))
    #expect(back.ids == ["b", "a"])
    #expect(back.next == second.next)
    let start = try page(folder, "--before", try #require(back.previous))
    #expect(start.ids == ["d", "c"])
    #expect(start.previous == nil)
  }

  @Test("continues after a page that ends with a JSON number beyond the range of a double")
  func hugeNumbers() throws {
    let folder = try TestFolder()
    try folder.prepare("schema", "create", "e", "j:json")
    let numbers = ["-1e400", "1", "1e400"]
    for (index, number) in numbers.enumerated() {
      try folder.prepare("save", "e", "\(index)", "j:={\"a\":\(number)}")
    }
    var token: String?
    for index in numbers.indices {
      let page = try folder.program.run(
        ["list", "e", "--fields", "e_id", "--order", "j.a", "--limit", "1", "-o", "page"]
          + (token.map { ["--after", $0] } ?? [])
      ).exits(0).json
      #expect(page["records"]?.elements.map { $0["e_id"]?.text } == ["\(index)"])
      token = page["next"]?.text
    }
    #expect(token == nil)
  }

  @Test("keeps the position of a page token when records are deleted and added")
  func changes() throws {
    let folder = try library()
    let next = try #require(try page(folder).next)
    try folder.prepare("delete", "book", "c")
    try folder.prepare("save", "book", "z", "title=A", "pages=50")
    #expect(try page(folder, "--after", next).ids == ["b", "z"])
  }

  @Test("prints a token for the previous page when a page is empty", arguments: ["", "-"])
  func emptyPages(sign: String) throws {
    let folder = try library()
    func page(_ arguments: String...) throws -> Page {
      let answer = try folder.program.run(
        ["list", "book", "--order", "\(sign)pages", "--limit", "2", "-o", "page"] + arguments
      ).exits(0).json
      return Page(
        ids: answer["records"]?.elements.compactMap { $0["book_id"]?.text } ?? [],
        next: answer["next"]?.text, previous: answer["previous"]?.text)
    }
    let all = try folder.program.run(
      ["list", "book", "--order", "\(sign)pages", "-o", "ids"]
    ).exits(0).lines
    let second = try page("--after", try #require(try page().next))
    let third = try #require(second.next)
    try folder.prepare("delete", "book", all[4])
    let empty = try page("--after", third)
    #expect(empty.ids == [])
    #expect(empty.next == nil)
    #expect(try page("--before", try #require(empty.previous)).ids == [all[2], all[3]])
    let first = try #require(try page("--after", third).previous)
    let start = try #require(try page("--before", first).previous)
    try folder.prepare("delete", "book", all[0], all[1])
    let none = try page("--before", start)
    #expect(none.ids == [])
    #expect(none.previous == nil)
    #expect(try page("--after", try #require(none.next)).ids == [all[2], all[3]])
  }

  @Test(
    "continues a list at the same position even if the sort value of the last record has changed")
  func moved() throws {
    let folder = try library()
    let next = try #require(try page(folder).next)
    try folder.prepare("save", "book", "c", "pages=900")
    #expect(try page(folder, "--after", next).ids == ["b", "a"])
    #expect(try page(folder, "--before", next).ids == ["d"])
  }

  @Test("rejects page tokens of other queries and invalid tokens")
  func misuse() throws {
    let folder = try library()
    let next = try #require(try page(folder).next)
    let list = ["list", "book", "--after", next]
    for arguments in [[], ["--order", "pages"], ["--order", "pages,-title", "pages=50"]] {
      try folder.program.run(list + arguments).exits(2).printsNothing().reports(
        "--after: the token belongs to another query")
    }
    try folder.program.run(list + ["--order", "pages,-title", "--fields", "title"]).exits(0)
    for token in ["", "x", "e30", "W10", "WzFd", "!", "WyIwMTIzNDU2Nzg5YWJjZGVmIl0", next + "A"] {
      try folder.run("list", "book", "--after", token).exits(2).printsNothing().reports("--after")
    }
    try folder.run("list", "book", "--after", next, "--before", next).exits(2).reports("--before")
  }

  @Test("continues from a page token when the condition contains now()")
  func time() throws {
    let folder = try library()
    let arguments = [
      "list", "book", "--where", "created_at > now() - 7d", "-o", "page", "--limit", "3",
    ]
    let first = try folder.program.run(arguments).exits(0).json
    let next = try #require(first["next"]?.text)
    let second = try folder.program.run(arguments + ["--after", next]).exits(0).json
    #expect(second["records"]?.elements.count == 2)
    #expect(second["next"]?.text == nil)
  }

  @Test("prints a page with -o page when no record matches, and when no limit is given")
  func edges() throws {
    let folder = try library()
    try folder.run("list", "book", "pages=7", "-o", "page").prints(
      "{\"records\":[],\"next\":null,\"previous\":null}\n")
    try folder.run("list", "book", "--limit", "0", "-o", "page").prints(
      "{\"records\":[],\"next\":null,\"previous\":null}\n")
    let all = try folder.run("list", "book", "-o", "page").exits(0).json
    #expect(all["records"]?.elements.count == 5)
    try folder.run("get", "book", "a", "-o", "page").exits(2)
  }
}
