import Foundation
import ProgramHarness
import Testing

@Suite("What the program asks of the system")
struct SystemCallTests {
  @Test("the last write to the store is followed by an fdatasync before the end")
  func durability() throws {
    let place = try Place()
    try place.keepTodos()
    for words in [
      ["save", "todo", "a", "title=x"], ["delete", "todo", "b"],
      ["schema", "create", "note", "body:text"],
    ] {
      let calls = try Self.trace(
        "openat,open,write,pwrite64,pwritev,writev,fsync,fdatasync,close,dup", place, words)
      try Self.isDurable(calls, words)
    }
    let calls = try Self.trace(
      "openat,open,write,pwrite64,pwritev,writev,fsync,fdatasync,close,dup", place,
      ["save", "todo", "-o", "none"], .bytes(Place.todos(30_000)))
    try Self.isDurable(calls, ["save", "30,000"])
  }

  /// Follows the descriptors of the store's files; each must be synced after its last write, and
  /// the report on standard error must come after that.
  private static func isDurable(_ calls: [String], _ words: [String]) throws {
    var names: [String: String] = [:]
    var dirty: Set<String> = []
    var hasWritten = false
    for call in calls {
      let parts = call.split(separator: "(", maxSplits: 1).map(String.init)
      guard parts.count == 2 else { continue }
      let name = parts[0].split(separator: " ").last.map(String.init) ?? ""
      let result = call.components(separatedBy: " = ").last ?? ""
      let descriptor = String(parts[1].prefix { $0.isNumber })
      switch name {
      case "openat", "open":
        guard let number = result.split(separator: " ").first else { continue }
        names[String(number)] = ["shop.db-wal", "shop.db"].first { parts[1].contains("\($0)\"") }
      case "close": names[descriptor] = nil
      case "fsync", "fdatasync":
        if let file = names[descriptor] { dirty.remove(file) }
      case "write", "pwrite64", "writev", "pwritev":
        if let file = names[descriptor] {
          dirty.insert(file)
          hasWritten = true
        } else if descriptor == "2", call.contains("saved:"), !dirty.isEmpty {
          throw Violation("\(words): reported before \(dirty) was synced")
        }
      default: continue
      }
    }
    guard hasWritten else { throw Violation("\(words): no write to the store was seen") }
    guard dirty.isEmpty else {
      throw Violation("\(words): \(dirty) not synced after its last write")
    }
  }

  @Test("a get opens libc, libm and libsqlite3 and no other library")
  func openedLibraries() throws {
    let place = try Place()
    try place.keepTodos()
    for words in [["get", "todo", "a"], ["--version"], ["list", "todo"]] {
      let calls = try Self.trace("openat,open", place, words)
      let opened = Set(
        calls.filter { $0.contains(".so") && !$0.contains("= -1") && !$0.contains("ld.so") }
          .compactMap { $0.split(separator: "\"").dropFirst().first }
          .map { URL(filePath: String($0)).lastPathComponent })
      #expect(opened.isSubset(of: ["libc.so.6", "libm.so.6", "libsqlite3.so.0"]))
    }
  }

  @Test(
    "the program is linked with libc, libm and libsqlite3 alone",
    .enabled(if: Binary.path.contains("/release/"), "only a release links the runtime statically"))
  func linkedLibraries() throws {
    let place = try Place()
    let names = try place.tool("ldd", Binary.path).lines.compactMap {
      $0.split(whereSeparator: \.isWhitespace).first.map(String.init)
    }
    let known = ["linux-vdso.so.1", "libc.so.6", "libm.so.6", "libsqlite3.so.0"]
    #expect(names.filter { !known.contains($0) && !$0.contains("ld-linux") } == [])
  }

  /// The calls of one run of the program, which must succeed.
  private static func trace(
    _ calls: String, _ place: Place, _ words: [String], _ input: Input = .nothing
  ) throws -> [String] {
    let traced = place.program.behind([
      "/usr/bin/strace", "-f", "-qq", "-e", "trace=\(calls)", "-o", "calls.txt",
    ])
    try traced.run(words, input: input).exits(0)
    let text = String(decoding: try place.bytes("calls.txt"), as: UTF8.self)
    return text.components(separatedBy: "\n")
  }
}
