import DataModel
import JSONText

/// Formats compact JSON for display on a terminal, with line breaks and an indentation of two
/// spaces.
///
/// Control characters are escaped, so that the terminal does not interpret them.
package struct IndentedJSON {
  private var depth = 0

  /// Appends a formatted JSON value and a newline. The value must be valid JSON without whitespace
  /// between tokens.
  package static func write(_ json: Span<UInt8>, to output: inout [UInt8]) {
    var writer = IndentedJSON()
    writer.write(json, to: &output)
  }

  private mutating func write(_ json: Span<UInt8>, to output: inout [UInt8]) {
    var index = 0
    while index < json.count {
      let byte = json[index]
      switch byte {
      case UInt8(ascii: "\""):
        let end = endOfText(json, from: index)
        writeText(json.extracting(index..<end), to: &output)
        index = end
        continue
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        output.append(byte)
        if index + 1 < json.count, json[index + 1] == byte + 2 {
          output.append(json[index + 1])
          index += 1
        } else {
          depth += 1
          breakLine(&output)
        }
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        breakLine(&output)
        output.append(byte)
      case UInt8(ascii: ","):
        output.append(byte)
        breakLine(&output)
      case UInt8(ascii: ":"):
        output.append(byte)
        output.append(UInt8(ascii: " "))
      default:
        output.append(byte)
      }
      index += 1
    }
    output.append(UInt8(ascii: "\n"))
  }

  private func endOfText(_ json: Span<UInt8>, from start: Int) -> Int {
    var index = start + 1
    while index < json.count, json[index] != UInt8(ascii: "\"") {
      index += json[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    return min(index + 1, json.count)
  }

  private func writeText(_ text: Span<UInt8>, to output: inout [UInt8]) {
    output.append(contentsOf: Excerpt.escaped(String(decoding: text)).utf8)
  }

  private func breakLine(_ output: inout [UInt8]) {
    output.append(UInt8(ascii: "\n"))
    for _ in 0..<depth * 2 { output.append(UInt8(ascii: " ")) }
  }
}
