/// Says what is wrong with a line, everything at once.
package struct UsageError: Error, Sendable, Equatable {
  package let problems: [Problem]

  /// One thing that is wrong, and how to mend it.
  package struct Problem: Sendable, Equatable {
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

  /// The error of an input that is missing: the line as a whole has named it already.
  static let noted = UsageError(problems: [])

  /// The same error, whose last hint says where to read more.
  func seeing(_ place: String) -> UsageError {
    var problems = problems
    if var last = problems.popLast() {
      let joint = last.hint.map { $0.hasSuffix("?") ? "\($0) " : "\($0); " } ?? ""
      last.hint = "\(joint)see \(place)"
      problems.append(last)
    }
    return UsageError(problems: problems)
  }
}
