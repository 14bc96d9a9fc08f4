import Foundation

/// A temporary folder, removed by its deinitializer.
final class TemporaryFolder: Sendable {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "syntax-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  /// Writes a file and returns its path.
  func write(_ text: String, to name: String) throws -> String {
    let file = path + "/" + name
    try text.write(toFile: file, atomically: false, encoding: .utf8)
    return file
  }

  /// Writes an executable script.
  ///
  /// A child process writes it: while this process has a file open for writing, a child forked by
  /// another test can inherit the descriptor, and `exec` fails with `ETXTBSY`.
  func writeProgram(_ text: String, to name: String) throws {
    let source = try write(text, to: name + ".text")
    let copy = "cp \"$0\" \"$1\" && chmod 755 \"$1\""
    _ = try run(["sh", "-c", copy, source, path + "/" + name])
  }
}
