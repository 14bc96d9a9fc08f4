import Foundation

/// A server that reports a few times that it is starting up, and then becomes a link to another
/// server.
package final class StartingServer: Sendable {
  private let socket: ServerSocket

  package init(becoming server: PostgresServer, rejecting count: Int) throws {
    socket = try ServerSocket()
    let (path, server) = (socket.path, server.socket)
    let rest = MutexBox(count)
    socket.serve { client in
      _ = LocalSocket.read(client)
      rest.change { rest in
        rest -= 1
        guard rest == 0 else { return }
        try? FileManager.default.removeItem(atPath: path)
        try? FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: server)
      }
      LocalSocket.write(Self.startupError, to: client)
    }
  }

  /// The host part of addresses.
  package var host: String { socket.host }

  package func close() { socket.close() }

  private static var startupError: [UInt8] {
    let fields = ["SFATAL", "VFATAL", "C57P03", "Mthe database system is starting up"]
    let body: [UInt8] = fields.flatMap { field -> [UInt8] in Array(field.utf8) + [0] } + [0]
    return [UInt8(ascii: "E"), 0, 0, 0, UInt8(body.count + 4)] + body
  }
}
