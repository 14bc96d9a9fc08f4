import Foundation
import PostgresHarness
import ProgramHarness

/// A temporary folder with a home and a store, in which the program runs.
///
/// The store is `shop.db`, or a database if the tests run on PostgreSQL.
final class Place {
  let folder: String
  /// The program under test, which may be a fake.
  let program: Program
  /// The real program, for preparing the test.
  let datactl: Program
  /// The address of the store.
  let address: String
  /// The database to drop at the end of the test.
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

  /// The folder that contains the working folder, the home and the configuration.
  var outside: String { URL(filePath: folder).deletingLastPathComponent().path }

  /// The name of the store at the end of messages.
  var storeName: String { database == nil ? "shop.db" : address }

  /// Checks the integrity of a store in a file; a PostgreSQL server checks its own.
  func checkStore() throws {
    guard database == nil else { return }
    try tool("sqlite3", "shop.db", "pragma integrity_check").prints("ok\n")
  }

  /// Returns the contents of the store as SQL.
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

  /// Runs the real program, which must succeed.
  @discardableResult
  func prepare(_ arguments: String..., input: Input = .nothing) throws -> Run {
    let run = try datactl.run(arguments, input: input)
    guard run.status == 0 else { throw Unprepared(report: run.report) }
    return run
  }

  /// Runs another program in the working folder; it must succeed.
  @discardableResult
  func tool(_ words: String..., input: Input = .nothing) throws -> Run {
    try tool(words: words, input: input)
  }

  /// Runs another program in the working folder; it must succeed.
  @discardableResult
  func tool(words: [String], input: Input = .nothing) throws -> Run {
    let program = Program(
      ["/usr/bin/env"] + words, environment: datactl.environment, folder: folder)
    let run = try program.run([], input: input)
    guard run.status == 0 else { throw Unprepared(report: run.report) }
    return run
  }

  /// Runs a shell command in which `datactl` is the program under test.
  func shell(
    _ line: String, input: Input = .nothing, errors: Output = .captured
  ) throws(Violation) -> Run {
    let words = program.words.map { "'\($0)'" }.joined(separator: " ")
    let shell = Program(["/bin/bash", "-c"], environment: program.environment, folder: folder)
    return try shell.run(
      ["datactl() { \(words) \"$@\"; }; \(line)"], input: input, errors: errors)
  }
}

/// A failure of a test's preparation, which is no result of the test itself.
struct Unprepared: Error, CustomStringConvertible {
  let report: String
  var description: String { "the test could not be prepared: \(report)" }
}
