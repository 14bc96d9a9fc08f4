import Foundation
import ProgramHarness

/// A PostgreSQL server that listens on a socket in a temporary folder.
///
/// It is stopped when the test process ends. The tests of a run share one server, which is started
/// on first use, or the server at the address in `DATACTL_TEST_POSTGRES`.
package final class PostgresServer: Sendable {
  /// The error of a test that needs a server when none can be started.
  package struct Unavailable: Error, CustomStringConvertible {
    package let description: String
  }

  package static let shared = Result {
    if let address = ProcessInfo.processInfo.environment["DATACTL_TEST_POSTGRES"] {
      return try PostgresServer(at: address)
    }
    return try PostgresServer()
  }

  /// Starts a separate server with `fsync=on`, the default outside of tests.
  package static func durable() throws -> PostgresServer {
    try PostgresServer(with: ["fsync=on", "max_wal_size=8GB"])
  }

  /// Whether the PostgreSQL server programs are installed.
  package static var isInstalled: Bool { (try? programs()) != nil }

  /// A shell script that runs a server, and stops it and removes its folder when stdin reaches end
  /// of file.
  ///
  /// The test process keeps the other end of stdin open, so this happens however the test run ends.
  static let watchdogScript = """
    signal=$1 folder=$2; shift 2
    "$@" & server=$!
    cat >/dev/null
    kill -"$signal" $server; wait $server
    rm -rf "$folder"
    """

  /// The folder that contains the socket.
  private let folder: URL
  let user: String
  /// Whether the server continues to run after the tests.
  package let isLasting: Bool
  /// The database that tests share.
  private let database: String
  /// The stdin pipes of the servers: nothing is written to them; they close with the test process.
  private let stdinPipes = MutexBox<[Pipe]>([])
  /// The TCP port on the loopback interface; nil if the server listens only on its socket.
  package let port: Int?
  private let reservedPort: ReservedPort?

  /// Creates a server for an address that names the directory of its socket, such as
  /// `postgres://postgres@%2Frun%2Fpostgresql:5432/test`. The user must be a superuser.
  init(at address: String) throws {
    let parts = URLComponents(string: address)
    guard let parts, let user = parts.user, let directory = parts.host?.removingPercentEncoding,
      directory.hasPrefix("/"), parts.path.count > 1
    else {
      throw Unavailable(
        description: "\(address): expected postgres://USER@DIRECTORY:PORT/DATABASE")
    }
    folder = URL(filePath: directory)
    self.user = user
    database = String(parts.path.dropFirst())
    port = parts.port
    reservedPort = nil
    isLasting = true
  }

  private init(at reservedPort: ReservedPort? = nil, with settings: [String] = []) throws {
    port = reservedPort?.number
    self.reservedPort = reservedPort
    user = "tester"
    database = "postgres"
    isLasting = false
    let programs = try Self.programs()
    folder = FileManager.default.temporaryDirectory.appending(path: "pg-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Self.changeOwner(folder.path)
    try Self.run(
      asOwner: "\(programs)/initdb",
      ["-D", data, "-A", "trust", "-U", "tester", "-E", "UTF8", "--locale=C", "--no-sync"])
    // Only the user `locked` needs a password.
    let rules = """
      local all locked scram-sha-256
      local all all trust
      host all all 127.0.0.1/32 trust

      """
    try Self.run(
      asOwner: "/bin/sh", ["-c", "printf %s \"$2\" > \"$1\"/pg_hba.conf", "sh", data, rules])
    try start(with: settings)
    try run("create role locked login password 'right'")
  }

  /// Starts a separate server that a test may kill; it also listens on the loopback interface.
  package static func standalone() throws -> PostgresServer {
    try PostgresServer(at: ReservedPort())
  }

  /// The data directory.
  private var data: String { folder.appending(path: "data").path }

  /// Starts the server, which is not running.
  package func start(with settings: [String] = []) throws {
    let network = port.map { ["-c", "listen_addresses=127.0.0.1", "-p", "\($0)"] }
    let (program, arguments) = Self.asOwner(
      "\(try Self.programs())/postgres",
      ["-D", data, "-k", folder.path, "-c", "fsync=off", "-c", "max_connections=2000"]
        + ["-c", "autovacuum=off"] + (network ?? ["-c", "listen_addresses="])
        + settings.flatMap { ["-c", $0] })
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", Self.watchdogScript, "sh", "QUIT", folder.path, program] + arguments
    process.standardInput = pipe
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle(forWritingAtPath: try createLog()) ?? .nullDevice
    try process.run()
    self.stdinPipes.value.append(pipe)
    try waitUntilReady(process)
  }

  /// Stops the server without a shutdown checkpoint (SIGQUIT), as a power failure does.
  package func kill() throws {
    let pidFile = "\(data)/postmaster.pid"
    let number = try String(contentsOfFile: pidFile, encoding: .utf8).prefix { $0 != "\n" }
    try Self.run("/bin/kill", ["-QUIT", String(number)])
    let deadline = ContinuousClock.now + .seconds(60)
    while FileManager.default.fileExists(atPath: pidFile) {
      guard ContinuousClock.now < deadline else {
        throw Unavailable(description: "the PostgreSQL server does not stop")
      }
      usleep(5_000)
    }
  }

  /// The server log since the server was last started.
  package var log: String {
    get throws { try String(contentsOfFile: logPath, encoding: .utf8) }
  }

  private var logPath: String { folder.appending(path: "log").path }

  private func createLog() throws -> String {
    guard FileManager.default.createFile(atPath: logPath, contents: nil) else {
      throw Unavailable(description: "\(logPath): cannot be written")
    }
    return logPath
  }

  /// Writes a file that only the server's user may read, and returns its path.
  private func writePrivateFile(_ name: String, _ text: String) throws -> String {
    let path = folder.appending(path: name).path
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    try Self.run("/bin/chmod", ["600", path])
    try Self.changeOwner(path)
    return path
  }

  /// Returns the output of `postgres --version`.
  package static func version() throws -> String {
    try run("\(programs())/postgres", ["--version"])
  }

  /// The address of a database of this server for the given user.
  package func address(_ database: String? = nil, user: String? = nil) -> String {
    let port = port.map { ":\($0)" } ?? ""
    let host = folder.path.replacing("/", with: "%2F")
    return "postgres://\(user ?? self.user)@\(host)\(port)/\(database ?? self.database)"
  }

  /// The path of the socket that the server listens on.
  package var socket: String {
    folder.appending(path: ".s.PGSQL.\(port ?? 5432)").path
  }

  /// The name of a server's socket in its folder.
  package static let socketName = ".s.PGSQL.5432"

  /// The command line of `psql`, set to print only rows.
  package func shell(_ database: String? = nil) throws -> [String] {
    try Self.shell(
      host: folder.path, port: port ?? 5432, user: user, database: database ?? self.database)
  }

  private static func shell(
    host: String, port: Int, user: String, database: String
  ) throws -> [String] {
    ["\(try programs())/psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1"]
      + ["-h", host, "-U", user, "-p", "\(port)", "-d", database]
  }

  /// Executes statements on another server, as the same user.
  func run(_ statements: String, on host: String, port: Int, in database: String) throws {
    let command = try Self.shell(host: host, port: port, user: user, database: database)
    try Self.run(command[0], command.dropFirst() + ["-c", statements])
  }

  /// Simulates a full disk while the body runs: any growth of the table, which must be empty,
  /// fails.
  package func withFullDisk(
    whenGrowing table: String, in database: String, _ body: () throws -> Void
  ) throws {
    let file = "\(data)/\(try run("select pg_relation_filepath('\(table)')", in: database))"
    let spare = file + ".spare"
    try FileManager.default.moveItem(atPath: file, toPath: spare)
    try FileManager.default.createSymbolicLink(
      atPath: file, withDestinationPath: "/dev/full")
    try body()
    try FileManager.default.removeItem(atPath: file)
    try FileManager.default.moveItem(atPath: spare, toPath: file)
  }

  /// Restarts the server with TLS and the given identity; with nil, without TLS.
  package func restart(as identity: CertificateAuthority.Identity?) throws {
    try kill()
    guard let identity else { return try start() }
    try start(with: [
      "ssl=on", "ssl_cert_file=\(writePrivateFile("server.pem", identity.certificate))",
      "ssl_key_file=\(writePrivateFile("server.key", identity.key))",
    ])
  }

  /// Restarts the server as a standby of a primary that does not exist.
  package func restartAsStandby() throws {
    try kill()
    let signal = "\(data)/standby.signal"
    try "".write(toFile: signal, atomically: true, encoding: .utf8)
    try Self.changeOwner(signal)
    try start()
  }

  /// Executes statements with `psql`, and returns the output.
  @discardableResult
  package func run(_ statements: String, in database: String? = nil) throws -> String {
    let command = try shell(database)
    return try Self.run(command[0], command.dropFirst() + ["-c", statements])
  }

  /// Creates a database for one test, and returns its name.
  package func newDatabase() throws -> String {
    let name = Self.newName()
    try run("create database \(name)")
    return name
  }

  static func newName() -> String {
    "test_\(UUID().uuidString.lowercased().replacing("-", with: "_"))"
  }

  /// Returns the contents of a database as SQL, from `pg_dump`.
  package func dump(_ database: String) throws -> String {
    try Self.run(
      "\(Self.programs())/pg_dump",
      ["-h", folder.path, "-U", user, "-p", "\(port ?? 5432)", "--inserts", database])
  }

  /// Drops a database, and terminates the connections to it.
  package func drop(_ database: String) throws {
    try run("drop database if exists \(database) with (force)")
  }

  private func waitUntilReady(_ process: Process) throws {
    let programs = try Self.programs()
    let deadline = ContinuousClock.now + .seconds(60)
    while true {
      let isReady =
        (try? Self.run(
          "\(programs)/pg_isready",
          ["-q", "-h", folder.path, "-p", "\(port ?? 5432)", "-d", "postgres"]))
        != nil
      if isReady { return }
      guard process.isRunning, ContinuousClock.now < deadline else {
        throw Unavailable(description: "the PostgreSQL server does not start")
      }
      usleep(20_000)
    }
  }

  /// Returns the folder of the newest installed server programs.
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

  /// Returns the command line that runs a server program as a user other than root, as PostgreSQL
  /// requires.
  static func asOwner(_ program: String, _ arguments: [String]) -> (String, [String]) {
    guard getuid() == 0 else { return (program, arguments) }
    return (
      "/usr/bin/setpriv",
      ["--reuid=postgres", "--regid=postgres", "--clear-groups", "--", program] + arguments
    )
  }

  /// Makes the server's user the owner of a folder.
  static func changeOwner(_ folder: String) throws {
    if getuid() == 0 { try run("/usr/bin/chown", ["-R", "postgres", folder]) }
  }

  private static func run(asOwner program: String, _ arguments: [String]) throws {
    let (program, arguments) = asOwner(program, arguments)
    try run(program, arguments)
  }

  /// Runs a program, and returns its output.
  ///
  /// `Process` is not used: tests run hundreds of programs at the same time, and a run of the tests
  /// then crashed in `Process.run`.
  @discardableResult
  static func run(_ program: String, _ arguments: [String]) throws -> String {
    let run = try Program(
      [program], environment: ProcessInfo.processInfo.environment, directory: "/"
    ).run(arguments)
    guard run.status == 0 else {
      throw Unavailable(description: "\(program): \(run.output)\(run.errors)")
    }
    return run.output.trimmingCharacters(in: .newlines)
  }
}
