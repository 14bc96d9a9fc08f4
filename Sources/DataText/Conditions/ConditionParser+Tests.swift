import DataModel

extension ConditionParser {
  /// The operators of tests, for error messages.
  static let operators = [
    "=", "!=", "<", "<=", ">", ">=", "in", "not in", "between", "like", "ilike", "contains",
    "within", "is null", "is not null", "is empty",
  ]

  private static let operatorWords = ["in", "between", "like", "ilike", "contains", "within", "is"]

  /// Parses a test of a path, or a boolean constant.
  mutating func test() throws(ConditionFault) -> ConditionTree {
    let start = token
    switch try operand() {
    case .value(let literal):
      guard let (comparison, isNegated) = passComparison() else {
        if case .boolean(let holds) = literal.kind { return .constant(holds) }
        throw expected("a comparison, such as =")
      }
      guard case .path(let path) = try operand() else {
        throw ConditionFault("a comparison needs a field", start.range)
      }
      return .test(
        .init(
          path: path, question: .compare(comparison.exchanged, .value(literal)),
          isNegated: isNegated, operatorRange: start.range))
    case .path(let path): return .test(try test(of: path))
    }
  }

  private mutating func test(of path: PathWords) throws(ConditionFault) -> ConditionTree.Test {
    let range = token.range
    if let (comparison, isNegated) = passComparison() {
      return ConditionTree.Test(
        path: path, question: .compare(comparison, try operand()), isNegated: isNegated,
        operatorRange: range)
    }
    if pass("is") {
      let isNegated = pass("not")
      let question: ConditionTree.Question
      if pass("null") {
        question = .isNull
      } else if pass("empty") {
        question = .isEmpty
      } else {
        throw expected(
          isNegated ? "\"null\" or \"empty\"" : "\"null\", \"not null\" or \"empty\"")
      }
      return ConditionTree.Test(
        path: path, question: question, isNegated: isNegated, operatorRange: range)
    }
    let isNegated =
      token.kind.isWord("not")
      && Self.operatorWords.contains(following.kind.keyword ?? "")
    if isNegated { advance() }
    guard let question = try worded() else {
      guard !isNegated, isBehindTest else { throw unknownOperator() }
      return ConditionTree.Test(
        path: path, question: .isTrue, isNegated: false, operatorRange: path.range)
    }
    return ConditionTree.Test(
      path: path, question: question, isNegated: isNegated, operatorRange: range)
  }

  private mutating func worded() throws(ConditionFault) -> ConditionTree.Question? {
    if pass("in") { return .isIn(try list()) }
    if pass("between") {
      let low = try literal()
      try expect("and")
      return .between(low, try literal())
    }
    if pass("like") { return .like(try literal(), .exact) }
    if pass("ilike") { return .like(try literal(), .folded) }
    if pass("contains") { return .contains(try literal()) }
    if pass("within") { return token.kind.isWord("box") ? try box() : try circle() }
    return nil
  }

  private mutating func passComparison() -> (Comparison, isNegated: Bool)? {
    guard case .mark(let mark) = token.kind else { return nil }
    let result: (Comparison, isNegated: Bool)
    switch mark {
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

  private var isBehindTest: Bool {
    token.kind == .end || token.kind.isMark(.close) || token.kind.isWord("and")
      || token.kind.isWord("or")
  }

  private func unknownOperator() -> ConditionFault {
    guard case .word(let word) = token.kind else {
      return expected(
        "an operator", advice: "use one of " + Self.operators.joined(separator: ", "))
    }
    let near = nearest(word, among: Self.operatorWords + ["and", "or", "not in", "not like"])
    return ConditionFault(
      "unknown operator \(word.prefix(60))", token.range,
      advice: near.map { "did you mean \($0)?" }
        ?? "use one of " + Self.operators.joined(separator: ", "))
  }

  private mutating func list() throws(ConditionFault) -> [Literal] {
    try expect(.open)
    var values = [try literal()]
    while pass(.comma) { values.append(try literal()) }
    guard pass(.close) else { throw expected("a comma or )") }
    return values
  }

  private mutating func box() throws(ConditionFault) -> ConditionTree.Question {
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

  private mutating func circle() throws(ConditionFault) -> ConditionTree.Question {
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
    guard let metres = ["km": 1_000.0, "mi": 1_609.344, "m": 1][unit] else {
      throw ConditionFault(
        "expected km, mi or m, found \(unit.prefix(60))", unitRange)
    }
    try expect("of")
    return .withinCircle(distance: distance, metresPerUnit: metres, centre: try literal())
  }
}
