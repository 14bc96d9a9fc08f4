import Foundation
import ProgramHarness
import TestSupport
import Testing

@Suite("System calls")
struct SystemCallTests {
  private static let writes = ["write", "writev", "pwrite64", "pwritev", "pwritev2"]

  @Test("syncs the store to disk after the last write and before reporting success")
  func durability() throws {
    let folder = try TestFolder()
    try folder.saveTodos()
    try Self.isDurable(folder, ["save", "todo", "a", "title=x"])
    try Self.isDurable(folder, ["delete", "todo", "b"])
    try Self.isDurable(folder, ["schema", "create", "note", "body:text"])
    try Self.isDurable(folder, ["save", "todo", "-o", "none"], .bytes(TestFolder.todos(30_000)))
  }

  private static func isDurable(
    _ folder: TestFolder, _ arguments: [String], _ input: Input = .nothing
  ) throws {
    let names = (writes + ["fsync", "fdatasync"]).joined(separator: ",")
    var unsynced: Set<String> = []
    var syncing: [Substring: String] = [:]
    var hasWritten = false
    for call in try SystemCall.trace(names, folder, arguments, input) {
      let file = call.file ?? ""
      let isOfStore = file == "shop.db" || file == "shop.db-wal"
      switch call.name {
      case "fsync", "fdatasync":
        switch call.part {
        case .whole: unsynced.remove(file)
        case .beginning: syncing[call.process] = file
        case .end: unsynced.remove(syncing[call.process] ?? "")
        }
      case _ where writes.contains(call.name) && isOfStore:
        unsynced.insert(file)
        hasWritten = true
      default:
        guard unsynced.isEmpty || !call.line.contains(" saved: ") else {
          throw Violation("\(arguments): reported before \(unsynced) was synced")
        }
      }
    }
    guard hasWritten else { throw Violation("\(arguments): no write to the store was seen") }
    guard unsynced.isEmpty else { throw Violation("\(arguments): \(unsynced) was not synced") }
  }

