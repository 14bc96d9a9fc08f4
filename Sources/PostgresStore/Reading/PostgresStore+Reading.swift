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

  /// Asks something in a transaction that reads; an error ends it.
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

  /// The next rows of an answer.
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

  /// Ends the transactions that nobody can read from any more. Those who wanted to end them had to
  /// wait for the store, which may have been at work all the time.
  func endAbandoned() {
    let numbers = abandoned.withLock { numbers in
      defer { numbers = [] }
      return numbers
    }
    for number in numbers { endReading(number) }
  }

  /// Ends a transaction that reads, if it has not ended.
  func endReading(_ number: Int) {
    guard let reading = readings.removeValue(forKey: number) else { return }
    reading.connection.forget()
    // A connection that is closed has ended it, too.
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
  /// Finds records by id, in the order of the ids.
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

  /// Takes records out of an answer in the order of their ids, of which the first has a place.
  func read(
    _ ids: [String], from start: Int = 0, of schema: Schema, in answer: Answer,
    by reader: RowReader, into found: inout Found
  ) throws(DataError) {
    let key = reader.column(of: schema.keySlot) ?? 0
    if ids.count == 1 {
      // A dictionary of one costs more than all else here.
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

  /// Whether a column of ids has one of some. One alone is said in a way that is planned faster.
  static func has(_ ids: [String], _ column: SQL) -> SQL {
    ids.count == 1
      ? "\(column) = \(.text(ids[0]))"
      : "\(column) = any(\(values: ids.map(Value.text), of: .id))"
  }
}
