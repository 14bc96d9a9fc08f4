import Foundation
import PostgresHarness
import ProgramHarness

/// A folder of its own, with a home, in which the program runs on a store of its own: `shop.db`, or a
/// database where tests are run on PostgreSQL.
final class Place {
  let folder: String
  /// The program under test, which may be a stand-in.
  let program: Program
  /// The program itself, for what has to be there before the test.
  let datactl: Program
  /// The address of the store.
  let address: String
  /// The database that is gone with this place.
  private let database: String?

  init(standIn: [String] = [], store given: String? = nil) throws {
    database = try given == nil ? StoreKind.current.newDatabase() : nil
    let store = try given ?? StoreKind.current.address(database)
    address = store
    let made = FileManager.default.temporaryDirectory
      .appending(path: "datactl-\(UUID().uuidString)").path
    let work = made + "/work"
    for folder in ["work", "home", "data", "config", "tmp"] {
      try FileManager.default.createDirectory(
        atPath: "\(made)/\(folder)", withIntermediateDirectories: true)
    }
    folder = work
    datactl = Program(
      [Binary.path],
      environment: [
        "PATH": "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin",
        "HOME": "\(made)/home",
        "XDG_DATA_HOME": "\(made)/data",
        "XDG_CONFIG_HOME": "\(made)/config",
        "TMPDIR": "\(made)/tmp",
        "TERM": "xterm",
        "LC_ALL": "C.UTF-8",
        "DATACTL_STORE": store,
      ], folder: work)
    program = datactl.behind(standIn)
  }

  deinit {
    try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder)
    try? FileManager.default.removeItem(atPath: outside)
    if let database { try? PostgresServer.shared.get().drop(database) }
  }

  /// The folder that holds everything that this place has.
  var outside: String { URL(filePath: folder).deletingLastPathComponent().path }

  /// What messages end with that name the store.
  var storeName: String { database == nil ? "shop.db" : address }

  /// Looks whether a store in a file is sound; a server looks after its own.
  func checkStore() throws {
    guard database == nil else { return }
    try tool("sqlite3", "shop.db", "pragma integrity_check").prints("ok\n")
  }

  /// All that the store holds, as SQL.
  func dump() throws -> String {
    guard let database else { return try tool("sqlite3", "shop.db", ".dump").output }
    return try PostgresServer.shared.get().dump(database)
  }

  func path(_ name: String) -> String { "\(folder)/\(name)" }

  func write(_ name: String, _ text: String) throws {
    try Data(text.utf8).write(to: URL(filePath: path(name)))
  }

  func bytes(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(filePath: path(name))))
  }

  /// The names of all files in the working folder, sorted.
  var files: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder).sorted() }
  }

  /// Runs the program under test.
  @discardableResult
  func run(
    _ arguments: String..., input: Input = .nothing, output: Output = .captured,
    errors: Output = .captured
  ) throws(Violation) -> Run {
    try program.run(arguments, input: input, output: output, errors: errors)
  }

  /// Runs the program itself, which must succeed.
  @discardableResult
  func prepare(_ arguments: String..., input: Input = .nothing) throws -> Run {
    let run = try datactl.run(arguments, input: input)
    guard run.status == 0 else { throw Unprepared(report: run.report) }
    return run
  }

  /// Runs another program in this place, which must succeed.
  @discardableResult
  func tool(_ words: String..., input: Input = .nothing) throws -> Run {
    try tool(words: words, input: input)
  }

  /// Runs another program in this place, which must succeed.
  @discardableResult
  func tool(words: [String], input: Input = .nothing) throws -> Run {
    let program = Program(
      ["/usr/bin/env"] + words, environment: datactl.environment, folder: folder)
    let run = try program.run([], input: input)
    guard run.status == 0 else { throw Unprepared(report: run.report) }
    return run
  }

  /// Runs a line of shell in which `datactl` is the program under test.
  func shell(
    _ line: String, input: Input = .nothing, errors: Output = .captured
  ) throws(Violation) -> Run {
    let words = program.words.map { "'\($0)'" }.joined(separator: " ")
    let shell = Program(["/bin/bash", "-c"], environment: program.environment, folder: folder)
    return try shell.run(
      ["datactl() { \(words) \"$@\"; }; \(line)"], input: input, errors: errors)
  }
}

/// What a test needs did not come about; this says nothing of what it tests.
struct Unprepared: Error, CustomStringConvertible {
  let report: String
  var description: String { "the test could not be prepared: \(report)" }
}
