import DataModel
import DataStore

/// Why a statement failed, as whoever may try again needs to know it.
package enum Failure: Hashable, Sendable {
  /// Others were in the way: the whole transaction may be repeated.
  case conflict
  /// A unique value, a key or a table came from another transaction meanwhile: repeated, it is found.
  case collision
  /// The connection is lost; what was committed is committed.
  case lost
  /// The server answers, but one behind it, which has a part of the records, does not.
  case partLost
  /// The server undid what it was told to stop.
  case cancelled
  /// The table, a column of it, or the namespace, is not there.
  case missingTable
  /// A column may not have the type that datactl gave it.
  case mistyped
  case outOfRange
  /// Others held a table or a record for longer than was waited.
  case locked
  /// The user lacks a right.
  case forbidden
  /// Something in the database that is not datactl's does not let it be: nor will it later.
  case refused
  /// A row has more bytes than fit into a page.
  case tooWide
  case other

  /// Reads what the server says; the words count where Citus reports a state that is not the right
  /// one.
  package init(_ complaint: Complaint) {
    switch complaint.state {
    case "40001", "40P01", "55000": self = .conflict
    case "XX000" where complaint.said.contains("could not commit transaction"): self = .conflict
    case "XX000" where complaint.said.contains("duplicate key value violates unique"):
      self = .collision
    case "23505" where complaint.isAboutStrangersIndex: self = .refused
    // Somebody else has just made the same table, namespace or function.
    case "23505", "42P06", "42P07", "42723": self = .collision
    case "57014": self = .cancelled
    case "55P03": self = .locked
    case "42501": self = .forbidden
    case "54000": self = .tooWide
    // What became of the statement is not known, whoever says so.
    case "40003": self = .lost
    case "57P05", "25P03", "25P04": self = .lost
    case "57P01", "57P02", "57P03", "08000", "08001", "08003", "08004", "08006", "08007":
      self = complaint.endsConnection ? .lost : .partLost
    case Complaint.stateOfPooler where complaint.endsConnection: self = .lost
    case _ where complaint.isAboutStrangersRule: self = .refused
    case "42P01", "3F000", "42703": self = .missingTable
    case "42883", "42804", "42846", "22P03", "22001": self = .mistyped
    case "22003": self = .outOfRange
    default: self = .other
    }
  }

  /// Whether the detail, and nothing else, says what a state is about: the names of the objects that
  /// need what is to go, each in a line of its own.
  static func isDetailed(_ state: String) -> Bool { state == "2BP01" }

  /// Whether the whole transaction may be done once more.
  package var mayBeRepeated: Bool { self == .conflict || self == .collision }
}

extension Complaint {
  /// Whether a key or an index was broken that is neither datactl's nor the server's own.
  fileprivate var isAboutStrangersIndex: Bool {
    guard let constraint else { return false }
    return !PhysicalNames.mayBeUnique(constraint) && !constraint.hasPrefix("pg_")
  }

  /// Whether a rule was broken, or something in a trigger went wrong: datactl has no rules but keys
  /// and unique indexes. A lack of means, or an error in the server, is its own wherever it shows
  /// itself.
  fileprivate var isAboutStrangersRule: Bool {
    switch state.prefix(2) {
    case "23", "P0": true
    case "25", "53", "54", "XX": false
    default: isOfProcedure
    }
  }
}
