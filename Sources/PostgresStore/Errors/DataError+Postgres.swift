package import DataModel
import DataStore

/// Translates errors of the PostgreSQL server to errors of datactl.
extension DataError {
  /// Translates a server error to an error of datactl, with a hint that fits the operation that
  /// failed, such as reading or writing. The server's message is included only if it cannot contain
  /// values of records.
  package init(
    _ serverError: ServerError, store: String,
    namespace: String = PostgresStore.standardNamespace, for failureContext: FailureContext
  ) {
    let messageText = ConnectionFailure.line(serverError.messageText)
    switch EngineFailure(serverError) {
    case .existingTable:
      self.init(
        .exists, "\(store): \(messageText), and this table was not created by datactl",
        hint: "use psql to rename the table, or to move it out of the namespace \(namespace)")
    case .conflict, .collision, .locked: self = .conflictingWriters(store, for: failureContext)
    case .canceled:
      self.init(
        .storeUnreachable, "\(store): the server stopped the statement: \(messageText)",
        hint: """
          \(failureContext.consequence); statement_timeout of the database or the user may be too short, or the \
          statement was canceled with pg_cancel_backend
          """)
    case .missingTable, .missingObject:
      self.init(
        .schemaChanged, "the schemas of the store changed concurrently: \(messageText)",
        hint: "run the command again")
    case .connectionLost where serverError.isStartingUp:
      self.init(
        .storeUnreachable, "\(store): the server is not ready: \(messageText)",
        hint:
          "run the command again later, or set a longer connect_timeout=SECONDS in the address")
    case .connectionLost:
      self = .connectionLost(store, ConnectionTermination(serverError), for: failureContext)
    case .nodeUnreachable:
      self.init(
        .storeUnreachable, "\(store): a node of the cluster does not respond: \(messageText)",
        hint: "\(failureContext.consequence); \(failureContext.suggestion)")
    case .insufficientPrivilege:
      self.init(
        failureContext == .reading ? .storeUnreachable : .storeReadOnly,
        "\(store): insufficient privileges: \(messageText)",
        hint: "see datactl help databases for the privileges that commands need")
    case .rejectedByForeignObject:
      self.init(
        .storeReadOnly, "\(store): the database rejects the change: \(messageText)",
        hint:
          "use psql to look for a rule, index, reference or trigger not created by datactl"
      )
    case .dependentObjects:
      let first = serverError.messageText.split(separator: "\n").first ?? ""
      self = .foreignObjectConflict(String(first), in: store, tool: "psql")
    case .diskFull:
      self.init(.storeFull, "\(store): the server's disk is full", hint: failureContext.consequence)
    case .outOfResources:
      self.init(
        .storeUnreachable, "\(store): the server is out of resources: \(messageText)",
        hint: """
          run the command again when the load is lower, or raise the resource limits of the server
          """)
    case .readOnly: self = .notWritable(store, messageText, by: nil)
    case .wrongPassword: self = .wrongPassword(store)
    case .userRejected:
      self.init(
        .storeUnreachable, "\(store): the server rejected the user: \(messageText)",
        hint: "set the user with postgres://USER@HOST; see pg_hba.conf of the server")
    case .missingDatabase:
      self.init(
        .storeNotFound, "\(store): there is no such database", hint: ConnectionFailure.databaseHint)
    case .rowTooWide, .statementTooLarge: self = .queryTooLarge
    case .unsupportedJSON: self = .unsupportedJSON
    case .wrongColumnType, .valueTooLong, .cannotOpen, .inputOutput, .damaged, .other:
      self.init(.failed, "\(store): \(messageText) (SQLSTATE \(serverError.state))")
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
      case .setting:
        """
        look for this setting in the address, in PGOPTIONS, and in the settings of the user and \
        the database
        """
      }
    }
  }

  /// Returns the error for a server or a session that is read-only. If `reason` is nil, the hint
  /// names all possible reasons.
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
      .storeUnreachable, "\(store): the server rejected the user name or the password",
      hint: ignoredPasswordFile.map { file in
        "\(file) was ignored, since other users can read it: run chmod 600 \(file)"
      } ?? "set the password in the address, in PGPASSWORD, or in ~/.pgpass")
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

