import Foundation
import Glibc
import PostgresHarness
import ProgramHarness

/// A temporary folder in which a test runs the program. It contains a working folder, a home folder
/// and a store.
///
/// The store is the file `shop.db` or, if the test runs on PostgreSQL, a database.
final class TestFolder {
  let directory: String
  /// The program under test: datactl, or a fake.
  let program: Program
  /// datactl, for preparing the test even if the program under test is a fake.
  let datactl: Program
  /// The address of the store.
  let address: String
  /// The database of the store, which is dropped at the end of the test, or nil for a file.
  let database: String?

  init(fake: [String] = [], store given: String? = nil) throws {
    database = try given == nil ? StoreKind.current.newDatabase() : nil
    let store = try given ?? StoreKind.current.address(database)
    address = store
    let rootPath = FileManager.default.temporaryDirectory
      .appending(path: "datactl-\(UUID().uuidString)").path
    let work = rootPath + "/work"
    for directory in ["work", "home", "data", "config", "tmp"] {
      try FileManager.default.createDirectory(
        atPath: "\(rootPath)/\(directory)", withIntermediateDirectories: true)
    }
    directory = work
    datactl = Program(
      [Binary.path],
      environment: [
        "PATH": "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin",
        "HOME": "\(rootPath)/home",
        "XDG_DATA_HOME": "\(rootPath)/data",
        "XDG_CONFIG_HOME": "\(rootPath)/config",
        "TMPDIR": "\(rootPath)/tmp",
        "TERM": "xterm",
        "LC_ALL": "C.UTF-8",
        "DATACTL_STORE": store,
      ], directory: work)
    var program = datactl.prefixed(fake)
    // A fake that hangs violates the contract, so a test does not wait long for it.
    if !fake.isEmpty { program.timeLimit = .seconds(20) }
    self.program = program
  }

  deinit {
    try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: directory)
    try? FileManager.default.removeItem(atPath: root)
    if let database { try? PostgresServer.shared.get().drop(database) }
  }

  /// The folder that contains the working folder, the home folder and the configuration.
  var root: String { URL(filePath: directory).deletingLastPathComponent().path }

  /// The name of the store as it appears in messages.
  var storeName: String { database == nil ? "shop.db" : address }

  /// Checks the integrity of a store in a file. Does nothing for a store in PostgreSQL.
  func checkIntegrity() throws {
    guard database == nil else { return }
    try tool("sqlite3", "shop.db", "pragma integrity_check").prints("ok\n")
    try datactl.run(["doctor", "--full"]).exits(0)
  }

  /// Runs SQL statements on the store, as another program would. In a database, `@"NAME"` is a table
  /// or an index of the store.
  func sql(_ statements: String) throws {
    guard let database else {
      try tool("sqlite3", "shop.db", statements.replacing("@\"", with: "\""))
      return
    }
    try PostgresServer.shared.get().run(
      statements.replacing("@\"", with: "datactl.\""), in: database)
  }

  /// Returns the contents of the store as SQL statements.
  func dump() throws -> String {
    guard let database else { return try tool("sqlite3", "shop.db", ".dump").output }
    return try PostgresServer.shared.get().dump(database)
  }

  func path(_ name: String) -> String { "\(directory)/\(name)" }

  /// Sets the modification time of a store in a file to an hour ago, so that a reader does not need
  /// an ordinary connection to it. How soon the reader starts after the last write then makes no
  /// difference.
  func ageStore() throws {
    guard database == nil, FileManager.default.fileExists(atPath: path("shop.db")) else { return }
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -3_600)], ofItemAtPath: path("shop.db"))
  }

  func write(_ name: String, _ text: String) throws {
    try Data(text.utf8).write(to: URL(filePath: path(name)))
  }

  func bytes(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(filePath: path(name))))
  }

  /// The names of all files in the working folder, sorted.
  var files: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: directory).sorted() }
  }

  /// Runs the program under test.
  @discardableResult
  func run(
    _ arguments: String..., input: Input = .nothing, output: Output = .captured,
    errors: Output = .captured
  ) throws(Violation) -> Run {
    try program.run(arguments, input: input, output: output, errors: errors)
  }

  /// Runs datactl, which must succeed.
  @discardableResult
  func prepare(_ arguments: String..., input: Input = .nothing) throws -> Run {
    let run = try datactl.run(arguments, input: input)
    guard run.status == 0 else { throw PreparationError(report: run.report) }
    return run
  }

  /// Runs another program in the working folder. It must succeed.
  @discardableResult
  func tool(_ arguments: String..., input: Input = .nothing) throws -> Run {
    try tool(arguments: arguments, input: input)
  }

  /// Runs another program in the working folder. It must succeed, within 120 seconds or the given
  /// time.
  @discardableResult
  func tool(
    arguments: [String], input: Input = .nothing, timeLimit: Duration? = nil
  ) throws -> Run {
    var program = Program(
      ["/usr/bin/env"] + arguments, environment: datactl.environment, directory: directory)
    if let timeLimit { program.timeLimit = timeLimit }
    let run = try program.run([], input: input)
    guard run.status == 0 else { throw PreparationError(report: run.report) }
    return run
  }

  /// Runs a shell command, in which `datactl` runs the program under test.
  func shell(
    _ line: String, input: Input = .nothing, errors: Output = .captured
  ) throws(Violation) -> Run {
    try shell.run([script(line)], input: input, errors: errors)
  }

  /// Starts a line of Bash like `shell`.
  ///
  /// - Parameter name: The value of `$0`.
  func startShell(_ line: String, _ name: String) throws(Violation) -> Child {
    try shell.start([script(line), name])
  }

  private var shell: Program {
    Program(["/bin/bash", "-c"], environment: program.environment, directory: directory)
  }

  private func script(_ line: String) -> String {
    let arguments = program.command.map { "'\($0)'" }.joined(separator: " ")
    return "datactl() { \(arguments) \"$@\"; }; \(line)"
  }

  /// Returns another program, in whose `PATH` the command `datactl` is the real one.
  func withDatactlInPath(_ path: String) throws -> Program {
    let binaries = "\(root)/bin"
    if !FileManager.default.fileExists(atPath: binaries) {
      try FileManager.default.createDirectory(
        atPath: binaries, withIntermediateDirectories: false)
      try FileManager.default.createSymbolicLink(
        atPath: "\(binaries)/datactl", withDestinationPath: Binary.path)
    }
    var environment = datactl.environment
    environment["PATH"] = "\(binaries):\(environment["PATH"] ?? "")"
    return Program([path], environment: environment, directory: directory)
  }
}

