/// A proxy between a client and a server that cuts the connection once, at a chosen statement.
package final class CuttingProxy: Sendable {
  /// The point at which the connection is cut.
  package enum Cut: Sendable {
    /// Before the server receives a statement that contains this text.
    case before(String)
    /// After the server has executed such a statement, before the client receives the response.
    case behind(String)
  }

  private let socket: ServerSocket
  private let cut: Mutexed<Cut?>

  package init(before server: PostgresServer, cutting cut: Cut) throws {
    self.cut = Mutexed(cut)
    socket = try ServerSocket()
    let server = server.socket
    socket.serve { self.carry(from: $0, to: server) }
  }

  /// Whether the connection has been cut.
  package var hasCut: Bool { cut.value == nil }

  /// The address of a database through this proxy.
  package func address(_ database: String) -> String { socket.address(database) }

  package func close() { socket.close() }

  private func carry(from client: Int32, to server: String) {
    var isDeaf = false
    LocalSocket.carry(from: client, to: server) { said in
      let words = String(decoding: said, as: UTF8.self)
      switch cut.value {
      case .before(let text)? where words.contains(text):
        cut.value = nil
        return nil
      case .behind(let text)? where words.contains(text):
        cut.value = nil
        isDeaf = true
        return said
      case .before, .behind, nil: return said
      }
    } answered: { answer in
      isDeaf ? nil : answer
    }
  }
}
