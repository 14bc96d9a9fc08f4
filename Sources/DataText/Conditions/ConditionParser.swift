import DataModel

/// A recursive descent parser for conditions.
struct ConditionParser {
  private let tokens: [ConditionToken]
  private var index = 0
  private var depth = 0
  /// The number of positional parameters so far.
  private(set) var positionalCount: Int

  init(_ tokens: [ConditionToken], positionalCount: Int = 0) {
    self.tokens = tokens
    self.positionalCount = positionalCount
  }

  /// Parses a condition that extends to the end of the text.
  mutating func condition() throws(ConditionError) -> ConditionTree {
    guard token.kind != .end else {
      throw ConditionError(
        "empty condition", token.range, hint: "write one, such as done = false")
    }
    let tree = try alternatives()
    guard token.kind == .end else { throw trailingContentError() }
    return tree
  }

  var token: ConditionToken { tokens[index] }

  /// The end offset of the previous token.
  var end: Int { tokens[max(index - 1, 0)].range.upperBound }

  var following: ConditionToken { tokens[min(index + 1, tokens.count - 1)] }

  mutating func advance() {
    if index + 1 < tokens.count { index += 1 }
  }

  /// Consumes the next token if it is the given keyword.
  mutating func accept(_ word: String) -> Bool {
    guard token.kind.isWord(word) else { return false }
    advance()
    return true
  }

  /// Consumes the next token if it is the given punctuation or operator.
  mutating func accept(_ symbol: ConditionToken.Symbol) -> Bool {
    guard token.kind.isSymbol(symbol) else { return false }
    advance()
    return true
  }

  mutating func expect(_ symbol: ConditionToken.Symbol) throws(ConditionError) {
    guard accept(symbol) else { throw expected(symbol == .comma ? "a comma" : symbol.rawValue) }
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
    guard isNegated || token.kind.isSymbol(.open) else { return try test() }
    guard depth < Condition.maxDepth else {
      throw ConditionError(
        "parentheses and \"not\" are nested deeper than \(Condition.maxDepth)", token.range)
    }
    depth += 1
    defer { depth -= 1 }
    advance()
    if isNegated { return .not(try negation()) }
    let tree = try alternatives()
    guard accept(.close) else { throw expected("\"and\", \"or\" or )", hint: decimalCommaHint) }
    return tree
  }

  private func trailingContentError() -> ConditionError {
    if token.kind.isSymbol(.close) {
      return ConditionError("unmatched )", token.range)
    }
    let suggestion = token.kind.keyword.flatMap { nearest($0, among: ["and", "or"]) }
    return expected(
      "\"and\" or \"or\"", hint: suggestion.map { "did you mean \($0)?" } ?? decimalCommaHint)
  }

  /// Advice for a decimal comma in a number.
  private var decimalCommaHint: String? {
    guard token.kind.isSymbol(.comma), index > 0,
      case .number(let integerPart) = tokens[index - 1].kind,
      case .number(let fraction) = following.kind, end == token.range.lowerBound,
      token.range.upperBound == following.range.lowerBound
    else { return nil }
    return "use a decimal point: \(integerPart.prefix(20)).\(fraction.prefix(20))"
  }
}

extension ConditionParser {
  /// Returns an error that the next token is not the expected one.
  func expected(_ expectation: String, hint: String? = nil) -> ConditionError {
    ConditionError(
      "expected \(expectation), found \(token.kind.displayText)", token.range, hint: hint)
  }
}

extension ConditionToken.Kind {
  /// The token as shown in error messages.
  var displayText: String {
    switch self {
    case .word(let word): Excerpt.quoted(String(word.prefix(Excerpt.longestWord)))
    case .quotedName(let name): "name \(Excerpt.quoted(name))"
    case .text(let text): "text \(Excerpt.quoted(text))"
    case .number(let number): String(number.prefix(Excerpt.longestWord))
    case .quantity(let number, let unit):
      String((number + unit).prefix(Excerpt.longestWord))
    case .parameter(let name): ":" + name.prefix(Excerpt.longestWord)
    case .nextParameter: "%?"
    case .symbol(let symbol): symbol.rawValue
    case .end: "the end"
    }
  }
}

extension Excerpt {
  /// The maximum length of a token in error messages.
  fileprivate static let longestWord = 60
}
