import Foundation
import PostgresHarness
import ProgramHarness
import Testing

/// Connects to this machine by an address that is not known to be local: connections must be
/// encrypted and verified unless the address disables that.
@Suite("Certificates of remote PostgreSQL servers", .serialized)
struct PostgresCertificateTests {
  private static let host = "0.0.0.0"
  private static let alone = Result { try PostgresServer.alone() }
  private let server: PostgresServer
  private let authority: CertificateAuthority
  private let place: Place

  init() throws {
    server = try Self.alone.get()
    authority = try CertificateAuthority()
    place = try Place()
  }

  private func address(host: String = host, _ options: String...) -> String {
    let options = options.joined(separator: "&")
    return
      "postgres://tester@\(host):\(server.port ?? 0)/postgres\(options.isEmpty ? "" : "?")\(options)"
  }

  private var vouched: String { "sslrootcert=\(authority.certificate)" }

  /// Expects that the connection succeeds: the command reports that the database has no store.
  private func isReached(_ address: String, by program: Program? = nil) throws {
    try (program ?? place.program).run(["list", "todo", "--store", address]).exits(7)
      .says("there is no such store")
  }

  private func isRefused(_ address: String, _ parts: String...) throws {
    for words in [["list", "todo"], ["schema", "create", "todo", "title:text"]] {
      let run = try place.program.run(words + ["--store", address]).exits(7).printsNothing()
      for part in parts { try run.says(part) }
    }
    #expect(try server.run("select count(*) from pg_namespace where nspname = 'datactl'") == "0")
  }

  @Test("connects when the certificate is signed by the authority in the address")
  func trusted() throws {
    try server.restart(as: authority.identity(of: "IP:\(Self.host),DNS:localhost"))
    try isReached(address(vouched))
    let program = place.program.with(["PGSSLROOTCERT": authority.certificate])
    try isReached(address(), by: program)
    try isReached(address(host: "localhost", "sslmode=verify-full", vouched))
  }

  @Test("rejects an unknown authority unless the address disables verification")
  func unknownAuthority() throws {
    try server.restart(as: authority.identity(of: "IP:\(Self.host),DNS:localhost"))
    let other = try CertificateAuthority()
    for options in ["", "sslrootcert=\(other.certificate)", "sslmode=verify-ca"] {
      try isRefused(
        address(options), "the server's certificate is not trusted",
        "set sslrootcert=FILE in the address to the certificate of the server's authority")
    }
    try isReached(address("sslmode=require"))
    try isReached(address(), by: place.program.with(["PGSSLMODE": "require"]))
    try isReached(address(host: "localhost"))
    // The environment selects a host that is not known to be local.
    try place.program.with(["PGHOSTADDR": Self.host])
      .run(["list", "todo", "--store", address(host: "localhost")]).exits(7)
      .says("the server's certificate is not trusted")
  }

  @Test("rejects a certificate for another host and names that host")
  func wrongHost() throws {
    try server.restart(as: authority.identity(of: "DNS:db.example"))
    try isRefused(
      address(vouched), "\"db.example\"", "does not match host name \"\(Self.host)\"",
      "use the host name of the certificate in the address")
    try isRefused(address(host: "localhost", "sslmode=verify-full", vouched), "\"localhost\"")
    try isReached(address("sslmode=verify-ca", vouched))
  }

  @Test("rejects an expired certificate")
  func expired() throws {
    try server.restart(as: authority.identity(of: "IP:\(Self.host)", days: -1))
    try isRefused(address(vouched), "the server's certificate is not trusted", "expired")
  }

  @Test("rejects an unencrypted server unless the address allows it")
  func plain() throws {
    try server.restart(as: nil)
    try isRefused(
      address(vouched), "does not support SSL", "set sslmode=prefer in the address")
    try isReached(address("sslmode=prefer"))
    try isReached(address(host: "127.0.0.1"))
    try isReached(address(), by: place.program.with(["PGSSLMODE": "disable"]))
  }
}
