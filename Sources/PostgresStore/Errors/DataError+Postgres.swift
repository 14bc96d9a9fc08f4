package import DataModel
import DataStore

/// Translation of server errors.
extension DataError {
  /// Creates the error that a server error means for a reader or a writer.
  ///
  /// The server's message is included only where it contains names, and no values.
  package init(_ serverError: ServerError, store: String, for failureContext: FailureContext) {
    let messageText = serverError.messageText
    switch Failure(serverError) {
    case .collision where serverError.state == "42P07":
      self.init(
        .exists, "\(store): \(messageText), and it was not made by datactl",
        hint: "keep other tables outside the namespace datactl")
    case .conflict, .collision, .locked: self = .conflictingWriters(store, for: failureContext)
    case .canceled:
      self.init(
        .storeUnreachable, "\(store): the server stopped the statement: \(messageText)",
        hint: """
          \(failureContext.consequence); statement_timeout of the database or the user may be too short, or the \
          statement was canceled with pg_cancel_backend
          """)
    case .missingTable: self = .schemaChanged(messageText)
    case .lost where serverError.state == "57P03":
      self.init(
        .storeUnreachable, "\(store): the server is not ready: \(messageText)",
        hint:
          "run the command again later, or set a longer connect_timeout=SECONDS in the address")
    case .lost:
      self = .connectionLost(store, ConnectionTermination(serverError), for: failureContext)
    case .nodeUnreachable:
      self.init(
        .storeUnreachable, "\(store): a part of the cluster does not answer: \(messageText)",
        hint: "\(failureContext.consequence); \(failureContext.suggestion)")
    case .insufficientPrivilege:
      self.init(
        failureContext == .reading ? .storeUnreachable : .storeReadOnly,
        "\(store): insufficient privileges: \(messageText)",
        hint: "see datactl help stores for the rights that commands need")
    case .rejectedByForeignObject:
      self.init(
        .storeReadOnly, "\(store): the database rejects the change: \(messageText)",
        hint:
          "look with psql for a rule, index, reference or trigger not made by datactl"
      )
    case .wrongColumnType, .outOfRange, .tooWide, .other:
      self.init(plain: serverError, store: store, for: failureContext)
    }
  }

  private init(plain serverError: ServerError, store: String, for failureContext: FailureContext) {
    let messageText = serverError.messageText
    switch serverError.state {
    case "53100":
      self.init(.storeFull, "\(store): the server's disk is full", hint: failureContext.consequence)
    case "53200", "53300", "53400":
      self.init(
        .storeUnreachable, "\(store): the server is out of resources: \(messageText)",
        hint: "run the command again when the load is lower, or raise the limit of the server")
    case "25006": self = .notWritable(store, messageText, by: nil)
    case "28P01": self = .wrongPassword(store)
    case "28000":
      self.init(
        .storeUnreachable, "\(store): the server rejects the user: \(messageText)",
        hint: "set the user with postgres://USER@HOST; see pg_hba.conf of the server")
    case "3D000":
      self.init(
        .storeNotFound, "\(store): there is no such database", hint: ConnectionFailure.databaseHint)
    case "42704": self = .schemaChanged(messageText)
    case "2BP01":
      let first = messageText.split(separator: "\n").first ?? ""
      self = .foreignObjectConflict(String(first), in: store, tool: "psql")
    case "54000", "54001", "54011", "54023": self = .queryTooLarge
    default: self.init(.failed, "\(store): \(messageText) (SQLSTATE \(serverError.state))")
    }
  }

  static func conflictingWriters(_ store: String, for failureContext: FailureContext) -> DataError {
    switch failureContext {
    case .reading:
      DataError(
        .storeBusy, "\(store): conflict with concurrent writers", hint: "run the command again")
    case .writing, .afterPartialCommit:
      DataError(
        .storeBusy, "\(store): conflict with concurrent writers; \(failureContext.consequence)",
        hint: "\(failureContext.suggestion), or pass --wait SECONDS to wait longer")
    }
  }

  private static func schemaChanged(_ messageText: String) -> DataError {
    DataError(
      .schemaChanged, "the schemas of the store changed meanwhile: \(messageText)",
      hint: "run the command again")
  }

  /// The reason why a server is read-only.
  enum ReadOnlyReason: CaseIterable {
    case standby
    case setting

    fileprivate var hint: String {
      switch self {
      case .standby:
        """
        a standby is read-only: to select the primary among several hosts, set \
        target_session_attrs=primary in the address
        """
      case .setting: "check the address, PGOPTIONS, and the settings of the user and the database"
      }
    }
  }

  /// Returns the error of a server or a session that is read-only. The reason is not always known.
  static func notWritable(
    _ store: String, _ messageText: String, by reason: ReadOnlyReason?
  ) -> DataError {
    DataError(
      .storeReadOnly, "\(store): cannot be written: \(messageText)",
      hint: reason?.hint
        ?? "\(ReadOnlyReason.standby.hint); or default_transaction_read_only is on: "
        + ReadOnlyReason.setting.hint)
  }

