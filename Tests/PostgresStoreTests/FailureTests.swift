import DataModel
import DataStore
import PostgresStore
import Testing

@Suite("PostgreSQL: failed statements")
struct FailureTests {
  @Test("maps each SQLSTATE to an error category")
  func kinds() {
    let kinds: [EngineFailure: [String]] = [
      .conflict: ["40001", "40P01", "55000"], .collision: ["23505", "42P06", "42723"],
      .existingTable: ["42P07"],
      .canceled: ["57014"],
      .connectionLost: [
        "57P01", "57P02", "57P03", "57P05", "25P03", "25P04", "08000", "08003", "08006", "08007",
        "40003", "08P01",
      ],
      .missingTable: ["42P01", "3F000", "42703"],
      .wrongColumnType: ["42883", "42804", "22P03", "22003", "22008"],
      .unsupportedJSON: ["22012"], .locked: ["55P03"],
      .insufficientPrivilege: ["42501"],
      .rowTooWide: ["54000"],
      .rejectedByForeignObject: ["23502", "23503", "23514", "23P01", "P0001"],
      .diskFull: ["53100"], .outOfResources: ["53200", "53300", "53400"],
      .dependentObjects: ["2BP01"], .missingObject: ["42704"], .readOnly: ["25006"],
      .wrongPassword: ["28P01"], .userRejected: ["28000"], .missingDatabase: ["3D000"],
      .statementTooLarge: ["54001", "54011", "54023"],
      .other: ["XX000", "42601", ""],
    ]
    for (kind, states) in kinds {
      for state in states { #expect(EngineFailure(ServerError(state: state)) == kind, "\(state)") }
    }
    let repeated = kinds.keys.filter(\.isRetryable)
    #expect(Set(repeated) == [.conflict, .collision, .existingTable])
  }

  @Test("determines the cause from the message text when Citus reports an internal error")
  func phrases() {
    for (messageText, failure): (String, EngineFailure) in [
      ("could not commit transaction on any active node", .conflict),
      (
        "duplicate key value violates unique constraint \"item.n:unique_102011\"", .collision
      ),
      ("SSL SYSCALL error: EOF detected\ninvalid socket", .nodeUnreachable),
      (
        "server closed the connection unexpectedly\n\tThis probably means the server terminated",
        .nodeUnreachable
      ),
      ("failure on connection marked as essential: 127.0.0.1:9701", .nodeUnreachable),
      ("cache lookup failed for relation 16402", .other),
    ] {
      let serverError = ServerError(state: "XX000", messageText: messageText)
      #expect(EngineFailure(serverError) == failure, "\(messageText)")
    }
  }

  @Test("reports on one line that a node of the cluster does not respond")
  func lostWorker() {
    for (state, messageText) in [
      ("XX000", "server closed the connection unexpectedly\n\tThis probably means"),
      ("58030", "failed to COPY to shard 102299 on 127.0.0.1:9702"),
    ] {
      let serverError = ServerError(state: state, messageText: messageText)
      #expect(
        DataError(serverError, store: "STORE", for: .writing)
          == DataError(
            .storeUnreachable,
            """
            STORE: a node of the cluster does not respond: \
            \(messageText.replacing("\n\t", with: "; "))
            """, hint: "nothing was changed; run the command again"))
    }
  }

  @Test("retries after a unique violation only if the violated constraint was created by datactl")
  func constraints() {
    var serverError = ServerError(state: "23505")
    for (name, failure): (String, EngineFailure) in [
      ("item:key", .collision), ("item.n:unique", .collision), ("pg_class_oid_index", .collision),
      (String(repeating: "a", count: 54) + "_01234567", .collision),
      ("mine", .rejectedByForeignObject),
    ] {
      serverError.constraint = name
      #expect(EngineFailure(serverError) == failure, "\(name)")
    }
  }

  @Test(
    "reports a trigger of another tool as the cause of a permanent failure, but not of a conflict")
  func triggers() {
    for (state, failure): (String, EngineFailure) in [
      ("42P01", .rejectedByForeignObject), ("42883", .rejectedByForeignObject),
      ("22003", .rejectedByForeignObject), ("45000", .rejectedByForeignObject),
      ("XX000", .other),
      ("40001", .conflict), ("57014", .canceled), ("55P03", .locked), ("53100", .diskFull),
      ("42501", .insufficientPrivilege),
    ] {
      var serverError = ServerError(state: state)
      serverError.isFromProcedure = true
      #expect(EngineFailure(serverError) == failure, "\(state)")
    }
  }

