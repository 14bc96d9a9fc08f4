import CSQLite
package import DataModel
import DataStore

/// SQLite's counters of the work that it did to execute a query (`sqlite3_stmt_status`).
package struct ExecutionCounters: Hashable, Sendable {
  /// The number of instructions executed by SQLite's virtual machine. Each visited row takes a few
  /// instructions, whether it is returned or not.
  package var instructions = 0
  /// The number of rows that were visited in full table scans.
  package var scannedRows = 0
  /// The number of sort operations.
  package var sorts = 0
}

extension SQLiteStore {
  /// Executes a query for records, discards the result, and returns the counters.
  package func counters(of query: Query) throws(DataError) -> ExecutionCounters {
    try read(query) { (connection, catalog) throws(DataError) in
      let compiled = try connection.compiled(query, in: catalog)
      var counters = ExecutionCounters()
      var remaining = query.limit
      for index in 0..<compiled.count where remaining ?? 1 > 0 {
        let statement = try Statement(compiled.statement(index, limit: remaining), on: connection)
        while try statement.step() { remaining = remaining.map { $0 - 1 } }
        counters.add(statement)
      }
      return counters
    }
  }

  /// Executes a query for groups, discards the result, and returns the counters.
  package func counters(of query: GroupQuery) throws(DataError) -> ExecutionCounters {
    let shared = try connection()
    let stored = try catalog()
    let compiled = try shared.value.compiled(query, in: stored.catalog)
    let statement = try Statement(compiled.statement, on: shared.value)
    while try statement.step() {}
    var counters = ExecutionCounters()
    counters.add(statement)
    return counters
  }

  /// Finds records by id with one prepared statement, and returns the counters. Commands that
  /// expand relations find the related records in the same way.
  package func counters(finding ids: [String], in schema: Schema) throws(DataError)
    -> ExecutionCounters
  {
    let shared = try connection()
    let reader = RowReader(TableLayout(schema), slots: Array(0..<schema.width))
    let statement = try shared.value.lookup(in: TableLayout(schema), by: reader)
    for id in ids {
      try statement.bind(id, at: 1)
      while try statement.step() {}
      statement.reset()
    }
    var counters = ExecutionCounters()
    counters.add(statement)
    return counters
  }
}

extension ExecutionCounters {
  fileprivate mutating func add(_ statement: borrowing Statement) {
    instructions += statement.status(SQLITE_STMTSTATUS_VM_STEP)
    scannedRows += statement.status(SQLITE_STMTSTATUS_FULLSCAN_STEP)
    sorts += statement.status(SQLITE_STMTSTATUS_SORT)
  }
}

extension Statement {
  /// Returns the value of one counter (`sqlite3_stmt_status`).
  fileprivate func status(_ counter: Int32) -> Int {
    Int(unsafe sqlite3_stmt_status(handle, counter, 0))
  }
}
