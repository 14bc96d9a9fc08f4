#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The limits, arguments and end of the process.
enum CurrentProcess {
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

  /// The memory limit of the process in bytes (`RLIMIT_AS`), or `Int.max` without a limit.
  static var memoryLimit: Int {
    #if canImport(Glibc)
      let addressSpace = __rlimit_resource_t(RLIMIT_AS.rawValue)
    #else
      let addressSpace = RLIMIT_AS
    #endif
    var limit = rlimit()
    guard unsafe getrlimit(addressSpace, &limit) == 0 else { return .max }
    return Int(clamping: limit.rlim_cur)
  }

  /// Ends the process without running exit handlers (`_exit`), which is faster. All output must
  /// have been flushed.
  static func quit(_ status: Int32) -> Never { _exit(status) }

  /// Returns descriptions of the arguments, the given variables and the working directory that are
  /// not valid UTF-8, so that their decoded text differs from the original.
  static func invalidUTF8(variables: [String]) -> [String] {
    var found: [String] = []
    for index in 0..<Int(CommandLine.argc) {
      guard let argument = unsafe CommandLine.unsafeArgv[index],
        unsafe String(validatingCString: argument) == nil
      else { continue }
      let text = unsafe String(cString: argument)
      // An address may contain a password.
      let head = text.contains("://") ? "" : text.prefix { $0 != "\u{FFFD}" }
      found.append("argument \(index)" + (head.isEmpty ? "" : ", which begins with \(head),"))
    }
    for name in variables {
      guard let value = unsafe getenv(name), unsafe String(validatingCString: value) == nil else {
        continue
      }
      found.append("the variable \(name)")
    }
    if let path = unsafe getcwd(nil, 0) {
      defer { unsafe free(path) }
      if unsafe String(validatingCString: path) == nil {
        found.append("the path of the working directory")
      }
    }
    return found
  }
}
