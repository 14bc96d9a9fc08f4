import DataModel
import PostgresStore
import Testing

@Suite("PostgreSQL: failed connections")
struct ConnectionFailureTests {
  private func error(
    _ message: String, ignoredPasswordFile: String? = nil, hidingMessage: Bool = false
  ) -> DataError {
    ConnectionFailure(message).error(
      store: "STORE", for: .reading, ignoredPasswordFile: ignoredPasswordFile,
      hidingMessage: hidingMessage)
  }

  @Test("reads the SQLSTATE from the server's message in any language")
  func states() {
    let message = """
      connection to server at "db", port 5432 failed: FATAL:  3D000: Datenbank »shop« existiert nicht
      LOCATION:  InitPostgres, postinit.c:885

      """
    #expect(ConnectionFailure(message).state == "3D000")
    #expect(error(message).problems[0].message == "STORE: there is no such database")
    #expect(
      error(message.replacing("3D000", with: "28000"))
        == DataError(
          .storeUnreachable,
          "STORE: the server rejected the user: Datenbank »shop« existiert nicht",
          hint:
            "set the user with postgres://USER@HOST; see pg_hba.conf of the server"))
    for state in ["22023", "42704", "55000"] {
      #expect(
        error(message.replacing("3D000", with: state))
          == DataError(
            .storeUnreachable, "STORE: cannot be reached: Datenbank »shop« existiert nicht"))
    }
  }

  @Test("recognizes in the errors of several hosts that one of the servers is starting up")
  func startingUp() {
    let refused = "connection to server at \"a\" (::1), port 1 failed: Connection refused\n"
    let full = "connection to server at \"b\" failed: FATAL:  53300: too many clients\n"
    let starting = "connection to server at \"c\" failed: FATAL:  57P03: is starting up\n"
    #expect(!ConnectionFailure(refused).isStartingUp && ConnectionFailure(refused).isUnreachable)
    #expect(
      !ConnectionFailure(refused + full).isStartingUp
        && !ConnectionFailure(refused + full).isUnreachable)
    #expect(ConnectionFailure(refused + full + starting).isStartingUp)
    #expect(ConnectionFailure(starting + full).isStartingUp)
  }

  @Test("suggests where to set a missing password, and mentions an ignored password file")
  func passwords() {
    let missing = "connection to server failed: fe_sendauth: no password supplied\n"
    let text = "STORE: the server rejected the user name or the password"
    #expect(
      error(missing)
        == DataError(
          .storeUnreachable, text,
          hint: "set the password in the address, in PGPASSWORD, or in ~/.pgpass"))
    #expect(
      error(missing, ignoredPasswordFile: "/home/ann/.pgpass")
        == DataError(
          .storeUnreachable, text,
          hint: """
            /home/ann/.pgpass was ignored, since other users can read it: run \
            chmod 600 /home/ann/.pgpass
            """))
  }

  @Test(
    "reports a usage error when libpq rejects an option of the address",
    arguments: [
      ("invalid sslmode value: \"requier\"", "use disable, allow, prefer, require, "),
      ("invalid port number: \"99999\"", "use a port from 1 to 65535; check the address"),
      ("invalid integer value \"x\" for connection option \"port\"", "use a whole number; "),
      ("invalid gssencmode value: \"x\"", "see the libpq manual"),
    ])
  func values(message: String, hint: String) throws {
    let problem = error(message + "\n").problems[0]
    #expect(problem.code == .usage)
    #expect(problem.message == "STORE: \(message)")
    #expect(try #require(problem.hint).hasPrefix(hint))
    #expect(error(message, hidingMessage: true).code == .storeUnreachable)
  }

  @Test("hides a message of libpq that may contain a part of the password")
  func hidden() {
    #expect(
      error("could not translate host name \"secret@db\" to address", hidingMessage: true)
        == DataError(
          .storeUnreachable, "STORE: cannot be reached",
          hint: "in a password, write @ as %40, / as %2F, : as %3A, and % as %25"))
  }

  @Test(
    "prints libpq's message on one line with a hint",
    arguments: [
      ("Connection refused\n\tIs the server running on that host?\n", "start the server"),
      ("could not translate host name \"db\" to address: Unknown\n", "check the host name"),
      ("definition of service \"x\" not found\n", "~/.pg_service.conf"),
      ("server does not support SSL, but SSL was required\n", "datactl encrypts connections"),
      ("root certificate file \"/x\" does not exist\nEither provide it\n", "sslrootcert=FILE"),
      ("SSL error: certificate verify failed\n", "sslrootcert=FILE"),
      (
        "server certificate for \"a\" does not match host name \"b\"\n",
        "use the host name of the certificate"
      ),
      ("session is read-only\n", "target_session_attrs"),
      ("FATAL:  08P01: database \"x\" does not exist\n", "createdb"),
      ("FATAL:  08P01: no such database: x\n", "createdb"),
      ("FATAL:  08P01: unsupported startup parameter: options\n", "from the address and from PGOP"),
    ])
  func hints(message: String, hint: String) throws {
    let problem = error(message).problems[0]
    #expect(problem.code == .storeUnreachable)
    #expect(!problem.message.contains { $0.isNewline || $0 == "\t" })
    #expect(try #require(problem.hint).contains(hint))
  }
}
