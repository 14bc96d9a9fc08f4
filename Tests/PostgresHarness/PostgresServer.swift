import Foundation

/// A PostgreSQL server on a socket in a temporary folder, stopped when whoever started it is over.
///
/// The tests of a run share one, which starts when the first of them asks for it.
package final class PostgresServer: Sendable {
  /// Why there is no server: a test that needs one fails with it.
  package struct Unavailable: Error, CustomStringConvertible {
    package let description: String
  }

  package static let shared = Result { try PostgresServer() }

  /// A server of its own that is safe from a loss of power, as those are that people use.
  package static func durable() throws -> PostgresServer {
    try PostgresServer(["-c", "fsync=on", "-c", "max_wal_size=8GB"])
  }

  /// Whether there are programs to start one with.
  package static var isInstalled: Bool { (try? programs()) != nil }

  /// Stops the server, and removes its folder, as soon as the test run is over, however it ends.
  static let watch = """
    signal=$1 folder=$2; shift 2
    "$@" & server=$!
    cat >/dev/null
    kill -"$signal" $server; wait $server
    rm -rf "$folder"
    """

  private let folder: URL
  private let process: Process
  /// Nothing is ever written here: its end is that of the test run.
  private let life = Pipe()

  private init(_ settings: [String] = []) throws {
    let programs = try Self.programs()
    folder = FileManager.default.temporaryDirectory.appending(path: "pg-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let data = folder.appending(path: "data").path
    try Self.giveToOwner(folder.path)
    try Self.run(
      asOwner: "\(programs)/initdb",
      ["-D", data, "-A", "trust", "-U", "tester", "-E", "UTF8", "--locale=C", "--no-sync"])
    // One user needs a password.
    try Self.run(
      asOwner: "/bin/sh",
      [
        "-c",
        "printf 'local all locked scram-sha-256\\nlocal all all trust\\n' > \"$1\"/pg_hba.conf",
        "sh", data,
      ])
    let (program, arguments) = Self.asOwner(
      "\(programs)/postgres",
      ["-D", data, "-k", folder.path, "-c", "listen_addresses=", "-c", "fsync=off"]
        + ["-c", "max_connections=2000", "-c", "autovacuum=off"] + settings)
    process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", Self.watch, "sh", "QUIT", folder.path, program] + arguments
    process.standardInput = life
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    try waitUntilReady(programs)
    try run("create role locked login password 'right'")
  }

  /// What the programs say of their version.
  package static func version() throws -> String {
    try run("\(programs())/postgres", ["--version"])
  }

  /// The address of a database of this server, for a user of it.
  package func address(_ database: String = "postgres", user: String = "tester") -> String {
    "postgres://\(user)@\(folder.path.replacing("/", with: "%2F"))/\(database)"
  }

  /// The socket that the server listens at.
  package var socket: String { folder.appending(path: Self.socketName).path }

  /// What a server's socket is called in its folder.
  package static let socketName = ".s.PGSQL.5432"

  /// The words that call the server's own shell, which then prints nothing but rows.
  package func shell(_ database: String = "postgres") throws -> [String] {
    ["\(try Self.programs())/psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1"]
      + ["-h", folder.path, "-U", "tester", "-d", database]
  }

  /// Runs statements as the server's own shell does, and returns what it prints.
  @discardableResult
  package func run(_ statements: String, in database: String = "postgres") throws -> String {
    let words = try shell(database)
    return try Self.run(words[0], words.dropFirst() + ["-c", statements])
  }

  /// A database of its own for a test.
  package func newDatabase() throws -> String {
    let name = "test_\(UUID().uuidString.lowercased().replacing("-", with: "_"))"
    try run("create database \(name)")
    return name
  }

  private func waitUntilReady(_ programs: String) throws {
    let deadline = ContinuousClock.now + .seconds(60)
    while true {
      let isReady =
        (try? Self.run("\(programs)/pg_isready", ["-q", "-h", folder.path, "-d", "postgres"]))
        != nil
      if isReady { return }
      guard process.isRunning, ContinuousClock.now < deadline else {
        throw Unavailable(description: "the PostgreSQL server does not start")
      }
      usleep(20_000)
    }
  }

  /// The folder of the server's programs: the newest there is.
  private static func programs() throws -> String {
    let root = "/usr/lib/postgresql"
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
    let newest = versions.filter {
      FileManager.default.isExecutableFile(atPath: "\(root)/\($0)/bin/postgres")
    }.max { (Int($0) ?? 0) < (Int($1) ?? 0) }
    guard let newest else {
      throw Unavailable(description: "PostgreSQL is not installed: make test installs it")
    }
    return "\(root)/\(newest)/bin"
  }

  /// The command line by which another user than root runs a server, which refuses to serve root.
  static func asOwner(_ program: String, _ arguments: [String]) -> (String, [String]) {
    guard getuid() == 0 else { return (program, arguments) }
    return (
      "/usr/bin/setpriv",
      ["--reuid=postgres", "--regid=postgres", "--clear-groups", "--", program] + arguments
    )
  }

  /// Lets the server's user have a folder.
  static func giveToOwner(_ folder: String) throws {
    if getuid() == 0 { try run("/usr/bin/chown", ["-R", "postgres", folder]) }
  }

  private static func run(asOwner program: String, _ arguments: [String]) throws {
    let (program, arguments) = asOwner(program, arguments)
    try run(program, arguments)
  }

  @discardableResult
  private static func run(_ program: String, _ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let said = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    let text = String(decoding: said, as: UTF8.self)
    guard process.terminationStatus == 0 else {
      throw Unavailable(description: "\(program): \(text)")
    }
    return text.trimmingCharacters(in: .newlines)
  }
}