/// Creates errors about the state of a store, for example that its tables are missing or changed.
extension DataError {
  /// Returns the error for a namespace that exists, but was not created by datactl.
  static func notAStore(_ store: String, _ namespace: String) -> DataError {
    DataError(
      .notAStore, "\(store): the namespace \(namespace) was not created by datactl",
      hint: """
        to use this name for a store, first rename the namespace in psql: \
        alter schema \(namespace) rename to NEW_NAME
        """)
  }

  /// Returns the error for an address that leads to a worker of a Citus cluster. A worker only
  /// stores shards; the store is on the coordinator.
  static func isWorker(_ store: String) -> DataError {
    DataError(
      .storeUnreachable, "\(store): this server is a worker of a Citus cluster",
      hint: "use the address of the coordinator")
  }

  static func damaged(_ store: String) -> DataError {
    DataError(
      .storeDamaged, "\(store): a table has an unexpected structure",
      hint: "restore the store from a backup")
  }

  /// Returns the error for a column whose type another tool has changed.
  static func wrongColumnType(_ slot: Int, of schema: Schema) -> DataError {
    DataError(
      Problem(
        .storeDamaged, "the column of this field has an unexpected type",
        hint: "change the type back with psql, or restore the store from a backup",
        schema: schema.name, field: schema.name(of: slot)))
  }

  /// Returns the error to report if a key or unique value is already used by a record that
  /// row-level security hides from the user.
  static func recordsHidden(_ store: String, _ table: String) -> DataError {
    DataError(
      .storeReadOnly,
      "\(store): row-level security of the table \(table) hides conflicting records",
      hint: "with psql, make all records visible to the user, or disable row-level security")
  }

  /// Returns the error for a schema change that could not acquire its exclusive locks in time
  /// because other transactions were using the tables.
  static func tablesInUse(_ store: String) -> DataError {
    DataError(
      .storeBusy,
      "\(store): other commands were using the tables that must be changed; nothing was changed",
      hint: """
        pass --wait SECONDS to wait longer; a table is also in use while datactl list prints its \
        records, for example to a paused pager
        """)
  }
}

/// The operation during which a failure occurred. It determines whether the error reports an
/// incomplete output or lost changes.
package enum FailureContext: Sendable {
  /// The failure occurred while records were read. The output may be incomplete.
  case reading
  /// The failure occurred before any change was committed. No change is kept.
  case writing
  /// The failure occurred after a part of the changes was committed. Only later changes are lost.
  case afterPartialCommit

  /// Text for an error message that says what the failure means for the output or the changes, such
  /// as `nothing was changed`.
  var consequence: String {
    switch self {
    case .reading: "the printed output is incomplete"
    case .writing: "nothing was changed"
    case .afterPartialCommit: "earlier commits are kept"
    }
  }

  /// Text for a hint that says what the user can do about the failure, such as `run the command
  /// again`.
  var suggestion: String {
    switch self {
    case .reading, .writing: "run the command again"
    case .afterPartialCommit: "save the records that follow the last commit"
    }
  }
}

extension PostgresStore.Access {
  /// The failure context of a new connection: `reading` if the store is only read, and `writing` if
  /// it may also be changed.
  var failureContext: FailureContext {
    switch self {
    case .reading: .reading
    case .writing: .writing
    }
  }
}

/// The reason why a server or a connection pooler ended a connection, and the message that it sent.
package struct ConnectionTermination: Hashable, Sendable {
  private let state: String
  package let messageText: String

  /// Determines from a server error why the connection was ended. Returns nil if the error does not
  /// say that the connection was ended.
  package init?(_ serverError: ServerError) {
    switch serverError.state {
    case "57P01", "57P02", "57P05", "25P03", "25P04", ServerError.poolerState: break
    default: return nil
    }
    state = serverError.state
    messageText = serverError.messageText
  }

  /// A hint about the setting of the server or of pgbouncer that may have ended the connection; nil
  /// if there is no such setting.
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
    """
    \(setting) of the server is too short: datactl was waiting for input, or for a reader of its \
    output
    """
  }
}
