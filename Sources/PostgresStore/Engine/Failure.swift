package import DataModel
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
  case outOfRange
  /// Others held a table or a record for longer than was waited.
  case locked
  /// The user lacks a right.
  case forbidden
  /// A row has more bytes than fit into a page.
  case tooWide
  case other

  /// Reads a state, and beside it what was said where Citus reports a state that is not the right
  /// one. An error that does not end the connection cannot mean that it is lost.
  package init(state: String, said: String = "", endsConnection: Bool = true) {
    switch state {
    case "40001", "40P01", "55000": self = .conflict
    case "XX000" where said.contains("could not commit transaction"): self = .conflict
    case "XX000" where said.contains("duplicate key value violates unique"): self = .collision
    // Somebody else has just made the same table, namespace or function.
    case "23505", "42P06", "42P07", "42723": self = .collision
    case "57014": self = .cancelled
    case "42P01", "3F000", "42703": self = .missingTable
    case "22003": self = .outOfRange
    case "55P03": self = .locked
    case "42501": self = .forbidden
    case "54000": self = .tooWide
    // What became of the statement is not known, whoever says so.
    case "40003": self = .lost
    case "57P05", "25P03", "25P04": self = .lost
    case "57P01", "57P02", "57P03", "08000", "08001", "08003", "08004", "08006", "08007":
      self = endsConnection ? .lost : .partLost
    default: self = .other
    }
  }

  /// Whether the detail, and nothing else, says what a state is about: the names of the objects that
  /// need what is to go, each in a line of its own.
  static func isDetailed(_ state: String) -> Bool { state == "2BP01" }

  /// Whether the whole transaction may be done once more.
  package var mayBeRepeated: Bool { self == .conflict || self == .collision }
}

extension DataError {
  /// Says in datactl's words what a state of PostgreSQL's means.
  ///
  /// A text of the server's own is shown only where it holds names and no values.
  package init(state: String, said: String, endsConnection: Bool = true, store: String) {
    switch Failure(state: state, said: said, endsConnection: endsConnection) {
    case .collision where state == "42P07":
      self.init(
        .exists, "\(store): \(said), and datactl did not make it",
        hint: "the tables of others may stand beside the namespace datactl, not in it")
    case .conflict, .collision, .locked: self = .othersInTheWay(store)
    case .cancelled:
      self.init(
        .storeUnreachable, "\(store): the server stopped the statement: \(said)",
        hint: """
          nothing was changed; statement_timeout of the database or the user may be too short, or \
          somebody stopped it by pg_cancel_backend
          """)
    case .missingTable: self = .schemaChanged(said)
    case .lost where state == "57P03":
      self.init(
        .storeUnreachable, "\(store): the server is not ready: \(said)",
        hint:
          "run the command again in a while; connect_timeout=SECONDS in the address waits longer")
    case .lost: self = .connectionLost(store, Ending(state: state, said: said))
    case .partLost:
      self.init(
        .storeUnreachable, "\(store): a part of the cluster does not answer: \(said)",
        hint: "nothing was changed; run the command again")
    case .outOfRange, .forbidden, .tooWide, .other:
      self.init(plain: state, said: said, store: store)
    }
  }

  private init(plain state: String, said: String, store: String) {
    switch state {
    case "53100":
      self.init(.storeFull, "\(store): the server's disk is full", hint: "nothing was changed")
    case "53200", "53300", "53400":
      self.init(
        .storeUnreachable, "\(store): the server is short of means: \(said)",
        hint: "run the command again when fewer use the server, or let it have more")
    case "25006": self = .writesRefused(store, said)
    case "42501":
      self.init(
        .storeReadOnly, "\(store): the user may not do this: \(said)",
        hint: "datactl help stores lists the rights that commands take")
    case "28P01": self = .wrongPassword(store)
    case "28000":
      self.init(
        .storeUnreachable, "\(store): the server does not let the user in: \(said)",
        hint: "postgres://USER@HOST names the user; pg_hba.conf of the server says who may come in")
    case "3D000":
      self.init(
        .storeNotFound, "\(store): there is no such database",
        hint: "createdb --encoding UTF8 --template template0 NAME makes one")
    case "42704": self = .schemaChanged(said)
    case "2BP01":
      let first = said.split(separator: "\n").first ?? ""
      self = .inTheWay(String(first), in: store, tool: "psql")
    case "54000", "54001", "54011", "54023": self = .questionTooLarge
    case "23502", "23503", "23514", "23P01", "P0001":
      self.init(
        .storeReadOnly, "\(store): the database refuses it: \(said)",
        hint: "a rule, a reference or a trigger that is not datactl's is in the way: look with psql"
      )
    default: self.init(.failed, "\(store): \(said) (SQLSTATE \(state))")
    }
  }

  static func othersInTheWay(_ store: String) -> DataError {
    DataError(
      .storeBusy, "\(store): other writers were in the way, and nothing was changed",
      hint: "run the command again; --wait SECONDS waits longer")
  }

  private static func schemaChanged(_ said: String) -> DataError {
    DataError(
      .schemaChanged, "the schemas of the store changed meanwhile: \(said)",
      hint: "run the command again")
  }

  static func readOnly(_ store: String, _ said: String) -> DataError {
    DataError(
      .storeReadOnly, "\(store): cannot be written: \(said)",
      hint: "look at the rights of the user, and whether the server is a standby")
  }

  /// The server, or whoever set it up, wants nothing written.
  static func writesRefused(_ store: String, _ said: String) -> DataError {
    DataError(
      .storeReadOnly, "\(store): cannot be written: \(said)",
      hint: """
        a standby can only be read: target_session_attrs=primary in an address of several hosts finds \
        the one that can be written; and default_transaction_read_only may be on, in the address, in \
        PGOPTIONS, for the user or for the database
        """)
  }

  static func wrongPassword(_ store: String, unreadPasswords: String? = nil) -> DataError {
    DataError(
      .storeUnreachable, "\(store): the server refuses the user or the password",
      hint: unreadPasswords.map { file in
        "\(file) was not read, since others can read it: chmod 600 \(file)"
      } ?? "a password stands in the address, in PGPASSWORD, or in ~/.pgpass")
  }

  static func interrupted(_ store: String) -> DataError {
    DataError(.interrupted, "\(store): interrupted")
  }

  static func connectionLost(
    _ store: String, _ ending: Ending?,
    hint: String = "nothing was changed; run the command again"
  ) -> DataError {
    DataError(
      .storeUnreachable,
      "\(store): the connection to the server was lost\(ending.map { ": \($0.said)" } ?? "")",
      hint: ending?.setting.map { setting in
        "\(setting) of the server is shorter than datactl waited for its input or its reader"
      } ?? hint)
  }

  static func damaged(_ store: String) -> DataError {
    DataError(
      .storeDamaged, "\(store): a table is not as datactl made it",
      hint: "restore the store from a copy")
  }
}
