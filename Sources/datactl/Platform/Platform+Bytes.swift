#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension Platform {
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
        found.append("the path of the working folder")
      }
    }
    return found
  }
}
