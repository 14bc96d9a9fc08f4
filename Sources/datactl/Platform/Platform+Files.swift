#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension Platform {
  /// The mode in which a file is opened.
  enum OpenMode {
    case reading
    /// Created or truncated.
    case writing
  }

  static func openFile(_ path: String, for mode: OpenMode) throws(SystemError) -> Int32 {
    let descriptor =
      switch mode {
      case .reading: unsafe open(path, O_RDONLY | O_CLOEXEC)
      case .writing: unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
      }
    guard descriptor >= 0 else { throw .last }
    if case .reading = mode, isFolder(descriptor) {
      closeFile(descriptor)
      throw SystemError(number: EISDIR)
    }
    return descriptor
  }

  private static func isFolder(_ descriptor: Int32) -> Bool {
    var status = stat()
    return unsafe fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  static func makeFolder(_ path: String) throws(SystemError) {
    guard unsafe mkdir(path, 0o777) == 0 || errno == EEXIST && isFolder(path) else { throw .last }
  }

  /// Returns the names in a folder (`readdir`), sorted by their bytes.
  static func names(in folder: String) throws(SystemError) -> [String] {
    guard let directory = unsafe opendir(folder) else { throw .last }
    defer { unsafe closedir(directory) }
    var names: [String] = []
    while let entry = unsafe readdir(directory) {
      let text = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
        unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) {
          unsafe String(validatingCString: $0)
        }
      }
      guard let name = text else { throw SystemError(number: EILSEQ) }
      if name != "." && name != ".." { names.append(name) }
    }
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// Opens a temporary file (`mkstemp`) and unlinks it, so that the system removes it when it is
  /// closed.
  static func openAnonymousTempFile() throws(SystemError) -> Int32 {
    var lastError = SystemError(number: 0)
    for folder in ["/var/tmp", "/tmp"] {
      var path = Array("\(folder)/datactl-XXXXXX".utf8CString)
      let descriptor = unsafe path.withUnsafeMutableBufferPointer { path -> Int32 in
        guard let base = path.baseAddress else { return -1 }
        let descriptor = unsafe mkstemp(base)
        if descriptor >= 0 { unsafe unlink(base) }
        return descriptor
      }
      if descriptor >= 0 { return descriptor }
      lastError = .last
    }
    throw lastError
  }

  /// Opens `/dev/null` for each standard descriptor that is closed, so that no other file gets its
  /// number.
  ///
  /// It is opened in the wrong direction, so that using the descriptor remains an error.
  static func reserveStandardDescriptors() {
    for descriptor: Int32 in 0...2 where fcntl(descriptor, F_GETFD) == -1 {
      // `open` returns the lowest free number, which is this one. If it fails, nothing has changed.
      _ = unsafe open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY)
    }
  }

  static func rewind(_ descriptor: Int32) throws(SystemError) {
    guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw .last }
  }

  static func closeFile(_ descriptor: Int32) {
    // A failed close cannot be handled here; durable data is written by the store.
    _ = close(descriptor)
  }
}

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The identity of a file, independent of the path or link that leads to it.
package enum FileIdentity: Hashable, Sendable {
  case file(device: UInt64, number: UInt64)
  /// The file does not exist yet. The path has no symbolic links.
  case absent(path: String)
}

extension Platform {
  /// The destination that a path leads to.
  enum Destination: Equatable {
    /// A regular file, or one that does not exist yet. The path has no symbolic links.
    case file(path: String)
    /// A device, a pipe or a terminal.
    case other
  }

  /// Returns the identity of an open regular file (`fstat`), or nil for other kinds of files, which
  /// reading and writing at once cannot damage.
  static func identity(of descriptor: Int32) -> FileIdentity? {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { return nil }
    return identity(status)
  }

  static func identity(of path: String) -> FileIdentity? {
    var status = stat()
    if unsafe stat(path, &status) == 0 { return identity(status) }
    guard let resolved = try? resolved(path) else { return nil }
    return .absent(path: resolved)
  }

  private static func identity(_ status: stat) -> FileIdentity? {
    guard status.st_mode & S_IFMT == S_IFREG else { return nil }
    return .file(
      device: UInt64(truncatingIfNeeded: status.st_dev),
      number: UInt64(truncatingIfNeeded: status.st_ino))
  }

  static func destination(of path: String) throws(SystemError) -> Destination {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else {
      guard errno == ENOENT else { throw .last }
      return .file(path: try resolved(path))
    }
    switch status.st_mode & S_IFMT {
    case S_IFDIR: throw SystemError(number: EISDIR)
    case S_IFREG: return .file(path: try resolved(path))
    default: return .other
    }
  }

  /// Returns the path of a file without symbolic links (`realpath`). The file need not exist.
  private static func resolved(_ path: String) throws(SystemError) -> String {
    var path = path
    for _ in 0..<40 {
      if let found = try realPath(path) { return found }
      guard errno == ENOENT else { throw .last }
      let (folder, name) = parts(of: path)
      if let target = linkTarget(path) {
        path = target.hasPrefix("/") ? target : "\(folder)/\(target)"
        continue
      }
      guard !name.isEmpty else { throw SystemError(number: EISDIR) }
      guard let found = try realPath(folder) else { throw .last }
      return found == "/" ? "/\(name)" : "\(found)/\(name)"
    }
    throw SystemError(number: ELOOP)
  }

  private static func realPath(_ path: String) throws(SystemError) -> String? {
    guard let found = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(found) }
    return try unsafe text(found)
  }

  private static func linkTarget(_ path: String) -> String? {
    var target = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe target.withUnsafeMutableBufferPointer { target -> Int in
      guard let base = target.baseAddress else { return -1 }
      return unsafe readlink(path, base, target.count)
    }
    guard count > 0 else { return nil }
    return String(decoding: target[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Returns the folder and the file name of an absolute path.
  private static func parts(of path: String) -> (folder: String, name: String) {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return (".", path) }
    let folder = path[..<slash]
    return (folder.isEmpty ? "/" : String(folder), String(path[path.index(after: slash)...]))
  }

  /// Creates a temporary file in the folder of another file, with the same permissions.
  static func makeTemporaryFile(replacing path: String) throws(SystemError) -> (
    descriptor: Int32, path: String
  ) {
    let (folder, name) = parts(of: path)
    var words: [UInt64] = [0]
    for _ in 0..<100 {
      fillWithRandomWords(&words)
      let temporary = "\(folder)/.\(name).\(String(words[0], radix: 36))"
      let descriptor = unsafe open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      if descriptor < 0 && errno == EEXIST { continue }
      guard descriptor >= 0 else { throw .last }
      var status = stat()
      // If the permissions cannot be copied, those of a new file are acceptable.
      if unsafe stat(path, &status) == 0 { _ = fchmod(descriptor, status.st_mode & 0o777) }
      return (descriptor, temporary)
    }
    throw SystemError(number: EEXIST)
  }

  /// Makes written data durable (`fsync`).
  static func sync(_ descriptor: Int32) throws(SystemError) {
    guard fsync(descriptor) == 0 else { throw .last }
  }

  /// Renames a file, replacing the file at the new path (`rename`).
  static func rename(_ path: String, to other: String) throws(SystemError) {
    #if canImport(Darwin)
      let result = unsafe Darwin.rename(path, other)
    #else
      let result = unsafe Glibc.rename(path, other)
    #endif
    guard result == 0 else { throw .last }
  }

  static func removeFile(_ path: String) {
    // A temporary file that cannot be removed is harmless.
    _ = unsafe unlink(path)
  }
}
