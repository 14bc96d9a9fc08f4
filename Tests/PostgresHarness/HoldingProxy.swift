import Dispatch

/// A proxy between a client and a server that delays the response to one statement, once, until it
/// is released.
package final class HoldingProxy: Sendable {
  private let socket: ServerSocket
  private let passage = DispatchSemaphore(value: 0)
  private let stage = Mutexed(Stage.listening)
  private let statement: String

  private enum Stage {
    case listening
    /// The statement has been sent to the server.
    case asked
    /// The server has responded, and the response is held back.
    case holding
    case released
  }

  package init(before server: PostgresServer, holdingAnswerTo statement: String) throws {
    self.statement = statement
    socket = try ServerSocket()
    let server = server.socket
    socket.serve { self.carry(from: $0, to: server) }
  }

  /// Whether the server has responded and the client has not received the response.
  package var isHolding: Bool { stage.value == .holding }

  /// The address of a database through this proxy.
  package func address(_ database: String) -> String { socket.address(database) }

  /// Lets the response pass.
  package func release() {
    stage.value = .released
    passage.signal()
  }

  package func close() {
    release()
    socket.close()
  }

  private func carry(from client: Int32, to server: String) {
    LocalSocket.carry(from: client, to: server) { said in
      if stage.value == .listening, String(decoding: said, as: UTF8.self).contains(statement) {
        stage.value = .asked
      }
      return said
    } answered: { answer in
      if stage.value == .asked {
        stage.value = .holding
        passage.wait()
      }
      return answer
    }
  }
}
