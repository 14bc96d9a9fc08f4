package import DataModel

/// Random queries with computed values: conditions, orders, columns, groups and conditions on
/// groups. Many of the values are out of range for some records.
extension SampleData {
  /// Returns a random query for records. A query with a limit may be sorted by distance.
  package mutating func computedQuery() throws(DataError) -> Query {
    let (schema, terms) = try order()
    var query = Query(schema, where: computedCondition(of: schema, depth: 2))
    if random.chance(60) { query.order = terms }
    if random.chance(15), let distance = distance(of: schema) {
      query.order = [OrderTerm(distance, text: "distance")]
    } else if random.chance(10), let path = jsonPath(of: schema) {
      query.order = [OrderTerm(.path(path), text: path.description)]
    }
    if random.chance(20) {
      let field = singlePath(of: schema, where: \.isOrdered).map(Expression.path)
      let value = random.chance(60) ? field : nil
      query.valueLimit = Query.ValueLimit(
        value ?? number(of: schema, depth: 1), count: random.number(1...2))
    }
    if random.chance(60) { query.limit = random.number(1...8) }
    for _ in 0..<random.pick([0, 0, 1, 2]) {
      query.computed.append(
        random.chance(60)
          ? number(of: schema, depth: 2)
          : random.chance(50) ? text(of: schema) : moment(of: schema) ?? count(of: schema))
    }
    return query
  }

  /// Returns a random query for groups with computed keys and a condition on the groups.
  package mutating func computedGroupQuery() throws(DataError) -> GroupQuery {
    var query = try groupQuery()
    query.condition = computedCondition(of: query.schema, depth: 1)
    // An engine need not read any record if the limit is zero.
    query.limit = query.limit.map { max($0, 1) }
    if random.chance(40) {
      let key =
        random.chance(60)
        ? plainNumber(of: query.schema)
        : random.chance(60) ? text(of: query.schema) : number(of: query.schema, depth: 2)
      query.keys.append(NamedExpression("part", key))
    }
    if random.chance(30), let list = list(of: query.schema) {
      query.keys.append(NamedExpression("element", .element(list)))
    }
    if random.chance(30) {
      let functions: [AggregateFunction] = [.sum, .average, .median, .minimum, .maximum]
      query.aggregates.append(
        .of(random.pick(functions), NamedExpression("value", number(of: query.schema, depth: 1))))
    } else if random.chance(15) {
      let value = moment(of: query.schema) ?? text(of: query.schema)
      query.aggregates.append(
        .of(random.pick([.minimum, .maximum]), NamedExpression("value", value)))
    }
    let columns = try query.columns(in: catalog).filter(\.type.isNumeric).map { ($0.name, $0.type) }
    guard !columns.isEmpty, random.chance(70) else { return query }
    let tests = (0..<random.number(1...3)).map { _ in having(random.pick(columns)) }
    query.having = random.chance(50) ? .some(tests) : .every(tests)
    if random.chance(50) { query.limit = random.number(1...4) }
    return query
  }

  private mutating func having(_ column: (name: String, type: FieldType)) -> Condition {
    let path = FieldPath(column.name)
    let comparison = random.pick(Comparison.allCases)
    // If a condition is false for all groups, as no double equals the value, an engine need not
    // compute them. So the values are small.
    let value = Value.integer(Int64(random.pick([-1, 0, 1, 2, 5, 7, 100])))
    var test = Condition.test(path, .compare(comparison, value))
    if random.chance(50) {
      let number = Expression.value(.integer(random.pick([0, 2])))
      let type = column.type.common(with: .integer) ?? .number
      let computed: [Expression] = [
        .function(.abs, [.path(path)]), .function(.round, [.path(path)]),
        .coalesce(.path(path), number, as: type),
        .arithmetic(random.pick(ArithmeticOperator.allCases), .path(path), number),
      ]
      test = .compute(random.pick(computed), .compare(comparison, value))
    }
    return random.chance(25) ? test.negation : test
  }

