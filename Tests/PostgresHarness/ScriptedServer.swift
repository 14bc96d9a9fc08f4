import Foundation

/// Says at once that a client is welcome, and that it is a server of some version; nothing more.
package final class ScriptedServer: Sendable {
  private let folder: URL
  private let listener: Int32

  package init(version: String) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "old-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    listener = try LocalSocket.listen(
      at: folder.appending(path: PostgresServer.socketName).path)
    let listener = listener
    Thread.detachNewThread {
      while case let client = accept(listener, nil, nil), client >= 0 {
        _ = LocalSocket.read(client)
        LocalSocket.write(Self.welcome(version), to: client)
        _ = LocalSocket.read(client)
        Foundation.close(client)
      }
    }
  }

  package var address: String {
    "postgres://tester@\(folder.path.replacing("/", with: "%2F"))/postgres"
  }

  package func close() {
    shutdown(listener, Int32(SHUT_RDWR))
    Foundation.close(listener)
    try? FileManager.default.removeItem(at: folder)
  }

  private static func welcome(_ version: String) -> [UInt8] {
    func message(_ kind: Character, _ body: [UInt8]) -> [UInt8] {
      let length = UInt32(body.count + 4)
      return [kind.asciiValue ?? 0]
        + (0..<4).map { UInt8(truncatingIfNeeded: length >> (24 - 8 * $0)) } + body
    }
    return message("R", [0, 0, 0, 0])
      + message("S", Array("server_version".utf8) + [0] + Array(version.utf8) + [0])
      + message("S", Array("server_encoding\0UTF8\0".utf8)) + message("Z", Array("I".utf8))
  }
}
