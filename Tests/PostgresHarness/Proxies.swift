import Dispatch
import Foundation

/// A proxy between a client and a server that cuts the connection once, at a chosen statement.
package final class CuttingProxy: Sendable {
  /// The point at which the connection is cut.
  package enum Cut: Sendable {
    /// Before the server receives a statement that contains this text.
    case before(String)
    /// After the server has executed such a statement, before the client receives the response.
    case after(String)
    /// While the server executes such a statement.
    case during(String)
  }

  private let socket: ServerSocket
  private let cut: MutexBox<Cut?>
  private let user: String

  package init(to server: PostgresServer, cutting cut: Cut) throws {
    self.cut = MutexBox(cut)
    socket = try ServerSocket()
    user = server.user
    let server = server.socket
    socket.serve { self.forward(from: $0, to: server) }
  }

  /// Whether the connection has been cut.
  package var hasCut: Bool { cut.value == nil }

  /// The address of a database through this proxy.
  package func address(_ database: String) -> String { socket.address(database, user: user) }

  package func close() { socket.close() }

  private func forward(from client: Int32, to server: String) {
    var dropsResponses = false
    LocalSocket.forward(from: client, to: server) { request in
      let statement = String(decoding: request, as: UTF8.self)
      switch cut.value {
      case .before(let text)? where statement.contains(text):
        cut.value = nil
        return nil
      case .after(let text)? where statement.contains(text):
        cut.value = nil
        dropsResponses = true
        return request
      case .during(let text)? where statement.contains(text):
        cut.value = nil
        shutdown(client, Int32(SHUT_RDWR))
        return request
      case .before, .after, .during, nil: return request
      }
    } responseFilter: { response in
      dropsResponses ? nil : response
    }
  }
}

/// A proxy between a client and a server that delays the response to one statement, once, until it
/// is released.
package final class HoldingProxy: Sendable {
  private let socket: ServerSocket
  private let semaphore = DispatchSemaphore(value: 0)
  private let stage = MutexBox(Stage.waiting)
  private let statement: String

  private enum Stage {
    case waiting
    /// The statement has been sent to the server.
    case sent
    /// The server has responded, and the response is held back.
    case holding
    case released
  }

  package init(to server: PostgresServer, delayingResponseTo statement: String) throws {
    self.statement = statement
    socket = try ServerSocket()
    let server = server.socket
    socket.serve { self.forward(from: $0, to: server) }
  }

  /// Whether the server has responded and the client has not received the response.
  package var isHolding: Bool { stage.value == .holding }

  /// The address of a database through this proxy.
  package func address(_ database: String) -> String { socket.address(database) }

  /// Lets the response pass.
  package func release() {
    stage.value = .released
    semaphore.signal()
  }

  package func close() {
    release()
    socket.close()
  }

  private func forward(from client: Int32, to server: String) {
    LocalSocket.forward(from: client, to: server) { request in
      if stage.value == .waiting, String(decoding: request, as: UTF8.self).contains(statement) {
        stage.value = .sent
      }
      return request
    } responseFilter: { response in
      if stage.value == .sent {
        stage.value = .holding
        semaphore.wait()
      }
      return response
    }
  }
}

/// A proxy between a client and a server on a Unix socket that cuts the first connection after a
/// number of bytes.
package final class ByteCuttingProxy: Sendable {
  package enum Direction: Sendable {
    case requests
    case responses
  }

  private let socket: ServerSocket
  /// The number of bytes after which the connection is cut, or nil if it was cut.
  private let rest: MutexBox<Int?>

  package init(to path: String, cutting direction: Direction, after count: Int) throws {
    rest = MutexBox(count)
    socket = try ServerSocket()
    socket.serve { [self] client in
      LocalSocket.forward(from: client, to: path) { request in
        switch direction {
        case .requests: pass(request)
        case .responses: request
        }
      } responseFilter: { response in
        switch direction {
        case .requests: response
        case .responses:
          // A part of the response arrives.
          pass(response) { LocalSocket.write($0, to: client) }
        }
      }
    }
  }

  /// The path of the socket on which the proxy listens.
  package var path: String { socket.path }
  package var hasCut: Bool { rest.value == nil }

  package func close() { socket.close() }

  /// Returns the bytes, or nil if the connection must be cut. Then those before the cut are passed
  /// to a closure.
  private func pass(_ bytes: [UInt8], last: ([UInt8]) -> Void = { _ in }) -> [UInt8]? {
    guard let count = rest.value else { return bytes }
    if bytes.count < count {
      rest.value = count - bytes.count
      return bytes
    }
    rest.value = nil
    last(Array(bytes.prefix(count)))
    return nil
  }
}

/// A Unix socket that accepts requests and never answers.
package final class SilentSocket: Sendable {
  private let socket: ServerSocket
  private let received = MutexBox(0)

  package init() throws {
    socket = try ServerSocket()
    socket.serve { [received] client in
      while LocalSocket.read(client) != nil { received.value += 1 }
    }
  }

  package var path: String { socket.path }
  /// The number of pieces of requests that have arrived.
  package var count: Int { received.value }

  package func close() { socket.close() }
}

/// A Unix socket that answers each request over HTTP with the next of the given responses, and
/// closes the connection.
package final class CannedSocket: Sendable {
  private let socket: ServerSocket
  private let received = MutexBox<[String]>([])

  package init(_ responses: [[UInt8]]) throws {
    socket = try ServerSocket()
    socket.serve { [received] client in
      guard let request = Self.request(from: client) else { return }
      let number = received.value.count
      received.change { $0.append(String(decoding: request, as: UTF8.self)) }
      if number < responses.count { LocalSocket.write(responses[number], to: client) }
    }
  }

  /// Answers each request with a head, followed by a piece that is sent many times.
  package init(_ head: String, sending piece: [UInt8], times: Int) throws {
    socket = try ServerSocket()
    socket.serve { [received] client in
      guard let request = Self.request(from: client) else { return }
      received.change { $0.append(String(decoding: request, as: UTF8.self)) }
      LocalSocket.write(
        Array("HTTP/1.1 \(head)\r\nContent-Length: \(piece.count * times)\r\n\r\n".utf8),
        to: client)
      for _ in 0..<times { LocalSocket.write(piece, to: client) }
    }
  }

  /// Returns a response with a status, headers and a body.
  package static func response(_ head: String, _ body: [UInt8]) -> [UInt8] {
    Array("HTTP/1.1 \(head)\r\nContent-Length: \(body.count)\r\n\r\n".utf8) + body
  }

  package var path: String { socket.path }
  /// The requests that have been received.
  package var requests: [String] { received.value }

  package func close() { socket.close() }

  private static func request(from client: Int32) -> [UInt8]? {
    var bytes: [UInt8] = []
    while let piece = LocalSocket.read(client) {
      bytes += piece
      let text = String(decoding: bytes, as: UTF8.self)
      guard let end = text.firstRange(of: "\r\n\r\n") else { continue }
      let head = text[..<end.lowerBound]
      let length = head.firstMatch(of: /Content-Length: ([0-9]+)/).flatMap { Int($0.1) } ?? 0
      if bytes.count >= head.utf8.count + 4 + length { return bytes }
    }
    return nil
  }
}
