import Conditions
package import DataModel
package import DataStore
import JSONText

/// An explanation of how a query was parsed, and of how the store executes it.
package struct QueryExplanation {
  private let query: Query
  private let groups: GroupQuery?
  private let isCount: Bool
  private let zone: String?
  private let explanation: Explanation

  /// Combines a parsed query with the explanation by the store.
  ///
  /// - Parameter zone: The time zone of the query; nil for UTC.
  package init(
    _ query: Query, _ groups: GroupQuery?, isCount: Bool, zone: String? = nil,
    by explanation: Explanation
  ) {
    self.zone = zone
    self.query = query
    self.groups = groups
    self.isCount = isCount
    self.explanation = explanation
  }

  package func text(as format: OutputFormat?) -> String { format == .json ? json : lines }

  private var order: String { query.fullOrder.map(\.text).joined(separator: ",") }

  private var valueLimit: (count: Int, value: String)? {
    query.valueLimit.map { ($0.count, ConditionWriter.text(of: $0.value)) }
  }

  private var conditionText: String { ConditionWriter.text(of: query.condition) }

  /// The access rules for reading the records. Callers who are not administrators get only the
  /// records that at least one of these rules allows.
  private var accessRules: [String] { (query.schema.access[.read] ?? []).map(\.text) }

  /// Whether all matching records must be fetched and sorted before the first one can be printed.
  private var isSorted: Bool {
    switch explanation.ordering {
    case .byIndex: false
    case .bySorting: groups == nil && !isCount
    }
  }

  /// The reason why the records are sorted without an index, as shown to the user.
  private var reason: String {
    let terms = query.order.isEmpty ? query.fullOrder : query.order
    if let value = terms.compactMap(\.expression).first {
      if case .path = value { return "values in json cannot be indexed" }
      return "computed values cannot be indexed"
    }
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

  /// An index that would speed up the query if the schema declared it, or nil if there is none. It
  /// begins with the fields that the condition compares for equality; the sort fields follow.
  private var index: IndexAdvice? {
    IndexAdvice(for: query, sorting: isSorted)
  }

  private var lines: String {
    var lines = [
      "schema     \(query.schema.name)", "condition  \(conditionText)",
    ]
    if !accessRules.isEmpty {
      let rules = accessRules.joined(separator: " or ")
      lines.append("access     \(rules), unless an administrator asks")
    }
    if let zone { lines.append("zone       \(zone)") }
    if let groups {
      let lists = [
        ("groups     ", groups.keys.map { ConditionWriter.text(of: $0) }),
        ("aggregates ", groups.aggregates.map { ConditionWriter.text(of: $0) }),
        ("order      ", groups.order.map(\.text)),
      ]
      for (head, names) in lists where !names.isEmpty {
        lines.append(head + names.joined(separator: ","))
      }
      if groups.having != .all {
        lines.append("having     \(ConditionWriter.text(of: groups.having))")
      }
    } else if !isCount {
      lines.append("order      \(order)")
    }
    if let limit = valueLimit { lines.append("limit      \(limit.count) per \(limit.value)") }
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
    if !accessRules.isEmpty { add("access", list(accessRules)) }
    if let zone { add("zone", quoted(zone)) }
    if let groups {
      add("groups", list(groups.keys.map { ConditionWriter.text(of: $0) }))
      add("sums", list(groups.aggregates.map(\.name)))
    } else if !isCount {
      add("order", quoted(order))
    }
    if let limit = valueLimit {
      add("limit", "\(limit.count)")
      add("per", quoted(limit.value))
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
  /// Returns whether a field contains geopoints or files. In a path, the name after such a field is
  /// a part of the value, such as `lat`, and not a field of a related record.
  fileprivate func isPart(_ name: String) -> Bool {
    guard let slot = slot(named: name) else { return false }
    return type(of: slot) == .geopoint || type(of: slot) == .file
  }
}

/// An index that a schema could declare, so that a query need not sort or scan all records.
struct IndexAdvice {
  private let terms: [OrderTerm]
  /// What the index would speed up: the condition of the query, its order, or both.
  let purpose: String

  /// Creates the index that would speed up a query. Returns nil if the schema already declares such
  /// an index, or if no index can speed up the query.
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
      // An index can be used for one range only. The field of the range must follow the fields that
      // are compared for equality.
      let range = query.condition.rangeFields.first { field in
        schema.canIndex(field) && !equal.contains { $0.field == field }
      }
      terms = equal + (range.map { [OrderTerm($0)] } ?? [])
      let isServed = terms.contains { term in
        schema.indexes.contains { $0.terms.first?.field == term.field }
          || schema.fields.contains {
            $0.name == term.field && ($0.isUnique || $0.type.relation != nil)
          }
      }
      guard !terms.isEmpty, !isServed else { return nil }
      purpose = "condition"
    }
  }

  /// The list of terms that declares the index in a schema file, such as `["owner", "due"]`.
  var text: String {
    "[\(terms.map { "\"\($0.text)\"" }.joined(separator: ", "))]"
  }
}

extension Condition {
  /// The fields that the condition compares with a value for equality, so that all matching records
  /// contain this value.
  fileprivate var equalFields: [String] {
    switch self {
    case .test(let path, .compare(.equal, _)): path.names.count == 1 ? path.names : []
    case .and(let parts): parts.flatMap(\.equalFields)
    case .all, .test, .any, .compute, .not, .or: []
    }
  }

  /// The fields whose values the condition limits to a range, as in `age > 30`.
  fileprivate var rangeFields: [String] {
    switch self {
    case .test(let path, .compare(let comparison, _)):
      path.names.count == 1 && comparison != .equal ? path.names : []
    case .test(let path, .between): path.names.count == 1 ? path.names : []
    case .and(let parts): parts.flatMap(\.rangeFields)
    case .all, .test, .any, .compute, .not, .or: []
    }
  }
}

extension Schema {
  /// Returns whether a field can be part of a declared index. The primary key cannot, because it
  /// already has an index.
  fileprivate func canIndex(_ name: String) -> Bool {
    guard let field = fields.first(where: { $0.name == name }) else { return false }
    return field.type.isOrdered && field.name != key.name
  }

  /// Returns whether one of the schema's indexes starts with the fields of `equal`, in any order,
  /// and continues with the terms of `order`. The index may also contain all terms of `order` in
  /// the opposite direction.
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
