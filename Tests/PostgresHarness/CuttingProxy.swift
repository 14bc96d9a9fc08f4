/// Stands between a client and a server, and cuts the connection where it is told to, once.
package final class CuttingProxy: Sendable {
  /// Where a connection is cut.
  package enum Cut: Sendable {
    /// Before the server hears a statement that holds these words.
    case before(String)
    /// When the server has answered it, before the client hears that.
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

  /// Whether it has cut a connection.
  package var hasCut: Bool { cut.value == nil }

  /// The address by which clients come through here.
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
