import Testing

/// The error that is expected for a condition: a message, the condition with a caret below it, and
/// a hint.
struct ExpectedError: Sendable, CustomTestStringConvertible {
  var text: String

  /// The condition: the line after the message.
  var condition: String { String(text.split(separator: "\n")[1]) }

  var testDescription: String { condition }

  /// Returns the errors in a text, which are separated by empty lines.
  static func all(in text: String) -> [ExpectedError] {
    var errors: [ExpectedError] = []
    var lines: [Substring] = []
    for line in (text + "\n").split(separator: "\n", omittingEmptySubsequences: false) {
      if line.isEmpty {
        if !lines.isEmpty { errors.append(ExpectedError(text: lines.joined(separator: "\n"))) }
        lines = []
      } else {
        lines.append(line)
      }
    }
    return errors
  }
}
