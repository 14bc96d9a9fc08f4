extension FileReference {
  /// Returns whether the text is a plain file name: no path separator, no control characters.
  package static func isName(_ text: String) -> Bool {
    !text.isEmpty && text != "." && text != ".."
      && text.unicodeScalars.allSatisfy { scalar in
        scalar != "/" && scalar.properties.generalCategory != .control
      }
  }

  /// Returns whether the text is a media type: a type and a subtype separated by a slash,
  /// optionally followed by parameters.
  package static func isMediaType(_ text: Span<UInt8>) -> Bool {
    var offset = 0
    guard skipTypeName(text, &offset), offset < text.count, text[offset] == UInt8(ascii: "/") else {
      return false
    }
    offset += 1
    guard skipTypeName(text, &offset) else { return false }
    while offset < text.count, text[offset] == UInt8(ascii: " ") { offset += 1 }
    guard offset < text.count else { return true }
    guard text[offset] == UInt8(ascii: ";") else { return false }
    for index in offset..<text.count where text[index] < 0x20 || text[index] >= 0x7F {
      return false
    }
    return true
  }

  /// Advances the offset past the characters that RFC 6838 allows in a type name, and returns
  /// whether it moved.
  private static func skipTypeName(_ text: Span<UInt8>, _ offset: inout Int) -> Bool {
    let start = offset
    while offset < text.count {
      switch text[offset] {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "!"), UInt8(ascii: "#"),
        UInt8(ascii: "$"), UInt8(ascii: "&"), UInt8(ascii: "-"), UInt8(ascii: "^"),
        UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "+"):
        offset += 1
      default: return offset > start
      }
    }
    return offset > start
  }
}
