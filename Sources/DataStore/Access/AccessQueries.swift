import DataModel

/// Queries to which the access rules are not applied, because their results are needed to check the
/// rules.
struct AccessQueries {
  let scope: Scope
  /// The maximum number of ids that one query looks up.
  private static let maxIDs = 1_000

  /// Locks the records with the given ids, and returns the existing ones, keyed by id. Each record
  /// is in a `Rows` value of its own.
  func storedRecords(
    _ ids: [[UInt8]], of schema: Schema, in transaction: some WriteTransaction
  ) throws(DataError) -> [[UInt8]: Rows] {
    var records: [[UInt8]: Rows] = [:]
    guard !ids.isEmpty else { return records }
    try transaction.lock(ids.map { String(decoding: $0, as: UTF8.self) }, in: schema)
    for query in Self.queries(ids, schema, .all, slots: Array(0..<schema.width)) {
      for rows in try transaction.rows(query) {
        for row in 0..<rows.count {
          var record = Rows(width: schema.width)
          record.append(row, of: rows, slots: Array(0..<schema.width))
          records[record.bytes(record[0, schema.keySlot])] = record
        }
      }
    }
    return records
  }

  /// Of the given ids, returns the ids of existing records to which the caller may apply the
  /// operation `verb`.
  func permitted(
    _ verb: AccessVerb, _ ids: [[UInt8]], _ schema: Schema, in transaction: some WriteTransaction
  ) throws(DataError) -> Set<[UInt8]> {
    switch scope.permission(to: verb, schema.name) {
    case .all: try existing(ids, schema, nil, in: transaction)
    case .none: []
    case .matching(let conditions): try existing(ids, schema, conditions, in: transaction)
    }
  }

  /// Of the given ids, returns the ids of existing records that satisfy at least one of the
  /// conditions. If `conditions` is nil, returns the ids of all existing records.
  func existing(
    _ ids: [[UInt8]], _ schema: Schema, _ conditions: [Condition]?,
    in transaction: some WriteTransaction
  ) throws(DataError) -> Set<[UInt8]> {
    var found: Set<[UInt8]> = []
    let condition = conditions.map { Condition.some($0) } ?? .all
    for query in Self.queries(ids, schema, condition, slots: [schema.keySlot]) {
      found.formUnion(try Self.ids(transaction.rows(query), schema))
    }
    return found
  }

  private static func queries(
    _ ids: [[UInt8]], _ schema: Schema, _ condition: Condition, slots: [Int]
  ) -> [Query] {
    stride(from: 0, to: ids.count, by: maxIDs).map { start in
      let values = ids[start..<min(start + maxIDs, ids.count)].map { id in
        Value.text(String(decoding: id, as: UTF8.self))
      }
      let isOne = Condition.test(FieldPath(schema.key.name), .isIn(values))
      return Query(schema, where: .every([isOne, condition]), slots: slots)
    }
  }

  static func ids(_ chunks: [Rows], _ schema: Schema) -> [[UInt8]] {
    chunks.flatMap { rows in
      (0..<rows.count).map { rows.bytes(rows[$0, schema.keySlot]) }
    }
  }

  /// Of the given ids, returns the ids of existing records that the access rules hide from the
  /// caller.
  func hidden(
    _ ids: Set<[UInt8]>, _ schema: Schema, in transaction: some WriteTransaction
  ) throws(DataError) -> Set<[UInt8]> {
    guard scope.permission(to: .read, schema.name) != .all, !ids.isEmpty else { return [] }
    let readable = try permitted(.read, Array(ids), schema, in: transaction)
    let others = ids.filter { !readable.contains($0) && !scope.isOwn($0, schema) }
    return try existing(Array(others), schema, nil, in: transaction)
  }
}