  private mutating func computedCondition(of schema: Schema, depth: Int) -> Condition {
    switch depth > 0 ? random.number(0...9) : random.number(6...9) {
    case 0, 1: return .every(computedParts(of: schema, depth))
    case 2, 3: return .some(computedParts(of: schema, depth))
    case 4: return computedCondition(of: schema, depth: depth - 1).negation
    case 5:
      guard let (path, target) = toManyRelation(of: schema) else { fallthrough }
      let test = Condition.compute(
        number(of: target, depth: 1),
        .compare(random.pick(Comparison.allCases), .integer(Int64(random.number(0...5)))))
      let any = Condition.any(path, .some([test, condition(of: target, depth: 0)]))
      return random.chance(40) ? any.negation : any
    case 6: return condition(of: schema, depth: 1)
    default:
      let comparison = random.pick(Comparison.allCases)
      if random.chance(30), let left = moment(of: schema), let right = moment(of: schema) {
        return .compute(left, .compareExpression(comparison, right))
      }
      if random.chance(15) {
        let value = Value.text(random.pick(["", "a", "t", "ä", "none"]))
        return .compute(text(of: schema), .compare(comparison, value))
      }
      let left = number(of: schema, depth: 2)
      return random.chance(40)
        ? .compute(left, .compareExpression(comparison, number(of: schema, depth: 1)))
        : .compute(left, .compare(comparison, operand(for: left, of: schema)))
    }
  }

  /// Returns a random value that a condition can compare with an expression.
  private mutating func operand(for expression: Expression, of schema: Schema) -> Value {
    let resolved = try? catalog.resolved([expression], from: schema)
    guard resolved?.first?.type.digits != nil, random.chance(70) else {
      return .integer(random.pick(Samples.integers))
    }
    if random.chance(50) { return .number(random.pick(Samples.numbers)) }
    let coefficient = Int128(random.pick(Samples.integers))
    return .decimal(DecimalValue(coefficient: coefficient, scale: random.number(0...9)))
  }

  private mutating func computedParts(of schema: Schema, _ depth: Int) -> [Condition] {
    (0..<random.number(2...3)).map { _ in computedCondition(of: schema, depth: depth - 1) }
  }

  /// Returns a random number that may be out of range.
  private mutating func number(of schema: Schema, depth: Int) -> Expression {
    if depth == 0 || random.chance(25) {
      let path = singlePath(of: schema) { $0.isNumeric }
      return random.chance(60)
        ? path.map(Expression.path) ?? plainNumber(of: schema) : plainNumber(of: schema)
    }
    if random.chance(20), let aggregate = aggregate(of: schema) { return aggregate }
    switch random.number(0...19) {
    case 0, 1, 2: return .negated(number(of: schema, depth: depth - 1))
    case 3: return .function(.abs, [number(of: schema, depth: depth - 1)])
    case 4, 5:
      return .function(
        .round,
        [
          number(of: schema, depth: depth - 1),
          .value(.integer(random.pick([0, 0, 1, 2, 3, 8, 15]))),
        ])
    case 6, 7:
      let values = (number(of: schema, depth: depth - 1), number(of: schema, depth: depth - 1))
      guard let types = try? catalog.resolved([values.0, values.1], from: schema).map(\.type),
        let type = types[0].common(with: types[1])
      else { return values.0 }
      return .coalesce(values.0, values.1, as: type)
    case 8, 9:
      guard let left = moment(of: schema), let right = moment(of: schema) else { fallthrough }
      return .arithmetic(.subtract, left, right)
    default: break
    }
    return .arithmetic(
      random.pick(ArithmeticOperator.allCases), number(of: schema, depth: depth - 1),
      number(of: schema, depth: depth - 1))
  }

  /// Returns a random number that is not the result of arithmetic.
  private mutating func plainNumber(of schema: Schema) -> Expression {
    switch random.number(0...5) {
    case 5:
      return .value(
        .decimal(
          DecimalValue(
            coefficient: Int128(random.pick(Samples.integers)), scale: random.number(0...6))))
    case 0: return count(of: schema)
    case 1:
      guard let path = singlePath(of: schema, where: { $0 == .text || $0 == .id }) else {
        fallthrough
      }
      return .function(.length, [.path(path)])
    case 2:
      guard let path = singlePath(of: schema, where: { $0 == .datetime || $0 == .date }) else {
        fallthrough
      }
      return .function(random.pick([.year, .month, .day, .weekday]), [.path(path)])
    case 3:
      guard let distance = distance(of: schema) else { fallthrough }
      return distance
    default: return .value(.integer(Int64(random.number(-3...3))))
    }
  }

