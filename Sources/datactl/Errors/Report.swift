package import DataModel

/// The output formats of errors.
package enum ErrorForm: String, CaseIterable, Sendable {
  case text
  case json
}

/// Formats errors for stderr.
package struct Report {
  private let error: DataError

  package init(_ error: DataError) {
    self.error = error
  }

  /// Returns the error in a format, with a newline at the end.
  package func written(as form: ErrorForm) -> String {
    switch form {
    case .text: text
    case .json: json
    }
  }

  private var text: String {
    var lines: [String] = []
    for (place, problem) in error.problems.enumerated() {
      lines.append("datactl: \(problem.place)\(Excerpt.visible(problem.message))")
      let next = place + 1 < error.problems.count ? error.problems[place + 1] : nil
      if let hint = problem.hint, hint != next?.hint {
        lines += hint.split(separator: "\n").map { Excerpt.visible(String($0)) }.withCarets.map {
          "  " + $0
        }
      }
    }
    if error.uncounted > 0 { lines.append("datactl: \(rest)") }
    if let aftermath = error.aftermath { lines.append("datactl: \(aftermath.message)") }
    return lines.map { $0 + "\n" }.joined()
  }

  private var json: String {
    var problems = error.problems
    if error.uncounted > 0 { problems.append(Problem(error.code, rest)) }
    if let aftermath = error.aftermath { problems.append(aftermath) }
    return problems.map { $0.json + "\n" }.joined()
  }

  private var rest: String {
    error.uncounted == 1 ? "and 1 more problem" : "and \(error.uncounted) more problems"
  }
}

extension Problem {
  /// The location and subject of the problem, as a prefix of the message.
  fileprivate var place: String {
    var parts: [String] = []
    if let file {
      // With a field, the line is precise enough without a column.
      let position = [line, field == nil ? column : nil].compactMap(\.self).map { ":\($0)" }
        .joined()
      parts.append((file == "-" ? "standard input" : file) + position)
    }
    if let subject { parts.append(subject) }
    return parts.map { Excerpt.visible($0) + ": " }.joined()
  }

  /// The schema, record or field that the problem concerns, unless the message names it.
  private var subject: String? {
    if namesItsSubject { return nil }
    if let field {
      return file == nil ? [schema, field].compactMap(\.self).joined(separator: ".") : field
    }
    if let schema, let id { return "\(schema) \(id)" }
    return schema
  }

  private var namesItsSubject: Bool {
    switch code {
    case .schemaNotFound, .unknownField, .usage: true
    case .notFound, .fileNotFound, .notLoggedIn, .wrongLogin, .forbidden, .exists, .changed,
      .notUnique, .referenced, .misfit, .loss, .schemaChanged, .invalid, .syntax,
      .danglingReference, .invalidSchema, .invalidConfiguration, .storeNotFound,
      .storeUnreachable, .notAStore, .storeTooNew, .storeDamaged, .storeBusy, .storeReadOnly,
      .storeFull, .libraryMissing, .outputFailed, .fileFailed, .interrupted, .findings, .stopped,
      .declined, .failed:
      false
    }
  }

  /// The problem as a JSON object that always has all keys.
  package var json: String {
    var bytes: [UInt8] = []
    func add(_ key: String, _ value: String?) {
      bytes.append(UInt8(ascii: bytes.isEmpty ? "{" : ","))
      JSONQuote.append(key.utf8.span, to: &bytes)
      bytes.append(UInt8(ascii: ":"))
      if let value {
        JSONQuote.append(value.utf8.span, to: &bytes)
      } else {
        bytes.append(contentsOf: "null".utf8)
      }
    }
    func add(_ key: String, _ number: Int?) {
      bytes.append(contentsOf: ",\"\(key)\":\(number.map(String.init) ?? "null")".utf8)
    }
    add("code", code.rawValue)
    add("message", message)
    add("hint", hint)
    add("schema", schema)
    add("id", id)
    add("field", field)
    add("file", file)
    add("line", line)
    add("column", column)
    bytes.append(UInt8(ascii: "}"))
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension [String] {
  /// The lines with each caret moved below the character that it marks. A hint counts characters,
  /// some of which are two columns wide on a terminal.
  fileprivate var withCarets: [String] {
    indices.map { place in
      guard place > 0, let marked = self[place].utf8.lastIndex(of: UInt8(ascii: "^")),
        self[place].utf8.index(after: marked) == self[place].utf8.endIndex,
        self[place].utf8[..<marked].allSatisfy({ $0 == UInt8(ascii: " ") })
      else { return self[place] }
      let before = self[place - 1].unicodeScalars.prefix(self[place].utf8.count - 1)
      let columns = DisplayWidth.of(String(String.UnicodeScalarView(before)))
      return String(repeating: " ", count: columns) + "^"
    }
  }
}
