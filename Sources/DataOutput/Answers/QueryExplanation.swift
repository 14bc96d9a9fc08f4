package import DataModel
package import DataStore
import DataText

/// An explanation of a query: how it was parsed and how the store executes it.
package struct QueryExplanation {
  private let query: Query
  private let groups: GroupQuery?
  private let isCount: Bool
  private let explanation: Explanation

  package init(
    _ query: Query, _ groups: GroupQuery?, isCount: Bool, by explanation: Explanation
  ) {
    self.query = query
    self.groups = groups
    self.isCount = isCount
    self.explanation = explanation
  }

  package func text(as format: OutputFormat?) -> String { format == .json ? json : lines }

  private var order: String { query.fullOrder.map(\.text).joined(separator: ",") }

  private var conditionText: String { ConditionWriter.text(of: query.condition) }

  /// Whether all records must be found and sorted before the first one is printed.
  private var isSorted: Bool {
    switch explanation.ordering {
    case .byIndex: false
    case .bySorting: groups == nil && !isCount
    }
  }

  /// The reason why no index provides the ordering. The primary key always has an index.
  private var reason: String {
    let terms = query.order.isEmpty ? query.fullOrder : query.order
    let paths = terms.map { FieldPath(dotted: $0.field).names }.filter { $0.count > 1 }
    if paths.contains(where: { !query.schema.isPart($0[0]) }) {
      return "fields of related records cannot be indexed"
    }
    if !paths.isEmpty { return "parts of geopoints and files cannot be indexed" }
    if terms.first?.field == query.schema.key.name {
      return "the query planner prefers this to the primary key index"
    }
    let order = terms.map(\.text).joined(separator: ",")
    return "no index supports the condition with the order \(order)"
  }

  /// The index that the schema could declare for the query: the equality fields, followed by the
  /// ordering.
  private var index: IndexAdvice? {
    IndexAdvice(for: query, sorting: isSorted)
  }

  private var lines: String {
    var lines = [
      "schema     \(query.schema.name)", "condition  \(conditionText)",
    ]
    if let groups {
      let lists = [
        ("groups     ", groups.keys.map(\.description)),
        ("aggregates ", groups.aggregates.map(\.name)),
      ]
      for (head, names) in lists where !names.isEmpty {
        lines.append(head + names.joined(separator: ","))
      }
    } else if !isCount {
      lines.append("order      \(order)")
    }
    for (position, step) in explanation.steps.enumerated() {
      lines.append((position == 0 ? "plan       " : "           ") + step)
    }
    if isSorted {
      lines.append("sorting    all matching records: \(reason)")
    }
    if let index {
      lines.append("index      an index on \(index.text) would speed up this \(index.purpose)")
    }
    return lines.map { Excerpt.escaped($0) + "\n" }.joined()
  }

  private var json: String {
    var output: [UInt8] = []
    func add(_ name: String, _ value: String) {
      output.append(UInt8(ascii: output.isEmpty ? "{" : ","))
      output += Array("\"\(name)\":\(value)".utf8)
    }
    add("schema", quoted(query.schema.name))
    add("condition", quoted(conditionText))
    if let groups {
      add("groups", list(groups.keys.map(\.description)))
      add("sums", list(groups.aggregates.map(\.name)))
    } else if !isCount {
      add("order", quoted(order))
    }
    add("plan", list(explanation.steps))
    add("sorts", "\(isSorted)")
    add("index", index?.text ?? "null")
    return String(decoding: output, as: UTF8.self) + "}\n"
  }

  private func list(_ texts: [String]) -> String {
    "[\(texts.map(quoted).joined(separator: ","))]"
  }

  private func quoted(_ text: String) -> String {
    var output: [UInt8] = []
    JSONQuote.append(text.utf8.span, to: &output)
    return String(decoding: output, as: UTF8.self)
  }
}

extension Schema {
  /// Returns whether a path into the field names a part of its own value, not of a related record.
  fileprivate func isPart(_ name: String) -> Bool {
    guard let slot = slot(named: name) else { return false }
    return type(of: slot) == .geopoint || type(of: slot) == .file
  }
}

/// An index that a schema file could declare to avoid a sort or a full scan for a query.
struct IndexAdvice {
  private let terms: [OrderTerm]
  /// The part of the query that the index would serve.
  let purpose: String

  /// Returns nil if no index is missing, or none can help.
  init?(for query: Query, sorting isSorted: Bool) {
    let schema = query.schema
    let key = schema.key.name
    var equal: [OrderTerm] = []
    for field in query.condition.equalFields
    where schema.canIndex(field) && !equal.contains(where: { $0.field == field }) {
      equal.append(OrderTerm(field))
    }
    if isSorted, !query.order.isEmpty {
      var order: [OrderTerm] = []
      for term in query.order {
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
