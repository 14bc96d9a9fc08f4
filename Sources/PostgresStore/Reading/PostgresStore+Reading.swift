package import DataModel
package import DataStore
import Synchronization

extension PostgresStore {
  package func snapshot() throws(DataError) -> any StoreReader {
    PostgresSnapshot(reading: try beginReading())
  }

  private func beginReading() throws(DataError) -> ReadingToken {
    readingCount += 1
    readings[readingCount] = Reading(try connection(), coding, known: known)
    return ReadingToken(self, readingCount)
  }

  /// Runs a closure in a read transaction, which an error ends.
  func answer<Result>(
    _ token: ReadingToken, _ body: (Reading) throws(DataError) -> Result
  ) throws(DataError) -> Result {
    try answer(token.number, body)
  }

  private func answer<Result>(
    _ number: Int, _ body: (Reading) throws(DataError) -> Result
  ) throws(DataError) -> Result {
    guard let reading = readings[number] else {
      throw DataError(.failed, "\(address): the snapshot has ended")
    }
    do throws(DataError) {
      let result = try body(reading)
      known = reading.stored ?? known
      return result
    } catch {
      let failure = reading.connection.failure
      if failure != nil { readings[number] = nil }
      throw try explained(error, failure)
    }
  }

  /// Returns the next rows of a result, or nil after the last one.
  func next(
    of number: Int, in reading: Int, reusing rows: consuming Rows, endsReading: Bool
  ) throws(DataError) -> Rows? {
    guard readings[reading] != nil else { return nil }
    let spare = rows
    let batch = try answer(reading) { (reading) throws(DataError) in
      try reading.next(of: number, reusing: spare)
    }
    if batch == nil && endsReading { endReading(reading) }
    return batch
  }

  /// Ends the read transactions whose tokens were released. A `deinit` cannot wait for the actor,
  /// so it only records the number.
  func endAbandoned() {
    let numbers = abandoned.withLock { numbers in
      defer { numbers = [] }
      return numbers
    }
    for number in numbers { endReading(number) }
  }

  /// Ends a read transaction, if it has not ended.
  func endReading(_ number: Int) {
    guard let reading = readings.removeValue(forKey: number) else { return }
    reading.connection.forget()
    // If the commit fails, closing the connection ends the transaction.
    if (try? reading.end()) != nil { release(reading.connection) }
  }

  package func find(
    _ ids: [String], in schema: Schema, slots: [Int]
  ) throws(DataError) -> Found {
    try ask { (connection) throws(DataError) in
      try connection.find(ids, in: schema, slots: slots)
    }
  }

  package func find(
    _ ids: [String], inSchemaNamed name: String
  ) throws(DataError) -> (schema: Schema, found: Found)? {
    do throws(DataError) {
      return try ask { [coding] (connection) throws(DataError) in
        try connection.find(ids, inSchemaNamed: name, coding)
      }
    } catch {
      guard error.code == .storeNotFound, access == .writing else { throw error }
      return nil
    }
  }

  package func records(_ query: Query) throws(DataError) -> any RecordStream {
    let token = try beginReading()
    let number = try answer(token) { (reading) throws(DataError) in try reading.begin(query) }
    return PostgresRecords(reading: token, number: number, endsReading: true)
  }

  package func groups(_ query: GroupQuery) throws(DataError) -> any RecordStream {
    let token = try beginReading()
    let number = try answer(token) { (reading) throws(DataError) in try reading.begin(query) }
    return PostgresRecords(reading: token, number: number, endsReading: true)
  }

  package func count(_ query: Query) throws(DataError) -> Int {
    try once { (reading) throws(DataError) in try reading.count(query) }
  }

  package func explain(_ query: Query) throws(DataError) -> Explanation {
    try once { (reading) throws(DataError) in try reading.explain(query) }
  }

  private func once<Result>(
    _ body: (Reading) throws(DataError) -> Result
  ) throws(DataError) -> Result {
    let token = try beginReading()
    defer { endReading(token.number) }
    return try answer(token, body)
  }
}

extension Connection {
  /// Returns the records with the given ids, in order.
  func find(_ ids: [String], in schema: Schema, slots: [Int]) throws(DataError) -> Found {
    let layout = TableLayout(schema)
    let selection = Selection(layout, slots: slots, dialect)
    let reader = RowReader(selection, store: store)
    var found = Found(rows: Rows(width: schema.width), missing: [])
    var start = 0
    while start < ids.count {
      let end = min(start + 1_000, ids.count)
      let some = Array(ids[start..<end])
      let answer = try run(
        """
        select \(selection.columns) from \(layout.table) \
        where \(Self.has(some, layout.key))
        """)
      try read(some, from: start, of: schema, in: answer, by: reader, into: &found)
      start = end
    }
    return found
  }

  /// Reads the records of a result in the order of their ids. `start` is the index of the first id
  /// in the caller's list.
  func read(
    _ ids: [String], from start: Int = 0, of schema: Schema, in answer: Answer,
    by reader: RowReader, into found: inout Found
  ) throws(DataError) {
    let key = reader.column(of: schema.keySlot) ?? 0
    if ids.count == 1 {
      // Building a dictionary for one id would take longer than the rest of this function.
      guard answer.count > 0 else { return found.missing.append(start) }
      return try reader.read(0, of: answer, into: &found.rows)
    }
    var places: [[UInt8]: Int] = [:]
    for row in 0..<answer.count { places[answer.bytes(row, key) ?? []] = row }
    for (place, id) in ids.enumerated() {
      if let row = places[Array(id.utf8)] {
        try reader.read(row, of: answer, into: &found.rows)
      } else {
        found.missing.append(start + place)
      }
    }
  }

  /// A predicate that is true if a column contains one of the ids. For a single id, `=` is planned
  /// faster than `any`.
  static func has(_ ids: [String], _ column: SQL) -> SQL {
    ids.count == 1
      ? "\(column) = \(.text(ids[0]))"
      : "\(column) = any(\(values: ids.map(Value.text), of: .id))"
  }
}