/// An error in preparing a test, which says nothing about the program under test.
struct PreparationError: Error, CustomStringConvertible {
  let report: String
  var description: String { "the test could not be prepared: \(report)" }
}

extension TestFolder {
  /// Returns the program under test, changed so that it runs as a user without privileges.
  func unprivileged() throws -> Program {
    guard getuid() == 0 else { return program }
    let copy = "\(root)/datactl"
    let files = FileManager.default
    if !files.fileExists(atPath: copy) {
      // Copy with `cp`. If this process wrote the file, a process forked meanwhile could hold it
      // open for writing, and executing it would fail.
      _ = try tool("cp", Binary.path, copy)
    }
    var user = program.prefixed([
      "/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups",
    ])
    // The user may be unable to read the script of a fake, so copy it to the test folder.
    let scripts = "\(root)/fakes"
    if !files.fileExists(atPath: scripts) {
      _ = try tool("cp", "-r", Binary.file("Tests/CommandTests/Fakes"), scripts)
    }
    user.command = user.command.map { word in
      if word == Binary.path { return copy }
      return word.hasSuffix("/Fakes/broken.sh") ? "\(scripts)/broken.sh" : word
    }
    return user
  }

  /// Makes the working folder and the files in it read-only until the end of the test.
  func makeReadOnly() throws {
    for name in try files + [""] {
      let mode = name.isEmpty ? 0o555 : 0o444
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path(name))
    }
  }

  /// Returns the permissions of a file or folder.
  static func permissions(_ path: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return (attributes[.posixPermissions] as? NSNumber)?.intValue ?? -1
  }
}

extension TestFolder {
  /// Returns a new test folder whose store is a new database on the shared server.
  static func onPostgres() throws -> (folder: TestFolder, database: String) {
    let server = try PostgresServer.shared.get()
    let database = try server.newDatabase()
    return (try TestFolder(store: server.address(database)), database)
  }
}
