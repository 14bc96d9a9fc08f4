/// A strict scanner for JSON (RFC 8259) in UTF-8 bytes.
///
/// The text is a parameter of each call, since a struct cannot store a `Span`. It may be the start
/// of a longer text: if it ends too early and `isLast` is false, the error is `needsMore`.
struct JSONScanner: Sendable {
  /// The offset of the next byte.
  var place = 0
  /// Whether the text ends where the span ends.
  var isLast = true
  /// The current line, counted from 1, and the offset of its first byte.
  var line = 1
  var lineStart = 0
  /// The unescaped bytes of the last string that contained escapes.
  var unescaped: [UInt8] = []
  /// The enclosing objects and arrays and the keys of those objects; used by `skipValue`.
  var frames: [Frame] = []
  var keys: [Key] = []
  var escapedKeys: [UInt8] = []

  /// The maximum depth of nesting of a value.
  static let deepest = 128

  /// Skips whitespace. Returns the next byte, or nil at the end of the text.
  @inline(__always)
  mutating func passSpace(_ text: Span<UInt8>) -> UInt8? {
    while place < text.count {
      let byte = text[place]
      if byte > 0x20 { return byte }
      switch byte {
      case 0x20, 0x09, 0x0D: break
      case 0x0A:
        line &+= 1
        lineStart = place &+ 1
      default: return byte
      }
      place &+= 1
    }
    return nil
  }

  /// Skips whitespace and returns the next byte; throws if there is none.
  @inline(__always)
  mutating func next(_ text: Span<UInt8>) throws(ScanFault) -> UInt8 {
    guard let byte = passSpace(text) else { throw ended(text) }
    return byte
  }

  /// The error for a text that ends too early.
  func ended(_ text: Span<UInt8>) -> ScanFault {
    ScanFault(isLast ? .endsInside : .needsMore, text.count)
  }

  /// Skips the colon after a key and the whitespace around it. Returns the first byte of the value.
  @inline(__always)
  mutating func passColon(_ text: Span<UInt8>) throws(ScanFault) -> UInt8 {
    guard try next(text) == UInt8(ascii: ":") else { throw ScanFault(.expectedColon, place) }
    place &+= 1
    return try next(text)
  }

  /// Skips the comma or closing brace after a member of an object. Returns the first byte of the
  /// next key, or nil after the closing brace.
  @inline(__always)
  mutating func passMemberEnd(_ text: Span<UInt8>) throws(ScanFault) -> UInt8? {
    let byte = try next(text)
    place &+= 1
    if byte == UInt8(ascii: ",") {
      let following = try next(text)
      if following == UInt8(ascii: "}") { throw ScanFault(.trailingComma, place) }
      return following
    }
    if byte == UInt8(ascii: "}") { return nil }
    throw ScanFault(.expectedCommaOrBrace, place &- 1)
  }

  /// Skips the comma or closing bracket after an element of an array. Returns the first byte of the
  /// next element, or nil after the closing bracket.
  mutating func passElementEnd(_ text: Span<UInt8>) throws(ScanFault) -> UInt8? {
    let byte = try next(text)
    place &+= 1
    if byte == UInt8(ascii: ",") {
      let following = try next(text)
      if following == UInt8(ascii: "]") { throw ScanFault(.trailingComma, place) }
      return following
    }
    if byte == UInt8(ascii: "]") { return nil }
    throw ScanFault(.expectedCommaOrBracket, place &- 1)
  }

  /// Skips `{` or `[`. Returns the first byte of the content, or nil after an empty object or
  /// array.
  @inline(__always)
  mutating func passOpening(
    _ text: Span<UInt8>, closing: UInt8
  ) throws(ScanFault) -> UInt8? {
    place &+= 1
    let byte = try next(text)
    guard byte == closing else { return byte }
    place &+= 1
    return nil
  }

  /// A literal of JSON, stored as its ASCII characters in little-endian order.
  enum Word: UInt64 {
    case null = 0x6C6C_756E
    case yes = 0x6575_7274
    case no = 0x65_736C_6166
  }

  /// Skips a literal, whose first character is at the current position.
  mutating func pass(_ word: Word, _ text: Span<UInt8>) throws(ScanFault) {
    let start = place
    var letters = word.rawValue
    while letters != 0 {
      guard place < text.count else { throw ended(text) }
      guard text[place] == UInt8(truncatingIfNeeded: letters) else {
        throw ScanFault(.badLiteral, start)
      }
      place &+= 1
      letters &>>= 8
    }
  }

  /// Scans a number and returns its range.
  @inline(__always)
  mutating func number(_ text: Span<UInt8>) throws(ScanFault) -> Range<Int> {
    let start = place
    if text[place] == UInt8(ascii: "-") { place &+= 1 }
    guard place < text.count else { throw ended(text) }
    if text[place] == UInt8(ascii: "0") {
      place &+= 1
      if place < text.count, Self.isDigit(text[place]) { throw ScanFault(.badNumber, start) }
    } else {
      try passDigits(text, from: start)
    }
    if place < text.count, text[place] == UInt8(ascii: ".") {
      place &+= 1
      try passDigits(text, from: start)
    }
    if place < text.count, text[place] | 0x20 == UInt8(ascii: "e") {
      place &+= 1
      if place < text.count, text[place] == UInt8(ascii: "+") || text[place] == UInt8(ascii: "-") {
        place &+= 1
      }
      try passDigits(text, from: start)
    }
    if place == text.count && !isLast { throw ended(text) }
    return start..<place
  }

  @inline(__always)
  private mutating func passDigits(_ text: Span<UInt8>, from start: Int) throws(ScanFault) {
    guard place < text.count else { throw ended(text) }
    guard Self.isDigit(text[place]) else { throw ScanFault(.badNumber, start) }
    repeat { place &+= 1 } while place < text.count && Self.isDigit(text[place])
  }

  @inline(__always)
  static func isDigit(_ byte: UInt8) -> Bool { byte &- 48 < 10 }
}
