/// Lets clients come, and never says a word.
package final class SilentServer: Sendable {
  private let socket: ServerSocket

  package init() throws {
    socket = try ServerSocket()
  }

  /// The host in addresses.
  package var host: String { socket.host }

  package func close() { socket.close() }
}
