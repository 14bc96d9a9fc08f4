import DataModel

/// Escapes text for Markdown.
enum MarkdownText {
  /// Escapes a line so that it contains no markup.
  static func plain(_ line: String) -> String {
    var escaped = ""
    for scalar in line.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\\", "`", "*", "_", "[", "]", "|", "~", "#", "$", "!":
        escaped += "\\"
        escaped.unicodeScalars.append(scalar)
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return quotingStart(of: escaped)
  }

  /// Returns the text as inline code. If it contains a backquote or `|`, it becomes an HTML `code`
  /// element, because HTML has entities for both.
  static func code(_ text: String) -> String {
    let line = Excerpt.escaped(text)
    let isPlain = !line.isEmpty && line == line.trimmed && !line.contains { "`|".contains($0) }
    if isPlain { return "`\(line)`" }
    var html = ""
    for scalar in DocText.html(line).unicodeScalars {
      switch scalar {
      case "`", "|", "*", "_", "\\", "[", "]", "~", "$": html += "&#\(scalar.value);"
      default: html.unicodeScalars.append(scalar)
      }
    }
    return "<code>\(html)</code>"
  }

  /// Escapes the start of a line so that it is not a list item, a heading or a rule.
  private static func quotingStart(of line: String) -> String {
    let text = line.drop { $0 == " " }
    guard let first = text.first else { return "" }
    if "-+=".contains(first) { return "\\" + text }
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    let rest = text.dropFirst(digits.count)
    if !digits.isEmpty, let mark = rest.first, mark == "." || mark == ")" {
      return digits + "\\" + rest
    }
    return String(text)
  }
}

extension String {
  fileprivate var trimmed: String {
    let tail = drop { $0 == " " }.reversed().drop { $0 == " " }
    return String(tail.reversed())
  }
}
