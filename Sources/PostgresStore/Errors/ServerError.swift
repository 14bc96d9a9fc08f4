import CPostgres
import DataModel
import DataStore

/// An error or a notice from a server.
package struct ServerError: Hashable, Sendable {
  /// The SQLSTATE that pgbouncer uses for all errors of its own, and for some errors of the server
  /// that it passes on.
  static let poolerState = "08P01"

  package let state: String
  package let messageText: String
  /// The name of the violated constraint or unique index.
  package var constraint: String?
  /// Whether the error was raised in a procedure that is not one of datactl's functions.
  package var isFromProcedure = false
  /// Whether the error ends the connection. Any other error does not mean that the connection is
  /// lost.
  package var endsConnection = true

  package init(state: String, messageText: String = "") {
    self.state = state
    self.messageText = messageText
  }
}

extension Connection {
  /// Reads the fields of an error or a notice with `PQresultErrorField`.
  @unsafe
  func serverError(of result: datactl_pq_result_ref) -> ServerError {
    func field(_ field: Int) -> String? {
      unsafe library.errorField(result, Int32(field)).map { unsafe String(cString: $0) }
    }
    let state = field(Int(datactl_pq_sqlstate)) ?? ""
    let text = Failure.isDescribedByDetail(state) ? datactl_pq_detail : datactl_pq_primary_message
    var serverError = ServerError(state: state, messageText: field(Int(text)) ?? "")
    serverError.constraint = field(Int(datactl_pq_constraint))
    // The context of an error in a procedure names its language, such as PL/pgSQL. datactl's own
    // functions, which are all called by one function, are in PL/pgSQL, too.
    let context = field(Int(datactl_pq_context)) ?? ""
    serverError.isFromProcedure =
      context.contains("PL/") && !context.contains("\(InternalTables.distanceFunction)(")
    serverError.endsConnection = ["FATAL", "PANIC"].contains(
      field(Int(datactl_pq_severity)) ?? "FATAL")
    return serverError
  }
}

/// The cause of a statement's failure, in the categories that matter for a retry.
package enum Failure: Hashable, Sendable {
  /// A serialization failure, a deadlock or another conflict: the whole transaction may be retried.
  case conflict
  /// Another transaction has just inserted the same key or unique value, or created the same table.
  /// A retry will find it.
  case collision
  /// The connection is lost; the outcome of a pending commit is unknown.
  case lost
  /// The server responds, but a server that it depends on for some of the records does not.
  case nodeUnreachable
  /// The statement was canceled, and the server rolled it back.
  case canceled
  /// The table, one of its columns, or the namespace does not exist.
  case missingTable
  /// A column may not have the type that datactl gave it.
  case wrongColumnType
  case outOfRange
  /// Another transaction kept a table or a record locked for longer than the lock timeout.
  case locked
  /// The user lacks a privilege.
  case insufficientPrivilege
  /// A foreign object in the database, such as a trigger or a constraint, rejects the statement. A
  /// retry would fail, too.
  case rejectedByForeignObject
  /// A row has more bytes than fit into a page.
  case tooWide
  case other

  /// Classifies a server error by its SQLSTATE, and by its message where Citus reports a wrong
  /// SQLSTATE.
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

  /// Whether the detail field of an error describes it better than its message. For 2BP01 it lists
  /// the dependent objects, one a line.
  static func isDescribedByDetail(_ state: String) -> Bool { state == "2BP01" }

  /// Whether the whole transaction may be retried.
  package var isRetryable: Bool { self == .conflict || self == .collision }
}

extension ServerError {
  /// Whether the violated key or index belongs neither to datactl nor to the server.
  fileprivate var violatesForeignIndex: Bool {
    guard let constraint else { return false }
    return !PhysicalNames.mayBeUniqueConstraint(constraint) && !constraint.hasPrefix("pg_")
  }

  /// Whether a constraint was violated, or a trigger failed, that datactl did not create: its only
  /// constraints are keys and unique indexes.
  ///
  /// A lack of resources or an internal error is the server's own, even if it occurs in a
  /// procedure.
  fileprivate var isCausedByForeignObject: Bool {
    switch state.prefix(2) {
    case "23", "P0": true
    case "25", "53", "54", "XX": false
    default: isFromProcedure
    }
  }
}
