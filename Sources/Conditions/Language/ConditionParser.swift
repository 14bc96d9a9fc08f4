import DataModel

/// A recursive descent parser for conditions.
struct ConditionParser {
  private let tokens: [ConditionToken]
  private var index = 0
  private var depth = 0
  /// The number of operators in the expressions of the current test.
  private var operatorCount = 0
  /// The number of positional parameters that have been parsed so far.
  private(set) var positionalCount: Int

  init(_ tokens: [ConditionToken], positionalCount: Int = 0) {
    self.tokens = tokens
    self.positionalCount = positionalCount
  }

  /// Parses a condition, which must extend to the end of the text.
  mutating func condition() throws(ConditionError) -> ConditionTree {
    guard token.kind != .end else {
      throw ConditionError(
        "empty condition", token.range, hint: "write a condition, such as done = false")
    }
    let tree = try alternatives()
    guard token.kind == .end else { throw trailingContentError() }
    return tree
  }

  var token: ConditionToken { tokens[index] }

  /// The byte offset at which the previous token ends.
  var end: Int { tokens[max(index - 1, 0)].range.upperBound }

  var following: ConditionToken { tokens[min(index + 1, tokens.count - 1)] }

  /// Returns the kind of one of the next tokens, or nil if there is no such token. The offset 0 is
  /// the next token, 1 the token after it.
  func kind(at offset: Int) -> ConditionToken.Kind? {
    index + offset < tokens.count ? tokens[index + offset].kind : nil
  }

  /// Calls `body` to parse an expression that is nested in another one. Throws an error if it is
  /// nested too deeply.
  mutating func nested(
    _ body: (inout Self) throws(ConditionError) -> ExpressionSyntax
  ) throws(ConditionError) -> ExpressionSyntax {
    guard depth < QueryLimits.maxDepth else {
      throw ConditionError(
        "expressions are nested deeper than \(QueryLimits.maxDepth) levels", token.range)
    }
    depth += 1
    defer { depth -= 1 }
    return try body(&self)
  }

  /// Counts the next token as an operator of an expression. Throws an error if there are too many:
  /// each operator makes the tree of the expression deeper, and the tree is processed recursively.
  mutating func countOperator() throws(ConditionError) {
    operatorCount += 1
    if operatorCount > QueryLimits.maxDepth {
      throw ConditionError(
        "an expression can have at most \(QueryLimits.maxDepth) operators", token.range)
    }
  }

  mutating func advance() {
    if index + 1 < tokens.count { index += 1 }
  }

  /// Consumes the next token if it is the given keyword. Returns whether the token was consumed.
  mutating func accept(_ word: String) -> Bool {
    guard token.kind.isWord(word) else { return false }
    advance()
    return true
  }

  /// Consumes the next token if it is the given punctuation or operator. Returns whether the token
  /// was consumed.
  mutating func accept(_ symbol: ConditionToken.Symbol) -> Bool {
    guard token.kind.isSymbol(symbol) else { return false }
    advance()
    return true
  }

  mutating func expect(_ symbol: ConditionToken.Symbol) throws(ConditionError) {
    guard accept(symbol) else {
      throw expected(symbol == .comma ? "a comma" : Excerpt.quoted(symbol.rawValue))
    }
  }

  mutating func expect(_ word: String) throws(ConditionError) {
    guard accept(word) else { throw expected("\"\(word)\"") }
  }

  mutating func nextPositionalName() -> String {
    positionalCount += 1
    return "\(positionalCount)"
  }

  private mutating func alternatives() throws(ConditionError) -> ConditionTree {
    var parts = [try conjunction()]
    while accept("or") { parts.append(try conjunction()) }
    return parts.count == 1 ? parts[0] : .or(parts)
  }

  private mutating func conjunction() throws(ConditionError) -> ConditionTree {
    var parts = [try negation()]
    while accept("and") { parts.append(try negation()) }
    return parts.count == 1 ? parts[0] : .and(parts)
  }

  private mutating func negation() throws(ConditionError) -> ConditionTree {
    let isNegated = token.kind.isWord("not")
    let quantifier = quantifier
    guard isNegated || quantifier != nil || beginsGroup else { return try test() }
    guard depth < QueryLimits.maxDepth else {
      throw ConditionError(
        "parentheses and \"not\" are nested deeper than \(QueryLimits.maxDepth) levels", token.range
      )
    }
    depth += 1
    defer { depth -= 1 }
    advance()
    if isNegated { return .not(try negation()) }
    guard let quantifier else { return try rest() }
    let path = try path()
    advance()
    return .related(.init(quantifier: quantifier, path: path, condition: try rest()))
  }

