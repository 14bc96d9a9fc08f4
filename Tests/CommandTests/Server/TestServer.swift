import Foundation
import Glibc
import ProgramHarness

/// A server of the store in a test folder, as a child process.
final class TestServer {
  let folder: TestFolder
  let child: Child
  /// The address, such as `http://127.0.0.1:4711`.
  let address: String

  convenience init(_ folder: TestFolder, _ arguments: String...) throws {
    try self.init(folder, arguments: arguments)
  }

  /// - Parameters:
  ///   - prefix: A command that starts the server.
  ///   - timeLimit: The time within which the server must be stopped.
  init(
    _ folder: TestFolder, arguments: [String], prefix: [String] = [],
    timeLimit: Duration = .seconds(300)
  ) throws {
    self.folder = folder
    var program = folder.datactl.prefixed(prefix)
    program.timeLimit = timeLimit
    let words = arguments.contains("--log") ? arguments : arguments + ["--log", "none"]
    child = try program.start(["serve", "--listen", "127.0.0.1:0"] + words)
    try child.wait(for: "an address") { $0.errorBytes.contains(UInt8(ascii: "\n")) }
    let line = String(decoding: child.errorBytes, as: UTF8.self)
    guard let range = line.firstRange(of: /https?:\/\/[0-9.:]+/) else {
      throw Violation("serve printed \(line)")
    }
    address = String(line[range])
  }

  deinit { child.signal(SIGKILL) }

  var port: UInt16 { UInt16(address.split(separator: ":").last ?? "") ?? 0 }

  /// Sends a request with curl. The body is a text or a file in the folder.
  func request(
    _ method: String, _ path: String, token: String? = nil, body: String? = nil,
    file: String? = nil, headers: [String] = []
  ) throws -> Reply {
    var arguments = ["curl", "-sS", "-i", "--max-time", "60", "--path-as-is", "-X", method]
    if method == "HEAD" { arguments = ["curl", "-sS", "--head", "--max-time", "60"] }
    if let token { arguments += ["-H", "Authorization: Bearer \(token)"] }
    for header in headers { arguments += ["-H", header] }
    if body != nil || file != nil { arguments += ["--data-binary", "@\(file ?? "-")"] }
    let run = try folder.tool(
      arguments: arguments + ["\(address)/v1\(path)"], input: body.map { .text($0) } ?? .nothing)
    return try Reply(run.outputBytes)
  }

  func request(
    _ path: String, token: String? = nil, headers: [String] = []
  ) throws -> Reply {
    try request("GET", path, token: token, headers: headers)
  }

  /// Logs a user in, and returns the token.
  func logIn(_ user: String, password: String = "canary99") throws -> String {
    let reply = try request(
      "POST", "/login", body: #"{"user":"\#(user)","password":"\#(password)"}"#)
    guard reply.status == 200, let token = try reply.json["token"] as? String else {
      throw Violation("login: \(reply.report)")
    }
    return token
  }

  /// Stops the server with SIGTERM, and returns its result.
  func stop() throws -> Run {
    child.signal(SIGTERM)
    return try child.finish()
  }

  /// Sends bytes on a new connection, and returns all bytes of the response. The server must close
  /// the connection.
  func exchange(_ pieces: [[UInt8]]) throws -> Reply {
    let connection = try connect()
    defer { close(connection) }
    for piece in pieces { send(piece, on: connection) }
    return try Reply(Array(rest(on: connection).utf8))
  }

  /// Returns what arrives on a connection until the server closes it.
  func rest(on connection: Int32) -> String {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = unsafe recv(connection, &buffer, buffer.count, 0)
      guard count > 0 else { break }
      bytes += buffer.prefix(count)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Sends bytes on a connection.
  func send(_ bytes: some Collection<UInt8>, on connection: Int32) {
    let bytes = Array(bytes)
    _ = unsafe Glibc.send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
  }

  /// Opens a connection to the server. Receiving fails after 20 seconds without a byte.
  func connect() throws -> Int32 {
    let connection = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let status = unsafe withUnsafePointer(to: address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        unsafe Glibc.connect(connection, pointer, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    var limit = timeval(tv_sec: 20, tv_usec: 0)
    unsafe setsockopt(
      connection, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    guard status == 0 else { throw Violation("cannot connect to \(self.address)") }
    return connection
  }
}

/// A response.
struct Reply {
  let status: Int
  let headers: [String: String]
  let body: String

  /// Parses a response as it was received. Interim responses are skipped.
  init(_ bytes: [UInt8]) throws {
    let text = String(decoding: bytes, as: UTF8.self)
    guard let end = text.range(of: "\r\n\r\n") else { throw Violation("no response: \(text)") }
    let lines = text[..<end.lowerBound].components(separatedBy: "\r\n")
    let words = lines[0].split(separator: " ")
    guard words.count > 1, let status = Int(words[1]) else { throw Violation(lines[0]) }
    if status == 100 {
      self = try Reply(Array(text[end.upperBound...].utf8))
      return
    }
    self.status = status
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      headers[parts[0].lowercased()] = parts.count > 1 ? String(parts[1].dropFirst()) : ""
    }
    self.headers = headers
    body = String(text[end.upperBound...])
  }

  var json: [String: Any] {
    get throws {
      let value = try JSONSerialization.jsonObject(with: Data(body.utf8))
      guard let object = value as? [String: Any] else { throw Violation("no object: \(body)") }
      return object
    }
  }

  /// The code of the error.
  var code: String? { try? json["code"] as? String }

  var report: String { "\(status) \(headers) \(body.prefix(600))" }
}
