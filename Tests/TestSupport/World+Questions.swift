package import DataModel

/// A random condition on the records of a schema, and the ids that `ConditionMatcher` selects.
package struct SampleQuery: Sendable {
  package var schema: Schema
  package var condition: Condition
  package var selected: Set<String>
  /// Whether it selects some of the records, but not all.
  package var isSelective: Bool
}

extension SampleData {
  /// Returns a random condition. Most conditions that select none or all are discarded.
  package mutating func sampleQuery() throws(DataError) -> SampleQuery {
    let schema = random.chance(80) ? try catalog.schema("item") : try catalog.schema("town")
    var sampleQuery = try evaluated(condition(of: schema, depth: 3), of: schema)
    for _ in 0..<6 where !sampleQuery.isSelective {
      sampleQuery = try evaluated(condition(of: schema, depth: 3), of: schema)
    }
    return sampleQuery
  }

  /// Returns a random path by which records of a schema can be ordered.
  package mutating func orderedPath() throws(DataError) -> (schema: Schema, path: FieldPath) {
    let schema = try catalog.schema(random.chance(80) ? "item" : "town")
    while true {
      let (path, resolvedPath) = path(from: schema)
      let isField = resolvedPath.part == .whole && resolvedPath.type.isOrdered
      if isField && !resolvedPath.hops.contains(where: \.isMany) { return (schema, path) }
    }
  }

  /// Returns a random order by several paths, ascending and descending.
  package mutating func order() throws(DataError) -> (schema: Schema, terms: [OrderTerm]) {
    let (schema, path) = try orderedPath()
    var terms = [OrderTerm(path.description, isDescending: random.chance(50))]
    for _ in 0..<random.number(0...2) {
      let (other, path) = try orderedPath()
      guard other.name == schema.name, !terms.contains(where: { $0.field == path.description })
      else { continue }
      terms.append(OrderTerm(path.description, isDescending: random.chance(50)))
    }
    return (schema, terms)
  }

  /// Returns a random group query.
  package mutating func groupQuery() throws(DataError) -> GroupQuery {
    let (schema, terms) = try order()
    let keys = random.chance(10) ? [] : terms.map { FieldPath(dotted: $0.field) }
    var aggregates: [Aggregate] = keys.isEmpty || random.chance(80) ? [.count] : []
    for _ in 0..<random.number(0...4) {
      let (path, resolvedPath) = path(from: schema)
      guard resolvedPath.type.isOrdered, !resolvedPath.hops.contains(where: \.isMany) else {
        continue
      }
      let isNumeric = resolvedPath.type == .integer || resolvedPath.type == .number
      let choices: [Aggregate] = [.minimum(path), .maximum(path), .sum(path), .average(path)]
      let sum = random.pick(isNumeric ? choices : Array(choices.prefix(2)))
      if !aggregates.contains(sum) { aggregates.append(sum) }
    }
    var query = GroupQuery(
      schema, where: condition(of: schema, depth: 1), by: keys, aggregates: aggregates,
      limit: random.chance(20) ? random.number(0...3) : nil)
    let names = keys.map(\.description) + aggregates.map(\.name)
    if random.chance(40) {
      query.order = [OrderTerm(random.pick(names), isDescending: random.chance(50))]
    }
    return query
  }

  /// Returns the condition with the ids that it selects.
  package func evaluated(
    _ condition: Condition, of schema: Schema
  ) throws(DataError) -> SampleQuery {
    let matcher = try ConditionMatcher(condition, of: schema, in: catalog)
    let all = records[schema.name] ?? [:]
    let selected = all.filter { matcher.matches($0.value, 0, row) }
      .map { String(decoding: $0.key, as: UTF8.self) }
    return SampleQuery(
      schema: schema, condition: condition, selected: Set(selected),
      isSelective: !selected.isEmpty && selected.count < all.count)
  }

  private mutating func condition(of schema: Schema, depth: Int) -> Condition {
    switch depth > 0 ? random.number(0...9) : 9 {
    case 0, 1: return .every(parts(of: schema, depth))
    case 2, 3: return .some(parts(of: schema, depth))
    case 4: return condition(of: schema, depth: depth - 1).negation
    default:
      let (path, resolvedPath) = path(from: schema)
      let test = Condition.test(path, criterion(resolvedPath, of: schema))
      return random.chance(30) ? test.negation : test
    }
  }

  private mutating func parts(of schema: Schema, _ depth: Int) -> [Condition] {
    (0..<random.number(2...3)).map { _ in condition(of: schema, depth: depth - 1) }
  }

  /// Returns a random path of up to two relations and a field.
  private mutating func path(from root: Schema) -> (FieldPath, ResolvedPath) {
    while true {
      var names: [String] = []
      var schema = root
      for _ in 0..<random.pick([0, 0, 0, 1, 1, 2]) {
        let relations = schema.fields.filter { $0.type.relation != nil }
        guard !relations.isEmpty else { break }
        let field = random.pick(relations)
        guard let target = field.type.relation.flatMap({ catalog[$0.target] }) else { break }
        names.append(field.name)
        schema = target
      }
      if names.isEmpty, random.chance(3), let users = catalog.userSchema {
        names.append("created_by")
        schema = users
      }
      let slot = random.number(0...schema.width - 1)
      names.append(schema.name(of: slot))
      switch schema.type(of: slot) {
      case .json: names += random.pick(Samples.jsonKeys)
      case .geopoint where random.chance(30): names.append(random.chance(50) ? "lat" : "lon")
      case .file where random.chance(80):
        names.append(random.pick(["name", "type", "size", "sha256"]))
      case .id, .text, .integer, .number, .boolean, .datetime, .geopoint, .file, .password,
        .relation, .array:
        break
      }
      if let found = try? catalog.resolvedPath(FieldPath(names: names), from: root) {
        return (FieldPath(names: names), found)
      }
    }
  }
}
