import Foundation

/// A certificate authority for tests, which signs server certificates with `openssl`.
package final class CertificateAuthority: Sendable {
  private let folder: URL

  /// A server certificate and its private key, as PEM.
  package struct Identity {
    package let certificate: String
    package let key: String
  }

  package init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "ca-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try openssl(
      ["req", "-x509"] + Self.newKey + ["-keyout", path("ca.key"), "-out", certificate]
        + ["-subj", "/CN=authority of a test", "-days", "2"])
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// The path of the authority's own certificate.
  package var certificate: String { path("ca.pem") }

  /// Issues a server certificate for subject alternative names, such as `DNS:localhost`.
  ///
  /// It is valid for the given number of days; with a negative number it has already expired.
  package func identity(of names: String, days: Int = 2) throws -> Identity {
    try "subjectAltName=\(names)".write(
      toFile: path("names"), atomically: true, encoding: .utf8)
    try openssl(
      ["req"] + Self.newKey + ["-keyout", path("key"), "-out", path("request")]
        + ["-subj", "/CN=server of a test"])
    try openssl(
      ["x509", "-req", "-in", path("request"), "-CA", certificate, "-CAkey", path("ca.key")]
        + ["-CAcreateserial", "-days", "\(days)", "-extfile", path("names"), "-out", path("pem")])
    return Identity(
      certificate: try String(contentsOfFile: path("pem"), encoding: .utf8),
      key: try String(contentsOfFile: path("key"), encoding: .utf8))
  }

  private static let newKey =
    ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]

  private func path(_ name: String) -> String { folder.appending(path: name).path }

  private func openssl(_ arguments: [String]) throws {
    try PostgresServer.run("/usr/bin/openssl", arguments)
  }
}