  @Test("mentions no changes and no write privileges in the error of a failed read")
  func reading() {
    let messageText: [(String, ErrorCode, String?)] = [
      ("40001", .storeBusy, "run the command again"),
      ("08006", .storeUnreachable, "the printed output is incomplete; run the command again"),
      ("53100", .storeFull, "the printed output is incomplete"),
      (
        "57014", .storeUnreachable,
        """
        the printed output is incomplete; statement_timeout of the database or the user may be too \
        short, or the statement was canceled with pg_cancel_backend
        """
      ),
      (
        "42501", .storeUnreachable,
        "see datactl help databases for the privileges that commands need"
      ),
    ]
    for (state, code, hint) in messageText {
      let error = DataError(ServerError(state: state), store: "STORE", for: .reading)
      #expect(error.code == code && error.problems[0].hint == hint, "\(state)")
      #expect(!error.problems[0].message.contains("nothing was changed"))
    }
  }

  @Test("reports that earlier commits are kept when a later commit fails")
  func afterPartialCommit() {
    let messageText: [(String, String, String)] = [
      (
        "40001", "STORE: conflict with concurrent writers; earlier commits are kept",
        "save the records that follow the last commit, or pass --wait SECONDS to wait longer"
      ),
      (
        "08006", "STORE: the connection to the server was lost",
        "earlier commits are kept; save the records that follow the last commit"
      ),
      ("53100", "STORE: the server's disk is full", "earlier commits are kept"),
    ]
    for (state, message, hint) in messageText {
      let error = DataError(ServerError(state: state), store: "STORE", for: .afterPartialCommit)
      #expect(error.problems[0].message == message && error.problems[0].hint == hint, "\(state)")
    }
  }

  @Test("reports an error of PostgreSQL with a message and a hint that depend on the SQLSTATE")
  func errors() {
    let busy = DataError(
      .storeBusy, "STORE: conflict with concurrent writers; nothing was changed",
      hint: "run the command again, or pass --wait SECONDS to wait longer")
    let lost = DataError(
      .storeUnreachable, "STORE: the connection to the server was lost",
      hint: "nothing was changed; run the command again")
    let insufficientPrivilege = DataError(
      .storeReadOnly, "STORE: insufficient privileges: said",
      hint: "see datactl help databases for the privileges that commands need")
    let cases: [(String, DataError)] = [
      ("40001", busy), ("40P01", busy), ("55P03", busy), ("23505", busy),
      ("08006", lost), ("40003", lost), ("42501", insufficientPrivilege),
      (
        "57P01",
        DataError(
          .storeUnreachable, "STORE: the connection to the server was lost: said",
          hint: "nothing was changed; run the command again")
      ),
      (
        "25P03",
        DataError(
          .storeUnreachable, "STORE: the connection to the server was lost: said",
          hint: """
            idle_in_transaction_session_timeout of the server is too short: datactl was waiting \
            for input, or for a reader of its output
            """)
      ),
      (
        "25006",
        DataError(
          .storeReadOnly, "STORE: cannot be written: said",
          hint: """
            a standby is read-only: to select the primary among several hosts, set \
            target_session_attrs=primary in the address; or default_transaction_read_only is on: \
            look for this setting in the address, in PGOPTIONS, and in the settings of the user \
            and the database
            """)
      ),
      (
        "53100",
        DataError(.storeFull, "STORE: the server's disk is full", hint: "nothing was changed")
      ),
      (
        "57014",
        DataError(
          .storeUnreachable, "STORE: the server stopped the statement: said",
          hint: """
            nothing was changed; statement_timeout of the database or the user may be too short, \
            or the statement was canceled with pg_cancel_backend
            """)
      ),
      (
        "3D000",
        DataError(
          .storeNotFound, "STORE: there is no such database",
          hint: "create the database: createdb --encoding UTF8 --template template0 NAME")
      ),
      (
        "42P07",
        DataError(
          .exists, "STORE: said, and this table was not created by datactl",
          hint: "use psql to rename the table, or to move it out of the namespace datactl")
      ),
      (
        "28P01",
        DataError(
          .storeUnreachable, "STORE: the server rejected the user name or the password",
          hint: "set the password in the address, in PGPASSWORD, or in ~/.pgpass")
      ),
      (
        "42P01",
        DataError(
          .schemaChanged, "the schemas of the store changed concurrently: said",
          hint: "run the command again")
      ),
      (
        "23503",
        DataError(
          .storeReadOnly, "STORE: the database rejects the change: said",
          hint: """
            use psql to look for a rule, index, reference or trigger not created by datactl
            """)
      ),
      (
        "08P01",
        DataError(
          .storeUnreachable, "STORE: the connection to the server was lost: said",
          hint: "nothing was changed; run the command again")
      ),
      ("XX000", DataError(.failed, "STORE: said (SQLSTATE XX000)")),
    ]
    for (state, error) in cases {
      let serverError = ServerError(state: state, messageText: "said")
      #expect(DataError(serverError, store: "STORE", for: .writing) == error, "\(state)")
    }
    let foreign = DataError(
      ServerError(state: "42P07", messageText: "said"), store: "STORE", namespace: "shop",
      for: .writing)
    #expect(
      foreign.problems.first?.hint
        == "use psql to rename the table, or to move it out of the namespace shop")
  }
}
