/// Which engine answers: they speak one protocol, and keep more or less of what it promises.
enum Engine: Hashable, Sendable {
  case postgres
  /// PostgreSQL whose tables lie spread over several servers.
  case citus
  case cockroach
  case yugabyte

  /// What a server says of itself as the connection begins. Of Citus it says nothing: that is an
  /// extension of the database.
  init?(_ parameter: (String) -> String?) {
    if parameter("crdb_version") != nil {
      self = .cockroach
    } else if parameter("server_version")?.contains("-YB-") == true {
      self = .yugabyte
    } else {
      return nil
    }
  }

  /// What it is called, if datactl has never been run on it.
  var untriedName: String? {
    switch self {
    case .postgres, .citus: nil
    case .cockroach: "CockroachDB"
    case .yugabyte: "YugabyteDB"
    }
  }

  /// Whether transactions have numbers by which their outcome can be asked for.
  var numbersTransactions: Bool {
    switch self {
    case .postgres, .citus: true
    case .cockroach, .yugabyte: false
    }
  }

  /// Whether its catalogue is PostgreSQL's own, with the types of columns and the triggers of tables.
  var hasCatalogueOfPostgres: Bool {
    switch self {
    case .postgres, .citus, .yugabyte: true
    case .cockroach: false
    }
  }

  /// Whether a transaction that one server took back was taken back on all: a worker of Citus
  /// may have committed alone before the coordinator was lost.
  var takesBackEverywhere: Bool {
    switch self {
    case .postgres: true
    case .citus, .cockroach, .yugabyte: false
    }
  }
}
