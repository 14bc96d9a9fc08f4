import DataModel
import DataStore

/// A read transaction: all of its queries see the same snapshot.
final class Reading {
  let connection: Connection
  private let coding: SchemaCoding
  /// The schemas, as seen by the transaction.
  private(set) var stored: StoredCatalog?
  private var known: StoredCatalog?
  /// The results that are being read, by their numbers.
  private var answers: [Int: RecordAnswer] = [:]
  private var count = 0

  init(_ connection: Connection, _ coding: SchemaCoding, known: StoredCatalog?) {
    self.connection = connection
    self.coding = coding
    self.known = known
    connection.later("begin isolation level repeatable read read only")
    // Cursors are read to their end, so the planner optimizes for the total time. Compiling a large
    // query, or trying its joins in another order than the written one, takes longer than running
    // it. `extra_float_digits` keeps all digits of a number that is converted to text.
    connection.later(
      """
      select set_config('cursor_tuple_fraction', '1', true), set_config('jit', 'off', true), \
      set_config('join_collapse_limit', '1', true), set_config('extra_float_digits', '1', true)
      """)
  }

  /// Returns the schemas. They are not read again if their version is the one last read.
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

  /// Returns the catalog for a query, and throws an error if the query was checked against other
  /// schemas.
  func catalog(for schema: Schema, version: Int64?) throws(DataError) -> Catalog {
    let stored = try catalog()
    if let version, version != stored.version { throw .schemaChanged }
    guard stored.catalog[schema.name] == schema else { throw .schemaChanged }
    return stored.catalog
  }

  /// Starts a query for records, and returns the number of its result.
  func begin(_ query: Query) throws(DataError) -> Int {
    let answering = try Answering(
      query, in: catalog(for: query.schema, version: query.catalogVersion), connection.dialect)
    return add(RecordAnswer(answering, limit: query.limit, number: count, on: connection))
  }

  /// Starts a query for groups, and returns the number of its result.
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

  /// Returns the next rows of a result, or nil after the last one.
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

  /// Returns the size of a file and its first piece, or nil if the record has no file.
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

  /// Returns a later piece of a file.
  func piece(
    _ number: Int, ofFile slot: Int, of id: String, in schema: Schema
  ) throws(DataError) -> [UInt8]? {
    let answer = try connection.run(
      TableLayout(schema).piece(
        "\(.integer(Int64(number)))", ofFile: slot, of: "\(.text(id))"))
    return answer.count > 0 ? answer.bytes(0, 0) : nil
  }

  /// Returns PostgreSQL's plan for a query, from `EXPLAIN`.
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

  /// Commits the transaction, so that its connection can be reused.
  func end() throws(DataError) {
    try connection.run("commit")
  }
}
