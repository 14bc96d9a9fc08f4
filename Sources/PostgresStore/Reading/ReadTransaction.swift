import DataModel
import DataStore

/// A read transaction. All of its queries see the same snapshot.
///
/// Before records are read, their tables are locked against migrations. Without the lock, a query
/// could wait for a migration of its table, and then read new columns that the records in its
/// snapshot do not have.
///
/// The locks must be acquired before the snapshot is taken, but which tables to lock is known only
/// after the schemas have been read. So the transaction is begun once to read the schemas, and a
/// second time with the locks. If the catalog version has changed meanwhile, an error is thrown.
final class ReadTransaction {
  let connection: Connection
  private let coding: SchemaCoding
  /// The schemas as the transaction sees them, or nil if they have not been read yet.
  private(set) var stored: StoredCatalog?
  private var cachedCatalog: StoredCatalog?
  /// The results that are being read, keyed by the numbers that `begin` returned.
  private var results: [Int: RecordResult] = [:]
  private var count = 0
  /// The names of the schemas whose tables are locked.
  private var locked: [String] = []
  /// Whether records have been read. If so, the transaction cannot be begun a second time, because
  /// it would then see another snapshot.
  private var hasReadRecords = false
  /// The catalog version when the transaction was begun a second time, with locks; nil before. If
  /// it differs from the version of `stored`, a migration was committed meanwhile.
  private var versionFound: Int64?

  init(_ connection: Connection, _ coding: SchemaCoding, cachedCatalog: StoredCatalog?) {
    self.connection = connection
    self.coding = coding
    self.cachedCatalog = cachedCatalog
    begin()
  }

  private func begin() {
    connection.enqueue("begin isolation level repeatable read read only")
    if !locked.isEmpty {
      let tables = SQL.list(locked.map { "\(table: $0)" })
      connection.enqueue("lock table \(tables) in access share mode")
    }
    // Cursors are read to their end, so the planner optimizes for the total time. For a large
    // query, JIT compilation or a search for a better join order would take longer than the query
    // itself. With `extra_float_digits`, a number keeps all of its digits when it is converted to
    // text.
    connection.enqueue(
      """
      select set_config('cursor_tuple_fraction', '1', true), set_config('jit', 'off', true), \
      set_config('join_collapse_limit', '1', true), set_config('extra_float_digits', '1', true)
      """)
  }

  /// Locks the tables of schemas against migrations. Throws an error if a schema has changed since
  /// the catalog was read.
  func prepare(toRead schemas: [Schema]) throws(DataError) {
    let names = schemas.map(\.name).filter { !locked.contains($0) }
    guard !names.isEmpty, connection.engine.locksReadTables else { return }
    _ = try catalog()
    locked += names
    guard !hasReadRecords else {
      connection.enqueue(
        "lock table \(SQL.list(names.map { "\(table: $0)" })) in access share mode")
      return
    }
    connection.enqueue("commit")
    begin()
    connection.enqueue("select catalog_version from \(table: "_meta")") { [unowned self] in
      versionFound = $0.integer(0, 0)
    }
  }

  /// Runs a closure that reads records. Throws `schemaChanged` if a migration was committed after
  /// the catalog was read and before the tables were locked. In that case, the records do not match
  /// the schemas that were read.
  private func readingRecords<Result>(
    _ body: () throws(DataError) -> Result
  ) throws(DataError) -> Result {
    let result: Result
    do throws(DataError) {
      result = try body()
    } catch {
      try checkVersion()
      throw error
    }
    try checkVersion()
    hasReadRecords = true
    return result
  }

  private func checkVersion() throws(DataError) {
    if let versionFound, versionFound != stored?.version { throw .schemaChanged }
  }

  /// Returns the schemas of the store. If the catalog version has not changed since the cached
  /// schemas were read, returns the cached schemas.
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

  /// Returns the catalog for a query. Throws an error if the schema, or another schema that the
  /// query depends on, has changed since the query was validated.
  func catalog(
    for schema: Schema, validatedAgainst versions: SchemaVersions?
  ) throws(DataError) -> Catalog {
    let stored = try catalog()
    if let versions { try stored.check(versions, of: [schema]) }
    guard stored.catalog[schema.name] == schema else { throw .schemaChanged }
    return stored.catalog
  }

