import CPostgres
import DataModel
import DataStore

/// An error or a notice that a server sent.
package struct ServerError: Hashable, Sendable {
  /// The SQLSTATE that pgbouncer uses for all of its own errors, and for some errors of the server
  /// that it passes on to the client.
  static let poolerState = "08P01"

  package let state: String
  package let messageText: String
  /// The name of the violated constraint or unique index, if the server reported one.
  package var constraint: String?
  /// Whether the error was raised in a stored procedure or function that datactl did not create.
  package var isFromProcedure = false
  /// Whether the error ends the connection. If not, the connection can still be used after the
  /// error.
  package var endsConnection = true

  package init(state: String, messageText: String = "") {
    self.state = state
    self.messageText = messageText
  }
}

extension Connection {
  /// Returns the error or notice in a libpq result, reading its fields with `PQresultErrorField`.
  @unsafe
  func serverError(of result: datactl_pq_result_ref) -> ServerError {
    func field(_ field: Int) -> String? {
      unsafe library.errorField(result, Int32(field)).map { unsafe String(cString: $0) }
    }
    let state = field(Int(datactl_pq_sqlstate)) ?? ""
    let text = Failure.isDescribedByDetail(state) ? datactl_pq_detail : datactl_pq_primary_message
    var serverError = ServerError(state: state, messageText: field(Int(text)) ?? "")
    serverError.constraint = field(Int(datactl_pq_constraint))
    // The context field of an error in a procedure names the procedure's language, such as
    // PL/pgSQL. datactl's own functions are written in PL/pgSQL, too, but are all called by one
    // function, which the context then names.
    let context = field(Int(datactl_pq_context)) ?? ""
    serverError.isFromProcedure =
      context.contains("PL/") && !context.contains("\(InternalTables.distanceFunction)(")
    serverError.endsConnection = ["FATAL", "PANIC"].contains(
      field(Int(datactl_pq_severity)) ?? "FATAL")
    return serverError
  }
}

/// The cause of a statement's failure, in the categories that decide whether a retry makes sense
/// and which error is reported.
package enum Failure: Hashable, Sendable {
  /// A serialization failure, a deadlock or another conflict with a concurrent transaction. The
  /// whole transaction may be retried.
  case conflict
  /// Another transaction has just inserted the same key or unique value, or created the same table.
  /// A retry will find that row or table.
  case collision
  /// The connection is lost. If a commit was pending, its outcome is unknown.
  case lost
  /// The server responds, but another server of its cluster, which stores some of the records, does
  /// not.
  case nodeUnreachable
  /// The statement was canceled, and the server rolled it back.
  case canceled
  /// The table, one of its columns, or the namespace that contains the table does not exist.
  case missingTable
  /// The statement does not match the type of a column, so the column may no longer have the type
  /// that datactl created.
  case wrongColumnType
  case outOfRange
  /// Another transaction kept a table or a record locked for longer than the lock timeout.
  case locked
  /// The user lacks a privilege.
  case insufficientPrivilege
  /// A database object that datactl did not create, such as a trigger or a constraint, rejects the
  /// statement. A retry would fail, too.
  case rejectedByForeignObject
  /// A row is too large for a page of PostgreSQL.
  case tooWide
  case other

  /// Classifies a server error by its SQLSTATE. Where Citus reports a wrong SQLSTATE, the message
  /// is examined, too.
  package init(_ serverError: ServerError) {
    switch serverError.state {
    case "40001", "40P01", "55000": self = .conflict
    case "XX000" where serverError.messageText.contains("could not commit transaction"):
      self = .conflict
    case "XX000" where serverError.messageText.contains("duplicate key value violates unique"):
      self = .collision
    case "23505" where serverError.violatesForeignIndex: self = .rejectedByForeignObject
    // Another transaction has just created the same table, namespace or function.
    case "23505", "42P06", "42P07", "42723": self = .collision
    case "57014": self = .canceled
    case "55P03": self = .locked
    case "42501": self = .insufficientPrivilege
    case "54000": self = .tooWide
    // The outcome of the statement is unknown, even if the connection is open.
    case "40003": self = .lost
    case "57P05", "25P03", "25P04": self = .lost
    case "57P01", "57P02", "57P03", "08000", "08001", "08003", "08004", "08006", "08007":
      self = serverError.endsConnection ? .lost : .nodeUnreachable
    case ServerError.poolerState where serverError.endsConnection: self = .lost
    case _ where serverError.isCausedByForeignObject: self = .rejectedByForeignObject
    case "42P01", "3F000", "42703": self = .missingTable
    case "42883", "42804", "42846", "22P03", "22001": self = .wrongColumnType
    case "22003": self = .outOfRange
    default: self = .other
    }
  }

  /// Returns whether the detail field describes an error better than its message, so that it is
  /// shown instead. For 2BP01, the detail field lists the dependent objects, one per line.
  static func isDescribedByDetail(_ state: String) -> Bool { state == "2BP01" }

  /// Whether the whole transaction may succeed if it is retried.
  package var isRetryable: Bool { self == .conflict || self == .collision }
}

extension ServerError {
  /// Whether the violated key or unique index was created neither by datactl nor by PostgreSQL
  /// itself, whose own indexes have names that begin with `pg_`.
  fileprivate var violatesForeignIndex: Bool {
    guard let constraint else { return false }
    return !PhysicalNames.mayBeUniqueConstraint(constraint) && !constraint.hasPrefix("pg_")
  }

  /// Whether the error was caused by a constraint, a trigger or a procedure that datactl did not
  /// create.
  ///
  /// Any violated constraint counts, because datactl creates only keys and unique indexes, whose
  /// violations have already been classified. A lack of resources or an internal error never
  /// counts, even if it occurs in a procedure.
  fileprivate var isCausedByForeignObject: Bool {
    switch state.prefix(2) {
    case "23", "P0": true
    case "25", "53", "54", "XX": false
    default: isFromProcedure
    }
  }
}
