/// Evaluates paths of keys in stored JSON text. The text was validated when it was saved, and has
/// no insignificant whitespace.
///
/// Invalid JSON, which only occurs in a damaged store, is treated as null, or as a list without
/// elements.
package struct JSONPathEvaluator {
  package private(set) var offset = 0

  package init(offset: Int = 0) {
    self.offset = offset
  }

  /// Returns the byte range of the value at a path of nested keys, or nil if the path does not
  /// exist.
  package static func range(under keys: [String], in text: Span<UInt8>) -> Range<Int>? {
    var evaluator = JSONPathEvaluator()
    for key in keys {
      guard evaluator.moveToValue(key, in: text) else { return nil }
    }
    let start = evaluator.offset
    evaluator.skipValue(text)
    return start..<evaluator.offset
  }

  /// Returns the byte ranges of the elements of a JSON array. Other JSON has no elements.
  package static func elements(_ text: Span<UInt8>) -> [Range<Int>] {
    guard text.count > 1, text[0] == UInt8(ascii: "["), text[1] != UInt8(ascii: "]") else {
      return []
    }
    var evaluator = JSONPathEvaluator(offset: 1)
    var ranges: [Range<Int>] = []
    while evaluator.offset < text.count {
      let start = evaluator.offset
      evaluator.skipValue(text)
      guard evaluator.offset > start else { break }
      ranges.append(start..<evaluator.offset)
      guard evaluator.skip(",", text) else { break }
    }
    return ranges
  }

  /// Moves to the value of a key in the object at the current offset. Returns false if there is no
  /// object, or if the object does not have the key.
  private mutating func moveToValue(_ key: String, in text: Span<UInt8>) -> Bool {
    guard skip("{", text) else { return false }
    while offset < text.count, text[offset] == UInt8(ascii: "\"") {
      let start = offset
      skipString(text)
      let name = text.extracting(start..<offset)
      guard skip(":", text) else { return false }
      if Self.isQuoted(key, name) { return true }
      skipValue(text)
      guard skip(",", text) else { return false }
    }
    return false
  }

  private static func isQuoted(_ key: String, _ quoted: Span<UInt8>) -> Bool {
    unquoted(quoted).map { $0.utf8.elementsEqual(key.utf8) } ?? false
  }

  package mutating func skip(_ mark: Unicode.Scalar, _ text: Span<UInt8>) -> Bool {
    guard offset < text.count, text[offset] == UInt8(ascii: mark) else { return false }
    offset += 1
    return true
  }

  /// Skips the value at the current offset, including its nested values.
  package mutating func skipValue(_ text: Span<UInt8>) {
    var depth = 0
    while offset < text.count {
      switch text[offset] {
      case UInt8(ascii: "\""):
        skipString(text)
        continue
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if depth == 0 { return }
        depth -= 1
      case UInt8(ascii: ","): if depth == 0 { return }
      default: break
      }
      offset += 1
    }
  }

  package mutating func skipString(_ text: Span<UInt8>) {
    offset += 1
    while offset < text.count, text[offset] != UInt8(ascii: "\"") {
      offset += text[offset] == UInt8(ascii: "\\") ? 2 : 1
    }
    offset = min(offset + 1, text.count)
  }
}

