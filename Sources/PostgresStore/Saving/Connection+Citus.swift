import DataStore

/// Makes a write transaction on Citus atomic across the workers.
///
/// Citus commits a connection to a worker in two phases (`prepare transaction`, then `commit
/// prepared`) only if it knows that the transaction has written over that connection. But if a
/// transaction first reads a shard and then copies rows to it, Citus does not record the copy as a
/// write. If the worker then fails during the commit, the copied rows are lost, although the commit
/// succeeds.
///
/// Therefore each write transaction uses one connection to each worker, and writes over all of them
/// before it reads.
extension Connection {
  /// Enqueues settings that make a write transaction use only one connection to each worker, even
  /// if it alters tables.
  func enqueueCitusSettings() {
    enqueue(
      """
      select set_config('citus.multi_shard_modify_mode', 'sequential', true), \
      set_config('citus.max_adaptive_executor_pool_size', '1', true)
      """)
  }

  /// Enqueues a deletion from the empty colocation table. It changes no rows, but Citus counts it
  /// as a write on every worker, and therefore commits on all workers in two phases.
  ///
  /// The table has a shard on each worker that stores records. The locks of its shards also ensure
  /// that no record is moved to a worker that the transaction has not written to.
  func enqueueCitusWrite() { enqueue("delete from \(table: InternalTables.colocationTable)") }

  /// Enqueues settings that make each worker look up ids with the index of the primary key. Without
  /// the settings, a worker that expects to find many records reads a whole shard, which takes ten
  /// times as long.
  ///
  /// The settings make the planner assign high costs to tables without an index. For queries with
  /// high costs, PostgreSQL would use JIT compilation, which takes a third of a second. So the
  /// settings also disable JIT compilation.
  func enqueueLookupSettings() {
    switch engine {
    case .postgres: break
    case .citus:
      enqueue("select set_config('citus.propagate_set_commands', 'local', true)")
      enqueue("set local enable_seqscan = off")
      enqueue("set local jit = off")
    }
  }

  /// Enqueues a query for the number of shards of the tables that are distributed by record id.
  func enqueueShardCount() {
    enqueue(
      """
      select count(*) from pg_catalog.pg_dist_shard \
      where logicalrelid = \(number(of: InternalTables.colocationTable))
      """
    ) { [unowned self] resultSet in
      shardHash = ShardHash(count: max(Int(resultSet.integer(0, 0)), 1))
    }
  }
}

extension TableLayout {
  /// Returns the slots of the unique fields whose values are not text. The side tables of these
  /// fields are not colocated with the records: a value and its record may be on different workers.
  func separatelyPlacedSlots(in dialect: any Dialect) -> [Int] {
    sideTableSlots(in: dialect).filter { !isSideTableColocated($0) }
  }
}
