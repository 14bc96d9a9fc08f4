package import DataModel

/// A random condition on the records of a schema, and the ids that `ConditionMatcher` selects.
package struct Question: Sendable {
  package var schema: Schema
  package var condition: Condition
  package var selected: Set<String>
  /// Whether it selects some of the records, but not all.
  package var isTelling: Bool
}

extension World {
  /// Returns a random condition. Most conditions that select none or all are discarded.
  package mutating func question() throws(DataError) -> Question {
    let schema = dice.falls(80) ? try catalog.schema("item") : try catalog.schema("town")
    var question = try answered(condition(of: schema, depth: 3), of: schema)
    for _ in 0..<6 where !question.isTelling {
      question = try answered(condition(of: schema, depth: 3), of: schema)
    }
    return question
  }

  /// Returns a random path by which records of a schema can be ordered.
  package mutating func orderedPath() throws(DataError) -> (schema: Schema, path: FieldPath) {
    let schema = try catalog.schema(dice.falls(80) ? "item" : "town")
    while true {
      let (path, route) = path(from: schema)
      let isField = route.part == .whole && route.type.isOrdered
      if isField && !route.hops.contains(where: \.isMany) { return (schema, path) }
    }
  }

  /// Returns a random order by several paths, ascending and descending.
  package mutating func order() throws(DataError) -> (schema: Schema, terms: [OrderTerm]) {
    let (schema, path) = try orderedPath()
    var terms = [OrderTerm(path.description, isDescending: dice.falls(50))]
    for _ in 0..<dice.number(0...2) {
      let (other, path) = try orderedPath()
      guard other.name == schema.name, !terms.contains(where: { $0.field == path.description })
      else { continue }
      terms.append(OrderTerm(path.description, isDescending: dice.falls(50)))
    }
    return (schema, terms)
  }

  /// Returns a random group query.
  package mutating func groupQuery() throws(DataError) -> GroupQuery {
    let (schema, terms) = try order()
    let keys = dice.falls(10) ? [] : terms.map { FieldPath(dotted: $0.field) }
    var sums: [GroupSum] = keys.isEmpty || dice.falls(80) ? [.count] : []
    for _ in 0..<dice.number(0...4) {
      let (path, route) = path(from: schema)
      guard route.type.isOrdered, !route.hops.contains(where: \.isMany) else { continue }
      let isNumeric = route.type == .integer || route.type == .number
      let choices: [GroupSum] = [.least(path), .greatest(path), .sum(path), .average(path)]
      let sum = dice.one(of: isNumeric ? choices : Array(choices.prefix(2)))
      if !sums.contains(sum) { sums.append(sum) }
    }
    var query = GroupQuery(
      schema, where: condition(of: schema, depth: 1), by: keys, sums: sums,
      limit: dice.falls(20) ? dice.number(0...3) : nil)
    let names = keys.map(\.description) + sums.map(\.name)
    if dice.falls(40) {
      query.order = [OrderTerm(dice.one(of: names), isDescending: dice.falls(50))]
    }
    return query
  }

  /// Returns the condition with the ids that it selects.
  package func answered(
    _ condition: Condition, of schema: Schema
  ) throws(DataError) -> Question {
    let matcher = try ConditionMatcher(condition, of: schema, in: catalog)
    let all = records[schema.name] ?? [:]
    let selected = all.filter { matcher.matches($0.value, 0, row) }
      .map { String(decoding: $0.key, as: UTF8.self) }
    return Question(
      schema: schema, condition: condition, selected: Set(selected),
      isTelling: !selected.isEmpty && selected.count < all.count)
  }

  private mutating func condition(of schema: Schema, depth: Int) -> Condition {
    switch depth > 0 ? dice.number(0...9) : 9 {
    case 0, 1: return .every(parts(of: schema, depth))
    case 2, 3: return .some(parts(of: schema, depth))
    case 4: return condition(of: schema, depth: depth - 1).negation
    default:
      let (path, route) = path(from: schema)
      let test = Condition.test(path, criterion(route, of: schema))
      return dice.falls(30) ? test.negation : test
    }
  }

  private mutating func parts(of schema: Schema, _ depth: Int) -> [Condition] {
    (0..<dice.number(2...3)).map { _ in condition(of: schema, depth: depth - 1) }
  }

  /// Returns a random path of up to two relations and a field.
  private mutating func path(from root: Schema) -> (FieldPath, Route) {
    while true {
      var names: [String] = []
      var schema = root
      for _ in 0..<dice.one(of: [0, 0, 0, 1, 1, 2]) {
        let relations = schema.fields.filter { $0.type.relation != nil }
        guard !relations.isEmpty else { break }
        let field = dice.one(of: relations)
        guard let target = field.type.relation.flatMap({ catalog[$0.target] }) else { break }
        names.append(field.name)
        schema = target
      }
      if names.isEmpty, dice.falls(3), let users = catalog.userSchema {
        names.append("created_by")
        schema = users
      }
      let slot = dice.number(0...schema.width - 1)
      names.append(schema.name(of: slot))
      switch schema.type(of: slot) {
      case .json: names += dice.one(of: Samples.jsonKeys)
      case .geopoint where dice.falls(30): names.append(dice.falls(50) ? "lat" : "lon")
      case .file where dice.falls(80):
        names.append(dice.one(of: ["name", "type", "size", "sha256"]))
      case .id, .text, .integer, .number, .boolean, .datetime, .geopoint, .file, .password,
        .relation, .array:
        break
      }
      if let found = try? catalog.route(FieldPath(names: names), from: root) {
        return (FieldPath(names: names), found)
      }
    }
  }
}