  private mutating func count(of schema: Schema) -> Expression {
    toManyRelation(of: schema).map { .count($0.0) } ?? .value(.integer(1))
  }

  /// Returns a random path to a list.
  private mutating func list(of schema: Schema) -> FieldPath? {
    for _ in 0..<50 {
      let (path, _) = path(from: schema)
      if (try? catalog.resolvedList(path, from: schema)) != nil { return path }
    }
    return nil
  }

  /// Returns a random aggregate of numbers of related records.
  private mutating func aggregate(of schema: Schema) -> Expression? {
    guard let (path, target) = toManyRelation(of: schema) else { return nil }
    var term = number(of: target, depth: 1)
    // An aggregate cannot contain another one.
    if term.readsReferrers || term.paths.isEmpty {
      guard let own = singlePath(of: target, where: { $0.isNumeric }) else { return nil }
      term = .path(own)
    }
    return .aggregate(random.pick(AggregateFunction.ofRelatedRecords), term, of: path)
  }

  private mutating func distance(of schema: Schema) -> Expression? {
    guard let path = singlePath(of: schema, where: { $0 == .geopoint }) else { return nil }
    return .distance(path, to: random.pick(Samples.points))
  }

  /// Returns a random text.
  private mutating func text(of schema: Schema) -> Expression {
    guard let path = singlePath(of: schema, where: { $0 == .text || $0 == .id }) else {
      return .value(.text("none"))
    }
    switch random.number(0...4) {
    case 0: return .function(.lower, [.path(path)])
    case 1: return .function(.upper, [.path(path)])
    case 2: return .coalesce(.path(path), .value(.text("ä")), as: .text)
    default:
      let start = random.chance(70) ? .value(.integer(1)) : number(of: schema, depth: 1)
      let length = random.chance(70) ? .value(.integer(2)) : number(of: schema, depth: 1)
      guard let types = try? catalog.resolved([start, length], from: schema).map(\.type),
        types == [.integer, .integer]
      else { return .function(.substr, [.path(path), .value(.integer(2)), .value(.integer(9))]) }
      return .function(.substr, [.path(path), start, length])
    }
  }

  /// Returns a random datetime or date that may be out of range.
  private mutating func moment(of schema: Schema) -> Expression? {
    if random.chance(15), let time = moment(of: schema) { return .function(.date, [time]) }
    guard let path = singlePath(of: schema, where: { $0 == .datetime || $0 == .date }) else {
      return nil
    }
    let days = random.pick([0, 1, -1, 3_000_000, -3_000_000])
    let moment = Expression.shifted(
      .path(path), microseconds: Int64(days) * CalendarDate.microsecondsPerDay)
    guard random.chance(20), let type = try? catalog.resolved([moment], from: schema)[0].type else {
      return moment
    }
    let latest: Value = type == .date ? .date(.latest) : .datetime(.latest)
    return .coalesce(moment, .value(latest), as: type)
  }

  private mutating func jsonPath(of schema: Schema) -> FieldPath? {
    for _ in 0..<50 {
      let (path, resolvedPath) = path(from: schema)
      if resolvedPath.isInJSON, resolvedPath.isSingle { return path }
    }
    return nil
  }

  private mutating func singlePath(
    of schema: Schema, where isSuitable: (FieldType) -> Bool
  ) -> FieldPath? {
    for _ in 0..<50 {
      let (path, resolvedPath) = path(from: schema)
      let isSingle = !resolvedPath.hops.contains(where: \.isMany)
      if isSingle, !resolvedPath.isInJSON, isSuitable(resolvedPath.type) { return path }
    }
    return nil
  }
}
