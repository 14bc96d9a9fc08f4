package import DataModel

/// The settings of a server, most of which are options of `datactl serve`.
package struct ServerOptions: Sendable {
  /// The format of the lines in the log (`--log`).
  package enum LogFormat: String, CaseIterable, Sendable {
    case text
    case json
    case none
  }

  package var addresses = [ListenAddress.standard]
  package var tls: HTTPServer.TLS?
  /// Whether all requests come from a proxy, so that the last address in the header
  /// `X-Forwarded-For` is the address of the client.
  package var trustsProxy = false
  /// Whether requests that change the store are refused.
  package var isReadOnly = false
  package var limits = HTTPServer.Limits()
  /// The maximum size of a request's body in bytes.
  package var maxBodySize = 1 << 30
  /// The maximum number of bytes in temporary files for responses that wait for their readers.
  package var maxSpoolSize = 1 << 30
  /// The maximum size of the body of a request without a session.
  package var maxAnonymousBodySize = 1 << 20
  /// The maximum number of users that anonymous callers of an address create in an hour.
  package var maxSignUps = 20
  /// The programs that requests can call, or nil if there are none.
  package var methods: Methods?
  package var log = LogFormat.text
  /// The origins whose pages may send requests (`--cors`). `*` means any origin.
  package var origins: [String] = []

  package init() {}

  /// Returns the number of bytes that a size denotes, such as `64k`, `10M` or `1G`.
  package static func size(_ text: String, of option: String) throws(DataError) -> Int {
    let suffixes = ["k": 10, "m": 20, "g": 30]
    let shift = text.last.flatMap { suffixes[$0.lowercased()] }
    let digits = shift == nil ? text[...] : text.dropLast()
    guard !digits.isEmpty, digits.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }),
      let number = Int(digits), number > 0, number <= Int.max >> (shift ?? 0)
    else {
      throw DataError(
        .usage, "\(option): expected a size such as 64k, 10M or 1G, found \(Excerpt.quoted(text))")
    }
    return number << (shift ?? 0)
  }

  /// Throws an error if other machines can connect without encryption, because passwords could then
  /// be read on the network.
  package func check(isEncrypted: Bool) throws(DataError) {
    guard !isEncrypted, !trustsProxy, let open = addresses.first(where: { !$0.isLocal }) else {
      return
    }
    throw DataError(
      .usage, "--listen \(open.text): other machines can connect, so requests must be encrypted",
      hint: "pass --tls-cert and --tls-key, or --behind-proxy if a proxy encrypts the connections")
  }
}
