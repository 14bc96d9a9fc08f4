package import DataModel

/// Reads from a store or from a snapshot of a store. Each call on a store reads its current state;
/// the state of a snapshot never changes.
package protocol StoreReader: Sendable {
  /// Returns the schemas of the store and their versions.
  func catalog() async throws(DataError) -> StoredCatalog

  /// Returns the id of the store, or nil if an earlier version has created the store, and no
  /// command has written to it since then.
  func storeID() async throws(DataError) -> String?

  /// Announces the schemas whose records will be read, so that a snapshot on a server can lock the
  /// tables of these schemas against migrations. Call this method before reading the first record.
  func prepare(toRead schemas: [Schema]) async throws(DataError)

  /// Returns the given slots of the records with the given ids, in the order of the ids.
  func find(_ ids: [String], in schema: Schema, slots: [Int]) async throws(DataError)
    -> FoundRecords

  /// Returns the stored function with the given id, and the schemas that the function can name.
  /// Returns nil if the function does not exist.
  func function(_ id: String) async throws(DataError) -> (rows: Rows, stored: StoredCatalog)?

  /// Runs a query, and returns its rows as a stream. All rows are read from the same snapshot.
  func records(_ query: Query) async throws(DataError) -> any RecordStream

  /// Returns the number of records that a query returns, after its cursor and limit are applied.
  func count(_ query: Query) async throws(DataError) -> Int

  /// Runs a group query, and returns a stream of rows: one row for each group, with one cell for
  /// each column of the query.
  func groups(_ query: GroupQuery) async throws(DataError) -> any RecordStream

  /// Returns the content of a file field as a stream; nil if the record or the file does not exist.
  func content(
    of slot: Int, id: String, in schema: Schema
  ) async throws(DataError) -> (any ContentStream)?

  /// Returns the session whose token has the given hash. Returns nil if there is no such session,
  /// or if it has expired or ended.
  func session(_ tokenHash: [UInt8], at time: Timestamp) async throws(DataError) -> Session?

  /// Returns an explanation of how the store executes a query.
  func explain(_ query: Query) async throws(DataError) -> Explanation
}

/// An explanation of how a store executes a query, as reported by the engine.
package struct Explanation: Hashable, Sendable {
  package enum Ordering: Hashable, Sendable {
    /// Records are read from an index in order, so that the first ones are available immediately.
    case byIndex
    /// All records that match the condition are read and then sorted.
    case bySorting
  }

  /// The steps in which the engine executes the query, in order.
  package var steps: [String]
  package var ordering: Ordering

  package init(steps: [String], ordering: Ordering) {
    self.steps = steps
    self.ordering = ordering
  }
}

extension StoreReader {
  package func prepare(toRead schemas: [Schema]) async throws(DataError) {}

  package func function(
    _ id: String
  ) async throws(DataError) -> (rows: Rows, stored: StoredCatalog)? {
    let slots = Array(Schema.function.fields.indices)
    let found = try await find([id], in: .function, slots: slots)
    guard found.missing.isEmpty else { return nil }
    return (found.rows, try await catalog())
  }
}

extension StoreReader {
  /// Returns the records with the given ids, in the order of the ids. In each row, the cells of the
  /// record are followed by the values of the expressions in `computed`, and then by the values of
  /// the fields to which `paths` lead.
  package func find(
    _ ids: [String], in schema: Schema, slots: [Int], computed: [Expression] = [],
    joinedFields paths: [FieldPath]
  ) async throws(DataError) -> FoundRecords {
    if paths.isEmpty, computed.isEmpty { return try await find(ids, in: schema, slots: slots) }
    return try await find(
      ids, byAny: [schema.keySlot], in: schema, slots: slots, computed: computed,
      joinedFields: paths)
  }
}

