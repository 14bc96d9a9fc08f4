import Foundation

/// A pgbouncer in front of a server, by default in transaction mode.
///
/// It is stopped when the test run ends, at the latest.
package final class PgBouncer: Sendable {
  private let folder: URL
  private let process: Process
  private let stdinPipe = Pipe()

  package init(to server: PostgresServer, mode: String = "transaction") throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "pool-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let settings = folder.appending(path: "pgbouncer.ini")
    try """
    [databases]
    * = host=\(URL(filePath: server.socket).deletingLastPathComponent().path) user=tester
    [pgbouncer]
    listen_addr =
    listen_port = 5432
    unix_socket_dir = \(folder.path)
    auth_type = any
    pool_mode = \(mode)
    default_pool_size = 2
    """.write(to: settings, atomically: true, encoding: .utf8)
    try PostgresServer.changeOwner(folder.path)
    let (program, arguments) = PostgresServer.asOwner(
      "/usr/sbin/pgbouncer", ["-q", settings.path])
    // The shell that watches the test run is given SIGKILL: pgbouncer inherits blocked signals, and
    // has no data to save.
    process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments =
      ["-c", PostgresServer.watchdogScript, "sh", "KILL", folder.path, program] + arguments
    process.standardInput = stdinPipe
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    let socket = folder.appending(path: PostgresServer.socketName).path
    let deadline = ContinuousClock.now + .seconds(30)
    while true {
      if let descriptor = try? LocalSocket.connect(to: socket) {
        close(descriptor)
        return
      }
      guard process.isRunning, ContinuousClock.now < deadline else {
        throw PostgresServer.Unavailable(description: "pgbouncer does not start")
      }
      usleep(20_000)
    }
  }

  package func address(_ database: String) -> String {
    "postgres://tester@\(folder.path.replacing("/", with: "%2F"))/\(database)"
  }

  package func stop() {
    try? stdinPipe.fileHandleForWriting.close()
    process.waitUntilExit()
  }
}
