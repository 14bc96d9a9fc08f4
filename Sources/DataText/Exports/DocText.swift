import DataModel

/// What people wrote of schemas and fields, for places where it must be nothing but text.
enum DocText {
  /// The text line by line, with the characters spelt out that a reader would not see.
  static func lines(_ doc: String) -> [String] {
    doc.unicodeScalars.split { scalar in
      switch scalar.value {
      case 0x0A...0x0D, 0x85, 0x2028, 0x2029: true
      default: false
      }
    }.map { Excerpt.visible(String($0)) }
  }

  /// The text in one line.
  static func line(_ doc: String) -> String { lines(doc).joined(separator: " ") }

  /// The text where `&`, `<`, `>` and quotes mean something else.
  static func html(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
