import DataModel
import DataStore

/// A snapshot of a memory store. It answers queries by scanning all records.
struct MemorySnapshot: StoreReader {
  let state: MemoryState

  func catalog() -> StoredCatalog {
    state.stored
  }

  func storeID() -> String? {
    state.version > 0 ? "00000000-0000-4000-8000-000000000000" : nil
  }

  func find(_ ids: [String], in schema: Schema, slots: [Int]) throws(DataError) -> FoundRecords {
    try state.checkIsCurrent(schema)
    var found = FoundRecords(rows: Rows(width: schema.width), missing: [])
    for (place, id) in ids.enumerated() {
      if let record = state.tables[schema.name]?.records[Array(id.utf8)] {
        found.rows.append(0, of: record.row, slots: schema.withoutPassword(slots))
      } else {
        found.missing.append(place)
      }
    }
    return found
  }

  func records(_ query: Query) throws(DataError) -> any RecordStream {
    MemoryRecordStream(try rows(query), width: query.width)
  }

  /// Returns the rows that a query selects, each in a `Rows` value of its own.
  func rows(_ query: Query) throws(DataError) -> [Rows] {
    let slots = query.schema.withoutPassword(query.slots)
    let related = MemoryRelations(state, query.scope)
    let additional = query.additionalValues
    let values = try catalog(for: query.scope).resolved(additional.map(\.value), from: query.schema)
    return try found(query).map { record throws(DataError) in
      var row = Rows(width: query.width)
      row.append(0, of: record, slots: slots)
      for ((cell, _), value) in zip(additional, values) {
        row[0, cell] = row.cell(for: try value.value(from: record, 0, related), of: value.type)
      }
      return row
    }
  }

  func count(_ query: Query) throws(DataError) -> Int { try found(query).count }

  func groups(_ query: GroupQuery) throws(DataError) -> any RecordStream {
    try state.checkIsCurrent(query.schema, validatedAgainst: query.versions)
    try query.checkSize(in: catalog(for: query.scope))
    let records = try matching(query.condition, of: query.schema, query.scope)
    let groups = try MemoryGroups(query, in: state)
    return MemoryRecordStream(try groups.rows(of: records), width: groups.columns.count)
  }

  func content(
    of slot: Int, id: String, in schema: Schema
  ) throws(DataError) -> (any ContentStream)? {
    try state.checkIsCurrent(schema)
    let record = state.tables[schema.name]?.records[Array(id.utf8)]
    return record?.files[schema.name(of: slot)].map(MemoryContentStream.init)
  }

  func session(_ tokenHash: [UInt8], at time: Timestamp) -> Session? {
    state.session(tokenHash, at: time)
  }

  func explain(_ query: Query) throws(DataError) -> Explanation {
    _ = try found(query)
    return Explanation(steps: ["read every \(query.schema.name)"], ordering: .bySorting)
  }

  /// Returns the records that a query selects, in the order of the query. The cursor and the limit
  /// of the query are already applied.
  private func found(_ query: Query) throws(DataError) -> [Rows] {
    try state.checkIsCurrent(query.schema, validatedAgainst: query.versions)
    let catalog = catalog(for: query.scope)
    try query.checkSize(in: catalog)
    let related = MemoryRelations(state, query.scope)
    let terms = try query.resolvedOrder(in: catalog)
    let order = RecordOrder(terms, related)
    var found = try matching(query.condition, of: query.schema, query.scope)
    if let limit = query.valueLimit {
      let value = try catalog.resolved([limit.value], from: query.schema)[0]
      var counts: [Value: Int] = [:]
      var first: [Rows] = []
      for record in try order.sorted(found) {
        let key = try value.value(from: record, 0, related)
        counts[key, default: 0] += 1
        if counts[key, default: 0] <= limit.count { first.append(record) }
      }
      found = first
    }
    let sorted =
      switch query.bound {
      case nil: try order.sorted(found)
      case .after(let place): try order.sorted(found) { order.precedes(place.values, $0) }
      case .before(let place):
        Array(try order.sorted(found) { order.precedes($0, place.values) }.reversed())
      }
    let returned = sorted.prefix(query.limit ?? .max)
    if case .before = query.bound { return returned.reversed() }
    return Array(returned)
  }

  private func matching(
    _ condition: Condition, of schema: Schema, _ scope: Scope?
  ) throws(DataError) -> [Rows] {
    let matcher = try ConditionMatcher(condition, of: schema, in: catalog(for: scope))
    let related = MemoryRelations(state, scope)
    var found: [Rows] = []
    for (id, record) in state.tables[schema.name]?.records ?? [:]
    where related.isReadable(id, in: schema.name) {
      if try matcher.matches(record.row, 0, related) { found.append(record.row) }
    }
    return found
  }

  /// Returns the schemas that the caller can see; all schemas if `scope` is nil.
  private func catalog(for scope: Scope?) -> Catalog { scope?.catalog ?? state.catalog }
}

extension Schema {
  /// Returns the slots without the slot of the password, which is never read from a store.
  fileprivate func withoutPassword(_ slots: [Int]) -> [Int] {
    slots.filter { $0 != passwordSlot }
  }
}

