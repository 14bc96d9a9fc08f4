package import DataModel

/// An address on which a server listens (`--listen`): `HOST:PORT`, `[::1]:PORT` or `unix:PATH`.
package enum ListenAddress: Hashable, Sendable {
  /// A host name or an IP address without brackets, and a port. The port 0 means any free port.
  case tcp(host: String, port: UInt16)
  /// The path of a Unix socket.
  case unix(path: String)

  package static let standard = ListenAddress.tcp(host: "127.0.0.1", port: 8420)

  package init(_ text: String) throws(DataError) {
    if text.hasPrefix("unix:") {
      let path = String(text.dropFirst(5))
      guard !path.isEmpty, path.utf8.count <= 100 else {
        throw DataError(
          .usage,
          "--listen: the path of a socket must have 1 to 100 bytes, found \(path.utf8.count)")
      }
      self = .unix(path: path)
      return
    }
    guard let colon = text.lastIndex(of: ":"), let port = Self.port(text[colon...].dropFirst())
    else {
      throw Self.invalid(text)
    }
    var host = text[..<colon]
    if host.hasPrefix("["), host.hasSuffix("]") {
      host = host.dropFirst().dropLast()
      guard host.contains(":") else { throw Self.invalid(text) }
    } else if host.contains(":") {
      throw Self.invalid(text)
    }
    guard !host.isEmpty, host.utf8.count <= 255 else { throw Self.invalid(text) }
    self = .tcp(host: String(host), port: port)
  }

  private static func port(_ text: Substring) -> UInt16? {
    text.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } ? UInt16(text) : nil
  }

  private static func invalid(_ text: String) -> DataError {
    DataError(
      .usage, "--listen: expected HOST:PORT, [::1]:PORT or unix:PATH, found \(Excerpt.quoted(text))"
    )
  }

  /// Whether only programs on this machine can connect.
  package var isLocal: Bool {
    switch self {
    case .unix: true
    case .tcp(let host, _): host == "localhost" || host == "::1" || Self.isIPv4Loopback(host)
    }
  }

  private static func isIPv4Loopback(_ host: String) -> Bool {
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }

  package var isTCP: Bool {
    switch self {
    case .tcp: true
    case .unix: false
    }
  }

  /// The address as it is written in `--listen`.
  package var text: String {
    switch self {
    case .unix(let path): "unix:\(path)"
    case .tcp(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
  }

  /// Returns the address at which clients reach the server, such as `https://127.0.0.1:8420`.
  package func location(isEncrypted: Bool) -> String {
    switch self {
    case .unix: text
    case .tcp: "\(isEncrypted ? "https" : "http")://\(text)"
    }
  }
}
