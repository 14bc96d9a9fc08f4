package import DataModel

/// A random condition on the records of a schema, and the ids of the records that
/// `ConditionMatcher` selects with it.
package struct SampleQuery: Sendable {
  package var schema: Schema
  package var condition: Condition
  package var selected: Set<String>
  /// Whether the condition selects some of the records, but not all of them.
  package var isSelective: Bool
}

extension SampleData {
  /// Returns a random condition. Most conditions that select no records or all records are
  /// discarded.
  package mutating func sampleQuery() throws(DataError) -> SampleQuery {
    let schema = random.chance(80) ? try catalog.schema("item") : try catalog.schema("town")
    var sampleQuery = try evaluated(condition(of: schema, depth: 3), of: schema)
    for _ in 0..<6 where !sampleQuery.isSelective {
      sampleQuery = try evaluated(condition(of: schema, depth: 3), of: schema)
    }
    return sampleQuery
  }

  /// Returns a random path by which the records of a random schema can be sorted.
  package mutating func orderedPath() throws(DataError) -> (schema: Schema, path: FieldPath) {
    let schema = try catalog.schema(random.chance(80) ? "item" : "town")
    while true {
      let (path, resolvedPath) = path(from: schema)
      let isField = resolvedPath.part == .whole && resolvedPath.type.isOrdered
      if isField && !resolvedPath.hops.contains(where: \.isMany) { return (schema, path) }
    }
  }

  /// Returns a random order of one to three paths, each of which is ascending or descending.
  package mutating func order() throws(DataError) -> (schema: Schema, terms: [OrderTerm]) {
    let (schema, path) = try orderedPath()
    var terms = [OrderTerm(path.description, isDescending: random.chance(50))]
    for _ in 0..<random.number(0...2) {
      let (other, path) = try orderedPath()
      guard other.name == schema.name, !terms.contains(where: { $0.field == path.description })
      else { continue }
      terms.append(OrderTerm(path.description, isDescending: random.chance(50)))
    }
    if random.chance(30), let (value, text) = computedValue(of: schema) {
      let term = OrderTerm(value, text: text, isDescending: random.chance(50))
      terms.insert(term, at: random.number(0...terms.count))
    }
    return (schema, terms)
  }

  /// Returns a random expression that computes a value from a field, and the text of the
  /// expression. Returns nil if no function applies to the field.
  private mutating func computedValue(of schema: Schema) -> (Expression, text: String)? {
    let (path, resolvedPath) = path(from: schema)
    guard resolvedPath.isSingle else { return nil }
    if resolvedPath.type == .geopoint {
      let point = random.pick(Samples.points)
      return (.distance(path, to: point), "distance(\(path))")
    }
    let function: ScalarFunction
    switch resolvedPath.type {
    case .text, .id: function = random.pick([.length, .lower, .upper])
    case .integer, .number, .decimal: function = random.pick([.abs, .round])
    case .datetime: function = random.pick(ScalarFunction.allCases.filter(\.isTimePart))
    case .date:
      function = random.pick(ScalarFunction.allCases.filter { $0.isTimePart && $0 != .hour })
    case .boolean, .geopoint, .file, .json, .password, .relation, .array: return nil
    }
    return (.function(function, [.path(path)]), "\(function.rawValue)(\(path))")
  }

  /// Returns a random query that groups records and computes aggregates.
  package mutating func groupQuery() throws(DataError) -> GroupQuery {
    let (schema, order) = try order()
    let terms = order.filter { $0.expression == nil }
    let keys = random.chance(10) ? [] : terms.map { FieldPath(dotted: $0.field) }
    var aggregates: [Aggregate] = keys.isEmpty || random.chance(80) ? [.count] : []
    for _ in 0..<random.number(0...4) {
      let (path, resolvedPath) = path(from: schema)
      guard resolvedPath.type.isOrdered, !resolvedPath.hops.contains(where: \.isMany) else {
        continue
      }
      let isNumeric = resolvedPath.type.isNumeric
      let choices: [Aggregate] = [
        .minimum(path), .maximum(path), .sum(path), .average(path), .median(path),
      ]
      let sum = random.pick(isNumeric ? choices : Array(choices.prefix(2)))
      if !aggregates.contains(sum) { aggregates.append(sum) }
    }
    if random.chance(30), let (values, _) = computedValue(of: schema) {
      let type = try catalog.resolved([values], from: schema)[0].type
      let function = random.pick(
        type.isNumeric ? AggregateFunction.allCases : [.minimum, .maximum])
      aggregates.append(.of(function, NamedExpression("computed", values)))
    }
    if random.chance(20) { return try jsonQuery(of: schema, keys.first) }
    var query = GroupQuery(
      schema, where: condition(of: schema, depth: 1), by: keys, aggregates: aggregates,
      limit: random.chance(20) ? random.number(0...3) : nil)
    let names = keys.map(\.description) + aggregates.map(\.name)
    if random.chance(40) {
      query.order = [OrderTerm(random.pick(names), isDescending: random.chance(50))]
    }
    return query
  }