/// Finds related records in the state of a memory store. Each object serves a single query, because
/// it caches what it has found.
final class MemoryRelations: RecordLookup {
  private struct Relation: Hashable {
    var schema: String
    var slot: Int
  }

  private let state: MemoryState
  private let scope: Scope?
  /// The access rules for reading the records of each schema, keyed by schema name. The caller may
  /// read a record if it satisfies at least one of them.
  private var rules: [String: [ConditionMatcher]] = [:]
  /// The inverses of the relations that the query has followed so far. The inverse of a relation is
  /// a dictionary that maps the id of each target record to the ids of the records that refer to
  /// it.
  private var referrers: [Relation: [[UInt8]: [[UInt8]]]] = [:]

  /// - Parameter scope: What the caller may read; nil for administrators.
  init(_ state: MemoryState, _ scope: Scope? = nil) {
    self.state = state
    self.scope = scope
  }

  func record(_ id: [UInt8], in schema: String) -> Rows? {
    isReadable(id, in: schema) ? state.row(in: schema, id: id) : nil
  }

  func isReadable(_ id: [UInt8], in schema: String) -> Bool {
    guard let scope else { return true }
    switch scope.permission(to: .read, schema) {
    case .all: return true
    case .none: return false
    case .matching(let conditions):
      guard let row = state.row(in: schema, id: id) else { return false }
      let matchers =
        rules[schema]
        ?? conditions.compactMap { condition in
          state.tables[schema].flatMap { table in
            try? ConditionMatcher(condition, of: table.schema, in: scope.fullCatalog)
          }
        }
      rules[schema] = matchers
      let all = MemoryRelations(state, nil)
      return matchers.contains { (try? $0.matches(row, 0, all)) ?? false }
    }
  }

  func referrers(to id: [UInt8], from schema: String, slot: Int) -> [[UInt8]] {
    let relation = Relation(schema: schema, slot: slot)
    let known = referrers[relation] ?? index(relation)
    referrers[relation] = known
    return (known[id] ?? []).filter { isReadable($0, in: schema) }
  }

  private func index(_ relation: Relation) -> [[UInt8]: [[UInt8]]] {
    guard let table = state.tables[relation.schema],
      let type = table.schema.type(of: relation.slot).relation
    else { return [:] }
    var ids: [[UInt8]: [[UInt8]]] = [:]
    for (id, record) in table.records {
      for target in record.row.targets(record.row[0, relation.slot], of: type) {
        ids[target, default: []].append(id)
      }
    }
    return ids
  }
}

/// Sorts records in the order that a query specifies. Text is compared byte by byte.
struct RecordOrder {
  private let terms: [ResolvedOrder]
  private let related: MemoryRelations

  init(_ terms: [ResolvedOrder], _ related: MemoryRelations) {
    self.terms = terms
    self.related = related
  }

  /// Sorts records. Omits a record if the closure `isIncluded` returns false for its sort key. Each
  /// `Rows` value contains one record.
  func sorted(
    _ records: [Rows], where isIncluded: ([Value]) -> Bool = { _ in true }
  ) throws(DataError) -> [Rows] {
    var keyed: [(record: Rows, key: [Value])] = []
    for record in records { keyed.append((record, try key(of: record))) }
    return keyed.filter { isIncluded($0.key) }.sorted { precedes($0.key, $1.key) }.map(\.record)
  }

  /// Returns the sort key of a record: the values by which it is sorted, in the order of
  /// precedence.
  private func key(of record: Rows) throws(DataError) -> [Value] {
    var key: [Value] = []
    for term in terms { key.append(try term.value.value(from: record, 0, related)) }
    return key
  }

  /// Returns whether the first sort key precedes the second.
  func precedes(_ first: [Value], _ second: [Value]) -> Bool {
    for (index, term) in terms.enumerated() {
      let (left, right) = (first[index], second[index])
      if left == right { continue }
      if left == .null || right == .null { return (left == .null) == term.nullsAreFirst }
      return left.isLess(than: right) != term.isDescending
    }
    return false
  }
}

extension Value {
  /// Returns whether the value precedes another value of the same type. Neither value may be null.
  fileprivate func isLess(than other: Value, of type: FieldType) -> Bool {
    type == .json ? isJSON(before: other) : isLess(than: other)
  }

  /// Returns whether the value precedes another value of its type in ascending order. Null precedes
  /// all values.
  func isLess(than other: Value) -> Bool {
    other != .null && (self == .null || order(comparedTo: other) == .before)
  }
}

/// Groups records, and computes the columns of a group query for each group.
struct MemoryGroups {
  let columns: [GroupColumn]
  private let query: GroupQuery
  private let related: MemoryRelations
  private let having: ConditionMatcher
  private let order: RecordOrder

  init(_ query: GroupQuery, in state: MemoryState) throws(DataError) {
    self.query = query
    let catalog = query.scope?.catalog ?? state.catalog
    related = MemoryRelations(state, query.scope)
    columns = try query.columns(in: catalog)
    let schema = try query.resultSchema(in: catalog)
    let terms = try query.resolvedOrder(in: catalog)
    having = try ConditionMatcher(query.having, of: schema, in: catalog)
    order = RecordOrder(terms, related)
  }

