/// A question to a store: which records of a schema, in which order, and what of them.
package struct Query: Sendable {
  /// Where a page lies; the records come in the order of the query, either way.
  package enum Bound: Hashable, Sendable {
    /// The records behind a place.
    case after(Place)
    /// The records before a place; of these, a limit keeps the last.
    case before(Place)
  }

  package var schema: Schema
  /// The catalog's version that the question was checked against; a store that has moved on refuses.
  /// Without one, the schema must be as the store has it.
  package var catalogVersion: Int64?
  package var condition: Condition
  /// The fields to order by, also through relations to one record, with dots between the names; the
  /// id decides between equals, in the direction of the last one.
  package var order: [OrderTerm]
  package var bound: Bound?
  /// How many records at the most.
  package var limit: Int?
  /// The slots that are wanted, of fields and system fields; others may be missing cells.
  package var slots: [Int]
  /// Fields that relations to one record lead to, whose values stand in the cells behind a row's own.
  package var alongside: [FieldPath]
  /// Whether only the number of records matters, and so no order does: for explaining.
  package var isCounted = false

  package init(
    _ schema: Schema, catalogVersion: Int64? = nil, where condition: Condition = .all,
    order: [OrderTerm] = [], bound: Bound? = nil, limit: Int? = nil, slots: [Int]? = nil,
    alongside: [FieldPath] = []
  ) {
    self.schema = schema
    self.catalogVersion = catalogVersion
    self.condition = condition
    self.order = order
    self.bound = bound
    self.limit = limit
    self.slots = slots ?? Array(0..<schema.width)
    self.alongside = alongside
  }

  /// How many cells a row of the answer has.
  package var width: Int { schema.width + alongside.count }

  /// The order in full: the id comes last, in the direction of the term before it.
  package var fullOrder: [OrderTerm] {
    let key = schema.key.name
    if let place = order.firstIndex(where: { $0.field == key }) { return Array(order[...place]) }
    return order + [OrderTerm(key, isDescending: order.last?.isDescending ?? false)]
  }
}