  static func wrongPassword(_ store: String, ignoredPasswordFile: String? = nil) -> DataError {
    DataError(
      .storeUnreachable, "\(store): the server rejects the user or the password",
      hint: ignoredPasswordFile.map { file in
        "\(file) was ignored, since others can read it: chmod 600 \(file)"
      } ?? "set the password in the address, in PGPASSWORD, or in ~/.pgpass")
  }

  static func interrupted(_ store: String) -> DataError {
    DataError(.interrupted, "\(store): interrupted")
  }

  static func connectionLost(
    _ store: String, _ termination: ConnectionTermination?, for failureContext: FailureContext
  ) -> DataError {
    DataError(
      .storeUnreachable,
      "\(store): the connection to the server was lost\(termination.map { ": \($0.messageText)" } ?? "")",
      hint: termination?.hint ?? "\(failureContext.consequence); \(failureContext.suggestion)")
  }
}

/// Errors about the store in a database.
extension DataError {
  /// The namespace that a store needs exists, and datactl did not create it.
  static func notAStore(_ store: String, _ namespace: String) -> DataError {
    DataError(
      .notAStore, "\(store): the namespace \(namespace) was not made by datactl",
      hint: "to use the name for a store: alter schema \(namespace) rename to NAME, with psql")
  }

  /// A part of the store is missing.
  static func damaged(_ store: String, _ what: String) -> DataError {
    DataError(
      .storeDamaged, "\(store): damaged: \(what)",
      hint: "restore it with psql, or restore the store from a backup")
  }

  static func damaged(_ store: String) -> DataError {
    DataError(
      .storeDamaged, "\(store): a table has an unexpected structure",
      hint: "restore the store from a backup")
  }

  /// Another tool has changed the type of a column.
  static func wrongColumnType(_ slot: Int, of schema: Schema) -> DataError {
    DataError(
      Problem(
        .storeDamaged, "its column has an unexpected type",
        hint: "change it back with psql, or restore the store from a backup", schema: schema.name,
        field: schema.name(of: slot)))
  }

  /// A record that row level security hides has the key or a unique value of a record to be
  /// written.
  static func recordsHidden(_ store: String, _ table: String) -> DataError {
    DataError(
      .storeReadOnly,
      "\(store): row-level security of the table \(table) hides conflicting records",
      hint: "with psql, make all records visible to the user, or disable row-level security")
  }

  /// Others used the tables for so long that a schema change could not get its exclusive locks.
  static func tablesInUse(_ store: String) -> DataError {
    DataError(
      .storeBusy,
      "\(store): other commands were using these records; nothing was changed",
      hint: "a list whose output is not read is one of them; pass --wait SECONDS to wait longer")
  }
}

/// What a failure affects, so that errors can tell what became of the work.
package enum FailureContext: Sendable {
  /// Output that may be incomplete.
  case reading
  /// All changes, of which none is kept.
  case writing
  /// The changes after the parts that were already committed.
  case afterPartialCommit

  /// What became of the work, as text for a hint.
  var consequence: String {
    switch self {
    case .reading: "the printed output is incomplete"
    case .writing: "nothing was changed"
    case .afterPartialCommit: "earlier commits are kept"
    }
  }

  /// What the user can do, as text for a hint.
  var suggestion: String {
    switch self {
    case .reading, .writing: "run the command again"
    case .afterPartialCommit: "continue after them"
    }
  }
}

extension PostgresStore.Access {
  /// The context in which a new connection starts.
  var failureContext: FailureContext {
    switch self {
    case .reading: .reading
    case .writing: .writing
    }
  }
}

/// Why a server, or a connection pooler, ended a connection, with its own message.
package struct ConnectionTermination: Hashable, Sendable {
  private let state: String
  package let messageText: String

  /// Creates a termination from a server error, or nil if the error does not end the connection.
  package init?(_ serverError: ServerError) {
    switch serverError.state {
    case "57P01", "57P02", "57P05", "25P03", "25P04", ServerError.poolerState: break
    default: return nil
    }
    state = serverError.state
    messageText = serverError.messageText
  }

  /// A hint about the setting of the server, or of pgbouncer, that may have caused it.
  package var hint: String? {
    switch state {
    case "57P05": Self.hint("idle_session_timeout")
    case "25P03": Self.hint("idle_in_transaction_session_timeout")
    case "25P04": Self.hint("transaction_timeout")
    case ServerError.poolerState where messageText.contains("statement pooling mode"):
      "set pool_mode of pgbouncer to transaction or session"
    default: nil
    }
  }

  private static func hint(_ setting: String) -> String {
    "\(setting) of the server is too short: datactl was waiting for its input or its reader"
  }
}
