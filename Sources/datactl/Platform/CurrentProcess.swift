import Platform

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Reads and changes properties of the current process, such as its limits, and ends it.
enum CurrentProcess {
  /// Opens `/dev/null` as each standard descriptor that is closed. If it remained closed, the next
  /// file that is opened would get its number.
  ///
  /// Stdin is opened for writing, and stdout and stderr are opened for reading, so that attempts to
  /// use them still fail.
  static func reserveStandardDescriptors() {
    for descriptor: Int32 in 0...2 where fcntl(descriptor, F_GETFD) == -1 {
      // `open` returns the lowest unused descriptor, which is `descriptor`. An error is ignored:
      // the descriptor then remains closed.
      _ = unsafe open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY)
    }
  }

  /// Raises the limit of open files (`RLIMIT_NOFILE`) to the given number, or to the maximum that
  /// the system permits. Returns the limit.
  static func permitOpenFiles(_ count: Int) -> Int {
    #if canImport(Glibc)
      let openFiles = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
      let openFiles = RLIMIT_NOFILE
    #endif
    var limit = rlimit()
    guard unsafe getrlimit(openFiles, &limit) == 0 else { return .max }
    let current = limit.rlim_cur
    limit.rlim_cur = max(current, min(rlim_t(count), limit.rlim_max))
    return Int(clamping: unsafe setrlimit(openFiles, &limit) == 0 ? limit.rlim_cur : current)
  }

  /// The path of the program (`/proc/self/exe`). If it is not known, returns the word with which the
  /// program was started.
  static var programPath: String {
    (try? FileSystem.resolved("/proc/self/exe")) ?? ProcessArguments.texts.first ?? ""
  }

  /// Sets an environment variable (`setenv`).
  static func setVariable(_ name: String, to value: String) throws(SystemCallError) {
    guard unsafe setenv(name, value, 1) == 0 else { throw .last }
  }

  /// Replaces the program of this process with another one (`execv`). Returns the error if that
  /// fails. The new program gets the environment variables and standard streams of this process.
  static func run(_ path: String, arguments: [String]) -> SystemCallError {
    Signals.restoreWriteSignals()
    let error = unsafe withCStrings([path] + arguments) { arguments -> SystemCallError in
      _ = unsafe execv(path, arguments)
      return .last
    }
    Signals.ignoreWriteSignals()
    return error
  }

  /// Ends the process without running exit handlers (`_exit`), which saves time. The caller must
  /// have flushed all output.
  static func quit(_ status: Int32) -> Never { _exit(status) }

  /// Returns a description of each string that is not valid UTF-8. Checks the arguments, the given
  /// environment variables, and the path of the working directory.
  static func invalidUTF8(variables: [String]) -> [String] {
    var found: [String] = []
    let arguments = ProcessArguments.texts
    for index in ProcessArguments.invalidIndices {
      let text = arguments[index]
      // Do not describe a store's address by its text, which may contain a password.
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
