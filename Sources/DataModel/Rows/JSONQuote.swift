/// Writes texts between quotes as JSON does, in the one form that datactl prints.
///
/// It stands in this room because lists and file references are kept as canonical text, which every
/// engine compares and stores.
package enum JSONQuote {
  /// Appends the text in quotes, with escapes only where JSON demands them.
  package static func append(_ text: Span<UInt8>, to output: inout [UInt8]) {
    output.append(quote)
    var start = 0
    guard needsEscape(text) else {
      output.append(copying: text)
      return output.append(quote)
    }
    for index in text.indices {
      let byte = text[index]
      if byte >= 0x20 && byte != quote && byte != backslash { continue }
      output.append(copying: text.extracting(start..<index))
      appendEscape(byte, to: &output)
      start = index + 1
    }
    output.append(copying: text.extracting(start..<text.count))
    output.append(quote)
  }

  /// Whether any byte needs an escape; it looks at all of them, so that many can be looked at at once.
  private static func needsEscape(_ text: Span<UInt8>) -> Bool {
    var found: UInt8 = 0
    for index in 0..<text.count {
      let byte = text[index]
      found |= byte < 0x20 ? 1 : 0
      found |= byte == quote ? 1 : 0
      found |= byte == backslash ? 1 : 0
    }
    return found != 0
  }

  private static func appendEscape(_ byte: UInt8, to output: inout [UInt8]) {
    output.append(backslash)
    switch byte {
    case quote, backslash: output.append(byte)
    case 0x08: output.append(UInt8(ascii: "b"))
    case 0x09: output.append(UInt8(ascii: "t"))
    case 0x0A: output.append(UInt8(ascii: "n"))
    case 0x0C: output.append(UInt8(ascii: "f"))
    case 0x0D: output.append(UInt8(ascii: "r"))
    default:
      output.append(contentsOf: "u00".utf8)
      output.append(hexDigit(byte >> 4))
      output.append(hexDigit(byte & 15))
    }
  }

  private static func hexDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }

  private static let quote = UInt8(ascii: "\"")
  private static let backslash = UInt8(ascii: "\\")
}
