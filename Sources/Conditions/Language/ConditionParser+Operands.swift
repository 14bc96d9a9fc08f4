import DataModel
import JSONText

extension ConditionToken.Kind {
  /// Whether the token is a number, with or without a unit.
  fileprivate var isNumber: Bool {
    switch self {
    case .number, .quantity: true
    case .word, .quotedName, .text, .parameter, .nextParameter, .symbol, .end: false
    }
  }
}

extension ConditionParser {
  private static let microsecondsPerUnit: [String: Int64] = [
    "s": 1_000_000, "m": 60_000_000, "h": 3_600_000_000, "d": 86_400_000_000,
    "w": 604_800_000_000,
  ]

  /// Parses an expression: a path, a literal, or a computed value such as `price * amount`.
  mutating func expression() throws(ConditionError) -> ExpressionSyntax {
    var sum = try product()
    while token.kind.isSymbol(.plus) || token.kind.isSymbol(.minus) {
      let isNegative = token.kind.isSymbol(.minus)
      try countOperator()
      advance()
      if beginsDuration {
        let length = try interval()
        sum = .shifted(
          sum, isNegative ? 0 - length : length, range: sum.range.lowerBound..<end)
      } else {
        sum = .arithmetic(isNegative ? .subtract : .add, sum, try product())
      }
    }
    return sum
  }

  private mutating func product() throws(ConditionError) -> ExpressionSyntax {
    var product = try factor()
    while token.kind.isSymbol(.times) || token.kind.isSymbol(.over) {
      let operation: ArithmeticOperator = token.kind.isSymbol(.times) ? .multiply : .divide
      try countOperator()
      advance()
      product = .arithmetic(operation, product, try factor())
    }
    return product
  }

  private mutating func factor() throws(ConditionError) -> ExpressionSyntax {
    let start = token.range.lowerBound
    if token.kind.isSymbol(.minus), !following.kind.isNumber {
      return try nested { parser throws(ConditionError) in
        parser.advance()
        let operand = try parser.factor()
        return .negated(operand, range: start..<parser.end)
      }
    }
    if token.kind.isSymbol(.open), !beginsPoint {
      return try nested { parser throws(ConditionError) in
        parser.advance()
        let expression = try parser.expression()
        try parser.expect(.close)
        return expression
      }
    }
    if let literal = try acceptLiteral() { return .literal(literal) }
    switch token.kind {
    case .quotedName: return .path(try path())
    case .word(let word):
      if !ConditionToken.Kind.reserved.contains(word.lowercased()) { return try pathOrCall() }
      throw expected(
        "a field or a value",
        hint: "to refer to a field with this name, put the name in double quotes: \"\(word)\"")
    case .text, .number, .quantity, .parameter, .nextParameter, .symbol, .end:
      throw expected("a field or a value")
    }
  }

  /// Whether the next tokens are a duration, such as `7d` or `7 d`.
  private var beginsDuration: Bool {
    switch (token.kind, following.kind) {
    case (.quantity, _): true
    case (.number, .word(let unit)):
      Self.microsecondsPerUnit[unit] != nil && kind(at: 2)?.isWord("of") != true
    case (_, _): false
    }
  }

  /// Whether the token after the next one begins a field, a text or a function.
  private var followsTime: Bool {
    switch following.kind {
    case .word, .quotedName, .text: true
    case .symbol(let symbol): symbol == .open
    case .number, .quantity, .parameter, .nextParameter, .end: false
    }
  }

  /// Whether the next token is the opening parenthesis of a point, such as `(47.37, 8.54)`.
  private var beginsPoint: Bool {
    var offset = 1
    if kind(at: offset)?.isSymbol(.minus) == true { offset += 1 }
    switch kind(at: offset) {
    case .number, .parameter, .nextParameter: break
    case .word, .quotedName, .text, .quantity, .symbol, .end, nil: return false
    }
    switch kind(at: offset + 1) {
    case .symbol(let symbol): return ![.plus, .minus, .times, .over, .close].contains(symbol)
    case .word, .quotedName, .text, .number, .quantity, .parameter, .nextParameter, .end, nil:
      return true
    }
  }

  /// Parses a literal, and throws an error if the next token does not begin one.
  mutating func literal() throws(ConditionError) -> Literal {
    if let literal = try acceptLiteral() { return literal }
    let isWord = token.kind.keyword != nil
    let isFunction = isWord && kind(at: 1)?.isSymbol(.open) == true
    throw expected(
      "a value",
      hint: isFunction
        ? "a function can be used only on the left side"
        : isWord ? "write text in single quotes" : nil)
  }

