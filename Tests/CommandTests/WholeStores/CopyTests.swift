import ProgramHarness
import Testing

@Suite("copy", .onEveryStore)
struct CopyTests {
  private static let users = """
    {"username":"bob","password":"correct horse","name":"Bob"}

    """

  /// Creates the sample store with a user who has a password.
  private func sample() throws -> TestFolder {
    let folder = try DumpTests.sample()
    try folder.prepare("save", "user", "-o", "none", input: .text(Self.users))
    return folder
  }

  @Test("copies a store to a file and to a database, with passwords")
  func copies() throws {
    let folder = try sample()
    let dump = try folder.run("dump").exits(0).outputBytes
    let other = try TestFolder()
    let run = try folder.run("copy", folder.address, other.target(of: folder)).exits(0)
    #expect(run.errors == "7 records of 4 schemas copied\n1 user needs a new password\n")
    for name in ["note", "step", "todo", "user", "function"] {
      let listed = try folder.run("list", name, "-o", "ndjson").exits(0).outputBytes
      let digest = try folder.tool("sha256sum", input: .bytes(listed)).output.prefix(64)
      #expect(run.output.contains(#""schema":"\#(name)","#))
      #expect(run.output.contains(#""digest":"\#(digest)"}"#))
    }
    let original = try DumpTests.contents(of: dump, in: folder)
    let first = try DumpTests.contents(of: other.run("dump").exits(0).outputBytes, in: folder)
    #expect(first.text == original.text)
    try folder.run("copy", folder.address, "back.db", "-o", "none").exits(0).prints("")
    let back = folder.program.with(["DATACTL_STORE": "sqlite:back.db"])
    let second = try DumpTests.contents(of: back.run(["dump"]).exits(0).outputBytes, in: folder)
    #expect(second.text == original.text)
    #expect(Set([original.store, first.store, second.store]).count == 3)
    for program in [other.program, back] {
      try program.run(
        ["login", "--username", "bob", "--password-stdin"], input: .text("correct horse\n")
      ).exits(0)
      try program.run(
        ["login", "--username", "bob", "--password-stdin"], input: .text("wrong horse\n")
      ).exits(4)
    }
    try back.run(["get", "todo", "tea", "--content", "photo"]).prints("hallo\n")
  }

  @Test("leaves passwords and schemas out")
  func parts() throws {
    let folder = try sample()
    let run = try folder.run(
      "copy", folder.address, "a.db", "--without-passwords", "--only", "todo"
    ).exits(0)
    #expect(
      run.errors == """
        7 records of 3 schemas copied
        Also copied, because the chosen schemas need them: step, user
        Functions left out, because they use other schemas: notes
        2 users need a new password

        """)
    let copy = folder.program.with(["DATACTL_STORE": "sqlite:a.db"])
    try copy.run(
      ["login", "--username", "bob", "--password-stdin"], input: .text("correct horse\n")
    ).exits(4)
    try copy.run(["list", "function", "-o", "ids"]).prints("cheap\n")
  }

  @Test("leaves an unfinished copy, which other commands reject, if a reference is dangling")
  func unfinished() throws {
    let folder = try TestFolder()
    let source = "sqlite:source.db"
    for words in [
      "schema create leaf text:text", "schema create node leaf:leaf", "save leaf a text=x",
      "save node x leaf=a",
    ] {
      try folder.datactl.run(words.split(separator: " ").map(String.init) + ["--store", source])
        .exits(0)
    }
    try folder.tool("sqlite3", "source.db", "delete from leaf")
    try folder.run("copy", source, folder.address).exits(6).reports("there is no leaf")
    for words in [
      "schema list", "schema log", "schema create z n:text", "list node", "get node x",
      "save node y", "delete node x", "dump -", "copy \(folder.address) new.db", "serve",
      "login -u ann --password-stdin",
    ] {
      let run = try folder.program.run(
        words.split(separator: " ").map(String.init), input: .text("{}\n"))
      #expect(run.status == 7, "\(words): \(run.report)")
      #expect(run.errors.contains(": an unfinished copy of sqlite:"), "\(words): \(run.report)")
    }
    try folder.run("list", "node", "--errors", "json").exits(7).reports("unfinished_copy")
    let findings = try folder.run("doctor", "--fix").exits(1).output
    #expect(findings.contains("the store is an unfinished copy of sqlite:"), "\(findings)")
    #expect(findings.contains("[unfinished-copy]\n  Run datactl copy again"), "\(findings)")
    try folder.run("schema", "list", "--store", source).exits(0)
    try folder.prepare("save", "leaf", "a", "--store", source, "text=y", "-o", "none")
    let run = try folder.run("copy", source, folder.address).exits(0)
    #expect(run.errors == "2 records of 2 schemas copied\n")
    #expect(try folder.run("get", "node", "x", "--fields", "leaf").exits(0).output.contains("a"))
    try folder.run("copy", source, folder.address).exits(5)
  }

  @Test("changes nothing in a dry run, and if a store is missing, the same or in use")
  func refusals() throws {
    let folder = try sample()
    let dump = try folder.run("dump").exits(0).outputBytes
    let dryRun = try folder.run("copy", folder.address, "a.db", "--dry-run").exits(0)
    #expect(dryRun.errors.hasPrefix("7 records of 4 schemas would be copied\n"))
    try folder.run("copy", "missing.db", "a.db").exits(7)
    try folder.run("copy", folder.address, folder.address).exits(2)
    try folder.run("copy", folder.address, "a.db", "--store", "b.db").exits(2)
    try folder.run("copy", folder.address, "https://127.0.0.1:1").exits(2)
    try folder.run("copy", folder.address, "a.db", "--only", "nothing").exits(3)
    #expect(try folder.files.filter { $0.hasPrefix("a.db") } == [])
    let other = try TestFolder()
    try other.prepare("schema", "create", "note", "text:text")
    try folder.run("copy", folder.address, other.target(of: folder)).exits(5)
    try other.run("schema", "list").exits(0)
    #expect(try folder.run("dump").exits(0).outputBytes == dump)
  }
}

extension TestFolder {
  /// The address of the store of this folder, for a program in another folder.
  fileprivate func target(of other: TestFolder) -> String {
    address == "sqlite:shop.db" ? "sqlite:\(path("shop.db"))" : address
  }
}
