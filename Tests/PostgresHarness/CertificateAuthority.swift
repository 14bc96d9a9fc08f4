import Foundation

/// An authority of a test's own, which vouches for servers.
package final class CertificateAuthority: Sendable {
  private let folder: URL

  /// What a server shows of itself, and what it keeps to itself.
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

  /// The file of the authority's own certificate.
  package var certificate: String { path("ca.pem") }

  /// Vouches for a server of some names, such as `DNS:localhost`, for some days from now; for less than
  /// none it is too late already.
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

  private func openssl(_ words: [String]) throws {
    try PostgresServer.run("/usr/bin/openssl", words)
  }
}
