package import DataModel
import DataStore

/// Translation of server errors.
extension DataError {
  /// Creates the error that a server error means for a reader or a writer.
  ///
  /// The server's message is included only where it contains names, and no values.
  package init(_ complaint: Complaint, store: String, for stake: Stake) {
    let said = complaint.said
    switch Failure(complaint) {
    case .collision where complaint.state == "42P07":
      self.init(
        .exists, "\(store): \(said), and it was not made by datactl",
        hint: "keep other tables outside the namespace datactl")
    case .conflict, .collision, .locked: self = .othersInTheWay(store, for: stake)
    case .cancelled:
      self.init(
        .storeUnreachable, "\(store): the server stopped the statement: \(said)",
        hint: """
          \(stake.comfort); statement_timeout of the database or the user may be too short, or the \
          statement was canceled with pg_cancel_backend
          """)
    case .missingTable: self = .schemaChanged(said)
    case .lost where complaint.state == "57P03":
      self.init(
        .storeUnreachable, "\(store): the server is not ready: \(said)",
        hint:
          "run the command again later, or set a longer connect_timeout=SECONDS in the address")
    case .lost: self = .connectionLost(store, Ending(complaint), for: stake)
    case .partLost:
      self.init(
        .storeUnreachable, "\(store): a part of the cluster does not answer: \(said)",
        hint: "\(stake.comfort); \(stake.advice)")
    case .forbidden:
      self.init(
        stake == .reading ? .storeUnreachable : .storeReadOnly,
        "\(store): insufficient privileges: \(said)",
        hint: "see datactl help stores for the rights that commands need")
    case .refused:
      self.init(
        .storeReadOnly, "\(store): the database rejects the change: \(said)",
        hint:
          "look with psql for a rule, index, reference or trigger not made by datactl"
      )
    case .mistyped, .outOfRange, .tooWide, .other:
      self.init(plain: complaint, store: store, for: stake)
    }
  }

  private init(plain complaint: Complaint, store: String, for stake: Stake) {
    let said = complaint.said
    switch complaint.state {
    case "53100":
      self.init(.storeFull, "\(store): the server's disk is full", hint: stake.comfort)
    case "53200", "53300", "53400":
      self.init(
        .storeUnreachable, "\(store): the server is out of resources: \(said)",
        hint: "run the command again when the load is lower, or raise the limit of the server")
    case "25006": self = .writesRefused(store, said, by: nil)
    case "28P01": self = .wrongPassword(store)
    case "28000":
      self.init(
        .storeUnreachable, "\(store): the server rejects the user: \(said)",
        hint: "set the user with postgres://USER@HOST; see pg_hba.conf of the server")
    case "3D000":
      self.init(
        .storeNotFound, "\(store): there is no such database", hint: Refusal.databaseHint)
    case "42704": self = .schemaChanged(said)
    case "2BP01":
      let first = said.split(separator: "\n").first ?? ""
      self = .inTheWay(String(first), in: store, tool: "psql")
    case "54000", "54001", "54011", "54023": self = .questionTooLarge
    default: self.init(.failed, "\(store): \(said) (SQLSTATE \(complaint.state))")
    }
  }

  static func othersInTheWay(_ store: String, for stake: Stake) -> DataError {
    switch stake {
    case .reading:
      DataError(
        .storeBusy, "\(store): conflict with concurrent writers", hint: "run the command again")
    case .writing, .rest:
      DataError(
        .storeBusy, "\(store): conflict with concurrent writers; \(stake.comfort)",
        hint: "\(stake.advice), or pass --wait SECONDS to wait longer")
    }
  }

  private static func schemaChanged(_ said: String) -> DataError {
    DataError(
      .schemaChanged, "the schemas of the store changed meanwhile: \(said)",
      hint: "run the command again")
  }

  /// The reason why a server is read-only.
  enum WritesRefusal: CaseIterable {
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
  static func writesRefused(
    _ store: String, _ said: String, by refusal: WritesRefusal?
  ) -> DataError {
    DataError(
      .storeReadOnly, "\(store): cannot be written: \(said)",
      hint: refusal?.hint
        ?? "\(WritesRefusal.standby.hint); or default_transaction_read_only is on: "
        + WritesRefusal.setting.hint)
  }

  static func wrongPassword(_ store: String, unreadPasswords: String? = nil) -> DataError {
    DataError(
      .storeUnreachable, "\(store): the server rejects the user or the password",
      hint: unreadPasswords.map { file in
        "\(file) was ignored, since others can read it: chmod 600 \(file)"
      } ?? "set the password in the address, in PGPASSWORD, or in ~/.pgpass")
  }

  static func interrupted(_ store: String) -> DataError {
    DataError(.interrupted, "\(store): interrupted")
  }

  static func connectionLost(
    _ store: String, _ ending: Ending?, for stake: Stake
  ) -> DataError {
    DataError(
      .storeUnreachable,
      "\(store): the connection to the server was lost\(ending.map { ": \($0.said)" } ?? "")",
      hint: ending?.hint ?? "\(stake.comfort); \(stake.advice)")
  }
}
