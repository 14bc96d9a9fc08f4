package import DataModel

/// The address of a datactl server: `https://shop.example`, `http://127.0.0.1:8420` or
/// `unix:/run/shop/api`.
package struct ServerAddress: Hashable, Sendable {
  /// The part of the URL of each request before `/v1`, such as `https://shop.example`.
  let base: String
  /// The path of the Unix socket, or nil for TCP.
  let socket: String?
  /// Whether requests are encrypted.
  let isEncrypted: Bool

  private static let form =
    "write https://HOST, http://127.0.0.1:PORT for this machine, or unix:PATH"

  /// Parses an address. A socket's path must be absolute.
  package init(_ text: String) throws(DataError) {
    let shown = Secrets.redacted(in: text)
    func invalid(_ reason: String, hint: String = Self.form) -> DataError {
      DataError(.usage, "not the address of a server: \(shown): \(reason)", hint: hint)
    }
    guard text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F || $0 == 0x20 && text.hasPrefix("unix:") })
    else {
      throw DataError(.usage, "the address of a server contains a space or a control character")
    }
    if text.hasPrefix("unix:") {
      let path = String(text.dropFirst(5))
      guard path.hasPrefix("/"), path.utf8.count <= 100 else {
        throw invalid("the path of a socket must be absolute and have at most 100 bytes")
      }
      (base, socket, isEncrypted) = ("http://localhost", path, false)
      return
    }
    guard let end = text.firstRange(of: "://") else { throw invalid("there is no scheme") }
    let scheme = text[..<end.lowerBound].lowercased()
    let rest = text[end.upperBound...]
    guard scheme == "https" || scheme == "http" else { throw invalid("unknown scheme") }
    let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    var path = rest[authority.endIndex...]
    guard !authority.utf8.contains(UInt8(ascii: "@")) else {
      throw invalid("it must not contain a user name or a password", hint: "log in: datactl login")
    }
    guard !path.utf8.contains(UInt8(ascii: "?")), !path.utf8.contains(UInt8(ascii: "#")) else {
      throw invalid("it must not contain a query or a fragment")
    }
    guard path.utf8.allSatisfy({ $0 < 0x7F }) else {
      throw invalid("the path has characters that must be percent-encoded")
    }
    guard let (host, port) = Self.hostAndPort(authority.lowercased()) else {
      throw invalid("the host or the port is not valid")
    }
    guard scheme == "https" || Self.isLoopback(host) else {
      throw invalid("without encryption, others could read passwords", hint: "write https://")
    }
    while path.hasSuffix("/") { path = path.dropLast() }
    if path.hasSuffix("/v1") { path = path.dropLast(3) }
    let isStandard = port == nil || port == (scheme == "https" ? 443 : 80)
    base = "\(scheme)://\(host)\(isStandard ? "" : port.map { ":\($0)" } ?? "")\(path)"
    socket = nil
    isEncrypted = scheme == "https"
  }

  /// The address in a normalized form, which is the same for all spellings of the address. For
  /// example, `https://SHOP.example:443/` becomes `https://shop.example`.
  package var canonical: String { socket.map { "unix:\($0)" } ?? base }

  private static func hostAndPort(_ authority: String) -> (host: String, port: UInt16?)? {
    let isBracketed = authority.hasPrefix("[")
    let end =
      isBracketed
      ? authority.firstIndex(of: "]").map(authority.index(after:)) ?? authority.startIndex
      : authority.firstIndex(of: ":") ?? authority.endIndex
    let host = String(authority[..<end])
    let rest = authority[end...]
    let isHost = host.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
        UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
        true
      case UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "]"): isBracketed
      default: byte >= 0x80
      }
    }
    guard isHost, !host.isEmpty, host.utf8.count <= 255 else { return nil }
    if rest.isEmpty { return (host, nil) }
    let digits = rest.dropFirst()
    guard rest.first == ":", digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }),
      let port = UInt16(digits), port > 0
    else { return nil }
    return (host, port)
  }

  /// Returns whether the host is a loopback address or `localhost`, so that requests do not leave
  /// this machine.
  private static func isLoopback(_ host: String) -> Bool {
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return host == "localhost" || host == "[::1]"
      || parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }
}
