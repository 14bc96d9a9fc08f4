package import CommandSyntax
import DataAPI
package import DataModel
import DataOutput

/// The formats in which errors are printed on stderr (`--errors`).
package enum ErrorFormat: String, CaseIterable, Sendable {
  case text
  case json
}

/// Formats an error as text or as JSON, for stderr.
package struct ErrorFormatter {
  private let error: DataError
  /// The text at the start of each problem, which can be colored.
  private let prefix: String

  package init(_ error: DataError, prefix: String = "datactl:") {
    self.error = error
    self.prefix = prefix
  }

  /// Returns the error in the given format, with a newline at the end.
  package func formatted(as form: ErrorFormat) -> String {
    switch form {
    case .text: text
    case .json: json
    }
  }

  private var text: String {
    error.lines(prefix: prefix + " ") { $0.alignedCarets }.map { $0 + "\n" }.joined()
  }

  private var json: String {
    let error = error.printed
    var objects = error.problems.map(\.json)
    if let omitted = error.omittedText {
      objects.append(Problem(error.code, omitted).json(count: error.omittedCount))
    }
    if let partialCommit = error.partialCommit { objects.append(partialCommit.json) }
    return objects.map { $0 + "\n" }.joined()
  }
}

extension [String] {
  /// The lines of an error message, with aligned carets (`^`). A caret marks a character in the
  /// line above. In the message, each character before the marked one counts as one column. On a
  /// terminal, a character can be two columns wide, so the caret is moved to the right.
  fileprivate var alignedCarets: [String] {
    indices.map { position in
      guard position > 0, let marked = self[position].utf8.lastIndex(of: UInt8(ascii: "^")),
        self[position].utf8.index(after: marked) == self[position].utf8.endIndex,
        self[position].utf8[..<marked].allSatisfy({ $0 == UInt8(ascii: " ") })
      else { return self[position] }
      let before = self[position - 1].unicodeScalars.prefix(self[position].utf8.count - 1)
      let columns = DisplayWidth.of(String(String.UnicodeScalarView(before)))
      return String(repeating: " ", count: columns) + "^"
    }
  }
}

extension DataError {
  /// Creates an error from the usage problems of a command line.
  package init(_ error: UsageError) {
    let problems = error.problems.map { Problem(.usage, $0.message, hint: $0.hint) }
    self = DataError(problems) ?? DataError(.usage, "invalid command line")
  }
}
