/// The error for an invalid command line, with all problems that were found.
public struct UsageError: Error, Sendable, Equatable {
  package let problems: [Problem]

  /// A problem, with an optional hint on how to fix it.
  public struct Problem: Sendable, Equatable {
    package let message: String
    package internal(set) var hint: String?

    package init(_ message: String, hint: String? = nil) {
      self.message = message
      self.hint = hint
    }
  }

  package init(_ message: String, hint: String? = nil) {
    problems = [Problem(message, hint: hint)]
  }

  init(problems: [Problem]) {
    self.problems = problems
  }

  /// Returns a copy of the error that refers to a help page: the hint of the last problem ends with
  /// `see` and the page.
  func withReference(_ helpPage: String) -> UsageError {
    var problems = problems
    if var last = problems.popLast() {
      let separator = last.hint.map { $0.hasSuffix("?") ? "\($0) " : "\($0); " } ?? ""
      last.hint = "\(separator)see \(helpPage)"
      problems.append(last)
    }
    return UsageError(problems: problems)
  }
}

/// A word of a command line as error messages show it: truncated after 60 characters, with control
/// characters and invisible characters escaped. A word is quoted if it is empty, contains spaces
/// or consists only of punctuation, such as `-`.
package struct EscapedWord: Sendable, CustomStringConvertible {
  package let description: String

  package init(_ word: String) {
    var text = ""
    var needsQuotes = word.unicodeScalars.allSatisfy(Self.isPunctuation)
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

  private static func isPunctuation(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x21...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E: true
    default: false
    }
  }
}
