import DataModel
import DataOutput

/// Functions that make text safe to print on a terminal.
enum TerminalText {
  /// Returns the bytes with control and invisible characters escaped as in JSON. Tabs, line breaks
  /// (`\n` and `\r\n`), and the escape sequences for bold and for colors are not escaped.
  ///
  /// Without escaping, a value in a record could control the terminal. JSON output needs this too,
  /// because JSON escapes only some of these characters.
  static func escaped(_ bytes: [UInt8]) -> [UInt8] {
    guard !bytes.allSatisfy(isPlain) else { return bytes }
    var result: [UInt8] = []
    var rest = bytes[...]
    while let byte = rest.first {
      let style = rest.starts(with: lineBreak) ? lineBreak.count : styleLength(rest)
      let length = style > 0 ? style : min(rest.count, max(1, (~byte).leadingZeroBitCount))
      let character = rest.prefix(length)
      rest = rest.dropFirst(length)
      if style > 0 || isPlain(byte) {
        result += character
      } else {
        result += Excerpt.escaped(String(decoding: character, as: UTF8.self)).utf8
      }
    }
    return result
  }

  private static let lineBreak: [UInt8] = [0x0D, 0x0A]

  private static func isPlain(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte < 0x7F || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\t")
  }

  /// The escape sequences that datactl prints itself: the beginning and the end of bold or colored
  /// text. Other styles could hide the text after them.
  private static let styles =
    (["\u{1B}[1m", "\u{1B}[22m", TextColor.end] + TextColor.allCases.map(\.beginning))
    .map { Array($0.utf8) }

  /// Returns the length of the escape sequence for a style at the start of the bytes, or 0 if they
  /// do not begin with one.
  private static func styleLength(_ bytes: ArraySlice<UInt8>) -> Int {
    styles.first { bytes.starts(with: $0) }?.count ?? 0
  }
}
