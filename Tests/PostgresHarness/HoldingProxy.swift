import Dispatch

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
