import DataClient
import DataModel

/// An index that a schema file could declare to avoid a sort or a full scan for a query.
struct IndexAdvice {
  private let terms: [OrderTerm]
  /// The part of the query that the index would serve.
  let purpose: String

  /// Returns nil if no index is missing, or none can help.
  init?(for checkedQuery: CheckedQuery, sorting isSorted: Bool) {
    let schema = checkedQuery.schema
    let key = schema.key.name
    var equal: [OrderTerm] = []
    for field in checkedQuery.condition.equalFields
    where schema.canIndex(field) && !equal.contains(where: { $0.field == field }) {
      equal.append(OrderTerm(field))
    }
    if isSorted, !checkedQuery.order.isEmpty {
      var order: [OrderTerm] = []
      for term in checkedQuery.order {
        guard term.field == key || schema.canIndex(term.field) else { return nil }
        if term.field == key { break }
        if !(equal + order).contains(where: { $0.field == term.field }) { order.append(term) }
      }
      terms = equal + order
      purpose = equal.isEmpty ? "order" : "condition and order"
      if terms.isEmpty || schema.hasIndex(ofEqual: equal, then: order) { return nil }
    } else {
      let isServed = equal.contains { term in
        schema.indexes.contains { $0.terms.first?.field == term.field }
          || schema.fields.contains {
            $0.name == term.field && ($0.isUnique || $0.type.relation != nil)
          }
      }
      guard !equal.isEmpty, !isServed else { return nil }
      terms = equal
      purpose = "condition"
    }
  }

  /// The index in the syntax of a schema file.
  var text: String {
    "[\(terms.map { "\"\($0.text)\"" }.joined(separator: ", "))]"
  }
}

extension Condition {
  /// The fields that the condition compares for equality.
  fileprivate var equalFields: [String] {
    switch self {
    case .test(let path, .compare(.equal, _)): path.names.count == 1 ? path.names : []
    case .and(let parts): parts.flatMap(\.equalFields)
    case .all, .test, .not, .or: []
    }
  }
}

extension Schema {
  /// Returns whether the field can be declared in an index. The primary key already has one.
  fileprivate func canIndex(_ name: String) -> Bool {
    guard let field = fields.first(where: { $0.name == name }) else { return false }
    return field.type.isOrdered && field.name != key.name
  }

  /// Returns whether an index starts with the equality fields, in any order, and continues with the
  /// ordering, in the same or the reverse direction.
  fileprivate func hasIndex(ofEqual equal: [OrderTerm], then order: [OrderTerm]) -> Bool {
    let single = fields.filter { $0.isUnique || $0.type.relation?.isMany == false }
      .map { [OrderTerm($0.name)] }
    return (indexes.map(\.terms) + single).contains { terms in
      guard Set(terms.prefix(equal.count).map(\.field)) == Set(equal.map(\.field)) else {
        return false
      }
      let rest = terms.dropFirst(equal.count)
      return rest.starts(with: order)
        || rest.starts(with: order.map { OrderTerm($0.field, isDescending: !$0.isDescending) })
    }
  }
}
