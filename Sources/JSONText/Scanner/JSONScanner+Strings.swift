/// Scanning of strings. Text without escapes is scanned eight bytes at a time, and validated as
/// UTF-8 at the same time. In this way, scanning a million records of 223 bytes takes 0.33 s; byte
/// by byte, it takes 0.37 s.
extension JSONScanner {
  /// Scans a string whose opening quote is at the current position.
  ///
  /// - Returns: The byte range of the string in the text, without quotes. If the string contains
  ///   escapes, the result is nil and the unescaped bytes are in `unescaped`.
  @inlinable @inline(__always)
  package mutating func string(_ text: Span<UInt8>) throws(ScanError) -> Range<Int>? {
    let start = position &+ 1
    let end = try plainEnd(text, from: start)
    guard text[end] == UInt8(ascii: "\"") else {
      try unescape(text, from: start, firstEscape: end)
      return nil
    }
    position = end &+ 1
    return start..<end
  }

  /// Returns the offset of the next quote or backslash, and validates all bytes before it.
  @inlinable @inline(__always)
  func plainEnd(_ text: Span<UInt8>, from start: Int) throws(ScanError) -> Int {
    var position = start
    while true {
      while position &+ 8 <= text.count {
        let special = Self.specialBytes(text.word(at: position))
        guard special == 0 else {
          position &+= special.trailingZeroBitCount &>> 3
          break
        }
        position &+= 8
      }
      guard position < text.count else { throw endError(text) }
      let byte = text[position]
      if byte >= 0x80 {
        position = try UTF8Sequence.end(text, at: position, isLast: isLast)
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
        return position
      } else if byte < 0x20 {
        throw ScanError(.controlCharacter, position)
      } else {
        position &+= 1
      }
    }
  }

  /// Finds the first quote, backslash, control character or non-ASCII byte in a word of eight
  /// bytes. Returns 0 if there is none. In any other result, the lowest 1 bit is the highest bit of
  /// the byte that was found; the bits above it have no meaning.
  @inlinable @inline(__always)
  static func specialBytes(_ word: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quotes = word ^ (ones &* 0x22)
    let backslashes = word ^ (ones &* 0x5C)
    let found =
      (quotes &- ones) & ~quotes | (backslashes &- ones) & ~backslashes
      | (word &- ones &* 0x20) & ~word | word
    return found & (ones &* 0x80)
  }

  /// Copies a string to `unescaped`, and replaces each escape with the character that it
  /// represents.
  @usableFromInline
  mutating func unescape(
    _ text: Span<UInt8>, from start: Int, firstEscape: Int
  ) throws(ScanError) {
    unescaped.removeAll(keepingCapacity: true)
    var runStart = start
    var end = firstEscape
    while true {
      unescaped.append(copying: text.extracting(runStart..<end))
      position = end
      if text[end] == UInt8(ascii: "\"") { break }
      try unescapeOne(text)
      runStart = position
      end = try plainEnd(text, from: runStart)
    }
    position = end &+ 1
  }

  /// Decodes an escape whose backslash is at the current position, and appends the character to
  /// `unescaped`.
  private mutating func unescapeOne(_ text: Span<UInt8>) throws(ScanError) {
    guard position &+ 1 < text.count else { throw endError(text) }
    let letter = text[position &+ 1]
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): unescaped.append(letter)
    case UInt8(ascii: "n"): unescaped.append(0x0A)
    case UInt8(ascii: "t"): unescaped.append(0x09)
    case UInt8(ascii: "r"): unescaped.append(0x0D)
    case UInt8(ascii: "b"): unescaped.append(0x08)
    case UInt8(ascii: "f"): unescaped.append(0x0C)
    case UInt8(ascii: "u"): return try unescapeScalar(text)
    default: throw ScanError(.invalidEscape, position)
    }
    position &+= 2
  }

  private mutating func unescapeScalar(_ text: Span<UInt8>) throws(ScanError) {
    let start = position
    let first = try codeUnit(text)
    guard first & 0xF800 == 0xD800 else {
      UTF8Sequence.append(first, to: &unescaped)
      return
    }
    guard first < 0xDC00 else { throw ScanError(.loneSurrogate, start) }
    guard position < text.count else { throw endError(text) }
    guard text[position] == UInt8(ascii: "\\") else { throw ScanError(.loneSurrogate, start) }
    guard position &+ 1 < text.count else { throw endError(text) }
    guard text[position &+ 1] == UInt8(ascii: "u") else { throw ScanError(.loneSurrogate, start) }
    let second = try codeUnit(text)
    guard second & 0xFC00 == 0xDC00 else { throw ScanError(.loneSurrogate, start) }
    UTF8Sequence.append(0x1_0000 &+ (first & 0x3FF) << 10 &+ (second & 0x3FF), to: &unescaped)
  }

  /// Parses an escape such as `\u00e9` and returns the value of its four hexadecimal digits.
  private mutating func codeUnit(_ text: Span<UInt8>) throws(ScanError) -> UInt32 {
    var unit: UInt32 = 0
    for offset in 2..<6 {
      guard position &+ offset < text.count else { throw endError(text) }
      let byte = text[position &+ offset]
      let digit: UInt8
      switch byte {
      case 48...57: digit = byte &- 48
      case 65...70: digit = byte &- 55
      case 97...102: digit = byte &- 87
      default: throw ScanError(.invalidEscape, position)
      }
      unit = unit << 4 | UInt32(digit)
    }
    position &+= 6
    return unit
  }
}
