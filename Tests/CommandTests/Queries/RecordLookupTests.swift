import ProgramHarness
import Testing

@Suite("Finding records by id or by another field", .onEveryStore)
struct RecordLookupTests {
  private func accounts() throws -> TestFolder {
    let folder = try TestFolder()
    try folder.write(
      "account.json",
      """
      {"schema": "account", "fields": {"account_id": {"type": "id"},
        "name": {"type": "text", "unique": true}}}
      """)
    try folder.prepare("schema", "apply", "account.json")
    try folder.prepare(
      "save", "account",
      input: .text(
        """
        {"account_id":"p1","name":"one"}
        {"account_id":"p2","name":"a\\tb"}

        """))
    return folder
  }

  @Test(
    "reports the line number when an id on stdin is invalid",
    arguments: [
      ["get", "account", "-"], ["delete", "account", "-"],
      ["delete", "account", "-", "--if-exists"],
    ])
  func controls(_ arguments: [String]) throws {
    let folder = try accounts()
    for (line, shown) in [
      ("p1\0p2", #"p1\u0000p2"#), ("p1\tp2", #"p1\u0009p2"#), ("p1\u{85}", #"p1\u0085"#),
    ] {
      let run = try folder.program.run(arguments, input: .text("none\n\(line)\np1\n")).exits(6)
      try run.printsNothing().reports(
        """
        datactl: standard input:2: expected an id without control characters, found "\(shown)"
          write one id per line

        """)
    }
    try folder.run("list", "account", "-o", "ids").prints("p1\np2\n")
    try folder.run("get", "account", "-", "-o", "ids", input: .text("p2\r\n\np1")).prints(
      "p2\np1\n")
  }

  @Test("accepts any text without NUL as a value of get --by")
  func values() throws {
    let folder = try accounts()
    let arguments = ["get", "account", "-", "--by", "name", "-o", "ids"]
    try folder.program.run(arguments, input: .text("a\tb\n")).prints("p2\n")
    try folder.program.run(arguments, input: .text("one\na\0b\n")).exits(6).printsNothing().reports(
      """
      datactl: standard input:2: expected a value without NUL, found "a\\u0000b"
        write one value per line

      """)
  }

  @Test("reports an invalid id on the command line as not found")
  func operands() throws {
    let folder = try accounts()
    try folder.run("get", "account", "p1", "p1\tp2", "-o", "ids").exits(3).prints("p1\n").reports(
      #"account p1\u0009p2: there is no such record"#)
    try folder.run("delete", "account", "p1\tp2").exits(3)
    try folder.run("delete", "account", "p1\tp2", "--if-exists").exits(0).reports("0 deleted")
  }

  @Test("gets records in the order of the given values, and twice if a value is given twice")
  func batches() throws {
    let folder = try TestFolder()
    try folder.createTodoSchema()
    try folder.prepare("save", "todo", "-o", "none", input: .bytes(TestFolder.todos(1_500)))
    let ids = (0..<1_500).reversed().map { String(1_000_000_000 + $0) }
    let lines = (ids + ["none", ids[3]]).joined(separator: "\n")
    let arguments = ["get", "todo", "-", "--by", "todo_id", "-o", "ids"]
    try folder.program.run(arguments, input: .text(lines)).exits(3)
      .prints((ids + [ids[3]]).map { $0 + "\n" }.joined())
      .reports("datactl: todo none: there is no such record\n")
  }

  @Test("reports similar errors of many records in one line, and the first 20 as JSON")
  func similarErrors() throws {
    let folder = try TestFolder()
    try folder.run("schema", "create", "section", "name:text").exits(0)
    try folder.run("schema", "create", "product", "section:section!").exits(0)
    try folder.run("save", "section", "games", "name=Games", "-o", "none").exits(0)
    func products(of section: String) -> String {
      (1_000...2_099).map { "{\"product_id\":\"p\($0)\",\"section\":\"\(section)\"}\n" }.joined()
    }
    try folder.run("save", "product", "-o", "none", input: .text(products(of: "games"))).exits(0)
    let deletion = ["delete", "section", "games"]
    let message =
      "datactl: 1,100 records of product refer to section games: p1000, p1001, p1002 and 1,097 more\n"
    #expect(try folder.program.run(deletion).exits(5).errors == message)
    let json = try folder.program.run(deletion + ["--errors", "json"]).exits(5).errorLines
    #expect(json.count == 21)
    #expect(json.last?.hasSuffix(",\"count\":1080}") == true)
    try folder.run("save", "product", input: .text(products(of: "toys"))).exits(6).reports(
      "datactl: standard input:1: section: there is no section \"toys\" "
        + "(1,100 records: p1000, p1001, p1002 and 1,097 more)\n")
    try folder.run("get", "product", "a", "b", "c", "d").exits(3).reports(
      "datactl: product: there is no such record (4 records: a, b, c and 1 more)\n")
    try folder.run("get", "product", "a", "b", "c").exits(3).reports(
      "datactl: product a: there is no such record\n")
  }
}
