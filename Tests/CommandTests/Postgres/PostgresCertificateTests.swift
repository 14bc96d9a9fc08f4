import Foundation
import PostgresHarness
import ProgramHarness
import Testing

/// Tests connections to an address that datactl considers remote, although it is local. Such
/// connections must be encrypted and verified, unless the address disables that.
@Suite("Certificates of remote PostgreSQL servers", .serialized)
struct PostgresCertificateTests {
  private static let host = "0.0.0.0"
  private static let standalone = Result { try PostgresServer.standalone() }
  private let server: PostgresServer
  private let authority: CertificateAuthority
  private let folder: TestFolder

  init() throws {
    server = try Self.standalone.get()
    authority = try CertificateAuthority()
    folder = try TestFolder()
  }

  private func address(host: String = host, _ options: String...) -> String {
    let options = options.joined(separator: "&")
    return
      "postgres://tester@\(host):\(server.port ?? 0)/postgres\(options.isEmpty ? "" : "?")\(options)"
  }

  private var rootCertificateOption: String { "sslrootcert=\(authority.certificate)" }

  /// Checks that the connection succeeds. The command then fails because the database has no store.
  private func expectConnection(_ address: String, by program: Program? = nil) throws {
    try (program ?? folder.program).run(["list", "todo", "--store", address]).exits(7)
      .reports("there is no such store")
  }

  private func expectRejection(_ address: String, _ parts: String...) throws {
    for arguments in [["list", "todo"], ["schema", "create", "todo", "title:text"]] {
      let run = try folder.program.run(arguments + ["--store", address]).exits(7).printsNothing()
      for part in parts { try run.reports(part) }
    }
    #expect(try server.run("select count(*) from pg_namespace where nspname = 'datactl'") == "0")
  }

  @Test("connects when the address names the authority that signed the certificate")
  func trusted() throws {
    try server.restart(as: authority.identity(of: "IP:\(Self.host),DNS:localhost"))
    try expectConnection(address(rootCertificateOption))
    let program = folder.program.with(["PGSSLROOTCERT": authority.certificate])
    try expectConnection(address(), by: program)
    try expectConnection(address(host: "localhost", "sslmode=verify-full", rootCertificateOption))
  }

  @Test("rejects a certificate of an unknown authority unless verification is disabled")
  func unknownAuthority() throws {
    try server.restart(as: authority.identity(of: "IP:\(Self.host),DNS:localhost"))
    let other = try CertificateAuthority()
    for options in ["", "sslrootcert=\(other.certificate)", "sslmode=verify-ca"] {
      try expectRejection(
        address(options), "the server's certificate is not trusted",
        "set sslrootcert=FILE in the address to the CA certificate of the server")
    }
    try expectConnection(address("sslmode=require"))
    try expectConnection(address(), by: folder.program.with(["PGSSLMODE": "require"]))
    try expectConnection(address(host: "localhost"))
    // The environment variable sets a host that datactl considers remote.
    try folder.program.with(["PGHOSTADDR": Self.host])
      .run(["list", "todo", "--store", address(host: "localhost")]).exits(7)
      .reports("the server's certificate is not trusted")
  }

  @Test("rejects a certificate that was issued for another host and names that host")
  func wrongHost() throws {
    try server.restart(as: authority.identity(of: "DNS:db.example"))
    try expectRejection(
      address(rootCertificateOption), "\"db.example\"", "does not match host name \"\(Self.host)\"",
      "use the host name of the certificate in the address")
    try expectRejection(
      address(host: "localhost", "sslmode=verify-full", rootCertificateOption), "\"localhost\"")
    try expectConnection(address("sslmode=verify-ca", rootCertificateOption))
  }

  @Test("rejects an expired certificate")
  func expired() throws {
    try server.restart(as: authority.identity(of: "IP:\(Self.host)", days: -1))
    try expectRejection(
      address(rootCertificateOption), "the server's certificate is not trusted", "expired")
  }

  @Test("rejects an unencrypted connection unless the address allows it")
  func plain() throws {
    try server.restart(as: nil)
    try expectRejection(
      address(rootCertificateOption), "does not support SSL", "set sslmode=prefer in the address")
    try expectConnection(address("sslmode=prefer"))
    try expectConnection(address(host: "127.0.0.1"))
    try expectConnection(address(), by: folder.program.with(["PGSSLMODE": "disable"]))
  }
}
