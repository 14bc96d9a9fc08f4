/// The database engine of a store.
enum Engine: Hashable, Sendable {
  /// PostgreSQL, or a database that speaks its protocol.
  case postgres
  /// PostgreSQL with tables that are distributed over several servers.
  case citus

  /// Whether datactl locks each table that it reads, so that no migration can alter the table
  /// meanwhile. It uses `lock table … in access share mode`, which Citus would send to each worker.
  var locksReadTables: Bool {
    switch self {
    case .postgres: true
    case .citus: false
    }
  }

  /// Whether a save sends the first rows of a chunk to the server while it still merges the other
  /// rows with their stored records. This is false for Citus: it executes each statement separately
  /// for each shard, so a few long statements are faster than many short ones.
  var writesWhileResolving: Bool {
    switch self {
    case .postgres: true
    case .citus: false
    }
  }

  /// How many bytes of text a chunk of a save should have, or nil for the default. Citus executes
  /// the statements for a chunk on one worker after the other, so larger chunks are faster there.
  var preferredChunkSize: Int? {
    switch self {
    case .postgres: nil
    case .citus: 1 << 20
    }
  }

  /// Whether a rollback that the server reports is certain to have happened on all servers of a
  /// cluster. On Citus, a worker may have committed before the coordinator failed.
  var rollsBackAtomically: Bool {
    switch self {
    case .postgres: true
    case .citus: false
    }
  }
}
