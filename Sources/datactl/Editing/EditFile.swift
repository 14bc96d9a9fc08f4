import ClientCore
import DataModel
import Platform

/// The file of `datactl edit`, in a folder of its own that only the user can access.
struct EditFile {
  private static let maxSize = 1 << 30

  let path: String
  private let folder: String

  /// Creates the folder in the user's data folder. Unlike a folder for temporary files, it remains
  /// after the computer was restarted.
  init(named name: String, in environment: Environment) throws(DataError) {
    let parent = try environment.makeDataFolder("edit", for: "the text to edit")
    folder = "\(parent)/\(name)-\(String(UInt32.random(in: .min ... .max), radix: 36))"
    path = "\(folder)/\(name).jsonc"
    do throws(SystemCallError) {
      try FileSystem.makeFolder(folder, permissions: 0o700)
    } catch {
      throw failure(error)
    }
  }

  /// Replaces the text. If that fails, the file is not changed.
  func write(_ text: [UInt8]) throws(DataError) {
    do throws(SystemCallError) {
      let replacement = try FileReplacement(of: path, permissions: .restricted)
      try Descriptor.writeAll(replacement.descriptor, text.span)
      try replacement.publish()
    } catch {
      throw failure(error)
    }
  }

  /// Returns the text, with LF at the ends of lines and without a byte order mark.
  func read() throws(DataError) -> [UInt8] {
    do {
      var text = try PrivateFile.contents(of: path, atMost: Self.maxSize)
      if text.starts(with: [0xEF, 0xBB, 0xBF]) { text.removeFirst(3) }
      return text.contains(0x0A) ? text : text.map { $0 == 0x0D ? 0x0A : $0 }
    } catch {
      throw failure(error)
    }
  }

  /// Whether the editor has created other files in the folder, which can contain what the user has
  /// typed.
  var hasOtherFiles: Bool {
    (try? FileSystem.names(in: folder))?.contains { "\(folder)/\($0)" != path } ?? false
  }

  /// Removes the file, and those that the editor has created next to it.
  func remove() { FileSystem.removeFolder(folder) }

  private func failure(_ error: any Error) -> DataError {
    let text = (error as? SystemCallError)?.text ?? "\(error)"
    return DataError(Problem(.fileFailed, text, file: path))
  }
}