  @Test("writes the contents of many records from one snapshot, and syncs them once at the end")
  func contents() throws {
    let folder = try TestFolder()
    try folder.prepare("schema", "create", "photo", "data:file")
    for name in ["a", "b", "c"] { try folder.write("\(name).png", name) }
    try folder.prepare("save", "photo", "--files", "*.png", "--field", "data", "-o", "none")
    let calls = try SystemCall.trace(
      "openat,rename,fsync,fdatasync,syncfs", folder,
      ["get", "photo", "a.png", "b.png", "c.png", "--content", "data", "--into", "out"])
    #expect(calls.filter { $0.line.contains("/shop.db\"") }.count <= 2)
    #expect(
      calls.map(\.name).filter { !["openat"].contains($0) } == [
        "rename", "rename", "rename", "syncfs",
      ])
    #expect(try folder.tool("cat", "out/c.png").output == "c")
  }

  @Test("syncs the folder of a new store after the store is renamed to its final name")
  func newStore() throws {
    let folder = try TestFolder()
    let calls = try SystemCall.trace(
      "link,linkat,rename,fsync", folder, ["schema", "create", "note", "text:text"], textLimit: 400)
    let naming = try #require(
      calls.lastIndex { $0.name != "fsync" && $0.line.contains("shop.db-new") })
    let name = URL(filePath: folder.directory).lastPathComponent
    #expect(calls[naming...].contains { $0.name == "fsync" && $0.file == name })
  }

  @Test("syncs a new rejects file to disk before the file replaces the old one")
  func replacement() throws {
    let folder = try TestFolder()
    try folder.saveTodos()
    try folder.write("old.ndjson", "old\n")
    let traced = folder.program.prefixed([
      "/usr/bin/strace", "-f", "-y", "-e", "trace=write,fsync,fdatasync,rename,renameat,renameat2",
      "-o", "calls.txt",
    ])
    try traced.run(
      ["save", "todo", "--skip-invalid", "--rejects", "old.ndjson", "-o", "none"],
      input: .text(#"{"todo_id":"x"}"#)
    ).exits(6)
    let calls = String(decoding: try folder.bytes("calls.txt"), as: UTF8.self)
      .components(separatedBy: "\n").compactMap { SystemCall($0) }
      .filter { $0.line.contains("old.ndjson") }.map(\.name)
    #expect(calls == ["write", "fsync", "rename"])
    #expect(try folder.bytes("old.ndjson").starts(with: Array(#"{"text":"#.utf8)))
  }

  @Test("loads no shared library except libc, libm and libsqlite3 for an SQLite store")
  func openedLibraries() throws {
    let folder = try TestFolder()
    try folder.saveTodos()
    for arguments in [["get", "todo", "a"], ["--version"], ["list", "todo"]] {
      let opened = try SystemCall.trace("openat,open", folder, arguments).map(\.line)
        .filter { $0.contains(".so") && !$0.contains("= -1") && !$0.contains("ld.so") }
        .compactMap { $0.split(separator: "\"").dropFirst().first }
        .map { URL(filePath: String($0)).lastPathComponent }
      #expect(Set(opened).isSubset(of: ["libc.so.6", "libm.so.6", "libsqlite3.so.0"]))
      #expect(opened.contains("libc.so.6"))
    }
  }

  @Test("opens temporary files so that programs started by other threads do not inherit them")
  func temporaryFiles() throws {
    let folder = try TestFolder()
    try folder.saveTodos()
    let arguments = ["save", "todo", "--where", "priority >= 0", "done=true", "--yes"]
    let opened = try SystemCall.trace("openat,open", folder, arguments, textLimit: 400).map(\.line)
      .filter { $0.contains("O_EXCL") && $0.contains("/datactl-") }
    #expect(!opened.isEmpty)
    #expect(opened.allSatisfy { $0.contains("O_CLOEXEC") && $0.contains("0600") }, "\(opened)")
  }

  @Test("opens the store file no more often in list --with-files than in list")
  func openedStores() throws {
    let folder = try TestFolder()
    try folder.prepare("schema", "create", "item", "paper:file")
    let records = (0..<20).map {
      "{\"item_id\":\"\($0)\",\"paper\":{\"name\":\"p\",\"data\":\"AAEC\"}}\n"
    }
    try folder.prepare("save", "item", "-o", "none", input: .text(records.joined()))
    func openings(_ arguments: String...) throws -> Int {
      try SystemCall.trace("openat,open", folder, arguments).count { $0.line.contains("shop.db\"") }
    }
    #expect(try openings("list", "item", "--with-files") == openings("list", "item"))
  }

  @Test(
    "links the program only with libc, libm and libsqlite3",
    .needs(Binary.path.contains("/release/"), "only a release links the runtime statically"))
  func linkedLibraries() throws {
    let folder = try TestFolder()
    let names = try folder.tool("ldd", Binary.path).lines.compactMap {
      $0.split(whereSeparator: \.isWhitespace).first.map(String.init)
    }
    let known = ["linux-vdso.so.1", "libc.so.6", "libm.so.6", "libsqlite3.so.0"]
    #expect(names.filter { !known.contains($0) && !$0.contains("ld-linux") } == [])
  }

  @Test("parses system calls in the output of strace")
  func reading() throws {
    let whole = try #require(SystemCall(#"12 pwrite64(5</tmp/a b/shop.db-wal>, "x", 1, 0) = 1"#))
    #expect(whole.name == "pwrite64" && whole.file == "shop.db-wal" && whole.part == .whole)
    let begun = try #require(SystemCall("12 fdatasync(5</tmp/shop.db> <unfinished ...>"))
    #expect(begun.name == "fdatasync" && begun.file == "shop.db" && begun.part == .beginning)
    let ended = try #require(SystemCall("12 <... fdatasync resumed>) = 0"))
    #expect(ended.name == "fdatasync" && ended.part == .end && ended.process == "12")
  }
}
