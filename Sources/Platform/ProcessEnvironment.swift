#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The environment variables, working directory and ids of the process.
package enum ProcessEnvironment {
  /// Returns the value of an environment variable, or nil if it is not set (`getenv`).
  package static func variable(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe String(cString: value)
  }

  /// The path of the working directory (`getcwd`), or an empty string if that directory has been
  /// removed.
  package static var workingFolder: String {
    guard let path = unsafe getcwd(nil, 0) else { return "" }
    defer { unsafe free(path) }
    return unsafe String(cString: path)
  }

  /// The id of the user that runs the process (`getuid`).
  package static var userID: UInt32 { getuid() }
}
