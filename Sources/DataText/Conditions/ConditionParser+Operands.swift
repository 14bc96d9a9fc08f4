import DataModel

extension ConditionParser {
  private static let microsecondsPerUnit: [String: Int64] = [
    "s": 1_000_000, "m": 60_000_000, "h": 3_600_000_000, "d": 86_400_000_000,
    "w": 604_800_000_000,
  ]

  /// Parses a value or a path.
  mutating func operand() throws(ConditionFault) -> ConditionTree.Operand {
    if let literal = try passLiteral() { return .value(literal) }
    switch token.kind {
    case .quotedName: return .path(try uncalledPath())
    case .word(let word):
      if !ConditionToken.Kind.reserved.contains(word.lowercased()) {
        return .path(try uncalledPath())
      }
      throw expected(
        "a field or a value", advice: "write a field of this name in double quotes: \"\(word)\"")
    case .text, .number, .quantity, .parameter, .nextParameter, .mark, .end:
      throw expected("a field or a value")
    }
  }

  /// Parses a value.
  mutating func literal() throws(ConditionFault) -> Literal {
    if let literal = try passLiteral() { return literal }
    let isWord = token.kind.keyword != nil
    throw expected("a value", advice: isWord ? "write a text in single quotes" : nil)
  }

  /// Parses a number or a parameter.
  mutating func number(_ expectation: String) throws(ConditionFault) -> Literal {
    switch token.kind {
    case .number, .parameter, .nextParameter: break
    case .mark(let mark) where mark == .minus: break
    case .word, .quotedName, .text, .quantity, .mark, .end: throw expected(expectation)
    }
    return try literal()
  }

  mutating func path() throws(ConditionFault) -> PathWords {
    var path = PathWords(names: [], ranges: [])
    repeat {
      switch token.kind {
      case .word(let name), .quotedName(let name):
        path.names.append(name)
        path.ranges.append(token.range)
      case .text, .number, .quantity, .parameter, .nextParameter, .mark, .end:
        throw expected(path.names.isEmpty ? "a field" : "a name after the dot")
      }
      advance()
    } while pass(.dot)
    return path
  }

  /// Parses a path and rejects a following `(`, because `now()` is the only function.
  private mutating func uncalledPath() throws(ConditionFault) -> PathWords {
    let path = try path()
    guard token.kind.isMark(.open), path.names.count == 1 else { return path }
    throw ConditionFault(
      "unknown function \(Excerpt.visible(String(path.names[0].prefix(60))))", path.range,
      advice: "the only one is now()")
  }

  private mutating func passLiteral() throws(ConditionFault) -> Literal? {
    let start = token.range.lowerBound
    guard let kind = try passLiteralKind() else { return nil }
    return Literal(kind: kind, range: start..<end)
  }

  private mutating func passLiteralKind() throws(ConditionFault) -> Literal.Kind? {
    switch token.kind {
    case .text(let text): return advanced(.text(text))
    case .number(let number): return advanced(.number(number))
    case .parameter(let name): return advanced(.parameter(name))
    case .nextParameter: return advanced(.parameter(nextPosition()))
    case .quantity(let number, let unit):
      throw ConditionFault(
        "expected a value, found \((number + unit).prefix(60))", token.range,
        advice: "add a duration to now(): now() - 7d")
    case .mark(.minus):
      advance()
      guard case .number(let number) = token.kind else { throw expected("a number after the -") }
      return advanced(.number("-" + number))
    case .mark(.open): return try point()
    case .word(let word): return try passLiteral(word.lowercased())
    case .quotedName, .mark, .end: return nil
    }
  }

  private mutating func advanced(_ kind: Literal.Kind) -> Literal.Kind {
    advance()
    return kind
  }

  private mutating func passLiteral(_ word: String) throws(ConditionFault) -> Literal.Kind? {
    switch word {
    case "true", "false": return advanced(.boolean(word == "true"))
    case "null": return advanced(.null)
    case "now" where following.kind.isMark(.open): return try now()
    case "now" where following.kind.isMark(.plus) || following.kind.isMark(.minus):
      throw expected("now()")
    case "json":
      guard case .text(let text) = following.kind else { return nil }
      advance()
      return advanced(.json(text))
    default: return nil
    }
  }

  private mutating func point() throws(ConditionFault) -> Literal.Kind {
    try expect(.open)
    let latitude = try number("a latitude")
    try expect(.comma)
    let longitude = try number("a longitude")
    try expect(.close)
    return .point(latitude: latitude, longitude: longitude)
  }

  private mutating func now() throws(ConditionFault) -> Literal.Kind {
    advance()
    try expect(.open)
    try expect(.close)
    var sum: Int64 = 0
    while token.kind.isMark(.plus) || token.kind.isMark(.minus) {
      let isNegative = token.kind.isMark(.minus)
      advance()
      let start = token.range.lowerBound
      let length = try interval()
      let (next, overflows) =
        isNegative
        ? sum.subtractingReportingOverflow(length) : sum.addingReportingOverflow(length)
      if overflows { throw ConditionFault("the duration is too long", start..<end) }
      sum = next
    }
    return .now(plus: sum)
  }

  private mutating func interval() throws(ConditionFault) -> Int64 {
    let start = token.range.lowerBound
    let advice = "write a duration in s, m, h, d or w: now() - 7d"
    let (number, unit): (String, String)
    switch (token.kind, following.kind) {
    case (.quantity(let digits, let letters), _): (number, unit) = (digits, letters)
    case (.number(let digits), .word(let letters)):
      (number, unit) = (digits, letters)
      advance()
    case (.word, _), (.quotedName, _), (.text, _), (.number, _), (.parameter, _),
      (.nextParameter, _), (.mark, _), (.end, _):
      throw expected("a duration", advice: advice)
    }
    advance()
    guard let perUnit = Self.microsecondsPerUnit[unit] else {
      throw ConditionFault(
        "unknown unit \(unit.prefix(60))", start..<end,
        advice:
          "use s, m (minutes), h, d or w in lowercase; for months write days: now() - 180d"
      )
    }
    guard let count = Int64(number) else {
      throw ConditionFault("a duration must be a whole number", start..<end, advice: advice)
    }
    let (length, overflows) = count.multipliedReportingOverflow(by: perUnit)
    if overflows { throw ConditionFault("the duration is too long", start..<end) }
    return length
  }
}
