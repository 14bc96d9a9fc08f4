import Foundation

/// Says a few times that it is starting up, and is another server from then on.
package final class StartingServer: Sendable {
  private let folder: URL
  private let listener: Int32

  package init(before server: PostgresServer, refusing count: Int) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "new-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let path = folder.appending(path: PostgresServer.socketName).path
    listener = try LocalSocket.listen(at: path)
    let (listener, socket) = (listener, server.socket)
    Thread.detachNewThread {
      for number in 1...count {
        let client = accept(listener, nil, nil)
        _ = LocalSocket.read(client)
        if number == count {
          try? FileManager.default.removeItem(atPath: path)
          try? FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: socket)
        }
        LocalSocket.write(Self.refusal, to: client)
        Foundation.close(client)
      }
    }
  }

  /// The host in addresses.
  package var host: String { folder.path.replacing("/", with: "%2F") }

  package func close() {
    shutdown(listener, Int32(SHUT_RDWR))
    Foundation.close(listener)
    try? FileManager.default.removeItem(at: folder)
  }

  private static var refusal: [UInt8] {
    let fields = ["SFATAL", "VFATAL", "C57P03", "Mthe database system is starting up"]
    let body: [UInt8] = fields.flatMap { field -> [UInt8] in Array(field.utf8) + [0] } + [0]
    return [UInt8(ascii: "E"), 0, 0, 0, UInt8(body.count + 4)] + body
  }
}
