/// A question to a store: which records of a schema, in which order, and what of them.
package struct Query: Sendable {
  package var schema: Schema
  package var condition: Condition
  /// The fields to order by; the id decides between equals, in the direction of the last one.
  package var order: [OrderTerm]
  /// How many records at the most.
  package var limit: Int?
  /// The slots that are wanted, of fields and system fields; others may be missing cells.
  package var slots: [Int]

  package init(
    _ schema: Schema, where condition: Condition = .all, order: [OrderTerm] = [],
    limit: Int? = nil, slots: [Int]? = nil
  ) {
    self.schema = schema
    self.condition = condition
    self.order = order
    self.limit = limit
    self.slots = slots ?? Array(0..<schema.width)
  }

  /// The order in full: the id comes last, in the direction of the term before it.
  package var fullOrder: [OrderTerm] {
    let key = schema.key.name
    if let place = order.firstIndex(where: { $0.field == key }) { return Array(order[...place]) }
    return order + [OrderTerm(key, isDescending: order.last?.isDescending ?? false)]
  }
}
