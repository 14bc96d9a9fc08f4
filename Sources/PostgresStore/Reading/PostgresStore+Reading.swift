package import DataModel
package import DataStore
import Synchronization

extension PostgresStore {
  package func snapshot() throws(DataError) -> any StoreReader {
    PostgresSnapshot(transaction: try beginReadTransaction())
  }

  /// Begins a read transaction, which ends when its token is released.
  func beginReadTransaction() throws(DataError) -> ReadTransactionToken {
    readTransactionCount += 1
    readTransactions[readTransactionCount] = ReadTransaction(
      try connection(), coding, cachedCatalog: cachedCatalog)
    return ReadTransactionToken(self, readTransactionCount)
  }

  /// Runs a closure in a read transaction. If a statement fails, the transaction is ended.
  func withTransaction<Result>(
    _ token: ReadTransactionToken, _ body: (ReadTransaction) throws(DataError) -> Result
  ) throws(DataError) -> Result {
    try withTransaction(token.number, body)
  }

  private func withTransaction<Result>(
    _ number: Int, _ body: (ReadTransaction) throws(DataError) -> Result
  ) throws(DataError) -> Result {
    guard let transaction = readTransactions[number] else {
      throw DataError(.failed, "\(address): the snapshot is no longer available")
    }
    do throws(DataError) {
      let result = try body(transaction)
      cachedCatalog = transaction.stored ?? cachedCatalog
      return result
    } catch {
      let failure = transaction.connection.failure
      if failure != nil { readTransactions[number] = nil }
      throw try diagnosed(error, failure)
    }
  }

  /// Returns the next rows of a result, or nil after the last one.
  ///
  /// - Parameters:
  ///   - number: The number that identifies the result in its transaction.
  ///   - transaction: The id of the read transaction.
  ///   - rows: A buffer whose memory is reused for the rows.
  ///   - endsTransaction: Whether to end the transaction after the last row.
  func next(
    of number: Int, in transaction: Int, reusing rows: consuming Rows, endsTransaction: Bool
  ) throws(DataError) -> Rows? {
    guard readTransactions[transaction] != nil else { return nil }
    let spare = rows
    let chunk = try withTransaction(transaction) { (transaction) throws(DataError) in
      try transaction.next(of: number, reusing: spare)
    }
    if chunk == nil && endsTransaction { endReadTransaction(transaction) }
    return chunk
  }

  /// Ends the read transactions whose tokens were released. The `deinit` of a token cannot wait for
  /// the actor, so it only adds the id of its transaction to `abandoned`.
  func endAbandoned() {
    let numbers = abandoned.withLock { numbers in
      defer { numbers = [] }
      return numbers
    }
    for number in numbers { endReadTransaction(number) }
  }

  /// Ends the read transaction with the given id, if it has not ended yet.
  func endReadTransaction(_ number: Int) {
    guard let transaction = readTransactions.removeValue(forKey: number) else { return }
    transaction.connection.discardQueue()
    // If the commit fails, closing the connection ends the transaction.
    if (try? transaction.end()) != nil { release(transaction.connection) }
  }

  package func find(
    _ ids: [String], in schema: Schema, slots: [Int]
  ) throws(DataError) -> FoundRecords {
    try withConnection { (connection) throws(DataError) in
      try connection.find(ids, in: schema, slots: slots)
    }
  }

  package func find(
    _ ids: [String], inSchemaNamed name: String
  ) throws(DataError) -> (schema: Schema, found: FoundRecords)? {
    do throws(DataError) {
      return try withConnection { [coding] (connection) throws(DataError) in
        try connection.find(ids, inSchemaNamed: name, coding)
      }
    } catch {
      guard error.code == .storeNotFound, access == .writing else { throw error }
      return nil
    }
  }

  package func records(_ query: Query) throws(DataError) -> any RecordStream {
    let token = try beginReadTransaction()
    let number = try withTransaction(token) { (transaction) throws(DataError) in
      try transaction.begin(query)
    }
    return PostgresRecords(transaction: token, number: number, endsTransaction: true)
  }

  package func groups(_ query: GroupQuery) throws(DataError) -> any RecordStream {
    let token = try beginReadTransaction()
    let number = try withTransaction(token) { (transaction) throws(DataError) in
      try transaction.begin(query)
    }
    return PostgresRecords(transaction: token, number: number, endsTransaction: true)
  }

  package func count(_ query: Query) throws(DataError) -> Int {
    try withReadTransaction { (transaction) throws(DataError) in try transaction.count(query) }
  }

  package func explain(_ query: Query) throws(DataError) -> Explanation {
    try withReadTransaction { (transaction) throws(DataError) in try transaction.explain(query) }
  }

  private func withReadTransaction<Result>(
    _ body: (ReadTransaction) throws(DataError) -> Result
  ) throws(DataError) -> Result {
    let token = try beginReadTransaction()
    defer { endReadTransaction(token.number) }
    return try withTransaction(token, body)
  }
}

extension Connection {
  /// Returns the records with the given ids, in the order of the ids, and the indices of the ids
  /// that do not exist.
  func find(_ ids: [String], in schema: Schema, slots: [Int]) throws(DataError) -> FoundRecords {
    let layout = TableLayout(schema)
    let selectList = SelectList(layout, slots: slots, dialect)
    let reader = RowReader(selectList, store: store, invalidValues: .marked)
    var found = FoundRecords(rows: Rows(width: schema.width), missing: [])
    var start = 0
    while start < ids.count {
      let end = min(start + 1_000, ids.count)
      let chunkIDs = Array(ids[start..<end])
      let resultSet = try run(
        """
        select \(selectList.columns) from \(layout.table) \
        where \(Self.has(chunkIDs, layout.key))
        """)
      try read(chunkIDs, from: start, of: schema, in: resultSet, by: reader, into: &found)
      start = end
    }
    return found
  }

  /// Decodes the records of a result, in the order of the given ids. If there is no record with an
  /// id, appends the index of this id to `found.missing`.
  ///
  /// - Parameter start: A number to add to the indices in `found.missing`. It is not 0 if `ids` is
  ///   a later part of a longer list.
  func read(
    _ ids: [String], from start: Int = 0, of schema: Schema, in resultSet: ResultSet,
    by reader: RowReader, into found: inout FoundRecords
  ) throws(DataError) {
    let key = reader.column(of: schema.keySlot) ?? 0
    if ids.count == 1 {
      // For a single id, building a dictionary would take longer than the rest of this function.
      guard resultSet.count > 0 else { return found.missing.append(start) }
      return try reader.read(0, of: resultSet, into: &found.rows)
    }
    var rowsByID: [[UInt8]: Int] = [:]
    for row in 0..<resultSet.count { rowsByID[resultSet.bytes(row, key) ?? []] = row }
    for (index, id) in ids.enumerated() {
      if let row = rowsByID[Array(id.utf8)] {
        try reader.read(row, of: resultSet, into: &found.rows)
      } else {
        found.missing.append(start + index)
      }
    }
  }

  /// Returns a predicate that is true if the value in a column is one of the ids. For a single id
  /// it uses `=`, which PostgreSQL plans faster than `any`.
  static func has(_ ids: [String], _ column: SQL) -> SQL {
    ids.count == 1
      ? "\(column) = \(.text(ids[0]))"
      : "\(column) = any(\(values: ids.map(Value.text), of: .id))"
  }
}
