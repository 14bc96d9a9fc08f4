import Foundation
import ProgramHarness
import TestSupport
import Testing

@Suite("backup")
struct BackupTests {
  /// Creates a store in a file.
  private func sample() throws -> TestFolder {
    let folder = try TestFolder(store: "sqlite:shop.db")
    try folder.saveTodos()
    return folder
  }

  private func newFiles(_ folder: TestFolder) throws -> [String] {
    try folder.files.filter { !$0.hasPrefix("shop.db") && $0 != "calls.txt" }
  }

  @Test("copies a store with everything in it to a file that only the user may read")
  func copies() throws {
    let folder = try TestFolder(store: "sqlite:shop.db")
    try folder.prepare("schema", "create", "user", "--user")
    try folder.prepare(
      "save", "user", "-o", "none", input: .text(#"{"username":"bob","password":"correct horse"}"#))
    try folder.prepare("schema", "create", "todo", "title:text", "owner:user", "photo:file")
    try folder.write("a.txt", "hallo\n")
    try folder.prepare(
      "save", "todo", "tea", "title=Tea", "owner=bob", "photo@=a.txt", "-o", "none")
    let run = try folder.run("backup", "copy.db").exits(0).prints("")
    #expect(run.errors.hasSuffix("/shop.db is backed up to copy.db\n"))
    #expect(try folder.files == ["a.txt", "copy.db", "shop.db", "shop.db-lock"])
    #expect(try TestFolder.permissions(folder.path("copy.db")) == 0o600)
    try folder.tool("sqlite3", "copy.db", "pragma journal_mode").prints("wal\n")
    for command in [".dump", "select * from _changes"] {
      let texts = try ["shop.db", "copy.db"].map { try folder.tool("sqlite3", $0, command).output }
      #expect(texts[0] == texts[1])
    }
    let ids = try ["shop.db", "copy.db"].map {
      try folder.tool("sqlite3", $0, "select id from _meta").output
    }
    #expect(ids[0].count == 37 && ids[0] == ids[1])
    let copy = folder.program.with(["DATACTL_STORE": "sqlite:copy.db"])
    try copy.run(
      ["login", "--username", "bob", "--password-stdin"], input: .text("correct horse\n")
    ).exits(0)
    try copy.run(["get", "todo", "tea", "--content", "photo"]).prints("hallo\n")
    try copy.run(["save", "todo", "milk", "title=Milk"]).exits(0)
  }

  @Test("verifies a backup, and prints the digests that copy prints")
  func verifies() throws {
    let folder = try sample()
    let copied = try folder.run("copy", folder.address, "other.db").exits(0)
    let run = try folder.run("backup", "copy.db", "--verify").exits(0)
    #expect(run.output == copied.output)
    #expect(run.errors == "3 records of 1 schema backed up\n")
  }

  @Test("restores a backup only to a new file")
  func restores() throws {
    let folder = try sample()
    try folder.run("backup", "copy.db").exits(0)
    let todos = try folder.todos
    let existing = try folder.run("restore", "copy.db").exits(5)
    #expect(existing.errors.contains("the file already exists"))
    try folder.run("restore", "copy.db", "--store", "postgres://127.0.0.1:1/shop").exits(2)
      .reports("datactl copy copy.db")
    _ = try folder.shell("rm shop.db*").exits(0)
    try folder.run("restore", "copy.db", "--dry-run").exits(0).reports("would be restored")
    #expect(try folder.files == ["copy.db"])
    try folder.run("restore", "copy.db").exits(0)
    #expect(try folder.todos == todos)
    #expect(try folder.files == ["copy.db", "shop.db"])
    #expect(try TestFolder.permissions(folder.path("shop.db")) == 0o600)
    try folder.write("cut.db", "SQLite format 3\0")
    try folder.run("restore", "cut.db", "--store", "new.db").exits(7).reports("not a database")
  }

  @Test(
    "keeps existing files, and the journals to which a new file would belong",
    arguments: ["", "-wal", "-shm", "-journal"])
  func existing(_ suffix: String) throws {
    let folder = try sample()
    try folder.write("copy.db\(suffix)", "x")
    let run = try folder.run("backup", "copy.db").exits(5)
    #expect(run.errors.hasPrefix("datactl: copy.db\(suffix): the file already exists\n"))
    #expect(try newFiles(folder) == ["copy.db\(suffix)"])
    #expect(try folder.bytes("copy.db\(suffix)") == Array("x".utf8))
    try folder.run("backup", "shop.db").exits(5)
  }

  @Test("names dump and pg_dump for a store on a server, and fails without a store")
  func refusals() throws {
    let folder = try sample()
    for store in ["https://127.0.0.1:1", "postgres://127.0.0.1:1/shop"] {
      try folder.run("backup", "copy.db", "--store", store).exits(2)
        .reports("cannot back up a store", "datactl dump", "pg_dump")
    }
    try folder.run("backup", "-").exits(2).reports("datactl dump")
    try folder.run("backup", "copy.db", "--store", "missing.db").exits(7)
    try folder.run("backup", "nowhere/copy.db").exits(1)
      .reports("nowhere/copy.db: No such file or directory")
    #expect(try newFiles(folder) == [])
  }

  @Test("finds a changed byte in a page, in a reference and in a content")
  func damage() throws {
    let folder = try TestFolder(store: "sqlite:shop.db")
    try folder.prepare("schema", "create", "user", "--user")
    try folder.prepare("schema", "create", "todo", "owner:user", "photo:file")
    try folder.write("a.txt", "hallo\n")
    try folder.prepare("save", "todo", "tea", "photo@=a.txt", "-o", "none")
    try folder.tool("cp", "shop.db", "good.db")
    try folder.tool(
      "sqlite3", "shop.db", "pragma foreign_keys = off", "update todo set owner = 'missing'")
    try folder.run("backup", "a.db", "--verify").exits(7)
      .reports("records have references to records that do not exist")
    try folder.tool("cp", "good.db", "shop.db")
    var bytes = try folder.bytes("shop.db")
    let content = try #require(bytes.firstRange(of: Array("hallo\n".utf8)))
    bytes[content.lowerBound] = UInt8(ascii: "H")
    try Data(bytes).write(to: URL(filePath: folder.path("shop.db")))
    try folder.run("backup", "a.db", "--verify").exits(7)
      .reports("the content of the file is not what the record names")
    try folder.run("backup", "unverified.db").exits(0)
    bytes.replaceSubrange(8_192..<8_300, with: repeatElement(0xFF, count: 108))
    try Data(bytes).write(to: URL(filePath: folder.path("shop.db")))
    try folder.run("backup", "a.db").exits(7).reports("the store is damaged")
    #expect(try folder.files.filter { $0.hasPrefix("a.db") } == [])
  }

  @Test("makes complete backups while several processes save")
  func concurrentWriters() throws {
    let folder = try sample()
    try folder.prepare("save", "todo", "-o", "none", input: .bytes(TestFolder.todos(20_000)))
    let writers = try (1...4).map { number in
      try folder.program.prefixed([
        "/bin/bash", "-c",
        """
        until [ -e stop ]; do
          "$@" save todo w\(number) title=x -o none && "$@" save todo title=y -o none \
          || exit 1
        done
        """, "bash",
      ]).start([])
    }
    for number in 1...Seeds.count(test: 20, all: 100).count {
      try folder.run("backup", "copy\(number).db", "--verify").exits(0)
      try folder.tool("sqlite3", "copy\(number).db", "pragma integrity_check").prints("ok\n")
    }
    try folder.write("stop", "")
    for writer in writers { try writer.finish().exits(0) }
    #expect(try folder.files.filter { $0.contains("-new") } == [])
    try folder.checkIntegrity()
  }

  @Test("leaves at most FILE-new when it is killed, which the next backup removes")
  func killed() throws {
    let folder = try sample()
    try folder.prepare("save", "todo", "-o", "none", input: .bytes(TestFolder.todos(20_000)))
    var generator = SeededRandom(seed: UInt64.random(in: 1...999_999))
    let whole = try folder.run("backup", "whole.db", "--verify").exits(0)
    try folder.tool("rm", "whole.db")
    for round in Seeds.count(test: 10, all: 100) {
      let backup = try folder.program.start(["backup", "copy.db", "--verify"])
      try backup.run(for: .seconds(Double.random(in: 0...1, using: &generator) * whole.seconds))
      backup.signal(9)
      _ = try backup.finish()
      let files = try newFiles(folder)
      if files != ["copy.db"] {
        #expect(files == [] || files == ["copy.db-new"], "round \(round)")
        try folder.run("backup", "copy.db").exits(0)
      }
      #expect(try newFiles(folder) == ["copy.db"], "round \(round)")
      try folder.tool("sqlite3", "copy.db", "pragma quick_check").prints("ok\n")
      try folder.tool("rm", "copy.db")
    }
  }

  @Test("leaves nothing when it is interrupted")
  func interrupted() throws {
    let folder = try sample()
    try folder.prepare("save", "todo", "-o", "none", input: .bytes(TestFolder.todos(20_000)))
    let backup = try folder.program.start(["backup", "copy.db", "--verify"])
    try backup.run(for: .milliseconds(60))
    backup.signal(15)
    let run = try backup.finish()
    #expect(run.status == 143 || run.status == 0, "\(run.report)")
    #expect(try newFiles(folder) == (run.status == 0 ? ["copy.db"] : []))
  }

  @Test(
    "leaves nothing when a system call fails",
    arguments: [
      ("pwrite64:error=ENOSPC:when=1", "the disk is full"),
      ("pwrite64:error=EIO:when=1", "writing failed: Input/output error"),
      ("fsync:error=EIO:when=1", "Input/output error"),
    ])
  func failures(_ fault: String, _ cause: String) throws {
    let folder = try sample()
    let run = try folder.failing(fault, on: folder.path("copy.db-new")).run(["backup", "copy.db"])
    try run.requires(run.status != 0, "the call was to fail")
    try run.reports("copy.db: \(cause)")
    #expect(try newFiles(folder) == [])
  }
}