  /// Returns the catalog for a query, and locks the tables that the query reads.
  private func prepare(
    for schema: Schema, validatedAgainst versions: SchemaVersions?, followsRelations: Bool
  ) throws(DataError) -> Catalog {
    let catalog = try catalog(for: schema, validatedAgainst: versions)
    try prepare(toRead: followsRelations ? catalog.referenced(from: schema) : [schema])
    return catalog
  }

  private func compiled(_ query: Query) throws(DataError) -> CompiledQuery {
    try CompiledQuery(
      query,
      in: prepare(
        for: query.schema, validatedAgainst: query.versions,
        followsRelations: query.followsRelations), connection.dialect)
  }

  /// Starts a query for records. Returns a number that identifies the result: the caller passes it
  /// to `next` to read the records.
  func begin(_ query: Query) throws(DataError) -> Int {
    add(RecordResult(try compiled(query), limit: query.limit, number: count, on: connection))
  }

  /// Starts a query for groups. Returns a number that identifies the result: the caller passes it
  /// to `next` to read the groups.
  func begin(_ query: GroupQuery) throws(DataError) -> Int {
    let compiled = try CompiledGroupQuery(
      query,
      in: prepare(
        for: query.schema, validatedAgainst: query.versions,
        followsRelations: query.followsRelations), connection.dialect)
    return add(RecordResult(compiled, number: count, on: connection))
  }

  private func add(_ result: RecordResult) -> Int {
    results[count] = result
    defer { count += 1 }
    return count
  }

  /// Returns the next rows of a result, or nil after the last one.
  ///
  /// - Parameter number: The number that `begin` returned for the result.
  func next(of number: Int, reusing rows: consuming Rows) throws(DataError) -> Rows? {
    guard let result = results[number] else { return nil }
    let spare = rows
    let chunk = try readingRecords { () throws(DataError) in try result.next(reusing: spare) }
    if let chunk { return chunk }
    results[number] = nil
    return nil
  }

  func count(_ query: Query) throws(DataError) -> Int {
    let compiled = try compiled(query)
    return try readingRecords { () throws(DataError) in
      var count = 0
      for index in 0..<compiled.count {
        let remaining = query.limit.map { $0 - count }
        let statement = compiled.countStatement(index, limit: remaining)
        count += try Int(connection.integer(statement) ?? 0)
      }
      return count
    }
  }

  /// Returns the records with the given ids, in the order of the ids.
  func find(
    _ ids: [String], in schema: Schema, slots: [Int]
  ) throws(DataError) -> FoundRecords {
    _ = try prepare(for: schema, validatedAgainst: nil, followsRelations: false)
    return try readingRecords { () throws(DataError) in
      try connection.find(ids, in: schema, slots: slots)
    }
  }

  /// Returns the session whose token has the given hash, if it is valid at the given time.
  func session(_ tokenHash: [UInt8], at time: Timestamp) throws(DataError) -> Session? {
    try connection.session(tokenHash, at: time)
  }

  /// Returns the size and the first piece of a file, or nil if the record has no file.
  func firstPiece(
    ofFile slot: Int, of id: String, in schema: Schema
  ) throws(DataError) -> (size: Int64, first: [UInt8], damage: DataError)? {
    _ = try prepare(for: schema, validatedAgainst: nil, followsRelations: false)
    let result = try readingRecords { () throws(DataError) in
      try connection.run(TableLayout(schema).firstPiece(ofFile: slot, of: "\(.text(id))"))
    }
    guard result.count > 0 else { return nil }
    let damage = DataError.damaged(connection.store)
    guard let file = result.bytes(0, 0).flatMap({ FileReference(canonicalText: $0.span) }) else {
      throw damage
    }
    return (file.size, result.bytes(0, 1) ?? [], damage)
  }

  /// Returns one of the pieces in which a file is stored. Returns nil if the file has no piece with
  /// the given index.
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
    let compiled = try compiled(query)
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
