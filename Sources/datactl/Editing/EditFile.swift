import ClientCore
import DataModel
import Platform

/// The file of `datactl edit`, in a folder of its own that only the user can access.
///
/// The folder also contains the records as they were read, so that the text can be edited again. It
/// is locked (`flock`) as long as the object exists.
final class EditFile {
  private static let maxSize = 1 << 30
  private static let suffix = ".jsonc"

  let path: String
  /// The records as they were read.
  let original: [UInt8]
  let folder: String
  /// The file of `original`.
  private let originalPath: String
  /// The file of a text that was rejected, if the editor has left another text in `path`.
  private let rejectedPath: String
  /// The folder, open and locked, or nil if it does not exist yet.
  private var lock: OpenFile?

  private init(_ path: String, in folder: String, of name: String, original: [UInt8]) {
    self.path = path
    self.folder = folder
    self.original = original
    originalPath = Self.originalPath(of: name, in: folder)
    rejectedPath = "\(path.dropLast(Self.suffix.count))-rejected\(Self.suffix)"
  }

  /// Creates the folder in the user's data folder. Unlike a folder for temporary files, it remains
  /// after the computer was restarted.
  convenience init(
    of original: [UInt8], named name: String, in environment: Environment
  ) throws(DataError) {
    let parent = try Self.parent(in: environment)
    let folder = "\(parent)/\(name)-\(String(UInt32.random(in: .min ... .max), radix: 36))"
    self.init("\(folder)/\(name)\(Self.suffix)", in: folder, of: name, original: original)
  }

  /// Opens a text that was kept. Throws an error if another process is editing it.
  convenience init(
    kept path: String, named name: String, in environment: Environment
  ) throws(DataError) {
    let parent = try Self.parent(in: environment)
    // Another folder must not be removed together with its files.
    guard let path = try? FileSystem.resolved(Files.absolute(path, in: environment.folder)),
      let slash = path.lastIndex(of: "/"), case let folder = String(path[..<slash]),
      folder.hasPrefix("\((try? FileSystem.resolved(parent)) ?? parent)/"),
      case let lock = try Self.locked(folder, for: path),
      // The other process may have removed the files before it released its lock.
      let original = try? Self.contents(of: Self.originalPath(of: name, in: folder))
    else {
      throw DataError(
        .usage, "--resume: \(Excerpt.escaped(path)) is not a text of \(name) that edit has kept",
        hint: "pass the schema and the path that edit has printed")
    }
    self.init(path, in: folder, of: name, original: original)
    self.lock = lock
    if path == originalPath {
      throw DataError(
        .usage, "--resume: \(Excerpt.escaped(path)) contains the records as they were read",
        hint: "pass the text, \(folder)/\(name)\(Self.suffix)")
    }
  }

  /// The error for a file of `original` that does not contain records.
  var damage: DataError {
    DataError(
      Problem(
        .fileFailed, "does not contain the records as they were read, so the text cannot be saved",
        hint: """
          the text is kept in \(path)
          to save it, remove the lines that begin with //, and pass it to datactl save --file
          """, file: originalPath))
  }

  /// Locks a folder, so that no other process edits or removes its texts.
  private static func locked(
    _ folder: String, for path: String
  ) throws(DataError) -> OpenFile? {
    guard let file = try? OpenFile(folder, for: .listing) else { return nil }
    // Not all file systems support locks.
    if file.tryLock() || !SystemCallError.last.wouldBlock { return file }
    throw DataError(
      Problem(
        .fileFailed, "another datactl edit has this text open", hint: "close its editor first",
        file: path))
  }

  private static func parent(in environment: Environment) throws(DataError) -> String {
    try environment.makeDataFolder("edit", for: "the text to edit")
  }

  private static func originalPath(of name: String, in folder: String) -> String {
    "\(folder)/\(name).original.json"
  }

  /// Replaces the text. If that fails, the file is not changed. Creates the folder if it does not
  /// exist.
  func write(_ text: [UInt8]) throws(DataError) {
    do throws(SystemCallError) {
      if !FileSystem.exists(folder) {
        try FileSystem.makeFolder(folder, permissions: 0o700)
        lock = try? Self.locked(folder, for: path)
        try Self.write(original, to: originalPath)
      }
      try Self.write(text, to: path)
    } catch {
      throw failure(error)
    }
  }

  /// Keeps a rejected text in a file of its own.
  func writeRejected(_ text: [UInt8]) throws(DataError) {
    do throws(SystemCallError) {
      try Self.write(text, to: rejectedPath)
    } catch {
      throw failure(error)
    }
  }

  private static func write(_ text: [UInt8], to path: String) throws(SystemCallError) {
    let replacement = try FileReplacement(of: path, permissions: .restricted)
    try Descriptor.writeAll(replacement.descriptor, text.span)
    try replacement.publish()
  }

  /// Returns the text, with LF at the ends of lines and without a byte order mark.
  func read() throws(DataError) -> [UInt8] {
    do {
      var text = try Self.contents(of: path)
      if text.starts(with: [0xEF, 0xBB, 0xBF]) { text.removeFirst(3) }
      for index in text.indices where text[index] == 0x0D {
        if index + 1 == text.count || text[index + 1] != 0x0A { text[index] = 0x0A }
      }
      return text
    } catch let error as DataError {
      throw error
    } catch let error as SystemCallError where error.isMissing {
      throw DataError(
        Problem(.fileFailed, "the editor has removed the file: nothing was saved", file: path))
    } catch {
      throw failure(error)
    }
  }

  private static func contents(of path: String) throws -> [UInt8] {
    try PrivateFile.contents(of: path, atMost: maxSize) { status throws(DataError) in
      guard status.kind == .regular else {
        throw DataError(Problem(.fileFailed, "not a regular file: nothing was saved", file: path))
      }
    }
  }

  /// The paths of the texts that exist, even if they cannot be read.
  var keptPaths: [String] {
    [path, rejectedPath].filter { (try? FileStatus(ofLink: $0))?.kind == .regular }
  }

  /// Whether there are other files in the folder, which can contain what the user has typed: a
  /// rejected text, or files of the editor.
  var hasOtherFiles: Bool {
    (try? FileSystem.names(in: folder))?
      .contains { ![path, originalPath].contains("\(folder)/\($0)") } ?? false
  }

  /// Removes the file, and those that the editor has created next to it.
  func remove() { FileSystem.removeFolder(folder) }

  /// Removes the text after it has been saved. Another text in the folder stays, and can be edited
  /// again. Returns the paths of such texts.
  func removeSaved() -> [String] {
    let names = (try? FileSystem.names(in: folder)) ?? []
    let others = names.map { "\(folder)/\($0)" }.filter { $0.hasSuffix(Self.suffix) && $0 != path }
    if others.isEmpty { remove() } else { FileSystem.removeFile(path) }
    return others.sorted()
  }

  private func failure(_ error: any Error) -> DataError {
    let text = (error as? SystemCallError)?.text ?? "\(error)"
    return DataError(Problem(.fileFailed, text, file: path))
  }
}
