import DataModel

/// Splits the text of a condition into tokens.
struct ConditionLexer {
  let text: [UInt8]
  private var place = 0

  init(_ text: [UInt8]) {
    self.text = text
  }

  /// Returns all tokens, followed by `end`.
  static func tokens(of text: [UInt8]) throws(ConditionFault) -> [ConditionToken] {
    var lexer = ConditionLexer(text)
    var tokens: [ConditionToken] = []
    repeat { tokens.append(try lexer.next()) } while tokens[tokens.count - 1].kind != .end
    return tokens
  }

  private mutating func next() throws(ConditionFault) -> ConditionToken {
    while let byte, byte == 0x20 || (byte >= 0x09 && byte <= 0x0D) { place += 1 }
    let start = place
    let kind = try kind()
    return ConditionToken(kind: kind, range: start..<place)
  }

  private var byte: UInt8? { place < text.count ? text[place] : nil }

  private mutating func kind() throws(ConditionFault) -> ConditionToken.Kind {
    guard let byte else { return .end }
    if Self.isLetter(byte) { return .word(word()) }
    if Self.isDigit(byte) { return try number() }
    switch byte {
    case UInt8(ascii: "'"): return .text(try quoted("text", in: "'"))
    case UInt8(ascii: "\""): return .quotedName(try quoted("name", in: "\""))
    case UInt8(ascii: ":"): return try parameter()
    case UInt8(ascii: "%"):
      guard place + 1 < text.count, text[place + 1] == UInt8(ascii: "?") else {
        throw fault("unexpected %", advice: "write a positional parameter as %?")
      }
      place += 2
      return .nextParameter
    default: return .mark(try mark())
    }
  }

  private mutating func word() -> String {
    let start = place
    while let byte, Self.isLetter(byte) || Self.isDigit(byte) { place += 1 }
    return String(decoding: text[start..<place], as: UTF8.self)
  }

  private mutating func number() throws(ConditionFault) -> ConditionToken.Kind {
    let start = place
    passDigits()
    if byte == UInt8(ascii: "."), digitFollows(1) {
      place += 1
      passDigits()
    }
    if let byte, byte | 0x20 == UInt8(ascii: "e") {
      let hasSign =
        place + 1 < text.count
        && (text[place + 1] == UInt8(ascii: "+") || text[place + 1] == UInt8(ascii: "-"))
      if digitFollows(hasSign ? 2 : 1) {
        place += hasSign ? 2 : 1
        passDigits()
      }
    }
    let digits = text[start..<place]
    guard NumberText.isJSONNumber(digits.span) else {
      throw ConditionFault("leading zeros in a number", start..<place)
    }
    let number = String(decoding: digits, as: UTF8.self)
    guard let byte, Self.isLetter(byte) else { return .number(number) }
    return .quantity(number, unit: word())
  }

  private mutating func passDigits() {
    while let byte, Self.isDigit(byte) { place += 1 }
  }

  private func digitFollows(_ offset: Int) -> Bool {
    place + offset < text.count && Self.isDigit(text[place + offset])
  }

  private mutating func parameter() throws(ConditionFault) -> ConditionToken.Kind {
    place += 1
    let name = word()
    guard !name.isEmpty else {
      place -= 1
      throw fault("expected a parameter name after the colon: :name")
    }
    return .parameter(name)
  }

  /// Scans a quoted text or name; a quote inside it is doubled.
  private mutating func quoted(
    _ noun: String, in quote: Unicode.Scalar
  ) throws(ConditionFault) -> String {
    let start = place
    var bytes: [UInt8] = []
    place += 1
    while let byte {
      place += 1
      if byte == UInt8(ascii: quote) {
        guard self.byte == byte else {
          return try checked(bytes, noun, start)
        }
        place += 1
      }
      bytes.append(byte)
    }
    throw ConditionFault(
      "unterminated \(noun): the closing \(quote) is missing", start..<place)
  }

  private func checked(
    _ bytes: [UInt8], _ noun: String, _ start: Int
  ) throws(ConditionFault) -> String {
    if bytes.contains(0) {
      throw ConditionFault("a \(noun) cannot contain NUL", start..<place)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private mutating func mark() throws(ConditionFault) -> ConditionToken.Mark {
    if begins(with: "<>") {
      place += 2
      return .notEqual
    }
    if begins(with: "==") { throw fault("unknown operator ==", advice: "did you mean =?") }
    for mark in ConditionToken.Mark.allCases where begins(with: mark.rawValue) {
      place += mark.rawValue.utf8.count
      return mark
    }
    for (foreign, ours) in [("&&", "and"), ("||", "or"), ("!", "not"), ("~", "like")]
    where begins(with: foreign) {
      throw fault("unknown operator \(foreign)", advice: "did you mean \(ours)?")
    }
    let rest = String(decoding: text[place...].prefix(4), as: UTF8.self)
    let found = rest.unicodeScalars.first.map(Self.shown) ?? ""
    throw fault("unexpected \(found)")
  }

  /// Returns a character as shown in error messages; a combining mark is shown as its code point.
  private static func shown(_ scalar: Unicode.Scalar) -> String {
    if scalar.properties.canonicalCombiningClass == .notReordered {
      return Excerpt.visible(String(scalar))
    }
    let digits = String(scalar.value, radix: 16, uppercase: true)
    return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }

  private func begins(with mark: String) -> Bool {
    text[place...].starts(with: mark.utf8)
  }

  private func fault(_ message: String, advice: String? = nil) -> ConditionFault {
    ConditionFault(message, place..<place, advice: advice)
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z"))
      || byte == UInt8(ascii: "_")
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte &- 48 < 10 }
}
