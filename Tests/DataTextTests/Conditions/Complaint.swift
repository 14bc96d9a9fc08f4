import Testing

/// What a reader says of a condition: a message, the condition with a caret under it, and advice.
struct Complaint: Sendable, CustomTestStringConvertible {
  var text: String

  /// The condition that is complained about: the line behind the message.
  var condition: String { String(text.split(separator: "\n")[1]) }

  var testDescription: String { condition }

  /// The complaints of a text, with an empty line between two.
  static func all(in text: String) -> [Complaint] {
    var complaints: [Complaint] = []
    var lines: [Substring] = []
    for line in (text + "\n").split(separator: "\n", omittingEmptySubsequences: false) {
      if line.isEmpty {
        if !lines.isEmpty { complaints.append(Complaint(text: lines.joined(separator: "\n"))) }
        lines = []
      } else {
        lines.append(line)
      }
    }
    return complaints
  }
}