  /// Returns a random query that groups by a value in JSON, or aggregates it.
  private mutating func jsonQuery(
    of schema: Schema, _ key: FieldPath?
  ) throws(DataError) -> GroupQuery {
    // Not every schema has a path into JSON.
    var paths: [FieldPath] = []
    for _ in 0..<200 where paths.count < 2 {
      let (path, resolvedPath) = path(from: schema)
      let isSingle = !resolvedPath.hops.contains(where: \.isMany)
      if resolvedPath.isInJSON, isSingle { paths.append(path) }
    }
    guard paths.count == 2 else { return GroupQuery(schema, by: [], aggregates: [.count]) }
    let aggregate: Aggregate = random.pick([
      .sum(paths[1]), .average(paths[1]), .median(paths[1]), .minimum(paths[1]), .maximum(paths[1]),
    ])
    let keys = random.chance(60) ? [paths[0]] : key.map { [$0] } ?? []
    var query = GroupQuery(
      schema, where: condition(of: schema, depth: 1), by: keys,
      aggregates: random.chance(50) ? [.count, aggregate] : [.count])
    if let key = keys.first, random.chance(50) {
      query.order = [OrderTerm(key.description, isDescending: true)]
    }
    return query
  }

  /// Returns the condition together with the ids of the records that it selects.
  package func evaluated(
    _ condition: Condition, of schema: Schema
  ) throws(DataError) -> SampleQuery {
    let matcher = try ConditionMatcher(condition, of: schema, in: catalog)
    let all = records[schema.name] ?? [:]
    let related = related
    var selected: [String] = []
    for (id, record) in all where try matcher.matches(record, 0, related) {
      selected.append(String(decoding: id, as: UTF8.self))
    }
    return SampleQuery(
      schema: schema, condition: condition, selected: Set(selected),
      isSelective: !selected.isEmpty && selected.count < all.count)
  }

  /// Returns a random condition on the records of a schema.
  package mutating func condition(of schema: Schema, depth: Int) -> Condition {
    switch depth > 0 ? random.number(0...9) : 9 {
    case 0, 1: return .every(parts(of: schema, depth))
    case 2, 3: return .some(parts(of: schema, depth))
    case 4: return condition(of: schema, depth: depth - 1).negation
    case 5:
      guard let (path, target) = toManyRelation(of: schema) else { fallthrough }
      let any = Condition.any(
        path, random.chance(20) ? .all : condition(of: target, depth: depth - 1))
      return random.chance(40) ? any.negation : any
    default:
      let (path, resolvedPath) = path(from: schema)
      let test = Condition.test(path, criterion(resolvedPath, of: schema))
      return random.chance(30) ? test.negation : test
    }
  }

  private mutating func parts(of schema: Schema, _ depth: Int) -> [Condition] {
    (0..<random.number(2...3)).map { _ in condition(of: schema, depth: depth - 1) }
  }

  /// Returns a random to-many relation of a schema, or the inverse of a random relation, and the
  /// schema that it leads to.
  mutating func toManyRelation(of schema: Schema) -> (FieldPath, Schema)? {
    let fields = schema.fields.filter { $0.type.relation?.isMany == true }.map(\.name)
    let paths = (fields + catalog.inverseNames(of: schema)).map { FieldPath(dotted: $0) }
    let relations = paths.compactMap { path in
      (try? catalog.toManyHop(path, from: schema)).map { (path, $0.target) }
    }
    return relations.isEmpty ? nil : random.pick(relations)
  }

  /// Returns a random path that consists of up to two relations and a field.
  mutating func path(from root: Schema) -> (FieldPath, ResolvedPath) {
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
      case .id, .text, .integer, .number, .decimal, .boolean, .date, .datetime, .geopoint, .file,
        .password, .relation, .array:
        break
      }
      if let found = try? catalog.resolvedPath(FieldPath(names: names), from: root) {
        return (FieldPath(names: names), found)
      }
    }
  }
}

