package import DataModel

/// The settings of a server.
package struct ServerOptions: Sendable {
  /// The format of the log.
  package enum LogFormat: String, CaseIterable, Sendable {
    case text
    case json
    case none
  }

  package var addresses = [ListenAddress.standard]
  package var tls: HTTPServer.TLS?
  /// Whether requests come from a proxy, whose headers `X-Forwarded-For` and `X-Forwarded-Proto`
  /// are believed.
  package var trustsProxy = false
  /// Whether requests that change the store are refused.
  package var isReadOnly = false
  package var limits = HTTPServer.Limits()
  /// The maximum size of a request's body in bytes.
  package var maxBodySize = 1 << 30
  /// The maximum size of the body of a request without a session.
  package var maxAnonymousBodySize = 1 << 20
  package var log = LogFormat.text
  /// The origins whose pages may send requests (`--cors`). `*` means any origin.
  package var origins: [String] = []

  package init() {}

  /// Throws an error if passwords could be read by others on the network.
  package func check(isEncrypted: Bool) throws(DataError) {
    guard !isEncrypted, !trustsProxy, let open = addresses.first(where: { !$0.isLocal }) else {
      return
    }
    throw DataError(
      .usage, "--listen \(open.text): other machines can connect, so requests must be encrypted",
      hint: "pass --tls-cert and --tls-key, or --behind-proxy if a proxy encrypts the connections")
  }
}
