import DataModel

/// Splits the text of a condition into tokens.
struct ConditionLexer {
  let text: [UInt8]
  private var position = 0

  init(_ text: [UInt8]) {
    self.text = text
  }

  /// Returns all tokens of the text. The last token is `end`.
  static func tokens(of text: [UInt8]) throws(ConditionError) -> [ConditionToken] {
    var lexer = ConditionLexer(text)
    var tokens: [ConditionToken] = []
    repeat { tokens.append(try lexer.next()) } while tokens[tokens.count - 1].kind != .end
    return tokens
  }

  /// Returns the tokens of an incomplete text. Skips bytes that begin no token.
  ///
  /// - Returns: The tokens, and the start of the text or name in quotes that is not complete, or the
  ///   end of the text if there is none.
  static func beginning(of text: [UInt8]) -> (tokens: [ConditionToken], end: Int) {
    var lexer = ConditionLexer(text)
    var tokens: [ConditionToken] = []
    while true {
      do throws(ConditionError) {
        let token = try lexer.next()
        if token.kind == .end { return (tokens, text.count) }
        tokens.append(token)
      } catch {
        let start = error.range.lowerBound
        if lexer.position == text.count, start < text.count { return (tokens, start) }
        lexer.position += 1
      }
    }
  }

  private mutating func next() throws(ConditionError) -> ConditionToken {
    while let byte, byte == 0x20 || (byte >= 0x09 && byte <= 0x0D) { position += 1 }
    let start = position
    let kind = try kind()
    return ConditionToken(kind: kind, range: start..<position)
  }

  private var byte: UInt8? { position < text.count ? text[position] : nil }

  private mutating func kind() throws(ConditionError) -> ConditionToken.Kind {
    guard let byte else { return .end }
    if Self.isLetter(byte) { return .word(word()) }
    if Self.isDigit(byte) { return number() }
    switch byte {
    case UInt8(ascii: "'"): return .text(try quoted("text", in: "'"))
    case UInt8(ascii: "\""): return .quotedName(try quoted("name", in: "\""))
    case UInt8(ascii: ":"): return try parameter()
    case UInt8(ascii: "%"):
      guard position + 1 < text.count, text[position + 1] == UInt8(ascii: "?") else {
        throw error(#"unexpected "%""#, hint: "write a positional parameter as %?")
      }
      position += 2
      return .nextParameter
    default: return .symbol(try symbol())
    }
  }

  private mutating func word() -> String {
    let start = position
    while let byte, Self.isLetter(byte) || Self.isDigit(byte) { position += 1 }
    return String(decoding: text[start..<position], as: UTF8.self)
  }

  private mutating func number() -> ConditionToken.Kind {
    let start = position
    skipDigits()
    if byte == UInt8(ascii: "."), digitFollows(1) {
      position += 1
      skipDigits()
    }
    if let byte, byte | 0x20 == UInt8(ascii: "e") {
      let hasSign =
        position + 1 < text.count
        && (text[position + 1] == UInt8(ascii: "+") || text[position + 1] == UInt8(ascii: "-"))
      if digitFollows(hasSign ? 2 : 1) {
        position += hasSign ? 2 : 1
        skipDigits()
      }
    }
    let number = String(decoding: text[start..<position], as: UTF8.self)
    guard let byte, Self.isLetter(byte) else { return .number(number) }
    return .quantity(number, unit: word())
  }

  private mutating func skipDigits() {
    while let byte, Self.isDigit(byte) { position += 1 }
  }

  private func digitFollows(_ offset: Int) -> Bool {
    position + offset < text.count && Self.isDigit(text[position + offset])
  }

  private mutating func parameter() throws(ConditionError) -> ConditionToken.Kind {
    position += 1
    let name = word()
    guard !name.isEmpty else {
      position -= 1
      throw error("expected a parameter name after the colon: :name")
    }
    return .parameter(name)
  }

  /// Scans text or a name in quotes, and returns it without the quotes. Two quotes in a row
  /// represent one quote.
  ///
  /// - Parameters:
  ///   - noun: The kind of token that is scanned, `text` or `name`, for error messages.
  ///   - quote: The quotation mark at the start and the end.
  private mutating func quoted(
    _ noun: String, in quote: Unicode.Scalar
  ) throws(ConditionError) -> String {
    let start = position
    var bytes: [UInt8] = []
    position += 1
    while let byte {
      position += 1
      if byte == UInt8(ascii: quote) {
        guard self.byte == byte else {
          return try checked(bytes, noun, start)
        }
        position += 1
      }
      bytes.append(byte)
    }
    throw ConditionError(
      "unterminated \(noun): the closing \(quote) is missing", start..<position)
  }

  private func checked(
    _ bytes: [UInt8], _ noun: String, _ start: Int
  ) throws(ConditionError) -> String {
    if bytes.contains(0) {
      throw ConditionError("a \(noun) cannot contain NUL", start..<position)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private mutating func symbol() throws(ConditionError) -> ConditionToken.Symbol {
    if begins(with: "<>") {
      position += 2
      return .notEqual
    }
    if begins(with: "==") { throw error(#"unknown operator "==""#, hint: #"did you mean "="?"#) }
    for symbol in ConditionToken.Symbol.allCases where begins(with: symbol.rawValue) {
      position += symbol.rawValue.utf8.count
      return symbol
    }
    for (unsupported, replacement) in [("&&", "and"), ("||", "or"), ("!", "not"), ("~", "like")]
    where begins(with: unsupported) {
      throw error(
        "unknown operator \(Excerpt.quoted(unsupported))", hint: "did you mean \(replacement)?")
    }
    let rest = String(decoding: text[position...].prefix(4), as: UTF8.self)
    let found = rest.unicodeScalars.first.map(Self.displayText) ?? ""
    throw error("unexpected \(found)")
  }

  /// Returns a character in quotation marks for an error message. A combining mark is returned as
  /// its code point, such as `U+0301`.
  private static func displayText(_ scalar: Unicode.Scalar) -> String {
    if scalar.properties.canonicalCombiningClass == .notReordered {
      return Excerpt.quoted(String(scalar))
    }
    let digits = String(scalar.value, radix: 16, uppercase: true)
    return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }

  private func begins(with symbol: String) -> Bool {
    text[position...].starts(with: symbol.utf8)
  }

  private func error(_ message: String, hint: String? = nil) -> ConditionError {
    ConditionError(message, position..<position, hint: hint)
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z"))
      || byte == UInt8(ascii: "_")
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte &- 48 < 10 }
}