  /// Parses a number, with or without a sign, or a parameter.
  ///
  /// - Parameter expectation: A description of the expected number, for the error message.
  mutating func number(_ expectation: String) throws(ConditionError) -> Literal {
    switch token.kind {
    case .number, .parameter, .nextParameter: break
    case .symbol(let symbol) where symbol == .minus: break
    case .word, .quotedName, .text, .quantity, .symbol, .end: throw expected(expectation)
    }
    return try literal()
  }

  mutating func path() throws(ConditionError) -> PathSyntax {
    var path = PathSyntax(names: [], ranges: [])
    repeat {
      switch token.kind {
      case .word(let name), .quotedName(let name):
        path.names.append(name)
        path.ranges.append(token.range)
      case .text, .number, .quantity, .parameter, .nextParameter, .symbol, .end:
        throw expected(path.names.isEmpty ? "a field" : "a name after the dot")
      }
      advance()
    } while accept(.dot)
    return path
  }

  /// Parses a path, or a function and its argument in parentheses.
  private mutating func pathOrCall() throws(ConditionError) -> ExpressionSyntax {
    let path = try path()
    guard token.kind.isSymbol(.open), path.names.count == 1 else { return .path(path) }
    let name = path.names[0].lowercased()
    let function = ScalarFunction(rawValue: name)
    let aggregate = AggregateFunction.ofRelatedRecords.first { $0.rawValue == name }
    guard Self.otherFunctions.contains(name) || function != nil || aggregate != nil else {
      throw unknownFunction(path)
    }
    return try nested { parser throws(ConditionError) in
      parser.advance()
      if name == "distance" {
        let place = try parser.path()
        try parser.expect(.comma)
        let point = try parser.literal()
        try parser.expect(.close)
        return .distance(place, point, range: path.range.lowerBound..<parser.end)
      }
      if name == "coalesce" {
        let first = try parser.expression()
        try parser.expect(.comma)
        let second = try parser.expression()
        try parser.expect(.close)
        return .coalesce(first, second, range: path.range.lowerBound..<parser.end)
      }
      if let aggregate {
        let term = try parser.expression()
        try parser.expect(.close)
        return .aggregate(aggregate, term, range: path.range.lowerBound..<parser.end)
      }
      guard let function else {
        let relation = try parser.path()
        try parser.expect(.close)
        let range = path.range.lowerBound..<parser.end
        return name == "each" ? .element(relation, range: range) : .count(relation, range: range)
      }
      var arguments = [try parser.expression()]
      while arguments.count < function.argumentCounts.upperBound, parser.accept(.comma) {
        arguments.append(try parser.expression())
      }
      if arguments.count < function.argumentCounts.lowerBound { try parser.expect(.comma) }
      try parser.expect(.close)
      return .function(function, arguments, range: path.range.lowerBound..<parser.end)
    }
  }

  /// The functions whose arguments are not only expressions, or determine the type of the result.
  private static let otherFunctions = ["count", "distance", "each", "coalesce"]

  private func unknownFunction(_ path: PathSyntax) -> ConditionError {
    let names =
      ["now"] + Self.otherFunctions + AggregateFunction.ofRelatedRecords.map(\.rawValue)
      + ScalarFunction.allCases.map(\.rawValue)
    let suggestion = nearest(path.names[0].lowercased(), among: names)
    return ConditionError(
      "unknown function \(Excerpt.escaped(String(path.names[0].prefix(60))))", path.range,
      hint: suggestion.map { "did you mean \($0)()?" }
        ?? "the functions are \(names.map { $0 + "()" }.joined(separator: ", "))")
  }

  private mutating func acceptLiteral() throws(ConditionError) -> Literal? {
    let start = token.range.lowerBound
    guard let kind = try acceptLiteralKind() else { return nil }
    return Literal(kind: kind, range: start..<end)
  }