  /// Parses the rest of a condition in parentheses, after the opening parenthesis.
  private mutating func rest() throws(ConditionError) -> ConditionTree {
    let tree = try alternatives()
    guard accept(.close) else { throw expected(#""and", "or" or ")""#, hint: decimalCommaHint) }
    return tree
  }

  /// Whether the next token is a parenthesis that encloses a condition. If an operator follows the
  /// closing parenthesis, the parentheses enclose an expression instead.
  private var beginsGroup: Bool {
    guard token.kind.isSymbol(.open) else { return false }
    var open = 0
    for next in index..<tokens.count {
      if tokens[next].kind.isSymbol(.open) { open += 1 }
      if tokens[next].kind.isSymbol(.close) { open -= 1 }
      if open == 0 { return !tokens[next + 1].kind.isOperator }
    }
    return true
  }

  /// The quantifier that the next token denotes. The words `any`, `all` and `no` are quantifiers
  /// only before a path and an opening parenthesis. Elsewhere, they are names of fields.
  private var quantifier: ConditionTree.RelatedTest.Quantifier? {
    guard let word = token.kind.keyword,
      let quantifier = ConditionTree.RelatedTest.Quantifier(rawValue: word)
    else { return nil }
    var next = index + 1
    while isName(at: next) {
      guard tokens[next + 1].kind.isSymbol(.dot) else {
        return tokens[next + 1].kind.isSymbol(.open) ? quantifier : nil
      }
      next += 2
    }
    return nil
  }

  private func isName(at index: Int) -> Bool {
    guard index < tokens.count else { return false }
    if case .quotedName = tokens[index].kind { return true }
    return tokens[index].kind.keyword.map { !ConditionToken.Kind.reserved.contains($0) } ?? false
  }

  private func trailingContentError() -> ConditionError {
    if token.kind.isSymbol(.close) {
      return ConditionError(#"unmatched ")""#, token.range)
    }
    let suggestion = token.kind.keyword.flatMap { nearest($0, among: ["and", "or"]) }
    return expected(
      "\"and\" or \"or\"", hint: suggestion.map { "did you mean \($0)?" } ?? decimalCommaHint)
  }

  /// A hint to use a decimal point, if the next token is a comma between two adjacent numbers.
  private var decimalCommaHint: String? {
    guard token.kind.isSymbol(.comma), index > 0,
      case .number(let integerPart) = tokens[index - 1].kind,
      case .number(let fraction) = following.kind, end == token.range.lowerBound,
      token.range.upperBound == following.range.lowerBound
    else { return nil }
    return "use a decimal point: \(integerPart.prefix(20)).\(fraction.prefix(20))"
  }
}

extension ConditionToken.Kind {
  /// Whether a day, month or year can begin with this token: a number, text in quotes or a
  /// parameter.
  fileprivate var beginsPeriod: Bool {
    switch self {
    case .number, .text, .parameter, .nextParameter: true
    case .word, .quotedName, .quantity, .symbol, .end: false
    }
  }

  /// Whether the token is an operator that can follow a value in a test or an expression.
  fileprivate var isOperator: Bool {
    switch self {
    case .symbol(let symbol):
      switch symbol {
      case .plus, .minus, .times, .over, .notEqual, .equal, .lessOrEqual, .less, .greaterOrEqual,
        .greater:
        true
      case .open, .close, .comma, .dot: false
      }
    case .word(let word):
      ["in", "not", "between", "like", "ilike", "contains", "is", "within", "on"]
        .contains(word.lowercased())
    case .quotedName, .text, .number, .quantity, .parameter, .nextParameter, .end: false
    }
  }
}

extension ConditionParser {
  /// Returns the error for an unexpected token.
  func expected(_ expectation: String, hint: String? = nil) -> ConditionError {
    ConditionError(
      "expected \(expectation), found \(token.kind.displayText)", token.range, hint: hint)
  }
}

extension ConditionParser {
  /// The operators that a test can have, as listed in error messages.
  static let operators = [
    "=", "!=", "<", "<=", ">", ">=", "in", "not in", "between", "like", "ilike", "contains",
    "within", "is null", "is not null", "is empty",
  ]

  private static let hintForDay = "write a day or a datetime in single quotes: '2026-11-20'"

  private static let operatorKeywords = [
    "in", "between", "like", "ilike", "contains", "within", "is",
  ]

  /// Parses a test, such as `stock < 5`, or a boolean constant.
  mutating func test() throws(ConditionError) -> ConditionTree {
    operatorCount = 0
    let start = token
    let subject = try expression()
    guard case .literal(let literal) = subject else { return .test(try test(of: subject)) }
    guard let (comparison, isNegated) = acceptComparison() else {
      if case .boolean(let constant) = literal.kind { return .constant(constant) }
      throw expected(#"a comparison, such as "=""#)
    }
    let other = try expression()
    if case .literal = other {
      throw ConditionError("a comparison needs a field on one side", start.range)
    }
    return .test(
      .init(
        subject: other, predicate: .compare(comparison.flipped, subject), isNegated: isNegated,
        operatorRange: start.range))
  }

  private mutating func test(
    of subject: ExpressionSyntax
  ) throws(ConditionError) -> ConditionTree.Test {
    let range = token.range
    if let (comparison, isNegated) = acceptComparison() {
      return ConditionTree.Test(
        subject: subject, predicate: .compare(comparison, try expression()), isNegated: isNegated,
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
        subject: subject, predicate: predicate, isNegated: isNegated, operatorRange: range)
    }
    let isNegated =
      token.kind.isWord("not")
      && (Self.operatorKeywords + ["on"]).contains(following.kind.keyword ?? "")
    if isNegated { advance() }
    guard let predicate = try keywordPredicate() else {
      guard !isNegated, isAtTestEnd else { throw unknownOperator() }
      return ConditionTree.Test(
        subject: subject, predicate: .isTrue, isNegated: false, operatorRange: subject.range)
    }
    return ConditionTree.Test(
      subject: subject, predicate: predicate, isNegated: isNegated, operatorRange: range)
  }

  private mutating func keywordPredicate() throws(ConditionError) -> ConditionTree.Predicate? {
    if accept("in") {
      return token.kind.isSymbol(.open) ? .isIn(try list()) : .during(try period(or: #""(""#))
    }
    if accept("on") { return .during(try period()) }
    if accept("between") {
      let low = try literal()
      guard accept("and") else {
        throw expected("\"and\"", hint: token.kind.isSymbol(.minus) ? Self.hintForDay : nil)
      }
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
    case .open, .close, .comma, .dot, .plus, .minus, .times, .over: return nil
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
    if index > 0, let quantifier = tokens[index - 1].kind.keyword,
      ConditionTree.RelatedTest.Quantifier(rawValue: quantifier) != nil
    {
      return ConditionError(
        "expected a condition in parentheses after \(quantifier) \(word.prefix(60))", token.range,
        hint: "write \(quantifier) \(word.prefix(60)) (CONDITION)")
    }
    let suggestion = nearest(
      word, among: Self.operatorKeywords + ["and", "or", "not in", "not like"])
    return ConditionError(
      "unknown operator \(Excerpt.quoted(String(word.prefix(60))))", token.range,
      hint: suggestion.map { "did you mean \($0)?" }
        ?? "use one of " + Self.operators.joined(separator: ", "))
  }

  private mutating func list() throws(ConditionError) -> [Literal] {
    advance()
    var values = [try literal()]
    while accept(.comma) { values.append(try literal()) }
    guard accept(.close) else { throw expected(#"a comma or ")""#) }
    return values
  }

  /// Parses a day, month or year, with or without quotes, or a parameter.
  ///
  /// - Parameter alternative: What may be given instead, for the error message.
  private mutating func period(or alternative: String? = nil) throws(ConditionError) -> Literal {
    let expectation = alternative ?? "a day, such as 2026-11-20"
    if case .text(let text) = token.kind, CalendarPeriod(text) == nil {
      throw expected(expectation)
    }
    guard token.kind.beginsPeriod else { throw expected(expectation) }
    let start = token.range.lowerBound
    guard case .number(var text) = token.kind else { return try literal() }
    advance()
    while token.kind.isSymbol(.minus), case .number(let part) = following.kind {
      text += "-" + part
      advance()
      advance()
    }
    return Literal(kind: .text(text), range: start..<end)
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
    let center = try literal()
    if case .number = center.kind, token.kind.isSymbol(.comma) {
      throw ConditionError(
        "expected a point, such as (47.37, 8.54), found two numbers", center.range,
        hint: "write latitude and longitude in parentheses")
    }
    return .withinCircle(distance: distance, metersPerUnit: meters, center: center)
  }
}
