/// A strict scanner for JSON in UTF-8, as specified in RFC 8259.
///
/// Each method has the text as a parameter, because a struct cannot store a `Span`. The text may be
/// only the beginning of the input. If a value continues after the end of the text, and `isLast` is
/// false, the methods throw `needsMore`.
@usableFromInline
package struct JSONScanner: Sendable {
  /// The offset of the next byte to scan.
  @usableFromInline package var position = 0
  /// Whether the text contains the end of the input. If not, more bytes may follow.
  @usableFromInline package var isLast = true
  /// The number of the current line, counted from 1. `lineStart` is the offset of its first byte.
  @usableFromInline package var line = 1
  @usableFromInline package var lineStart = 0
  /// The unescaped bytes of the most recent string that contained escapes.
  @usableFromInline package var unescaped: [UInt8] = []
  /// The objects and arrays that contain the current position. `keys` are the keys of these
  /// objects. Only `skipValue` uses them.
  var frames: [Frame] = []
  var keys: [Key] = []
  var escapedKeys: [UInt8] = []
  /// For each object that contains the current object, the hashes of its keys, as a set with one
  /// bit for each hash. Only `isPlainValue` uses these sets.
  var plainKeys: [UInt64] = []

  /// The maximum depth of nesting of a value in a field.
  package static let maxDepth = 128
  /// The maximum nesting depth of a document that a map describes.
  package static let maxDocumentDepth = 256

  package init() {}

  /// Skips whitespace. Returns the next byte without consuming it, or nil at the end of the text.
  @inlinable @inline(__always)
  package mutating func skipWhitespace(_ text: Span<UInt8>) -> UInt8? {
    while position < text.count {
      let byte = text[position]
      if byte > 0x20 { return byte }
      switch byte {
      case 0x20, 0x09, 0x0D: break
      case 0x0A:
        line &+= 1
        lineStart = position &+ 1
      default: return byte
      }
      position &+= 1
    }
    return nil
  }

  /// Skips whitespace and returns the next byte without consuming it.
  ///
  /// - Throws: An error if the text ends first.
  @inlinable @inline(__always)
  package mutating func next(_ text: Span<UInt8>) throws(ScanError) -> UInt8 {
    guard let byte = skipWhitespace(text) else { throw endError(text) }
    return byte
  }

  /// Returns the error for text that ends too early.
  @usableFromInline
  package func endError(_ text: Span<UInt8>) -> ScanError {
    ScanError(isLast ? .unexpectedEnd : .needsMore, text.count)
  }

  /// Skips the colon after a key and the whitespace around the colon. Returns the first byte of the
  /// value.
  @inlinable @inline(__always)
  package mutating func skipColon(_ text: Span<UInt8>) throws(ScanError) -> UInt8 {
    guard try next(text) == UInt8(ascii: ":") else { throw ScanError(.expectedColon, position) }
    position &+= 1
    return try next(text)
  }

  /// Skips the comma or closing brace after a member of an object. Returns the first byte of the
  /// next key, or nil after the closing brace.
  @inlinable @inline(__always)
  package mutating func skipMemberEnd(_ text: Span<UInt8>) throws(ScanError) -> UInt8? {
    let byte = try next(text)
    position &+= 1
    if byte == UInt8(ascii: ",") {
      let following = try next(text)
      if following == UInt8(ascii: "}") { throw ScanError(.trailingComma, position) }
      return following
    }
    if byte == UInt8(ascii: "}") { return nil }
    throw ScanError(.expectedCommaOrBrace, position &- 1)
  }

  /// Skips the comma or closing bracket after an element of an array. Returns the first byte of the
  /// next element, or nil after the closing bracket.
  package mutating func skipElementEnd(_ text: Span<UInt8>) throws(ScanError) -> UInt8? {
    let byte = try next(text)
    position &+= 1
    if byte == UInt8(ascii: ",") {
      let following = try next(text)
      if following == UInt8(ascii: "]") { throw ScanError(.trailingComma, position) }
      return following
    }
    if byte == UInt8(ascii: "]") { return nil }
    throw ScanError(.expectedCommaOrBracket, position &- 1)
  }

  /// Skips `{` or `[`. Returns the first byte of the first member or element, or nil after an empty
  /// object or array.
  ///
  /// - Parameter closing: The matching `}` or `]`.
  @inlinable @inline(__always)
  package mutating func skipOpening(
    _ text: Span<UInt8>, closing: UInt8
  ) throws(ScanError) -> UInt8? {
    position &+= 1
    let byte = try next(text)
    guard byte == closing else { return byte }
    position &+= 1
    return nil
  }

  /// A JSON literal. The raw value consists of the ASCII characters of the literal, the first one
  /// in the lowest byte.
  package enum Keyword: UInt64 {
    case null = 0x6C6C_756E
    case yes = 0x6575_7274
    case no = 0x65_736C_6166
  }

  /// Skips a literal, whose first character is at the current position.
  package mutating func skip(_ word: Keyword, _ text: Span<UInt8>) throws(ScanError) {
    let start = position
    var letters = word.rawValue
    while letters != 0 {
      guard position < text.count else { throw endError(text) }
      guard text[position] == UInt8(truncatingIfNeeded: letters) else {
        throw ScanError(.invalidLiteral, start)
      }
      position &+= 1
      letters &>>= 8
    }
  }

  /// Scans the number at the current position, and returns its byte range. The text is not
  /// converted.
  @inlinable @inline(__always)
  package mutating func number(_ text: Span<UInt8>) throws(ScanError) -> Range<Int> {
    let start = position
    if text[position] == UInt8(ascii: "-") { position &+= 1 }
    guard position < text.count else { throw endError(text) }
    if text[position] == UInt8(ascii: "0") {
      position &+= 1
      if position < text.count, Self.isDigit(text[position]) {
        throw ScanError(.invalidNumber, start)
      }
    } else {
      try skipDigits(text, from: start)
    }
    if position < text.count, text[position] == UInt8(ascii: ".") {
      position &+= 1
      try skipDigits(text, from: start)
    }
    if position < text.count, text[position] | 0x20 == UInt8(ascii: "e") {
      position &+= 1
      if position < text.count,
        text[position] == UInt8(ascii: "+") || text[position] == UInt8(ascii: "-")
      {
        position &+= 1
      }
      try skipDigits(text, from: start)
    }
    if position == text.count && !isLast { throw endError(text) }
    return start..<position
  }

  @inlinable @inline(__always)
  mutating func skipDigits(_ text: Span<UInt8>, from start: Int) throws(ScanError) {
    guard position < text.count else { throw endError(text) }
    guard Self.isDigit(text[position]) else { throw ScanError(.invalidNumber, start) }
    repeat { position &+= 1 } while position < text.count && Self.isDigit(text[position])
  }

  @inlinable @inline(__always)
  package static func isDigit(_ byte: UInt8) -> Bool { byte &- 48 < 10 }
}
