import JSONText

/// Serializes CSV cells as specified in RFC 4180. In TSV, a cell that contains quotes is enclosed
/// in quotes only if it begins with a quote.
package enum CSVCell {
  /// Appends a cell, quoted if necessary. Empty text is quoted, because an unquoted empty cell
  /// means null.
  package static func append(
    _ text: Span<UInt8>, separator: UInt8 = UInt8(ascii: ","), to output: inout [UInt8]
  ) {
    guard needsQuotes(text, separator) else { return output.append(copying: text) }
    output.append(quote)
    var start = 0
    for index in text.indices where text[index] == quote {
      output.append(copying: text.extracting(start...index))
      output.append(quote)
      start = index + 1
    }
    output.append(copying: text.extracting(start..<text.count))
    output.append(quote)
  }

  private static func needsQuotes(_ text: Span<UInt8>, _ separator: UInt8) -> Bool {
    if text.isEmpty { return true }
    for index in text.indices {
      switch text[index] {
      case quote where separator != tab || index == 0: return true
      case separator, 0x0A, 0x0D: return true
      default: break
      }
    }
    return false
  }

  private static let quote = UInt8(ascii: "\"")
  private static let tab = UInt8(ascii: "\t")
}