  /// Returns a row for each group, in the order of the query. Throws an error if an aggregated value,
  /// or a sum in one of these rows, is out of range.
  func rows(of records: [Rows]) throws(DataError) -> [Rows] {
    var groups: [[Value]: [Rows]] = [:]
    for record in records {
      for key in try keys(of: record) { groups[key, default: []].append(record) }
    }
    if query.keys.isEmpty { groups = [[]: records] }
    var rows: [Rows] = []
    for (key, group) in groups {
      var values = key
      for column in columns.dropFirst(key.count) { values.append(try value(of: column, group)) }
      let row = row(values)
      if try having.matches(row, 0, related) { rows.append(row) }
    }
    for column in columns {
      guard let values = column.source.aggregated else { continue }
      for record in records where try values.isOutOfRange(in: record, 0, related) {
        throw .termOutOfRange(column, of: query.schema)
      }
    }
    let returned = Array(try order.sorted(rows).prefix(query.limit ?? .max))
    for row in returned { try checkForOverflow(row) }
    return returned
  }

  /// Throws an error if a sum in a row is infinite, because it exceeded the range of its type.
  private func checkForOverflow(_ row: Rows) throws(DataError) {
    for (index, column) in columns.enumerated() {
      guard case .sum = column.source,
        case .number(let sum) = row.value(row[0, index], of: column.type), !sum.isFinite
      else { continue }
      throw .sumTooLarge(column, of: query.schema)
    }
  }

  /// Returns the values of a group as a row.
  private func row(_ values: [Value]) -> Rows {
    var row = Rows(width: columns.count)
    row.addRow()
    for (index, value) in values.enumerated() {
      row[0, index] = row.cell(for: value, of: columns[index].type)
    }
    return row
  }

  /// Returns the keys of the groups to which a record belongs: one, or one for each element of the
  /// list of a key.
  private func keys(of record: Rows) throws(DataError) -> [[Value]] {
    var keys: [[Value]] = [[]]
    for case .key(let expression) in columns.map(\.source) {
      var values: [Value] = []
      if case .element(let path)? = expression.operands.first {
        let elements = Set(path.elements(from: record, 0, related)).filter { $0 != .null }
        for element in elements.isEmpty ? [.null] : elements {
          values.append(try expression.value(of: [element]))
        }
      } else {
        values.append(try expression.value(from: record, 0, related))
      }
      keys = values.flatMap { value in keys.map { $0 + [value] } }
    }
    return keys
  }

  private func value(of column: GroupColumn, _ group: [Rows]) throws(DataError) -> Value {
    func values(_ expression: ResolvedExpression) throws(DataError) -> [Value] {
      var values: [Value] = []
      for record in group { values.append(try expression.value(from: record, 0, related)) }
      return values.filter { $0 != .null }
    }
    switch column.source {
    case .key: return .null
    case .count: return .integer(Int64(group.count))
    case .minimum(let value):
      return try values(value).min { $0.isLess(than: $1, of: column.type) } ?? .null
    case .maximum(let value):
      return try values(value).max { $0.isLess(than: $1, of: column.type) } ?? .null
    case .sum(let value): return sum(try values(value)).total
    case .average(let value): return sum(try values(value)).average
    case .median(let value):
      let sorted = try values(value).sorted { $0.isLess(than: $1) }
      let middle: ArraySlice =
        sorted.isEmpty ? [] : sorted[(sorted.count - 1) / 2...sorted.count / 2]
      return sum(Array(middle)).middle
    }
  }

  private func sum(_ values: [Value]) -> RunningSum {
    var sum = RunningSum()
    for value in values { sum.add(value) }
    return sum
  }
}

/// Streams the rows of a query, 100 at a time.
actor MemoryRecordStream: RecordStream {
  private var records: ArraySlice<Rows>
  private let width: Int

  init(_ records: [Rows], width: Int) {
    self.records = records[...]
    self.width = width
  }

  func next(reusing rows: consuming Rows) async throws(DataError) -> Rows? {
    guard !records.isEmpty else { return nil }
    var chunk = rows.width == width ? rows : Rows(width: width)
    chunk.removeAll()
    for record in records.prefix(100) { chunk.append(0, of: record, slots: Array(0..<width)) }
    records = records.dropFirst(100)
    return chunk
  }
}

/// Streams the bytes of a file, 64 KiB at a time.
actor MemoryContentStream: ContentStream {
  private var bytes: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) {
    self.bytes = bytes[...]
  }

  func next() async throws(DataError) -> [UInt8]? {
    guard !bytes.isEmpty else { return nil }
    let piece = Array(bytes.prefix(65_536))
    bytes = bytes.dropFirst(65_536)
    return piece
  }
}

extension Rows {
  /// Returns a cell for a value that was computed. A computed decimal is text.
  fileprivate mutating func cell(for value: Value, of type: FieldType) -> Cell {
    guard case .decimal(let decimal) = value, type.digits?.isComputed == true else {
      return cell(for: value)
    }
    return store(decimal.description)
  }
}
