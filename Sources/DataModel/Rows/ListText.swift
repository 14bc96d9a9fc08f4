import JSONText

/// The canonical text of lists. Cells and databases contain arrays and to-many relations in this
/// format.
///
/// The text is a JSON array without whitespace. Strings are written by `JSONQuote`, and numbers in
/// their shortest form. Two lists are equal if their texts are equal.
package enum ListText {
  /// Appends the canonical text of a list.
  package static func append(_ values: [Value], to output: inout [UInt8]) {
    output.append(UInt8(ascii: "["))
    for (index, value) in values.enumerated() {
      if index > 0 { output.append(UInt8(ascii: ",")) }
      append(value, to: &output)
    }
    output.append(UInt8(ascii: "]"))
  }

  /// Appends the canonical text of one list element.
  package static func append(_ value: Value, to output: inout [UInt8]) {
    if case .text(let text) = value { return JSONQuote.append(text.utf8.span, to: &output) }
    let isQuoted = value.type?.descriptor.textForm == .quoted
    if isQuoted { output.append(UInt8(ascii: "\"")) }
    value.appendText(to: &output)
    if isQuoted { output.append(UInt8(ascii: "\"")) }
  }

  /// Returns whether a text is the canonical text of a list of strings without escapes. This check
  /// is faster than parsing the list.
  package static func isPlain(_ text: Span<UInt8>) -> Bool {
    guard text.count >= 2, text[0] == UInt8(ascii: "[") else { return false }
    if text.count == 2 { return text[1] == UInt8(ascii: "]") }
    var offset = 1
    var seen: UInt64 = 0
    while text[offset] == JSONQuote.quote {
      let end = JSONQuote.plainEnd(text, from: offset &+ 1, &seen)
      guard end &+ 1 < text.count, text[end] == JSONQuote.quote else { return false }
      offset = end &+ 2
      if offset == text.count {
        return text[end &+ 1] == UInt8(ascii: "]")
          && (seen & UTF8Check.highBits == 0 || UTF8Check.isValid(text))
      }
      guard text[end &+ 1] == UInt8(ascii: ",") else { return false }
    }
    return false
  }

  /// Parses the list that begins at an offset. Text after its closing bracket is ignored.
  ///
  /// Spaces between elements are allowed, because an engine that stores lists in its own JSON type
  /// may return them with spaces. Returns nil if the text is not a list with elements of the type,
  /// which means that the store is damaged.
  package static func values(
    in text: Span<UInt8>, from start: Int = 0, of type: ElementType
  ) -> [Value]? {
    var reader = CanonicalReader(position: start)
    return reader.list(in: text, of: type)
  }
}

/// A parser for canonical text: text that `ListText` or `JSONQuote` wrote, or that a database
/// engine returned.
struct CanonicalReader {
  var position: Int

  mutating func list(in text: Span<UInt8>, of type: ElementType) -> [Value]? {
    guard next(in: text) == UInt8(ascii: "[") else { return nil }
    position += 1
    var values: [Value] = []
    if next(in: text) == UInt8(ascii: "]") { return values }
    while let value = element(in: text, of: type) {
      values.append(value)
      switch next(in: text) {
      case UInt8(ascii: ","): position += 1
      case UInt8(ascii: "]"): return values
      default: return nil
      }
    }
    return nil
  }

  private mutating func next(in text: Span<UInt8>) -> UInt8? {
    while position < text.count, text[position] == 0x20 { position += 1 }
    return position < text.count ? text[position] : nil
  }

  private mutating func element(in text: Span<UInt8>, of type: ElementType) -> Value? {
    guard let first = next(in: text) else { return nil }
    if first == UInt8(ascii: "\"") { return quoted(in: text, of: type) }
    let start = position
    while position < text.count, text[position] != UInt8(ascii: ","),
      text[position] != UInt8(ascii: "]"), text[position] != 0x20
    {
      position += 1
    }
    let word = text.extracting(start..<position)
    let descriptor = type.fieldType.descriptor
    return descriptor.textForm == .bare ? try? descriptor.parse(word) : nil
  }

  private mutating func quoted(in text: Span<UInt8>, of type: ElementType) -> Value? {
    guard let bytes = quotedBytes(in: text) else { return nil }
    let descriptor = type.fieldType.descriptor
    return descriptor.textForm == .quoted ? try? descriptor.parse(bytes.span) : nil
  }

  /// Parses a quoted string and returns its bytes without escapes, or nil if it is invalid. Spaces
  /// before the opening quotation mark are skipped.
  mutating func quotedBytes(in text: Span<UInt8>) -> [UInt8]? {
    guard next(in: text) == UInt8(ascii: "\"") else { return nil }
    position += 1
    var bytes: [UInt8] = []
    while position < text.count, text[position] != UInt8(ascii: "\"") {
      if text[position] == UInt8(ascii: "\\") {
        guard let byte = escaped(in: text) else { return nil }
        bytes.append(byte)
      } else {
        bytes.append(text[position])
        position += 1
      }
    }
    guard position < text.count else { return nil }
    position += 1
    return bytes
  }

  /// Advances past the expected bytes if they come next, and returns whether they do.
  mutating func skip(_ expected: StaticString, in text: Span<UInt8>) -> Bool {
    let count = expected.utf8CodeUnitCount
    guard position + count <= text.count else { return false }
    let found = String(decoding: text.extracting(position..<position + count))
    guard found == expected.description else { return false }
    position += count
    return true
  }

  /// Parses an escape sequence, and returns the byte that it represents. One byte is sufficient,
  /// because canonical text uses `\u` only for characters up to U+001F.
  private mutating func escaped(in text: Span<UInt8>) -> UInt8? {
    guard position + 1 < text.count else { return nil }
    let letter = text[position + 1]
    position += 2
    switch letter {
    case UInt8(ascii: "b"): return 0x08
    case UInt8(ascii: "t"): return 0x09
    case UInt8(ascii: "n"): return 0x0A
    case UInt8(ascii: "f"): return 0x0C
    case UInt8(ascii: "r"): return 0x0D
    case UInt8(ascii: "u"):
      guard position + 4 <= text.count else { return nil }
      let digits = String(decoding: text.extracting(position..<position + 4))
      position += 4
      return UInt8(digits, radix: 16)
    default: return letter
    }
  }
}
