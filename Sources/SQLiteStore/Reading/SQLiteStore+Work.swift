import CSQLite
package import DataModel
import DataStore

/// The counters of SQLite for the execution of a query (`sqlite3_stmt_status`).
package struct QuestionWork: Hashable, Sendable {
  /// Instructions of the virtual machine: a few for each row that it visited, returned or not.
  package var instructions = 0
  /// Rows visited in full table scans.
  package var scannedRows = 0
  /// The number of sort operations.
  package var sorts = 0
}

extension SQLiteStore {
  /// Runs a query to its end and returns its counters.
  package func work(of query: Query) throws(DataError) -> QuestionWork {
    try read(query) { (connection, catalog) throws(DataError) in
      let answering = try Answering(query, in: catalog, SQLiteDialect())
      var work = QuestionWork()
      var rest = query.limit
      for place in 0..<answering.count where rest ?? 1 > 0 {
        let statement = try Statement(answering.statement(place, limit: rest), on: connection)
        while try statement.step() { rest = rest.map { $0 - 1 } }
        work.add(statement)
      }
      return work
    }
  }

  /// Runs a group query to its end and returns its counters.
  package func work(of query: GroupQuery) throws(DataError) -> QuestionWork {
    let shared = try connection()
    let stored = try catalog()
    let answering = try GroupAnswering(query, in: stored.catalog, SQLiteDialect())
    let statement = try Statement(answering.statement, on: shared.value)
    while try statement.step() {}
    var work = QuestionWork()
    work.add(statement)
    return work
  }

  /// Finds records by id, as the expansion of relations does, and returns the counters.
  package func work(finding ids: [String], in schema: Schema) throws(DataError) -> QuestionWork {
    let shared = try connection()
    let reader = RowReader(TableLayout(schema), slots: Array(0..<schema.width))
    let statement = try shared.value.lookup(in: TableLayout(schema), by: reader)
    for id in ids {
      try statement.bind(id, at: 1)
      while try statement.step() {}
      statement.reset()
    }
    var work = QuestionWork()
    work.add(statement)
    return work
  }
}

extension QuestionWork {
  fileprivate mutating func add(_ statement: borrowing Statement) {
    instructions += statement.status(SQLITE_STMTSTATUS_VM_STEP)
    scannedRows += statement.status(SQLITE_STMTSTATUS_FULLSCAN_STEP)
    sorts += statement.status(SQLITE_STMTSTATUS_SORT)
  }
}

extension Statement {
  /// The value of one counter (`sqlite3_stmt_status`).
  fileprivate func status(_ counter: Int32) -> Int {
    Int(unsafe sqlite3_stmt_status(handle, counter, 0))
  }
}
