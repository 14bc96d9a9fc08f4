extension JSONPathEvaluator {
  /// Returns the content of a JSON string with its escapes resolved, or nil if it is invalid.
  static func unquoted(_ text: Span<UInt8>) -> String? {
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

  /// Parses an escape, or a surrogate pair of two escapes.
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
