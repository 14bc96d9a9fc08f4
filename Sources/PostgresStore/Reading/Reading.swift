import DataModel
import DataStore

/// A transaction that only reads: whatever is asked in it is answered as of one moment.
final class Reading {
  let connection: Connection
  private let coding: SchemaCoding
  /// The schemas as the transaction has them.
  private(set) var stored: StoredCatalog?
  private var known: StoredCatalog?
  /// The answers that are being read, by their numbers.
  private var answers: [Int: RecordAnswer] = [:]
  private var count = 0

  init(_ connection: Connection, _ coding: SchemaCoding, known: StoredCatalog?) {
    self.connection = connection
    self.coding = coding
    self.known = known
    connection.later("begin isolation level repeatable read read only")
    // Answers are read to their end; to compile a large question, or to try its joins in every
    // order instead of the one in which they are written, takes longer than to answer it. A number
    // that becomes text keeps all its digits.
    connection.later(
      """
      select set_config('cursor_tuple_fraction', '1', true), set_config('jit', 'off', true), \
      set_config('join_collapse_limit', '1', true), set_config('extra_float_digits', '1', true)
      """)
  }

  /// The schemas; those that were read before need not be read again if they are the same.
  func catalog() throws(DataError) -> StoredCatalog {
    if let stored { return stored }
    let catalog: StoredCatalog
    if let known, try connection.catalogVersion() == known.version {
      catalog = known
    } else {
      catalog = try connection.catalog(coding)
    }
    stored = catalog
    return catalog
  }

  /// The schemas by which a question is answered; one that was made by other schemas is refused.
  func catalog(for schema: Schema, version: Int64?) throws(DataError) -> Catalog {
    let stored = try catalog()
    if let version, version != stored.version { throw .schemaChanged }
    guard stored.catalog[schema.name] == schema else { throw .schemaChanged }
    return stored.catalog
  }

  /// Begins to answer a query and gives the answer's number.
  func begin(_ query: Query) throws(DataError) -> Int {
    let answering = try Answering(
      query, in: catalog(for: query.schema, version: query.catalogVersion), connection.dialect)
    return add(RecordAnswer(answering, limit: query.limit, number: count, on: connection))
  }

  /// Begins to answer a question about groups and gives the answer's number.
  func begin(_ query: GroupQuery) throws(DataError) -> Int {
    let answering = try GroupAnswering(
      query, in: catalog(for: query.schema, version: query.catalogVersion), connection.dialect)
    return add(RecordAnswer(answering, number: count, on: connection))
  }

  private func add(_ answer: RecordAnswer) -> Int {
    answers[count] = answer
    defer { count += 1 }
    return count
  }

  /// The next rows of an answer; nil behind the last.
  func next(of number: Int, reusing rows: consuming Rows) throws(DataError) -> Rows? {
    guard let answer = answers[number] else { return nil }
    if let batch = try answer.next(reusing: rows) { return batch }
    answers[number] = nil
    return nil
  }

  func count(_ query: Query) throws(DataError) -> Int {
    let answering = try Answering(
      query, in: catalog(for: query.schema, version: query.catalogVersion), connection.dialect)
    var count = 0
    for place in 0..<answering.count {
      let rest = query.limit.map { $0 - count }
      count += try Int(connection.integer(answering.counting(place, limit: rest)) ?? 0)
    }
    return count
  }

  /// The size of a record's file and its first piece, if there is a file.
  func beginning(
    ofFile slot: Int, of id: String, in schema: Schema
  ) throws(DataError) -> (size: Int64, first: [UInt8], damage: DataError)? {
    _ = try catalog(for: schema, version: nil)
    let answer = try connection.run(
      TableLayout(schema).beginning(ofFile: slot, of: "\(.text(id))"))
    guard answer.count > 0 else { return nil }
    let damage = DataError.damaged(connection.store)
    guard let file = answer.bytes(0, 0).flatMap({ FileReference(canonicalText: $0.span) }) else {
      throw damage
    }
    return (file.size, answer.bytes(0, 1) ?? [], damage)
  }

  /// A later piece.
  func piece(
    _ number: Int, ofFile slot: Int, of id: String, in schema: Schema
  ) throws(DataError) -> [UInt8]? {
    let answer = try connection.run(
      TableLayout(schema).piece(
        "\(.integer(Int64(number)))", ofFile: slot, of: "\(.text(id))"))
    return answer.count > 0 ? answer.bytes(0, 0) : nil
  }

  /// Says in PostgreSQL's words how it finds the records of a query.
  func explain(_ query: Query) throws(DataError) -> Explanation {
    let answering = try Answering(
      query, in: catalog(for: query.schema, version: query.catalogVersion), connection.dialect)
    var explanation = Explanation(steps: [], ordering: .byIndex)
    for place in 0..<answering.count {
      let answer = try connection.run(
        "explain (costs off) \(answering.statement(place, limit: query.limit))")
      for row in 0..<answer.count {
        let step = answer.text(row, 0) ?? ""
        explanation.steps.append(step)
        if step.contains("Sort Key:") { explanation.ordering = .bySorting }
      }
    }
    return explanation
  }

  /// Ends the transaction, so that the connection can be used by others.
  func end() throws(DataError) {
    try connection.run("commit")
  }
}