extension JSONPathEvaluator {
  /// Returns the content of a quoted JSON string with its escapes resolved, or nil if the string is
  /// invalid.
  package static func unquoted(_ text: Span<UInt8>) -> String? {
    guard text.count >= 2 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count - 2)
    var offset = 1
    while offset < text.count - 1 {
      if text[offset] == UInt8(ascii: "\\") {
        guard let scalar = escaped(text, &offset) else { return nil }
        bytes.append(contentsOf: UTF8.encode(scalar) ?? .init())
      } else {
        bytes.append(text[offset])
        offset += 1
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Parses an escape sequence, or two of them that form a surrogate pair, and returns the scalar;
  /// nil if the escape is invalid.
  private static func escaped(_ text: Span<UInt8>, _ offset: inout Int) -> Unicode.Scalar? {
    guard offset + 1 < text.count else { return nil }
    let letter = text[offset + 1]
    offset += 2
    switch letter {
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "u"): break
    default: return Unicode.Scalar(letter)
    }
    guard let first = unit(text, &offset) else { return nil }
    guard first >= 0xD800, first < 0xDC00 else { return Unicode.Scalar(first) }
    guard offset + 1 < text.count, text[offset] == UInt8(ascii: "\\") else { return nil }
    offset += 2
    guard let second = unit(text, &offset), second >= 0xDC00, second < 0xE000 else { return nil }
    return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
  }

  private static func unit(_ text: Span<UInt8>, _ offset: inout Int) -> UInt32? {
    guard offset + 4 <= text.count else { return nil }
    let digits = String(decoding: text.extracting(offset..<offset + 4))
    offset += 4
    return UInt32(digits, radix: 16)
  }
}

extension JSONPathEvaluator {
  /// The maximum nesting depth of JSON that is converted to canonical form. It is higher than the
  /// limit for validated JSON.
  private static let maxDepth = 200

  /// Returns the canonical form of JSON text. Equal values have the same canonical form: it
  /// contains only necessary escapes, its numbers consist of significant digits and an exponent,
  /// and its keys are sorted by their bytes. Invalid JSON is returned unchanged.
  package static func canonical(_ text: String) -> String {
    var evaluator = JSONPathEvaluator()
    var output: [UInt8] = []
    let bytes = text.utf8.span
    guard evaluator.appendValue(bytes, depth: 0, to: &output), evaluator.offset == bytes.count
    else {
      return text
    }
    return String(decoding: output, as: UTF8.self)
  }

  /// Appends the canonical form of the value at the current offset. Returns false if the value is
  /// invalid.
  private mutating func appendValue(
    _ text: Span<UInt8>, depth: Int, to output: inout [UInt8]
  ) -> Bool {
    guard depth < Self.maxDepth, offset < text.count else { return false }
    let start = offset
    switch text[offset] {
    case UInt8(ascii: "{"): return appendObject(text, depth: depth, to: &output)
    case UInt8(ascii: "["): return appendArray(text, depth: depth, to: &output)
    case UInt8(ascii: "\""):
      skipString(text)
      guard let string = Self.unquoted(text.extracting(start..<offset)) else { return false }
      JSONQuote.append(string.utf8.span, to: &output)
    case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"):
      skipValue(text)
      for byte in start..<offset { output.append(text[byte]) }
    default:
      skipValue(text)
      let number = text.extracting(start..<offset)
      guard NumberText.isJSONNumber(number) else { return false }
      NumberText.appendCanonical(number, to: &output)
    }
    return true
  }

  private mutating func appendArray(
    _ text: Span<UInt8>, depth: Int, to output: inout [UInt8]
  ) -> Bool {
    guard skip("[", text) else { return false }
    output.append(UInt8(ascii: "["))
    if !skip("]", text) {
      repeat {
        guard appendValue(text, depth: depth + 1, to: &output) else { return false }
        output.append(UInt8(ascii: ","))
      } while skip(",", text)
      output.removeLast()
      guard skip("]", text) else { return false }
    }
    output.append(UInt8(ascii: "]"))
    return true
  }

  private mutating func appendObject(
    _ text: Span<UInt8>, depth: Int, to output: inout [UInt8]
  ) -> Bool {
    guard skip("{", text) else { return false }
    var members: [(key: String, value: [UInt8])] = []
    if !skip("}", text) {
      repeat {
        let start = offset
        skipString(text)
        var value: [UInt8] = []
        guard let key = Self.unquoted(text.extracting(start..<offset)), skip(":", text),
          appendValue(text, depth: depth + 1, to: &value)
        else { return false }
        members.append((key, value))
      } while skip(",", text)
      guard skip("}", text) else { return false }
    }
    members.sort { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    output.append(UInt8(ascii: "{"))
    for (offset, member) in members.enumerated() {
      if offset > 0 { output.append(UInt8(ascii: ",")) }
      JSONQuote.append(member.key.utf8.span, to: &output)
      output.append(UInt8(ascii: ":"))
      output += member.value
    }
    output.append(UInt8(ascii: "}"))
    return true
  }
}
