import CPostgres
import DataStore

/// An error or a notice that a server sent.
package struct ServerError: Hashable, Sendable {
  /// The SQLSTATE of all errors that pgbouncer itself raises, and of some server errors that it
  /// passes on to the client.
  static let poolerState = "08P01"

  package let state: String
  package let messageText: String
  /// The name of the violated constraint or unique index, if the server reported one.
  package var constraint: String?
  /// Whether the error was raised in a procedure or function of the database that datactl did not
  /// create.
  package var isFromProcedure = false
  /// Whether the error ends the connection. If not, the connection can still be used after the
  /// error.
  package var endsConnection = true
  /// Whether this is a warning: the statement that caused it continues.
  package var isWarning = false

  package init(state: String, messageText: String = "") {
    self.state = state
    self.messageText = messageText
  }

  /// Whether the server is starting up or shutting down, so that a later attempt may succeed.
  var isStartingUp: Bool { state == "57P03" }
}

extension Connection {
  /// Reads an error or a notice from a libpq result with `PQresultErrorField`.
  @unsafe
  func serverError(of result: datactl_pq_result_ref) -> ServerError {
    func field(_ field: Int) -> String? {
      unsafe library.errorField(result, Int32(field)).map { unsafe String(cString: $0) }
    }
    let state = field(Int(datactl_pq_sqlstate)) ?? ""
    let text =
      EngineFailure.isDescribedByDetail(state) ? datactl_pq_detail : datactl_pq_primary_message
    var serverError = ServerError(state: state, messageText: field(Int(text)) ?? "")
    serverError.constraint = field(Int(datactl_pq_constraint))
    // The context field of an error in a procedure names the language of the procedure, such as
    // PL/pgSQL. datactl's own functions are also written in PL/pgSQL. They are all called by one
    // function, whose name then occurs in the context.
    let context = field(Int(datactl_pq_context)) ?? ""
    serverError.isFromProcedure =
      context.contains("PL/") && !context.contains("\(InternalTables.distanceFunction)(")
    let severity = field(Int(datactl_pq_severity)) ?? "FATAL"
    serverError.endsConnection = ["FATAL", "PANIC"].contains(severity)
    serverError.isWarning = severity == "WARNING"
    return serverError
  }
}

extension EngineFailure {
  /// Determines why a statement failed, from the SQLSTATE and the message of the server.
  package init(_ serverError: ServerError) {
    let found = Self.causes.first { cause in
      cause.states.contains(serverError.state)
        && (cause.phrase.map(serverError.messageText.contains) ?? true)
    }
    let cause = found?.cause ?? .other
    switch cause {
    case .collision where serverError.violatesForeignIndex: self = .rejectedByForeignObject
    // If the connection is still open, the error is about another server of the cluster.
    case .connectionLost
    where Self.unavailableStates.contains(serverError.state) && !serverError.endsConnection:
      self = .nodeUnreachable
    case .connectionLost
    where serverError.state == ServerError.poolerState && !serverError.endsConnection:
      self = serverError.isCausedByForeignObject ? .rejectedByForeignObject : .other
    case .missingTable, .missingObject, .wrongColumnType, .readOnly, .userRejected,
      .wrongPassword, .missingDatabase, .dependentObjects, .other:
      self = serverError.isCausedByForeignObject ? .rejectedByForeignObject : cause
    default: self = cause
    }
  }

  /// The SQLSTATEs that mean that a server is not available.
  private static let unavailableStates = [
    "57P01", "57P02", "57P03", "08000", "08001", "08003", "08004", "08006", "08007",
  ]

  /// The causes of the SQLSTATEs. For some errors, servers report a wrong or an unspecific
  /// SQLSTATE. The cause then applies only to errors whose message contains `phrase`. If `phrase`
  /// is nil, the cause applies to all errors with the SQLSTATE.
  private static let causes: [(states: [String], phrase: String?, cause: EngineFailure)] = [
    (["40001", "40P01", "55000"], nil, .conflict),
    // Citus reports failed commits and unique violations of its workers as internal errors.
    (["XX000"], "could not commit transaction", .conflict),
    (["XX000"], "duplicate key value violates unique", .collision),
    // Citus reports a lost connection to a worker with libpq's message.
    (["XX000"], "server closed the connection", .nodeUnreachable),
    (["XX000"], "invalid socket", .nodeUnreachable),
    (["XX000"], "SSL SYSCALL error", .nodeUnreachable),
    (["XX000"], "failure on connection marked as essential", .nodeUnreachable),
    (["58030"], "failed to COPY", .nodeUnreachable),
    (["23505", "42P06", "42723"], nil, .collision),
    (["42P07"], nil, .existingTable),
    (["55P03"], nil, .locked),
    (["57014"], nil, .canceled),
    // 40003 means that the outcome of the statement is unknown, even if the connection is still
    // open.
    (["40003", "57P05", "25P03", "25P04", ServerError.poolerState], nil, .connectionLost),
    (unavailableStates, nil, .connectionLost),
    (["42P01", "3F000", "42703"], nil, .missingTable),
    (["42704"], nil, .missingObject),
    (["42883", "42804", "42846", "22P03", "22001", "22003", "22008"], nil, .wrongColumnType),
    // For a JSON value of a wrong type, the expressions for JSON divide by zero.
    (["22012"], nil, .unsupportedJSON),
    (["54000"], nil, .rowTooWide),
    (["54001", "54011", "54023"], nil, .statementTooLarge),
    (["42501"], nil, .insufficientPrivilege),
    (["28000"], nil, .userRejected), (["28P01"], nil, .wrongPassword),
    (["3D000"], nil, .missingDatabase), (["25006"], nil, .readOnly),
    (["2BP01"], nil, .dependentObjects),
    (["53100"], nil, .diskFull), (["53200", "53300", "53400"], nil, .outOfResources),
  ]

  /// Returns whether an error with this SQLSTATE is shown with its detail field instead of its
  /// message. This is so for `2BP01` (dependent objects still exist): the detail field lists the
  /// objects, one per line.
  static func isDescribedByDetail(_ state: String) -> Bool { state == "2BP01" }
}

extension ServerError {
  /// Whether the violated key or unique index was created by another tool. Names that begin with
  /// `pg_` belong to PostgreSQL's own indexes.
  fileprivate var violatesForeignIndex: Bool {
    guard let constraint else { return false }
    return !PhysicalNames.mayBeUniqueConstraint(constraint) && !constraint.hasPrefix("pg_")
  }

  /// Whether the error was caused by a constraint, a trigger or a procedure that datactl did not
  /// create.
  ///
  /// Before using this, check that the error is not a violation of one of datactl's own keys or
  /// unique indexes. Any other constraint violation has a foreign cause. Internal errors, a lack of
  /// resources and invalid transaction states have no foreign cause, even if they occur in a
  /// procedure.
  fileprivate var isCausedByForeignObject: Bool {
    switch state.prefix(2) {
    case "23", "P0": true
    case "25", "53", "54", "XX": false
    default: isFromProcedure
    }
  }
}