extension StoreReader {
  /// Returns one record for each text: the record that has this text in one of the given fields,
  /// which must be the primary key or unique fields. In each row, the cells of the record are
  /// followed by the values of the expressions in `computed`, and then by the values of the fields
  /// to which `paths` lead.
  ///
  /// All texts are looked up with a single query. If several records have the same text, for
  /// example in different fields, throws an error.
  package func find(
    _ texts: [String], byAny fields: [Int], in schema: Schema, slots: [Int],
    computed: [Expression] = [], joinedFields paths: [FieldPath] = []
  ) async throws(DataError) -> FoundRecords {
    try schema.checkIdentifying(fields)
    let lookupKeys = LookupKeys(texts, inAnyOf: fields, of: schema)
    var query = Query(
      schema, where: lookupKeys.condition, slots: slots + fields + [schema.keySlot],
      joinedFields: paths)
    query.computed = computed
    var records = Rows(width: query.width)
    // For each string, the indices of the records that have it.
    var matches: [[Int]] = Array(repeating: [], count: texts.count)
    // The lookup fields are returned only if the caller requested them.
    let cells = (0..<query.width).filter { cell in
      cell == schema.keySlot || cell >= schema.width || slots.contains(cell)
    }
    let stream = try await self.records(query)
    var buffer = Rows(width: query.width)
    // Stop early if no further record can match.
    while records.count < lookupKeys.maxRecordCount,
      let rows = try await stream.next(reusing: buffer)
    {
      for row in 0..<rows.count {
        for index in lookupKeys.textIndexes(in: rows, row)
        where matches[index].last != records.count {
          matches[index].append(records.count)
        }
        records.append(row, of: rows, slots: cells)
      }
      buffer = rows
    }
    var found = FoundRecords(rows: Rows(width: query.width), missing: [])
    var problems: [Problem] = []
    for (index, some) in matches.enumerated() {
      if some.count > 1 {
        let ids = some.prefix(DataError.maxProblems).map {
          records.text(records[$0, schema.keySlot])
        }
        problems.append(.ambiguous(texts[index], ids: ids, of: schema))
      } else if let only = some.first {
        found.rows.append(only, of: records, slots: cells)
      } else {
        found.missing.append(index)
      }
    }
    if let error = DataError(problems) { throw error }
    return found
  }
}

extension StoreReader {
  /// If a query is sorted by the distance from a point and has a limit, returns an equivalent query
  /// that reads only the records in a circle around the point. An index can find these records.
  ///
  /// Tries circles with increasing radius. Returns the query unchanged if no circle contains enough
  /// records, or if the query cannot be restricted to a circle.
  package func nearby(_ query: Query) async throws(DataError) -> Query {
    guard let first = query.order.first, case .distance(let path, let point)? = first.expression,
      !first.isDescending, query.bound == nil, let limit = query.limit, limit > 0,
      limit <= Self.maxNearby
    else { return query }
    for radius in [1_000.0, 8_000, 64_000, 512_000] {
      guard let circle = GeoCircle(center: point, meters: radius),
        // Distances are rounded to the millimeter.
        let wider = GeoCircle(center: point, meters: radius + 1)
      else { continue }
      var counted = query
      counted.order = []
      counted.isCounted = true
      counted.condition = .every([query.condition, .test(path, .withinCircle(circle))])
      guard try await count(counted) == limit else { continue }
      var nearby = query
      nearby.condition = .every([query.condition, .test(path, .withinCircle(wider))])
      return nearby
    }
    return query
  }

  /// If the limit of a query is larger than this number, `nearby` returns the query unchanged.
  private static var maxNearby: Int { 1_000 }
}

extension Schema {
  /// Throws an error if a field is neither the primary key nor unique.
  fileprivate func checkIdentifying(_ slots: [Int]) throws(DataError) {
    let others = slots.filter { slot in
      slot != keySlot && !(slot < fields.count && fields[slot].isUnique)
    }
    let error = DataError(
      others.map { slot in
        Problem(
          .usage, "\(name).\(self.name(of: slot)) is not unique, so it cannot identify a record",
          schema: name, field: self.name(of: slot))
      })
    if let error { throw error }
  }
}
