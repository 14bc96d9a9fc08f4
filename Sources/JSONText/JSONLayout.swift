/// Formats JSON for people, with line breaks and indentation.
package enum JSONLayout {
  /// Appends a well-formed JSON value, indented by two spaces per level. Empty objects and arrays
  /// stay on one line.
  package static func indent(_ value: Span<UInt8>, to output: inout [UInt8]) {
    var depth = 0
    var isInString = false
    var isEscaped = false
    for index in value.indices {
      let byte = value[index]
      if isInString {
        output.append(byte)
        if byte == UInt8(ascii: "\"") && !isEscaped { isInString = false }
        isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
        continue
      }
      switch byte {
      case 0x20, 0x09, 0x0A, 0x0D: break
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        output.append(byte)
        depth += 1
        if !isClosedNext(value, after: index) { breakLine(depth, &output) }
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        if output.last != UInt8(ascii: "{") && output.last != UInt8(ascii: "[") {
          breakLine(depth, &output)
        }
        output.append(byte)
      case UInt8(ascii: ","):
        output.append(byte)
        breakLine(depth, &output)
      case UInt8(ascii: ":"):
        output.append(byte)
        output.append(0x20)
      default:
        isInString = byte == UInt8(ascii: "\"")
        output.append(byte)
      }
    }
  }

  private static func isClosedNext(_ value: Span<UInt8>, after index: Int) -> Bool {
    for next in index + 1..<value.count where value[next] > 0x20 {
      return value[next] == UInt8(ascii: "}") || value[next] == UInt8(ascii: "]")
    }
    return false
  }

  private static func breakLine(_ depth: Int, _ output: inout [UInt8]) {
    output.append(0x0A)
    output.append(contentsOf: repeatElement(0x20, count: depth * 2))
  }
}