extension SampleData {
  /// Returns a random criterion that is valid for the field of a path.
  mutating func criterion(_ resolvedPath: ResolvedPath, of schema: Schema) -> Criterion {
    let type = resolvedPath.type
    if type == .file || random.chance(12), type.relation?.isMany != true { return .isNull }
    if type.isList || type == .json, random.chance(15) { return .isEmpty }
    if type == .geopoint { return pointCriterion() }
    if random.chance(10), let other = other(than: resolvedPath, of: schema) {
      return .comparePath(random.pick(Comparison.allCases), other)
    }
    if hasText(type), random.chance(35) { return textCriterion(type) }
    if type.isList, random.chance(30) { return .contains(value(type)) }
    switch random.number(0...5) {
    case 0, 1: return .compare(.equal, value(type))
    case 2, 3: return .compare(random.pick(Comparison.allCases), value(type))
    case 4:
      let count = random.chance(10) ? random.number(90...300) : random.number(1...4)
      return .isIn((0..<count).map { _ in value(type) })
    default:
      let ends = [value(type), value(type)]
      let isReversed = ends[0].order(comparedTo: ends[1]) == .after && random.chance(80)
      return isReversed ? .between(ends[1], ends[0]) : .between(ends[0], ends[1])
    }
  }

  private mutating func pointCriterion() -> Criterion {
    let center = random.pick(Samples.points)
    let other = random.pick(Samples.points)
    if random.chance(20) { return .compare(.equal, .geopoint(center)) }
    if random.chance(10) { return .isIn([.geopoint(center), .geopoint(other)]) }
    if random.chance(50) {
      let meters = random.pick([0, 1, 1_500, 50_000, 250_000, 5_000_000, 10_010_000, 2.1e7])
      if let circle = GeoCircle(center: center, meters: meters) { return .withinCircle(circle) }
    }
    let box = try? GeoBox(southWest: center, northEast: other)
    let swapped = try? GeoBox(southWest: other, northEast: center)
    return (box ?? swapped).map(Criterion.withinBox) ?? .isNull
  }

  private mutating func textCriterion(_ type: FieldType) -> Criterion {
    let letters: LikePattern.Letters = random.chance(50) ? .exact : .folded
    if random.chance(60), let pattern = try? LikePattern(random.pick(Samples.patterns), letters) {
      return .like(pattern)
    }
    return .contains(type == .json ? value(type) : .text(random.pick(Samples.texts)))
  }

  private func hasText(_ type: FieldType) -> Bool {
    switch type {
    case .id, .text, .json, .relation, .array(.text): true
    case .integer, .number, .decimal, .boolean, .date, .datetime, .geopoint, .file, .password,
      .array:
      false
    }
  }

  /// Returns a random number for a comparison with a decimal. Some have more digits than the type.
  private mutating func number(_ type: FieldType, _ digits: DecimalDigits) -> Value {
    let factor = DecimalValue(coefficient: 10_001, scale: 4)
    let number = random.chance(30) ? decimal(digits) * factor : decimal(digits)
    return (try? type.descriptor.literal?(number.description.utf8.span)) ?? .decimal(number)
  }

  /// Returns a random value of a type. For an array type, returns a random element.
  private mutating func value(_ type: FieldType) -> Value {
    switch type {
    case .text, .array(.text): .text(random.pick(Samples.texts + Samples.files))
    case .integer, .array(.integer): .integer(random.pick(Samples.integers))
    case .number, .array(.number): .number(random.pick(Samples.numbers))
    case .decimal(let digits): number(type, digits)
    case .boolean, .array(.boolean): .boolean(random.chance(50))
    case .date, .array(.date): .date(random.pick(Samples.dates))
    case .datetime, .array(.datetime): .datetime(random.pick(Samples.times))
    case .geopoint: .geopoint(random.pick(Samples.points))
    case .json: random.pick(Samples.jsonValues)
    case .relation(let relation): .text(Self.id(random.number(1...6), of: relation.target))
    case .id, .file, .password: .text(Self.id(random.number(1...6), of: "item"))
    }
  }

  /// Returns the path of a random field of the schema that can be compared with the field of
  /// `resolvedPath`, or nil if there is none.
  private mutating func other(than resolvedPath: ResolvedPath, of schema: Schema) -> FieldPath? {
    let type: FieldType =
      switch resolvedPath.type {
      case .array(let element): element.fieldType
      case .id, .relation: .text
      case .text, .integer, .number, .decimal, .boolean, .date, .datetime, .geopoint, .file, .json,
        .password:
        resolvedPath.type
      }
    guard type != .json, type != .geopoint, type != .file else { return nil }
    let slots = (0..<schema.width).filter { slot in
      let other = schema.type(of: slot)
      let isText = other == .id || other.relation?.isMany == false
      let isTime = (other == .date || other == .datetime) && (type == .date || type == .datetime)
      return other == type || type == .text && isText || isTime
    }
    return slots.isEmpty ? nil : FieldPath(schema.name(of: random.pick(slots)))
  }
}
