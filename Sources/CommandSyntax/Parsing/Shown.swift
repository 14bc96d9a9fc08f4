/// A word of a command line as error messages show it: cut at 60 characters, with control
/// characters and invisible characters escaped.
package struct EscapedWord: Sendable, CustomStringConvertible {
  package let description: String

  package init(_ word: String) {
    var text = ""
    var needsQuotes = word.isEmpty
    for (count, scalar) in word.unicodeScalars.enumerated() {
      if count == 60 {
        text += "…"
        break
      }
      switch scalar.properties.generalCategory {
      case .control, .format, .surrogate, .lineSeparator, .paragraphSeparator:
        text += "\\u{\(String(scalar.value, radix: 16))}"
      case .spaceSeparator:
        needsQuotes = true
        text.unicodeScalars.append(scalar)
      default:
        text.unicodeScalars.append(scalar)
      }
    }
    description = needsQuotes ? "\"\(text)\"" : text
  }
}
