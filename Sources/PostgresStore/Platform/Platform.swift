import DataModel

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The functions of the C library that this module uses.
enum Platform {
  /// The direction in which a socket is to become ready.
  enum Readiness {
    case reading
    case writing
  }

  /// The result of a wait for a socket.
  enum WaitResult {
    case ready
    /// The interrupt descriptor is readable: the program is to stop.
    case alarm
    case timeout
  }

  /// Waits with `poll` until a socket is ready, an interrupt descriptor is readable, or the timeout
  /// has passed.
  static func wait(
    at socket: Int32, for readiness: Readiness, alarm: Int32?, seconds: Double? = nil
  ) -> WaitResult {
    let events = Int16(readiness == .reading ? POLLIN : POLLOUT)
    var descriptors = [pollfd(fd: socket, events: events, revents: 0)]
    if let alarm { descriptors.append(pollfd(fd: alarm, events: Int16(POLLIN), revents: 0)) }
    let milliseconds = seconds.map { Int32(min(max($0 * 1_000, 0), 1_000_000_000)) } ?? -1
    let count = unsafe descriptors.withUnsafeMutableBufferPointer { descriptors in
      unsafe poll(descriptors.baseAddress, nfds_t(descriptors.count), milliseconds)
    }
    if descriptors.count > 1, descriptors[1].revents != 0 { return .alarm }
    return count == 0 ? .timeout : .ready
  }

  /// Returns the value of an environment variable that is set and not empty.
  static func variable(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    let text = unsafe String(cString: value)
    return text.isEmpty ? nil : text
  }

  /// Whether a readable file exists at a path.
  static func isReadable(_ path: String) -> Bool { unsafe access(path, R_OK) == 0 }

  /// Whether a path exists and is not a regular file that only its owner can access.
  static func isExposed(_ path: String) -> Bool {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return false }
    return status.st_mode & S_IFMT != S_IFREG || status.st_mode & 0o077 != 0
  }

  /// Where operating systems store the certificates of trusted authorities.
  static let authorities = [
    "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/ca-bundle.pem", "/etc/ssl/cert.pem",
  ]
}
