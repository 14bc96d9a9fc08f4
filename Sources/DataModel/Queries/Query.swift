/// A query for records of a schema: condition, order, range, and columns.
package struct Query: Sendable {
  /// The limit of a page. Either way, the records are returned in the order of the query.
  package enum Bound: Hashable, Sendable {
    /// The records after a cursor.
    case after(Cursor)
    /// The records before a cursor; a limit keeps the last of them.
    case before(Cursor)
  }

  package var schema: Schema
  /// The catalog version against which the query was validated; a store with a newer one rejects
  /// the query. If nil, the schema must be equal to the one in the store.
  package var catalogVersion: Int64?
  package var condition: Condition
  /// The fields to sort by, optionally through to-one relations (names separated by dots). Records
  /// with equal values are sorted by id, in the direction of the last term.
  package var order: [OrderTerm]
  package var bound: Bound?
  /// The maximum number of records.
  package var limit: Int?
  /// The slots of the fields and system fields to return; the cells of others may be missing.
  package var slots: [Int]
  /// Fields reached through to-one relations, whose values are returned in additional cells at the
  /// end of a row.
  package var joinedFields: [FieldPath]
  /// Whether only the number of records is needed, so that the order does not matter; used for
  /// query plans.
  package var isCounted = false

  package init(
    _ schema: Schema, catalogVersion: Int64? = nil, where condition: Condition = .all,
    order: [OrderTerm] = [], bound: Bound? = nil, limit: Int? = nil, slots: [Int]? = nil,
    joinedFields: [FieldPath] = []
  ) {
    self.schema = schema
    self.catalogVersion = catalogVersion
    self.condition = condition
    self.order = order
    self.bound = bound
    self.limit = limit
    self.slots = slots ?? Array(0..<schema.width)
    self.joinedFields = joinedFields
  }

  /// The number of cells in a row of the result.
  package var width: Int { schema.width + joinedFields.count }

  /// The order, extended by the id in the direction of the last term.
  package var fullOrder: [OrderTerm] {
    let key = schema.key.name
    if let index = order.firstIndex(where: { $0.field == key }) { return Array(order[...index]) }
    return order + [OrderTerm(key, isDescending: order.last?.isDescending ?? false)]
  }
}
