import Foundation
import ProgramHarness

/// A server that runs under callgrind, which counts the instructions of each request.
///
/// Callgrind writes the count to a file and starts again at zero whenever the server begins to send
/// a response.
final class CountedServer {
  /// A request without the headers that all requests have.
  struct Request {
    var method: String
    /// The path and the query, percent-encoded.
    var target: String
    var headers: [String] = []
    var body: [UInt8] = []

    var size: Int { target.utf8.count + headers.reduce(0) { $0 + $1.utf8.count } + body.count }
  }

  private let folder: TestFolder
  private let server: TestServer
  private let token: String
  private var count = 0

  init(_ folder: TestFolder, schemas: String) throws {
    self.folder = folder
    try folder.prepare("schema", "apply", "-", input: .text(schemas))
    try folder.prepare("save", "user", "root", "password@=-", input: .text("canary99"))
    try folder.prepare("save", "user", "root", "roles+=admin")
    let prefix = Callgrind.command + ["--dump-before=MHD_queue_response"]
    server = try TestServer(folder, arguments: [], prefix: prefix, timeLimit: .seconds(3_000))
    token = try server.logIn("root")
    _ = try instructions()
  }

  /// Sends a request with the rights of an administrator, and returns the number of instructions
  /// that the server executes for it and for a short request that follows.
  func cost(of request: Request) throws -> (instructions: Int, reply: Reply) {
    let reply = try send(request)
    // A response can begin before the work is done. It is done when the response has ended.
    _ = try send(Request(method: "GET", target: "/"))
    return (try instructions(), reply)
  }

  private func send(_ request: Request) throws -> Reply {
    let head =
      [
        "\(request.method) \(request.target) HTTP/1.1", "Host: localhost", "Connection: close",
        "Authorization: Bearer \(token)", "Content-Length: \(request.body.count)",
      ] + request.headers
    return try server.exchange([
      Array((head.joined(separator: "\r\n") + "\r\n\r\n").utf8), request.body,
    ])
  }

  /// Returns the sum of the counts that callgrind has written since the last call.
  private func instructions() throws -> Int {
    var sum = 0
    while let bytes = try? folder.bytes("counts.txt.\(count + 1)") {
      count += 1
      guard
        let line = String(decoding: bytes.suffix(200), as: UTF8.self)
          .split(separator: "\n").first(where: { $0.hasPrefix("totals: ") }),
        let number = Int(line.dropFirst(8))
      else { throw Violation("callgrind wrote no total") }
      sum += number
      try FileManager.default.removeItem(atPath: folder.path("counts.txt.\(count)"))
    }
    return sum
  }
}

extension CountedServer.Request {
  /// What a client sends with a command line: the content of a file, or the names in a folder.
  enum Attachment {
    case file(String)
    case folder([String])
  }

  /// A request that sends a command line, with the files that it names.
  static func command(
    _ name: String, _ inputs: [(name: String, value: String)],
    files: [(path: String, content: Attachment)] = [], expansions: [(String, [String])] = []
  ) throws -> Self {
    func json(_ value: Any) throws -> [UInt8] {
      Array(try JSONSerialization.data(withJSONObject: value))
    }
    func frame(_ kind: UInt8, _ bytes: [UInt8]) -> [UInt8] {
      [kind] + (0..<8).reversed().map { UInt8(truncatingIfNeeded: bytes.count >> (8 * $0)) } + bytes
    }
    let none = NSNull()
    var body = frame(
      1,
      try json(
        [
          "version": 1, "inputs": inputs.map { [$0.name, $0.value] },
          "store": "https://shop.example",
          "verbosity": "normal", "errors": "text", "streams": [none, none, none],
          "variables": [Any](), "answers": [Any](),
          "expansions": expansions.map { [$0.0, $0.1] as [Any] },
        ] as [String: Any]))
    for (path, content) in files {
      switch content {
      case .file(let text): body += frame(2, try json(["path": path])) + frame(3, Array(text.utf8))
      case .folder(let names):
        body += frame(2, try json(["path": path, "names": names] as [String: Any]))
      }
    }
    return Self(
      method: "POST",
      target: "/v1/commands/\(name.replacingOccurrences(of: " ", with: "/"))",
      headers: ["Content-Type: application/vnd.datactl.command"], body: body)
  }
}
