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
  private static let originalSuffix = ".original.json"
  private static let expansionMark = "// --expand "

  let path: String
  /// The records as they were read, below a line with the value of `--expand` if it was given.
  let original: [UInt8]
  let folder: String
  /// The file of `original`.
  private let originalPath: String
  /// The file of a text that was rejected, if the editor has left another text in `path`.
  private let rejectedPath: String
  /// The paths of other files that were in the folder before. They can contain what was typed.
  private var earlierPaths: [String] = []
  /// The folder, open and locked, or nil if it does not exist yet.
  private var lock: OpenFile?

  private init(_ path: String, in folder: String, besides originalPath: String, original: [UInt8]) {
    self.path = path
    self.folder = folder
    self.original = original
    self.originalPath = originalPath
    let stem = path.hasSuffix(Self.suffix) ? String(path.dropLast(Self.suffix.count)) : path
    rejectedPath = "\(stem)-rejected\(Self.suffix)"
  }

  /// Creates the folder in the user's data folder. Unlike a folder for temporary files, it remains
  /// after the computer was restarted.
  ///
  /// - Parameter expansion: The value of `--expand` with which the records were read.
  convenience init(
    of original: [UInt8], expanding expansion: String?, named name: String,
    in environment: Environment
  ) throws(DataError) {
    let parent = try environment.makeDataFolder("edit", for: "the text to edit")
    let folder = "\(parent)/\(name)-\(String(UInt32.random(in: .min ... .max), radix: 36))"
    let line = expansion.map { "\(Self.expansionMark)\($0)\n" } ?? ""
    self.init(
      "\(folder)/\(name)\(Self.suffix)", in: folder,
      besides: "\(folder)/\(name)\(Self.originalSuffix)", original: Array(line.utf8) + original)
  }

  /// Opens a text that was kept. Throws an error if another process is editing it.
  convenience init(
    kept path: String, named name: String, in environment: Environment
  ) throws(DataError) {
    // Other users could change the texts in a folder that is not private.
    guard let path = try? FileSystem.resolved(Files.absolute(path, in: environment.folder)),
      let slash = path.lastIndex(of: "/"), case let folder = String(path[..<slash]),
      let status = try? FileStatus(folder), status.owner == environment.userID,
      status.permissions & 0o077 == 0
    else {
      throw DataError(
        .usage, "--resume: \(Excerpt.escaped(path)) is not a text that edit has kept",
        hint: "pass the path that edit has printed, in a folder that only you can access")
    }
    let lock = try Self.locked(folder, for: path)
    let paths = ((try? FileSystem.names(in: folder)) ?? []).map { "\(folder)/\($0)" }
    let originalPath = "\(folder)/\(name)\(Self.originalSuffix)"
    if !paths.contains(originalPath),
      let other = paths.first(where: { $0.hasSuffix(Self.originalSuffix) })
    {
      throw Self.unusable(other, "does not contain the records of \(name)", path)
    }
    // The other process may have removed the files before it released its lock.
    guard let original = try? Self.contents(of: originalPath) else {
      throw Self.unusable(originalPath, "the records as they were read are missing", path)
    }
    self.init(path, in: folder, besides: originalPath, original: original)
    self.lock = lock
    earlierPaths = paths.filter { $0 != path && $0 != originalPath }
    if path == originalPath {
      throw DataError(
        .usage, "--resume: \(Excerpt.escaped(path)) contains the records as they were read",
        hint: "pass the text, \(folder)/\(name)\(Self.suffix)")
    }
  }

  /// The value of `--expand` with which the records were read, or nil if they are not expanded.
  var expansion: String? {
    guard original.starts(with: Self.expansionMark.utf8), let end = original.firstIndex(of: 0x0A)
    else { return nil }
    return String(decoding: original[Self.expansionMark.utf8.count..<end], as: UTF8.self)
  }

  /// Returns the error for a file of `original` that does not contain records of a schema.
  func damage(of name: String) -> DataError {
    Self.unusable(originalPath, "does not contain the records of \(name) as they were read", path)
  }

  private static func unusable(_ originalPath: String, _ problem: String, _ path: String)
    -> DataError
  {
    DataError(
      Problem(
        .fileFailed, "\(problem), so the text cannot be saved",
        hint: """
          the text is kept in \(path)
          to save it, remove the lines that begin with //, give fields that were renamed their new \
          names, and pass it to datactl save --file
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

  /// Writes a rejected text to a file of its own.
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

  /// The paths of the files that can contain what the user has typed, even if they cannot be read:
  /// the text, a rejected text, and files of the editor.
  var keptPaths: [String] {
    ([path] + otherPaths).filter { (try? FileStatus(ofLink: $0))?.kind == .regular }
  }

  /// Whether there are other files in the folder, which can contain what the user has typed.
  var hasOtherFiles: Bool { !otherPaths.isEmpty }

  private var otherPaths: [String] {
    let names = (try? FileSystem.names(in: folder)) ?? []
    return names.map { "\(folder)/\($0)" }.filter { $0 != path && $0 != originalPath }
  }

  /// Returns whether a file can be edited as a text. An editor may also have left a file in a format
  /// of its own.
  static func isText(_ path: String) -> Bool { (try? contents(of: path))?.contains(0) != true }

  /// Removes the file, and those that the editor has created next to it.
  func remove() { FileSystem.removeFolder(folder) }

  /// Removes the text after it has been saved, and what the editor has created next to it. Other
  /// texts and files that were there before stay. Returns their paths.
  func removeSaved() -> [String] {
    let others = otherPaths.filter { earlierPaths.contains($0) || $0.hasSuffix(Self.suffix) }
    if others.isEmpty { remove() } else { FileSystem.removeFile(path) }
    return others
  }

  private func failure(_ error: any Error) -> DataError {
    let text = (error as? SystemCallError)?.text ?? "\(error)"
    return DataError(Problem(.fileFailed, text, file: path))
  }
}
