extension JSONPathEvaluator {
  /// The maximum nesting depth, which is higher than the limit for validated JSON.
  private static let maxDepth = 200

  /// Returns the canonical form of JSON text, which is equal for equal values: only necessary
  /// escapes, numbers as significant digits and exponent, and keys sorted by their bytes.
  static func canonical(_ text: String) -> String {
    var evaluator = JSONPathEvaluator()
    var output: [UInt8] = []
    let bytes = text.utf8.span
    guard evaluator.appendValue(bytes, depth: 0, to: &output), evaluator.offset == bytes.count
    else {
      return text
    }
    return String(decoding: output, as: UTF8.self)
  }

  /// Appends the value at the current offset; returns false if it is invalid.
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
