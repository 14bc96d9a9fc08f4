/// A database engine that speaks PostgreSQL's protocol. Engines differ in how much of PostgreSQL
/// they support.
enum Engine: Hashable, Sendable {
  case postgres
  /// PostgreSQL with tables that are distributed over several servers.
  case citus
  case cockroach
  case yugabyte

  /// Detects the engine from the parameters that the server reports when a connection starts. Citus
  /// is an extension of a database and not reported there.
  init?(_ parameter: (String) -> String?) {
    if parameter("crdb_version") != nil {
      self = .cockroach
    } else if parameter("server_version")?.contains("-YB-") == true {
      self = .yugabyte
    } else {
      return nil
    }
  }

  /// The name of the engine, if datactl has never been tested on it.
  var untestedName: String? {
    switch self {
    case .postgres, .citus: nil
    case .cockroach: "CockroachDB"
    case .yugabyte: "YugabyteDB"
    }
  }

  /// Whether the outcome of a transaction can be queried by its number, with `pg_xact_status`.
  var reportsTransactionStatus: Bool {
    switch self {
    case .postgres, .citus: true
    case .cockroach, .yugabyte: false
    }
  }

  /// Whether it has PostgreSQL's own system catalog, with the types of columns and the triggers of
  /// tables.
  var hasPostgresCatalog: Bool {
    switch self {
    case .postgres, .citus, .yugabyte: true
    case .cockroach: false
    }
  }

  /// Whether a transaction that one server rolled back was rolled back on all of them. On Citus, a
  /// worker may have committed before the coordinator was lost.
  var rollsBackAtomically: Bool {
    switch self {
    case .postgres: true
    case .citus, .cockroach, .yugabyte: false
    }
  }
}
