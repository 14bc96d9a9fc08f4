import DataModel

/// Sanitizes the documentation of schemas and fields for exports.
enum DocText {
  /// Returns the lines of the text, with invisible characters escaped.
  static func lines(_ doc: String) -> [String] {
    doc.unicodeScalars.split { scalar in
      switch scalar.value {
      case 0x0A...0x0D, 0x85, 0x2028, 0x2029: true
      default: false
      }
    }.map { Excerpt.escaped(String($0)) }
  }

  /// Returns the text as a single line.
  static func line(_ doc: String) -> String { lines(doc).joined(separator: " ") }

  /// Escapes `&`, `<`, `>` and quotes for HTML.
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
