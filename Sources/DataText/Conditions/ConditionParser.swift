import DataModel

/// A recursive descent parser for conditions.
struct ConditionParser {
  private let tokens: [ConditionToken]
  private var place = 0
  private var depth = 0
  /// The number of positional parameters so far.
  private(set) var positions: Int

  init(_ tokens: [ConditionToken], positions: Int = 0) {
    self.tokens = tokens
    self.positions = positions
  }

  /// Parses a condition that extends to the end of the text.
  mutating func condition() throws(ConditionFault) -> ConditionTree {
    guard token.kind != .end else {
      throw ConditionFault(
        "empty condition", token.range, advice: "write one, such as done = false")
    }
    let tree = try alternatives()
    guard token.kind == .end else { throw leftOver() }
    return tree
  }

  var token: ConditionToken { tokens[place] }

  /// The end offset of the previous token.
  var end: Int { tokens[max(place - 1, 0)].range.upperBound }

  var following: ConditionToken { tokens[min(place + 1, tokens.count - 1)] }

  mutating func advance() {
    if place + 1 < tokens.count { place += 1 }
  }

  /// Consumes the next token if it is the given keyword.
  mutating func pass(_ word: String) -> Bool {
    guard token.kind.isWord(word) else { return false }
    advance()
    return true
  }

  /// Consumes the next token if it is the given punctuation or operator.
  mutating func pass(_ mark: ConditionToken.Mark) -> Bool {
    guard token.kind.isMark(mark) else { return false }
    advance()
    return true
  }

  mutating func expect(_ mark: ConditionToken.Mark) throws(ConditionFault) {
    guard pass(mark) else { throw expected(mark == .comma ? "a comma" : mark.rawValue) }
  }

  mutating func expect(_ word: String) throws(ConditionFault) {
    guard pass(word) else { throw expected("\"\(word)\"") }
  }

  mutating func nextPosition() -> String {
    positions += 1
    return "\(positions)"
  }

  private mutating func alternatives() throws(ConditionFault) -> ConditionTree {
    var parts = [try conjunction()]
    while pass("or") { parts.append(try conjunction()) }
    return parts.count == 1 ? parts[0] : .or(parts)
  }

  private mutating func conjunction() throws(ConditionFault) -> ConditionTree {
    var parts = [try negation()]
    while pass("and") { parts.append(try negation()) }
    return parts.count == 1 ? parts[0] : .and(parts)
  }

  private mutating func negation() throws(ConditionFault) -> ConditionTree {
    let isNegated = token.kind.isWord("not")
    guard isNegated || token.kind.isMark(.open) else { return try test() }
    guard depth < Condition.deepest else {
      throw ConditionFault(
        "parentheses and \"not\" are nested deeper than \(Condition.deepest)", token.range)
    }
    depth += 1
    defer { depth -= 1 }
    advance()
    if isNegated { return .not(try negation()) }
    let tree = try alternatives()
    guard pass(.close) else { throw expected("\"and\", \"or\" or )", advice: pointAdvice) }
    return tree
  }

  private func leftOver() -> ConditionFault {
    if token.kind.isMark(.close) {
      return ConditionFault("unmatched )", token.range)
    }
    let near = token.kind.keyword.flatMap { nearest($0, among: ["and", "or"]) }
    return expected(
      "\"and\" or \"or\"", advice: near.map { "did you mean \($0)?" } ?? pointAdvice)
  }

  /// Advice for a decimal comma in a number.
  private var pointAdvice: String? {
    guard token.kind.isMark(.comma), place > 0, case .number(let whole) = tokens[place - 1].kind,
      case .number(let fraction) = following.kind, end == token.range.lowerBound,
      token.range.upperBound == following.range.lowerBound
    else { return nil }
    return "use a decimal point: \(whole.prefix(20)).\(fraction.prefix(20))"
  }
}

extension ConditionParser {
  /// Returns an error that the next token is not the expected one.
  func expected(_ expectation: String, advice: String? = nil) -> ConditionFault {
    ConditionFault(
      "expected \(expectation), found \(token.kind.shown)", token.range, advice: advice)
  }
}

extension ConditionToken.Kind {
  /// The token as shown in error messages.
  var shown: String {
    switch self {
    case .word(let word): Excerpt.quoted(String(word.prefix(Excerpt.longestWord)))
    case .quotedName(let name): "name \(Excerpt.quoted(name))"
    case .text(let text): "text \(Excerpt.quoted(text))"
    case .number(let number): String(number.prefix(Excerpt.longestWord))
    case .quantity(let number, let unit):
      String((number + unit).prefix(Excerpt.longestWord))
    case .parameter(let name): ":" + name.prefix(Excerpt.longestWord)
    case .nextParameter: "%?"
    case .mark(let mark): mark.rawValue
    case .end: "the end"
    }
  }
}

extension Excerpt {
  /// The maximum length of a token in error messages.
  fileprivate static let longestWord = 60
}
