import Foundation

/// A server of a store with an administrator, as a child process.
final class Server {
  let address: String
  /// The token of the administrator's session.
  let token: String
  private let process: Process

  init(in folder: URL) throws {
    let program =
      ProcessInfo.processInfo.environment["DATACTL_BINARY"]
      ?? Program.package.appending(path: ".build/debug/datactl").path
    try Data(
      #"""
      {"schema": "user", "kind": "user", "roles": "roles",
       "fields": {"username": {"type": "id"}, "password": {"type": "password"},
                  "roles": {"type": "[text]"}}}
      """#.utf8
    ).write(to: folder.appending(path: "user.json"))
    try Data("canary99".utf8).write(to: folder.appending(path: "password"))
    let store = ["DATACTL_STORE": "sqlite:served.db", "XDG_CONFIG_HOME": folder.path]
    for command in [
      "schema apply user.json", "save user root roles+=admin password@=- -q < password",
    ] {
      let run = try Program.run("sh", ["-c", "'\(program)' \(command)"], in: folder, store)
      guard run.status == 0 else { throw Failure(output: run.output) }
    }
    let logIn = "'\(program)' login -u root --password-stdin --print-token < password"
    token =
      try Program.run("sh", ["-c", logIn], in: folder, store).output
      .split(separator: "\n").last.map(String.init) ?? ""
    let socket = "/tmp/datactl-\(UUID().uuidString.prefix(8)).sock"
    address = "unix:\(socket)"
    process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = ["serve", "--store", "sqlite:served.db", "--listen", address]
    process.currentDirectoryURL = folder
    let messages = Pipe()
    process.standardError = messages
    try process.run()
    // The server prints its address when it accepts connections.
    _ = messages.fileHandleForReading.availableData
  }

  func stop() {
    process.terminate()
    process.waitUntilExit()
  }

  struct Failure: Error {
    let output: String
  }
}
