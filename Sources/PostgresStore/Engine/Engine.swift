/// A database engine that speaks the PostgreSQL protocol. The engines differ in how much of
/// PostgreSQL they support.
enum Engine: Hashable, Sendable {
  case postgres
  /// PostgreSQL with tables that are distributed over several servers.
  case citus
  case cockroach
  case yugabyte

  /// Detects CockroachDB and YugabyteDB from the parameters that the server reports when a
  /// connection starts. Returns nil for PostgreSQL. Also returns nil for Citus, because the
  /// parameters do not show which extensions a database uses.
  ///
  /// - Parameter parameter: A closure that returns the value of a parameter, or nil if the server
  ///   did not report it.
  init?(_ parameter: (String) -> String?) {
    if parameter("crdb_version") != nil {
      self = .cockroach
    } else if parameter("server_version")?.contains("-YB-") == true {
      self = .yugabyte
    } else {
      return nil
    }
  }

  /// The name of the engine if datactl has never been tested on it; nil for a tested engine.
  var untestedName: String? {
    switch self {
    case .postgres, .citus: nil
    case .cockroach: "CockroachDB"
    case .yugabyte: "YugabyteDB"
    }
  }

  /// Whether the outcome of a transaction can be queried by its id with `pg_xact_status`. If not,
  /// the outcome remains unknown when the connection is lost during a commit.
  var reportsTransactionStatus: Bool {
    switch self {
    case .postgres, .citus: true
    case .cockroach, .yugabyte: false
    }
  }

  /// Whether datactl locks each table that it reads, so that no migration can alter the table
  /// meanwhile. It uses `lock table … in access share mode`. Citus would send this lock to each
  /// worker, and CockroachDB has no such statement.
  var locksReadTables: Bool {
    switch self {
    case .postgres, .yugabyte: true
    case .citus, .cockroach: false
    }
  }

  /// Whether the engine has PostgreSQL's system catalog, which lists the types of columns and the
  /// triggers of tables. On other engines, datactl skips the checks that read it.
  var hasPostgresCatalog: Bool {
    switch self {
    case .postgres, .citus, .yugabyte: true
    case .cockroach: false
    }
  }

  /// Whether a save sends the first rows of a chunk to the server while it still merges the other
  /// rows with their stored records. This is false for Citus: it executes each statement separately
  /// for each shard, so a few long statements are faster than many short ones.
  var writesWhileResolving: Bool {
    switch self {
    case .citus: false
    case .postgres, .cockroach, .yugabyte: true
    }
  }

  /// How many bytes of text a chunk of a save should have, or nil for the default. Citus executes
  /// the statements for a chunk on one worker after the other, so larger chunks are faster there.
  var preferredChunkSize: Int? {
    switch self {
    case .citus: 1 << 20
    case .postgres, .cockroach, .yugabyte: nil
    }
  }

  /// Whether a rollback that the server reports is certain to have happened on all servers of a
  /// cluster. On Citus, a worker may have committed before the coordinator failed.
  var rollsBackAtomically: Bool {
    switch self {
    case .postgres: true
    case .citus, .cockroach, .yugabyte: false
    }
  }
}
