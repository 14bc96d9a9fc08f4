import DataModel
import DataStore

/// A read transaction: all of its queries see the same snapshot.
final class ReadTransaction {
  let connection: Connection
  private let coding: SchemaCoding
  /// The schemas that the transaction sees, or nil if they have not been read yet.
  private(set) var stored: StoredCatalog?
  private var cachedCatalog: StoredCatalog?
  /// The results that are being read, by their indexes.
  private var results: [Int: RecordResult] = [:]
  private var count = 0

  init(_ connection: Connection, _ coding: SchemaCoding, cachedCatalog: StoredCatalog?) {
    self.connection = connection
    self.coding = coding
    self.cachedCatalog = cachedCatalog
    connection.enqueue("begin isolation level repeatable read read only")
    // Cursors are read to their end, so the planner is told to optimize for the total time. JIT
    // compilation of a large query, or a search for a better order of its joins, would take longer
    // than running the query. `extra_float_digits` keeps all digits of a number that is converted
    // to text.
    connection.enqueue(
      """
      select set_config('cursor_tuple_fraction', '1', true), set_config('jit', 'off', true), \
      set_config('join_collapse_limit', '1', true), set_config('extra_float_digits', '1', true)
      """)
  }

  /// Returns the schemas. If the catalog version has not changed since they were last read, the
  /// cached schemas are returned.
  func catalog() throws(DataError) -> StoredCatalog {
    if let stored { return stored }
    let catalog: StoredCatalog
    if let cachedCatalog, try connection.catalogVersion() == cachedCatalog.version {
      catalog = cachedCatalog
    } else {
      catalog = try connection.catalog(coding)
    }
    stored = catalog
    return catalog
  }

  /// Returns the catalog for a query. Throws an error if the schema or the catalog version has
  /// changed since the query was checked.
  func catalog(for schema: Schema, version: Int64?) throws(DataError) -> Catalog {
    let stored = try catalog()
    if let version, version != stored.version { throw .schemaChanged }
    guard stored.catalog[schema.name] == schema else { throw .schemaChanged }
    return stored.catalog
  }

  /// Starts a query for records and returns the index of its result, to pass to `next`.
  func begin(_ query: Query) throws(DataError) -> Int {
    let compiled = try CompiledQuery(
      query, in: catalog(for: query.schema, version: query.catalogVersion), connection.dialect)
    return add(RecordResult(compiled, limit: query.limit, number: count, on: connection))
  }

  /// Starts a query for groups and returns the index of its result, to pass to `next`.
  func begin(_ query: GroupQuery) throws(DataError) -> Int {
    let compiled = try CompiledGroupQuery(
      query, in: catalog(for: query.schema, version: query.catalogVersion), connection.dialect)
    return add(RecordResult(compiled, number: count, on: connection))
  }

  private func add(_ result: RecordResult) -> Int {
    results[count] = result
    defer { count += 1 }
    return count
  }

  /// Returns the next rows of the result with the given index, or nil after the last one.
  func next(of number: Int, reusing rows: consuming Rows) throws(DataError) -> Rows? {
    guard let result = results[number] else { return nil }
    if let chunk = try result.next(reusing: rows) { return chunk }
    results[number] = nil
    return nil
  }

  func count(_ query: Query) throws(DataError) -> Int {
    let compiled = try CompiledQuery(
      query, in: catalog(for: query.schema, version: query.catalogVersion), connection.dialect)
    var count = 0
    for index in 0..<compiled.count {
      let remaining = query.limit.map { $0 - count }
      count += try Int(connection.integer(compiled.countStatement(index, limit: remaining)) ?? 0)
    }
    return count
  }

  /// Returns the size of a file and its first piece, or nil if the record has no file.
  func firstPiece(
    ofFile slot: Int, of id: String, in schema: Schema
  ) throws(DataError) -> (size: Int64, first: [UInt8], damage: DataError)? {
    _ = try catalog(for: schema, version: nil)
    let result = try connection.run(
      TableLayout(schema).firstPiece(ofFile: slot, of: "\(.text(id))"))
    guard result.count > 0 else { return nil }
    let damage = DataError.damaged(connection.store)
    guard let file = result.bytes(0, 0).flatMap({ FileReference(canonicalText: $0.span) }) else {
      throw damage
    }
    return (file.size, result.bytes(0, 1) ?? [], damage)
  }

  /// Returns the piece of a file with the given index, or nil if there is none.
  func piece(
    _ number: Int, ofFile slot: Int, of id: String, in schema: Schema
  ) throws(DataError) -> [UInt8]? {
    let result = try connection.run(
      TableLayout(schema).piece(
        "\(.integer(Int64(number)))", ofFile: slot, of: "\(.text(id))"))
    return result.count > 0 ? result.bytes(0, 0) : nil
  }

  /// Returns the plan with which PostgreSQL would execute a query, as reported by `EXPLAIN`.
  func explain(_ query: Query) throws(DataError) -> Explanation {
    let compiled = try CompiledQuery(
      query, in: catalog(for: query.schema, version: query.catalogVersion), connection.dialect)
    var explanation = Explanation(steps: [], ordering: .byIndex)
    for index in 0..<compiled.count {
      let result = try connection.run(
        "explain (costs off) \(compiled.statement(index, limit: query.limit))")
      for row in 0..<result.count {
        let step = result.text(row, 0) ?? ""
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
