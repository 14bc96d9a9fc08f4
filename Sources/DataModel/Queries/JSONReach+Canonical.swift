extension JSONReach {
  /// The maximum nesting depth, which is higher than the limit for validated JSON.
  private static let deepest = 200

  /// Returns the canonical form of JSON text, which is equal for equal values: only necessary
  /// escapes, numbers as significant digits and exponent, and keys sorted by their bytes.
  static func canonical(_ text: String) -> String {
    var reach = JSONReach()
    var output: [UInt8] = []
    let bytes = text.utf8.span
    guard reach.appendValue(bytes, depth: 0, to: &output), reach.place == bytes.count else {
      return text
    }
    return String(decoding: output, as: UTF8.self)
  }

  /// Appends the value at the current offset; returns false if it is invalid.
  private mutating func appendValue(
    _ text: Span<UInt8>, depth: Int, to output: inout [UInt8]
  ) -> Bool {
    guard depth < Self.deepest, place < text.count else { return false }
    let start = place
    switch text[place] {
    case UInt8(ascii: "{"): return appendObject(text, depth: depth, to: &output)
    case UInt8(ascii: "["): return appendArray(text, depth: depth, to: &output)
    case UInt8(ascii: "\""):
      passString(text)
      guard let string = Self.unquoted(text.extracting(start..<place)) else { return false }
      JSONQuote.append(string.utf8.span, to: &output)
    case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"):
      passValue(text)
      for byte in start..<place { output.append(text[byte]) }
    default:
      passValue(text)
      let number = text.extracting(start..<place)
      guard NumberText.isJSONNumber(number) else { return false }
      NumberText.appendCanonical(number, to: &output)
    }
    return true
  }

  private mutating func appendArray(
    _ text: Span<UInt8>, depth: Int, to output: inout [UInt8]
  ) -> Bool {
    guard pass("[", text) else { return false }
    output.append(UInt8(ascii: "["))
    if !pass("]", text) {
      repeat {
        guard appendValue(text, depth: depth + 1, to: &output) else { return false }
        output.append(UInt8(ascii: ","))
      } while pass(",", text)
      output.removeLast()
      guard pass("]", text) else { return false }
    }
    output.append(UInt8(ascii: "]"))
    return true
  }

  private mutating func appendObject(
    _ text: Span<UInt8>, depth: Int, to output: inout [UInt8]
  ) -> Bool {
    guard pass("{", text) else { return false }
    var members: [(key: String, value: [UInt8])] = []
    if !pass("}", text) {
      repeat {
        let start = place
        passString(text)
        var value: [UInt8] = []
        guard let key = Self.unquoted(text.extracting(start..<place)), pass(":", text),
          appendValue(text, depth: depth + 1, to: &value)
        else { return false }
        members.append((key, value))
      } while pass(",", text)
      guard pass("}", text) else { return false }
    }
    members.sort { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    output.append(UInt8(ascii: "{"))
    for (place, member) in members.enumerated() {
      if place > 0 { output.append(UInt8(ascii: ",")) }
      JSONQuote.append(member.key.utf8.span, to: &output)
      output.append(UInt8(ascii: ":"))
      output += member.value
    }
    output.append(UInt8(ascii: "}"))
    return true
  }
}
