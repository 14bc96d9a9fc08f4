extension Problem: CustomStringConvertible {
  /// The error message, preceded by the location of the problem and by the affected schema, record
  /// or field.
  public var description: String { printed.positionedMessage }

  fileprivate var positionedMessage: String { position + Excerpt.escaped(message) }

  /// Returns the message for similar problems, with the ids of the first three records.
  ///
  /// - Parameters:
  ///   - problems: The problems, which include this one.
  ///   - count: The number of further problems.
  fileprivate func message(with problems: [Problem], further count: Int) -> String {
    let total = problems.count + count
    let ids = problems.prefix(3).compactMap { $0.referrer?.id ?? $0.id }
    let list = ids.joined(separator: ", ") + " and \((total - ids.count).grouped) more"
    if let referrer, let schema, let id {
      return Excerpt.escaped(
        "\(total.grouped) records of \(referrer.schema) refer to \(schema) \(id): \(list)")
    }
    var problem = self
    problem.id = nil
    return problem.positionedMessage + Excerpt.escaped(" (\(total.grouped) records: \(list))")
  }

  /// The text that is printed before the message: the location of the problem, the operation, and
  /// the affected schema, record or field. Each is followed by a colon.
  private var position: String {
    var parts: [String] = []
    if let file {
      // If the field is known, the line is precise enough without the column.
      let position = [line, field == nil ? column : nil].compactMap(\.self).map { ":\($0)" }
        .joined()
      parts.append((file == "-" ? "standard input" : file) + position)
    }
    if let operation { parts.append("operation \(operation)") }
    if let subject { parts.append(subject) }
    return parts.map { Excerpt.escaped($0) + ": " }.joined()
  }

  /// The schema, record or field that the problem concerns, as text; nil if the message already
  /// names it.
  private var subject: String? {
    // Several nested records can have the same schema, so the path says which record has the field.
    if code == .unknownField, let path, path != "$" { return path }
    if namesItsSubject { return nil }
    if let path, pathIsComplete { return path }
    if let path { return [path, field].compactMap(\.self).joined(separator: ".") }
    if let field {
      return file == nil ? [schema, field].compactMap(\.self).joined(separator: ".") : field
    }
    if let schema, let id { return "\(schema) \(id)" }
    return schema
  }

  private var namesItsSubject: Bool {
    switch code {
    case .schemaNotFound, .unknownField, .usage: true
    case .notFound, .fileNotFound, .notLoggedIn, .wrongLogin, .throttled, .forbidden, .exists,
      .changed, .checkFailed, .notUnique, .referenced, .incompatibleData, .loss, .schemaChanged,
      .invalid, .syntax, .danglingReference, .invalidSchema, .invalidConfiguration, .storeNotFound,
      .storeUnreachable, .outcomeUnknown, .notAStore, .storeTooNew, .unfinishedCopy, .storeDamaged,
      .storeBusy, .storeReadOnly, .storeFull, .libraryMissing, .outputFailed, .fileFailed,
      .interrupted, .findings, .stopped, .declined, .failed:
      false
    }
  }
}

extension DataError: CustomStringConvertible {
  /// The text of all problems: a line for each one, followed by its hint.
  public var description: String { lines().joined(separator: "\n") }

  /// Returns the lines of the description: each problem, followed by its hint. More than three
  /// similar problems are one line. A hint that consecutive problems share is printed only once,
  /// after the last of them. Secrets are redacted, and the size is limited.
  ///
  /// - Parameters:
  ///   - prefix: The text at the start of each line, except for the lines of hints.
  ///   - formattingHint: Formats the lines of each hint.
  package func lines(
    prefix: String = "", formattingHint: ([String]) -> [String] = { $0 }
  ) -> [String] {
    let error = printed { error in
      error.allLines(prefix, formattingHint).reduce(0) { $0 + $1.utf8.count + 1 }
    }
    return error.allLines(prefix, formattingHint)
  }

  private func allLines(_ prefix: String, _ formattingHint: ([String]) -> [String]) -> [String] {
    var lines: [String] = []
    var omittedCount = omittedCount
    var grouped: Set<Problem.Kind> = []
    var entries: [(message: String, hint: String?)] = []
    for problem in problems {
      let similar = problem.kind.map { kind in problems.filter { $0.kind == kind } } ?? []
      let similarCount = similar.reduce(0) { $0 + $1.similarCount }
      guard let kind = problem.kind, similar.count + similarCount > Self.maxSimilar else {
        entries.append((problem.positionedMessage, problem.hint))
        continue
      }
      guard grouped.insert(kind).inserted else { continue }
      entries.append((problem.message(with: similar, further: similarCount), problem.hint))
      omittedCount -= similarCount
    }
    for (index, entry) in entries.enumerated() {
      lines.append(prefix + entry.message)
      guard let hint = entry.hint, hint != entries.dropFirst(index + 1).first?.hint else {
        continue
      }
      let escaped = hint.split(separator: "\n").map { Excerpt.escaped(String($0)) }
      lines += formattingHint(escaped).map { "  " + $0 }
    }
    lines += [Self.text(omitting: omittedCount), partialCommit?.message].compactMap(\.self)
      .map { prefix + Excerpt.escaped($0) }
    return lines
  }

  /// The maximum number of similar problems that are printed one by one.
  private static let maxSimilar = 3

  /// The number of omitted problems as text, such as `and 3 more problems`. Nil if no problem was
  /// omitted.
  package var omittedText: String? { Self.text(omitting: omittedCount) }

  private static func text(omitting count: Int) -> String? {
    switch count {
    case 0: nil
    case 1: "and 1 more problem"
    default: "and \(count.grouped) more problems"
    }
  }
}
