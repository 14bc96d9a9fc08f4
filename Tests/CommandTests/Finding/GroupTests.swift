import ProgramHarness
import Testing

@Suite("Groups and values on the line")
struct GroupTests {
  private func library() throws -> Place {
    let place = try Place()
    try place.keepLibrary()
    return place
  }

  @Test("--distinct with --count prints how many values there are, null among them")
  func distinctCount() throws {
    let place = try library()
    #expect(try place.run("list", "book", "--distinct", "pages").exits(0).lines.count == 3)
    try place.run("list", "book", "--distinct", "pages", "--count").prints("3\n")
    try place.run("list", "book", "--distinct", "pages", "--count", "-o", "json").prints(
      "{\"count\":3}\n")
    try place.run("list", "book", "pages=7", "--distinct", "pages", "--count").prints("0\n")
    try place.run("list", "book", "--distinct", "pages", "--count", "-o", "csv").exits(2)
    try place.run("list", "book", "--distinct", "pages", "--count", "--order", "-pages").prints(
      "3\n")
    try place.run("list", "book", "--distinct", "pages", "--count", "--order", "title").exits(2)
      .says("groups have no title")
    try place.run("list", "book", "--count", "--order", "pages").exits(2).says(
      "--count and --order cannot be used together")
  }

  @Test("groups have no ids, and have their count with and without --count")
  func formats() throws {
    let place = try library()
    try place.run("list", "book", "--group-by", "pages,lent", "-o", "ids").exits(2)
      .printsNothing().says("ids")
    try place.run("list", "book", "--group-by", "pages", "-o", "page").exits(2)
    try place.run("list", "book", "--distinct", "pages", "-o", "ids").exits(2).printsNothing()
    try place.run("list", "book", "--group-by", "").exits(2).says(
      "the name of a field of book is missing")
    let plain = try place.run("list", "book", "--group-by", "pages").exits(0).output
    try place.run("list", "book", "--group-by", "pages", "--count").prints(plain)
    try place.run("list", "book", "--group-by", "pages", "--count", "--order", "-count,-pages")
      .prints(
        """
        {"pages":50,"count":2}
        {"pages":100,"count":1}
        {"pages":null,"count":1}

        """)
  }
}
