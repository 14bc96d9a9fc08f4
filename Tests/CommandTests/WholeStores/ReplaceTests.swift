import Foundation
import ProgramHarness
import TestSupport
import Testing

@Suite("restore --replace")
struct ReplaceTests {
  private static let yes = ["restore", "copy.db", "--replace", "--yes"]

  /// Creates a store in a file, a backup of it, and then another record in the store.
  private func sample() throws -> TestFolder {
    let folder = try TestFolder(store: "sqlite:shop.db")
    try folder.saveTodos()
    try folder.prepare("backup", "copy.db")
    try folder.prepare("save", "todo", "d", "title=dates", "-o", "none")
    return folder
  }

  /// The names of the replaced files.
  private func replaced(_ folder: TestFolder) throws -> [String] {
    try folder.files.filter { $0.hasPrefix("shop.db.replaced-") }
  }

  private func state(_ folder: TestFolder) throws -> [String] {
    try folder.files.filter { $0 != "shop.db-lock" && $0 != "shop.db-shm" }
      .map { try "\($0) \(folder.tool("sha256sum", $0).output)" }
  }

  @Test("replaces a store, keeps the old file and its permissions, and ends all sessions")
  func replaces() throws {
    let folder = try TestFolder(store: "sqlite:shop.db")
    try folder.prepare("schema", "create", "user", "--user")
    try folder.prepare(
      "save", "user", "-o", "none", input: .text(#"{"username":"bob","password":"correct horse"}"#))
    try folder.tool(
      "sqlite3", "shop.db", "insert into _session values (x'00', 'bob', 0, 9000000000000000)")
    try folder.prepare("backup", "copy.db")
    try folder.prepare("save", "user", "-o", "none", input: .text(#"{"username":"ann"}"#))
    try folder.tool("chmod", "640", "shop.db")
    let run = try folder.program.run(Self.yes).exits(0).prints("")
    let id = try folder.tool("sqlite3", "copy.db", "select id from _meta").output.dropLast()
    #expect(run.errors.contains("shop.db: 2 records of 1 schema, id \(id)\n"))
    #expect(run.errors.contains("copy.db: 1 record of 1 schema, id \(id)\n"))
    let old = try #require(try replaced(folder).first)
    #expect(run.errors.hasSuffix("/\(old)\n"))
    #expect(try folder.files == ["copy.db", "shop.db", "shop.db-lock", old])
    #expect(try TestFolder.permissions(folder.path("shop.db")) == 0o640)
    try folder.tool("sqlite3", "shop.db", "select count(*) from _session; pragma journal_mode")
      .prints("0\nwal\n")
    try folder.tool("sqlite3", "copy.db", "select count(*) from _session").prints("1\n")
    try folder.run("list", "user", "-o", "ids").prints("bob\n")
    try folder.run("list", "user", "-o", "ids", "--store", old).prints("ann\nbob\n")
    try folder.run("doctor", "--full", "--store", old).exits(0)
    try folder.checkIntegrity()
  }

  @Test("restores a damaged and a lost store with the three commands of `help stores`")
  func badDay() throws {
    let folder = try sample()
    let help = try folder.run("help", "stores").output
    let lines = try #require(
      help.firstMatch(
        of:
          /\$ (datactl doctor .*)\n *\$ (datactl restore .* --replace.*)\n *\$ (datactl doctor .*)\n/
      ))
    let commands = [lines.1, lines.2, lines.3].map(String.init)
    var bytes = try folder.bytes("shop.db")
    for page in 3..<bytes.count / 8_192 {
      bytes.replaceSubrange(
        page * 8_192..<page * 8_192 + 100, with: repeatElement(0xFF, count: 100))
    }
    try Data(bytes).write(to: URL(filePath: folder.path("shop.db")))
    try folder.run("doctor").exits(1)
    for command in [commands[0], commands[1] + " --yes", commands[2]] {
      try folder.shell(command).exits(0)
    }
    #expect(try folder.ids("todo") == "a b c")
    _ = try folder.shell("rm shop.db*").exits(0)
    for command in commands { try folder.shell(command).exits(0) }
    #expect(try folder.ids("todo") == "a b c")
  }

  @Test("asks for confirmation, and replaces only with a backup that has no findings")
  func refusals() throws {
    let folder = try sample()
    let before = try state(folder)
    let run = try folder.run("restore", "copy.db", "--replace").exits(2)
    #expect(run.errors.contains("cannot prompt for confirmation to replace sqlite:"))
    try folder.run("restore", "copy.db", "--replace", "--dry-run").exits(0)
      .reports("would be replaced")
    try folder.run("restore", "shop.db", "--replace", "--yes").exits(2)
      .reports("the backup is the store itself")
    try folder.run("restore", "copy.db", "--yes").exits(2).reports("--replace")
    #expect(try state(folder) == before)
    try folder.run("dump", "shop.tgz").exits(0)
    try folder.run("restore", "shop.tgz", "--replace", "--yes").exits(2).reports("datactl backup")
    try folder.tool("sqlite3", "copy.db", "update todo set title = null where todo_id = 'a'")
    try folder.program.run(Self.yes).exits(7).reports("copy.db: 1 finding")
    #expect(try folder.ids("todo") == "a b c d")
    #expect(try replaced(folder) == [])
  }

  @Test("changes nothing while another program reads the store")
  func openReader() throws {
    let folder = try sample()
    let reader = try Program(
      ["/usr/bin/env", "sqlite3"], environment: folder.datactl.environment,
      directory: folder.directory
    ).start([
      "shop.db", "begin; select count(*) from todo;",
      ".shell touch started; until [ -e stop ]; do sleep 0.1; done",
    ])
    try reader.wait(for: "a read transaction") { _ in
      FileManager.default.fileExists(atPath: folder.path("started"))
    }
    let before = try state(folder)
    let run = try folder.program.run(Self.yes + ["--wait", "1"]).exits(7)
    #expect(run.errors.contains("another program uses the store; nothing was changed"))
    #expect(try state(folder) == before)
    // A writer need not wait for the reader.
    let waiting = try folder.program.start(Self.yes + ["--wait", "20"])
    try waiting.wait(for: "the backup") { _ in
      (try? folder.files)?.contains { $0.hasPrefix("shop.db-") && $0.hasSuffix("new") } == true
    }
    for number in 0..<5 {
      try folder.prepare("save", "todo", "a", "title=\(number)", "--wait", "3", "-o", "none")
    }
    try folder.write("stop", "")
    _ = try reader.finish()
    try waiting.finish().exits(0)
    #expect(try folder.ids("todo") == "a b c")
  }

  @Test("changes nothing while a server uses the store")
  func server() throws {
    let folder = try sample()
    let server = try TestServer(folder)
    #expect(try server.request("/records/todo").status != 500)
    try folder.program.run(Self.yes + ["--wait", "0"]).exits(7).reports("stop programs")
    #expect(try replaced(folder) == [])
    #expect(try server.stop().status == 0)
    try folder.program.run(Self.yes).exits(0)
    #expect(try folder.ids("todo") == "a b c")
  }

  @Test("leaves the old or the new store when it is killed, and succeeds when it runs again")
  func killed() throws {
    let folder = try sample()
    try folder.prepare("save", "todo", "-o", "none", input: .bytes(TestFolder.todos(5_000)))
    var generator = SeededRandom(seed: UInt64.random(in: 1...999_999))
    let whole = try folder.program.run(Self.yes).exits(0)
    for round in Seeds.count(test: 10, all: 100) {
      try folder.prepare("save", "todo", "d", "title=dates", "-o", "none")
      let restore = try folder.program.start(Self.yes)
      try restore.run(for: .seconds(Double.random(in: 0...1, using: &generator) * whole.seconds))
      restore.signal(9)
      _ = try restore.finish()
      try folder.run("doctor", "--full").exits(0)
      let ids = try folder.ids("todo")
      #expect(ids == "a b c" || ids == "a b c d", "round \(round)")
      _ = try folder.shell("rm -f shop.db.replaced-*").exits(0)
      try folder.program.run(Self.yes).exits(0)
      #expect(try folder.ids("todo") == "a b c", "round \(round)")
      let files = try folder.files.filter { !$0.hasPrefix("shop.db.replaced-") }
      #expect(files == ["copy.db", "shop.db", "shop.db-lock"], "round \(round)")
      _ = try folder.shell("rm -f shop.db.replaced-*").exits(0)
    }
  }

  @Test("leaves the old store when the new file cannot be published")
  func failure() throws {
    let folder = try sample()
    let run = try folder.failing("rename:error=EIO", on: folder.path("shop.db-new"))
      .run(Self.yes)
    try run.requires(run.status == 7, "the call was to fail").reports("Input/output error")
    #expect(try folder.ids("todo") == "a b c d")
    #expect(
      try folder.files.filter { $0 != "calls.txt" } == ["copy.db", "shop.db", "shop.db-lock"])
    try folder.tool("sqlite3", "shop.db", "pragma journal_mode").prints("wal\n")
    try folder.checkIntegrity()
  }
}
