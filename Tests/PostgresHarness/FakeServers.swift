import Foundation

/// A server that accepts each login and reports a version, and then does nothing.
package final class ScriptedServer: Sendable {
  private let socket: ServerSocket

  /// Creates a server that reports the given version.
  package init(version: String) throws {
    socket = try ServerSocket()
    let greeting = Self.greeting(version)
    socket.serve { client in
      _ = LocalSocket.read(client)
      LocalSocket.write(greeting, to: client)
      _ = LocalSocket.read(client)
    }
  }

  package var address: String { socket.address("postgres") }

  package func close() { socket.close() }

  private static func greeting(_ version: String) -> [UInt8] {
    func message(_ kind: Character, _ body: [UInt8]) -> [UInt8] {
      let length = UInt32(body.count + 4)
      return [kind.asciiValue ?? 0]
        + (0..<4).map { UInt8(truncatingIfNeeded: length >> (24 - 8 * $0)) } + body
    }
    return message("R", [0, 0, 0, 0])
      + message("S", Array("server_version\0\(version)\0".utf8))
      + message("S", Array("server_encoding\0UTF8\0".utf8)) + message("Z", Array("I".utf8))
  }
}

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
