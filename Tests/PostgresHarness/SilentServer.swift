/// A server that accepts connections and never responds.
package final class SilentServer: Sendable {
  private let socket: ServerSocket

  package init() throws {
    socket = try ServerSocket()
  }

  /// The host part of addresses.
  package var host: String { socket.host }

  package func close() { socket.close() }
}
