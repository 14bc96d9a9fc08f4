package import Foundation

/// A temporary folder. Its deinitializer removes it.
package final class TemporaryFolder: Sendable {
  package let url = FileManager.default.temporaryDirectory
    .appending(path: "datactl-\(UUID().uuidString)")

  package init() throws {
    try FileManager.default.createDirectory(
      at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  deinit {
    // Leaving the folder in the system's temporary folder does no harm.
    try? FileManager.default.removeItem(at: url)
  }

  package var path: String { url.path }

  package func path(_ name: String) -> String { url.appending(path: name).path }

  package func createFolder(_ name: String) throws {
    try FileManager.default.createDirectory(
      at: url.appending(path: name), withIntermediateDirectories: true)
  }

  /// Writes a file and returns its path.
  @discardableResult
  package func write(
    _ text: String, to name: String, permissions: Int = 0o644
  ) throws -> String {
    try Data(text.utf8).write(to: url.appending(path: name))
    try FileManager.default.setAttributes(
      [.posixPermissions: permissions], ofItemAtPath: path(name))
    return path(name)
  }
}
