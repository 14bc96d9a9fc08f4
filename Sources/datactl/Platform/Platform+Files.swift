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
