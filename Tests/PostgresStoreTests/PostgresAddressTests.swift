import DataModel
import PostgresStore
import Testing

@Suite("PostgreSQL: connection options")
struct PostgresAddressTests {
  private static let authorities = "/etc/ssl/certs/ca-certificates.crt"
  /// The options that are added to every address.
  private static let always = ["fallback_application_name=datactl", "client_encoding=UTF8"]

  private func setup(
    _ address: String, shown: String = "SHOWN", _ environment: [String: String] = [:],
    files: Set<String> = [authorities], exposed: Set<String> = []
  ) throws -> PostgresAddress.ConnectionSetup {
    try PostgresAddress(address, shown: shown).setup(
      LibPQ(),
      ConnectionEnvironment(
        variable: { environment[$0] }, isReadable: { files.contains($0) },
        isExposed: { exposed.contains($0) }))
  }

  /// Returns the added options after the address itself, for an environment and readable files.
  private func options(
    _ address: String, _ environment: [String: String] = [:], files: Set<String> = [authorities]
  ) throws -> [String] {
    let options = try setup(address, environment, files: files).options
    #expect(options.first?.name == "dbname" && options.first?.value == address)
    let rest = options.dropFirst().map { "\($0.name)=\($0.value)" }
    #expect(rest.prefix(2) == Self.always[...])
    return Array(rest.dropFirst(2))
  }

  @Test(
    "adds only connect_timeout and gssencmode to the connection options of a local server",
    arguments: [
      "postgres://%2Ftmp/shop", "postgres:///shop", "postgres://localhost/shop",
      "postgres://127.0.0.1:5433/shop", "postgres://127.8.9.1/shop", "postgres://[::1]/shop",
      "postgresql://localhost,127.0.0.1/shop", "postgres://db.example/shop?hostaddr=127.0.0.1",
      "postgres://%40socket/shop",
    ])
  func local(_ address: String) throws {
    #expect(try options(address) == ["connect_timeout=30", "gssencmode=disable"])
  }

  @Test(
    "verifies the certificate of a remote server",
    arguments: [
      "postgres://db.example/shop", "postgres://localhost,db.example/shop",
      "postgres://10.0.0.1/shop", "postgres://localhost/shop?hostaddr=10.0.0.1",
      "postgres:///shop?host=db.example", "postgres://localhost.example/shop",
      "postgres://127.db.example/shop", "postgres://localhost,b/shop?hostaddr=,10.0.0.1",
      "postgres://db.example,localhost/shop?hostaddr=,127.0.0.1",
    ])
  func remote(_ address: String) throws {
    #expect(
      try options(address)
        == ["connect_timeout=30", "sslmode=verify-full", "sslrootcert=\(Self.authorities)"])
  }

  @Test("keeps every connection option that the address sets, such as sslmode")
  func given() throws {
    #expect(
      try options("postgres://localhost/shop?gssencmode=prefer") == ["connect_timeout=30"])
    let authorities = "sslrootcert=\(Self.authorities)"
    #expect(
      try options("postgres://db.example/shop?sslmode=verify-ca")
        == ["connect_timeout=30", authorities])
    // With sslrootcert, libpq would verify the certificate for sslmode=require, too.
    #expect(try options("postgres://db.example/shop?sslmode=require") == ["connect_timeout=30"])
    #expect(
      try options("postgres://db.example/shop?sslrootcert=/own.pem")
        == ["connect_timeout=30", "sslmode=verify-full"])
    #expect(
      try options("postgres://db.example/shop?connect_timeout=3")
        == ["sslmode=verify-full", authorities])
  }

  @Test("keeps the connection options that environment variables such as PGSSLMODE set")
  func environment() throws {
    let address = "postgres://db.example/shop"
    #expect(
      try options(
        address,
        ["PGSSLMODE": "require", "PGSSLROOTCERT": "/own.pem", "PGCONNECT_TIMEOUT": "1"]) == [])
    #expect(
      try options("postgres:///shop", ["PGHOST": "db.example"], files: [])
        == ["connect_timeout=30", "sslmode=verify-full"])
    #expect(
      try options("postgres:///shop", ["PGHOST": "/tmp"])
        == ["connect_timeout=30", "gssencmode=disable"])
    #expect(
      try options(address, ["PGHOSTADDR": "127.0.0.1"])
        == ["connect_timeout=30", "sslmode=verify-full", "sslrootcert=\(Self.authorities)"])
    #expect(
      try options("postgres://localhost/shop", ["PGHOSTADDR": "10.0.0.1"], files: [])
        == ["connect_timeout=30", "sslmode=verify-full"])
    let own: Set = ["/home/ann/.postgresql/root.crt", Self.authorities]
    #expect(
      try options(address, ["HOME": "/home/ann"], files: own)
        == ["connect_timeout=30", "sslmode=verify-full"])
  }

  @Test("ignores a password file that other users can read, however its path is configured")
  func exposedPasswords() throws {
    for (address, environment) in [
      ("postgres:///shop", ["HOME": "/home/ann"]),
      ("postgres:///shop", ["HOME": "/", "PGPASSFILE": "/home/ann/.pgpass"]),
      ("postgres:///shop?passfile=/home/ann/.pgpass", ["PGPASSFILE": "/other"]),
    ] {
      let setup = try setup(address, environment, exposed: ["/home/ann/.pgpass"])
      #expect(setup.ignoredPasswordFile == "/home/ann/.pgpass")
      let file = setup.options.last { $0.name == "passfile" }
      #expect(file?.value == "/home/ann/.pgpass/none")
    }
    #expect(try setup("postgres:///shop", ["HOME": "/home/ann"]).ignoredPasswordFile == nil)
  }

  @Test("reports libpq's message, without secrets, when libpq cannot parse an address")
  func unreadable() {
    let hint = "write postgres://USER@HOST:PORT/DATABASE, with special characters as %XX"
    #expect(
      throws: DataError(
        .usage,
        """
        not an address that libpq understands: postgres://ann:***@db/shop?sslmod=require: \
        invalid URI query parameter: "sslmod"
        """, hint: hint)
    ) {
      _ = try setup(
        "postgres://ann:secret@db/shop?sslmod=require",
        shown: "postgres://ann:***@db/shop?sslmod=require")
    }
    #expect(
      throws: DataError(
        .usage, "not an address that libpq understands: postgres://ann:***@db/shop",
        hint: "in a password, write @ as %40, / as %2F, : as %3A, and % as %25")
    ) { _ = try setup("postgres://ann:100%secret@db/shop", shown: "postgres://ann:***@db/shop") }
  }
}
