import DataModel

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// All that is asked of the operating system beside libpq.
enum Platform {
  /// What somebody waits for at a socket.
  enum Readiness {
    case reading
    case writing
  }

  /// How a wait at a socket ended.
  enum Wake {
    case ready
    /// The other descriptor can be read: somebody wants the program to stop.
    case alarm
    case timeout
  }

  /// Waits at a socket, and beside it at a descriptor that wakes whoever waits.
  static func wait(
    at socket: Int32, for readiness: Readiness, alarm: Int32?, seconds: Double? = nil
  ) -> Wake {
    let events = Int16(readiness == .reading ? POLLIN : POLLOUT)
    var places = [pollfd(fd: socket, events: events, revents: 0)]
    if let alarm { places.append(pollfd(fd: alarm, events: Int16(POLLIN), revents: 0)) }
    let milliseconds = seconds.map { Int32(min(max($0 * 1_000, 0), 1_000_000_000)) } ?? -1
    let count = unsafe places.withUnsafeMutableBufferPointer { places in
      unsafe poll(places.baseAddress, nfds_t(places.count), milliseconds)
    }
    if places.count > 1, places[1].revents != 0 { return .alarm }
    return count == 0 ? .timeout : .ready
  }

  /// A variable of the environment that is set to something.
  static func variable(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    let text = unsafe String(cString: value)
    return text.isEmpty ? nil : text
  }

  /// Whether there is a file that can be read.
  static func isReadable(_ path: String) -> Bool { unsafe access(path, R_OK) == 0 }

  /// Whether there is something under a path that is not a plain file of which only its owner knows.
  static func isExposed(_ path: String) -> Bool {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return false }
    return status.st_mode & S_IFMT != S_IFREG || status.st_mode & 0o077 != 0
  }

  /// Where systems keep the certificates of the authorities that they trust.
  static let authorities = [
    "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/ca-bundle.pem", "/etc/ssl/cert.pem",
  ]
}
