/// Quotes words of shell commands that are suggested to the user.
package enum ShellText {
  /// Returns a text as one word of a shell command. Control characters are escaped as in bash.
  package static func quoted(_ text: String) -> String {
    if text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) {
      let scalars = text.unicodeScalars.map { scalar in
        switch scalar {
        case "\n": "\\n"
        case "'": "\\'"
        case "\\": "\\\\"
        case _ where scalar.value < 0x20 || scalar.value == 0x7F:
          "\\x\(scalar.value < 16 ? "0" : "")\(String(scalar.value, radix: 16))"
        case _: String(scalar)
        }
      }
      return "$'\(scalars.joined())'"
    }
    let parts = text.split(separator: "'", omittingEmptySubsequences: false)
    return "'\(parts.joined(separator: "'\\''"))'"
  }

  /// Returns a text as one word of a shell command, without quotation marks if it needs none.
  package static func word(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: "_-./:@%+=,".utf8.contains(byte)
      }
    }
    return isPlain && !text.isEmpty ? text : quoted(text)
  }
}
