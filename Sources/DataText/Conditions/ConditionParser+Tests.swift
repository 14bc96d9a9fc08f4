import DataModel

extension ConditionParser {
  /// The operators of tests, for error messages.
  static let operators = [
    "=", "!=", "<", "<=", ">", ">=", "in", "not in", "between", "like", "ilike", "contains",
    "within", "is null", "is not null", "is empty",
  ]

  private static let operatorKeywords = [
    "in", "between", "like", "ilike", "contains", "within", "is",
  ]

  /// Parses a test of a path, or a boolean constant.
  mutating func test() throws(ConditionError) -> ConditionTree {
    let start = token
    switch try operand() {
    case .value(let literal):
      guard let (comparison, isNegated) = acceptComparison() else {
        if case .boolean(let constant) = literal.kind { return .constant(constant) }
        throw expected("a comparison, such as =")
      }
      guard case .path(let path) = try operand() else {
        throw ConditionError("a comparison needs a field", start.range)
      }
      return .test(
        .init(
          path: path, predicate: .compare(comparison.flipped, .value(literal)),
          isNegated: isNegated, operatorRange: start.range))
    case .path(let path): return .test(try test(of: path))
    }
  }

  private mutating func test(of path: PathSyntax) throws(ConditionError) -> ConditionTree.Test {
    let range = token.range
    if let (comparison, isNegated) = acceptComparison() {
      return ConditionTree.Test(
        path: path, predicate: .compare(comparison, try operand()), isNegated: isNegated,
        operatorRange: range)
    }
    if accept("is") {
      let isNegated = accept("not")
      let predicate: ConditionTree.Predicate
      if accept("null") {
        predicate = .isNull
      } else if accept("empty") {
        predicate = .isEmpty
      } else {
        throw expected(
          isNegated ? "\"null\" or \"empty\"" : "\"null\", \"not null\" or \"empty\"")
      }
      return ConditionTree.Test(
        path: path, predicate: predicate, isNegated: isNegated, operatorRange: range)
    }
    let isNegated =
      token.kind.isWord("not")
      && Self.operatorKeywords.contains(following.kind.keyword ?? "")
    if isNegated { advance() }
    guard let predicate = try keywordPredicate() else {
      guard !isNegated, isAtTestEnd else { throw unknownOperator() }
      return ConditionTree.Test(
        path: path, predicate: .isTrue, isNegated: false, operatorRange: path.range)
    }
    return ConditionTree.Test(
      path: path, predicate: predicate, isNegated: isNegated, operatorRange: range)
  }

  private mutating func keywordPredicate() throws(ConditionError) -> ConditionTree.Predicate? {
    if accept("in") { return .isIn(try list()) }
    if accept("between") {
      let low = try literal()
      try expect("and")
      return .between(low, try literal())
    }
    if accept("like") { return .like(try literal(), .exact) }
    if accept("ilike") { return .like(try literal(), .folded) }
    if accept("contains") { return .contains(try literal()) }
    if accept("within") { return token.kind.isWord("box") ? try box() : try circle() }
    return nil
  }

  private mutating func acceptComparison() -> (Comparison, isNegated: Bool)? {
    guard case .symbol(let symbol) = token.kind else { return nil }
    let result: (Comparison, isNegated: Bool)
    switch symbol {
    case .equal: result = (.equal, false)
    case .notEqual: result = (.equal, true)
    case .less: result = (.less, false)
    case .lessOrEqual: result = (.lessOrEqual, false)
    case .greater: result = (.greater, false)
    case .greaterOrEqual: result = (.greaterOrEqual, false)
    case .open, .close, .comma, .dot, .plus, .minus: return nil
    }
    advance()
    return result
  }

  private var isAtTestEnd: Bool {
    token.kind == .end || token.kind.isSymbol(.close) || token.kind.isWord("and")
      || token.kind.isWord("or")
  }

  private func unknownOperator() -> ConditionError {
    guard case .word(let word) = token.kind else {
      return expected(
        "an operator", hint: "use one of " + Self.operators.joined(separator: ", "))
    }
    let suggestion = nearest(
      word, among: Self.operatorKeywords + ["and", "or", "not in", "not like"])
    return ConditionError(
      "unknown operator \(word.prefix(60))", token.range,
      hint: suggestion.map { "did you mean \($0)?" }
        ?? "use one of " + Self.operators.joined(separator: ", "))
  }

  private mutating func list() throws(ConditionError) -> [Literal] {
    try expect(.open)
    var values = [try literal()]
    while accept(.comma) { values.append(try literal()) }
    guard accept(.close) else { throw expected("a comma or )") }
    return values
  }

  private mutating func box() throws(ConditionError) -> ConditionTree.Predicate {
    try expect("box")
    try expect(.open)
    var borders: [Literal] = []
    for side in ["south", "west", "north", "east"] {
      if !borders.isEmpty { try expect(.comma) }
      borders.append(try number("the \(side) of the box, in degrees"))
    }
    try expect(.close)
    return .withinBox(
      south: borders[0], west: borders[1], north: borders[2], east: borders[3])
  }

  private mutating func circle() throws(ConditionError) -> ConditionTree.Predicate {
    let distance: Literal
    let unit: String
    let unitRange: Range<Int>
    if case .quantity(let number, let word) = token.kind {
      distance = Literal(kind: .number(number), range: token.range)
      (unit, unitRange) = (word, token.range)
      advance()
    } else {
      distance = try number("a distance, such as 5 km, or box")
      guard case .word(let word) = token.kind else { throw expected("km, mi or m") }
      (unit, unitRange) = (word, token.range)
      advance()
    }
    guard let meters = ["km": 1_000.0, "mi": 1_609.344, "m": 1][unit] else {
      throw ConditionError(
        "expected km, mi or m, found \(unit.prefix(60))", unitRange)
    }
    try expect("of")
    return .withinCircle(distance: distance, metersPerUnit: meters, center: try literal())
  }
}
