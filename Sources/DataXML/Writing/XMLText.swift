import JSONText

/// Appends text to elements and attributes, with the necessary escapes.
enum XMLText {
  /// The maximum length of the attributes of an element in bytes.
  static let longestTag = 256 << 10

  /// Where text is written. In an attribute, line breaks and tabs are written as character
  /// references, because XML parsers replace them with spaces.
  enum Place {
    case element
    case attribute
  }

  /// Appends text, and escapes special characters as XML references. Returns false if XML 1.0
  /// cannot contain the text, because of a control character, U+FFFE or U+FFFF.
  static func append(_ text: Span<UInt8>, in place: Place, to output: inout [UInt8]) -> Bool {
    var start = 0
    var index = 0
    var isValid = true
    while index < text.count {
      let byte = text[index]
      guard isSpecial(byte) else {
        index &+= 1
        continue
      }
      let reference: String
      switch byte {
      case UInt8(ascii: "&"): reference = "&amp;"
      case UInt8(ascii: "<"): reference = "&lt;"
      case UInt8(ascii: ">"): reference = "&gt;"
      case 0x0D: reference = "&#13;"
      case UInt8(ascii: "\"") where place == .attribute: reference = "&quot;"
      case 0x09 where place == .attribute: reference = "&#9;"
      case 0x0A where place == .attribute: reference = "&#10;"
      default:
        if !isAllowed(text, index) { isValid = false }
        index &+= 1
        continue
      }
      output.append(copying: text.extracting(start..<index))
      output.append(contentsOf: reference.utf8)
      index &+= 1
      start = index
    }
    output.append(copying: text.extracting(start..<text.count))
    return isValid
  }

  /// Appends text that needs no escapes.
  static func append(_ text: String, to output: inout [UInt8]) {
    output.append(contentsOf: text.utf8)
  }

  @inline(__always)
  private static func isSpecial(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "&") || byte == UInt8(ascii: "<")
      || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "\"") || byte == 0xEF
  }

  /// Returns whether XML can contain the character at an offset.
  private static func isAllowed(_ text: Span<UInt8>, _ index: Int) -> Bool {
    switch text[index] {
    case 0x09, 0x0A: true
    case 0..<0x20: false
    case 0xEF:
      !(index + 2 < text.count && text[index + 1] == 0xBF && text[index + 2] >= 0xBE)
    default: true
    }
  }
}