  private mutating func acceptLiteralKind() throws(ConditionError) -> Literal.Kind? {
    switch token.kind {
    case .text(let text): return advanced(.text(text))
    case .number(let number):
      return beginsDuration ? try duration() : advanced(.number(try checked(number)))
    case .parameter(let name): return advanced(.parameter(name))
    case .nextParameter: return advanced(.parameter(nextPositionalName()))
    case .quantity: return try duration()
    case .symbol(.minus):
      advance()
      if beginsDuration { return try duration(isNegative: true) }
      guard case .number(let number) = token.kind else { throw expected(#"a number after "-""#) }
      return advanced(.number("-" + (try checked(number))))
    case .symbol(.open): return try point()
    case .word(let word): return try acceptLiteral(word.lowercased())
    case .quotedName, .symbol, .end: return nil
    }
  }

  /// Returns the text of a number. Throws an error if the number has leading zeros, which JSON does
  /// not allow.
  private func checked(_ number: String) throws(ConditionError) -> String {
    if !NumberText.isJSONNumber(number.utf8.span) {
      throw ConditionError(
        "a number cannot have leading zeros", token.range,
        hint: "write a day or a datetime in single quotes: '2026-11-20'")
    }
    return number
  }

  private mutating func duration(
    isNegative: Bool = false
  ) throws(ConditionError) -> Literal.Kind {
    let start = token.range
    var text = token.kind.displayText
    if case .number = token.kind, case .word(let unit) = following.kind { text += " " + unit }
    if case .quantity(_, let unit) = token.kind, Self.microsecondsPerUnit[unit] == nil {
      throw ConditionError(unexpectedDuration: text, start)
    }
    let length = try interval()
    return .duration(isNegative ? 0 - length : length, text: text)
  }

  private mutating func advanced(_ kind: Literal.Kind) -> Literal.Kind {
    advance()
    return kind
  }

  private mutating func acceptLiteral(_ word: String) throws(ConditionError) -> Literal.Kind? {
    switch word {
    case "true", "false": return advanced(.boolean(word == "true"))
    case "null": return advanced(.null)
    case "now" where following.kind.isSymbol(.open): return try now()
    case "now" where following.kind.isSymbol(.plus) || following.kind.isSymbol(.minus):
      throw expected("now()")
    case "json":
      guard case .text(let text) = following.kind else { return nil }
      advance()
      return advanced(.json(text))
    default: return nil
    }
  }

  private mutating func point() throws(ConditionError) -> Literal.Kind {
    try expect(.open)
    let latitude = try number("a latitude")
    try expect(.comma)
    let longitude = try number("a longitude")
    try expect(.close)
    return .point(latitude: latitude, longitude: longitude)
  }

  private mutating func now() throws(ConditionError) -> Literal.Kind {
    advance()
    try expect(.open)
    try expect(.close)
    var sum: Int64 = 0
    while token.kind.isSymbol(.plus) || token.kind.isSymbol(.minus) {
      let isNegative = token.kind.isSymbol(.minus)
      // Another time can be subtracted, as in `now() - opened`.
      if isNegative, followsTime { break }
      advance()
      let start = token.range.lowerBound
      let length = try interval()
      let (next, overflows) =
        isNegative
        ? sum.subtractingReportingOverflow(length) : sum.addingReportingOverflow(length)
      if overflows { throw ConditionError("the duration is too long", start..<end) }
      sum = next
    }
    return .now(plus: sum)
  }

  private mutating func interval() throws(ConditionError) -> Int64 {
    let start = token.range.lowerBound
    let hint = "write a duration in s, m, h, d or w: now() - 7d"
    let (number, unit): (String, String)
    switch (token.kind, following.kind) {
    case (.quantity(let digits, let letters), _): (number, unit) = (digits, letters)
    case (.number(let digits), .word(let letters)):
      (number, unit) = (digits, letters)
      advance()
    case (.word, _), (.quotedName, _), (.text, _), (.number, _), (.parameter, _),
      (.nextParameter, _), (.symbol, _), (.end, _):
      throw expected("a duration", hint: hint)
    }
    advance()
    guard let perUnit = Self.microsecondsPerUnit[unit] else {
      throw ConditionError(
        "unknown unit \(unit.prefix(60))", start..<end,
        hint:
          "use lowercase s, m (minutes), h, d or w; write months as days: now() - 180d"
      )
    }
    guard let count = Int64(number) else {
      throw ConditionError("a duration must be a whole number", start..<end, hint: hint)
    }
    let (length, overflows) = count.multipliedReportingOverflow(by: perUnit)
    if overflows { throw ConditionError("the duration is too long", start..<end) }
    return length
  }
}
