import Foundation

/// Lets clients come, and never says a word.
package final class SilentServer: Sendable {
  private let folder: URL
  private let listener: Int32

  package init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "mute-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    listener = try LocalSocket.listen(
      at: folder.appending(path: PostgresServer.socketName).path)
  }

  /// The host in addresses.
  package var host: String { folder.path.replacing("/", with: "%2F") }

  package func close() {
    Foundation.close(listener)
    try? FileManager.default.removeItem(at: folder)
  }
}
