import Foundation

/// Says at once that a client is welcome, and that it is a server of some version; nothing more.
package final class ScriptedServer: Sendable {
  private let folder: URL
  private let listener: Int32

  /// Beside its version it may say more of itself, as other engines do.
  package init(version: String, saying parameters: [(name: String, value: String)] = []) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "old-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    listener = try LocalSocket.listen(
      at: folder.appending(path: PostgresServer.socketName).path)
    let listener = listener
    let welcome = Self.welcome([("server_version", version)] + parameters)
    Thread.detachNewThread {
      while case let client = accept(listener, nil, nil), client >= 0 {
        _ = LocalSocket.read(client)
        LocalSocket.write(welcome, to: client)
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

  private static func welcome(_ parameters: [(name: String, value: String)]) -> [UInt8] {
    func message(_ kind: Character, _ body: [UInt8]) -> [UInt8] {
      let length = UInt32(body.count + 4)
      return [kind.asciiValue ?? 0]
        + (0..<4).map { UInt8(truncatingIfNeeded: length >> (24 - 8 * $0)) } + body
    }
    return message("R", [0, 0, 0, 0])
      + parameters.flatMap { message("S", Array("\($0.name)\0\($0.value)\0".utf8)) }
      + message("S", Array("server_encoding\0UTF8\0".utf8)) + message("Z", Array("I".utf8))
  }
}
