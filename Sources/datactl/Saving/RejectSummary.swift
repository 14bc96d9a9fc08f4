import DataAPI
import DataModel

/// What is wrong with the rejected records of a save, counted by field, code and kind of value.
struct RejectSummary: Sendable {
  /// Problems that differ only in their values and in their locations.
  private struct Kind: Hashable {
    var code: ErrorCode
    var schema: String?
    var field: String?
    var message: String
  }

  private struct Entry {
    /// The first problem of the kind, with the message of the kind.
    var first: Problem
    var count = 0
    /// The number of kinds that were found before this one.
    let position: Int
  }

  /// The maximum number of kinds that are counted. It limits the memory for input whose keys are all
  /// different. Problems of further kinds are counted together.
  private static let maxKinds = 1_000
  /// The maximum number of kinds that are printed.
  private static let maxLines = 20

  private var entries: [Kind: Entry] = [:]
  private var uncounted = 0

  mutating func add(_ problem: Problem) {
    let message = problem.messageOfKind
    let kind = Kind(
      code: problem.code, schema: problem.schema, field: problem.field, message: message)
    guard entries[kind] != nil || entries.count < Self.maxKinds else {
      uncounted += 1
      return
    }
    var first = problem
    first.message = message
    let entry = Entry(first: first, position: entries.count)
    entries[kind, default: entry].count += 1
  }

  /// Returns a line for each of the most frequent kinds: text, or a JSON object.
  ///
  /// - Parameters:
  ///   - schema: The schema of the records. The fields of other schemas are shown with the schema.
  ///   - hasFiles: Whether the records come from several files.
  func lines(as format: ErrorFormat, of schema: Schema, hasFiles: Bool) -> [String] {
    let sorted = entries.values.sorted {
      $0.count != $1.count ? $0.count > $1.count : $0.position < $1.position
    }
    let shown = sorted.prefix(Self.maxLines)
    let rest = sorted.dropFirst(Self.maxLines).reduce(uncounted) { $0 + $1.count }
    switch format {
    case .text:
      var lines = shown.map { entry in
        let first = entry.first.printed
        // The message of an unknown field contains its name.
        let field = first.code == .unknownField ? nil : first.field
        let isOther = first.schema != nil && first.schema != schema.name
        let subject = [isOther ? first.schema : nil, field].compactMap(\.self)
        let prefix = subject.isEmpty ? "" : subject.joined(separator: ".") + ": "
        let place = first.place(hasFiles: hasFiles).map { " (first: \($0))" } ?? ""
        return "\(entry.count.grouped) × \(prefix)\(first.message)\(place)"
      }
      if rest > 0 { lines.append("and \(rest.counted("problem")) of other kinds") }
      return lines
    case .json:
      var lines = shown.map { entry in
        var problem = entry.first.printed
        let line = problem.line
        (problem.id, problem.line, problem.column, problem.path) = (nil, nil, nil, nil)
        return problem.json(count: entry.count, first: line)
      }
      if rest > 0 {
        let text = "\(rest.counted("problem")) of other kinds"
        lines.append(Problem(.invalid, text).json(count: rest))
      }
      return lines
    }
  }
}

extension Problem {
  /// The line of the input in messages: `line 3` or, if there are several files, `line 3 of a.csv`.
  func place(hasFiles: Bool) -> String? {
    guard let line else { return nil }
    return hasFiles ? file.map { "line \(line) of \($0)" } : "line \(line)"
  }

  /// The message without the values that it contains, so that it is the same for all values of a
  /// kind.
  fileprivate var messageOfKind: String {
    switch code {
    case .notUnique: return "already used by another record"
    case .changed: return "changed concurrently"
    default: break
    }
    if let range = message.firstRange(of: "found text \"") {
      return message[..<range.lowerBound] + "found text"
    }
    // The example is made from the value.
    if let range = message.firstRange(of: ", such as [\"") {
      return message[..<range.lowerBound] + ", found text"
    }
    if let range = message.firstRange(of: ": \"") { return String(message[..<range.lowerBound]) }
    // Excerpts of values are in quotation marks.
    let parts = message.split(separator: "\"", omittingEmptySubsequences: false)
    var text = ""
    for (index, part) in parts.enumerated() { text += index.isMultiple(of: 2) ? part : "…" }
    if let range = text.ranges(of: "found ").last, let first = text[range.upperBound...].utf8.first
    {
      let isNumber = first == UInt8(ascii: "-") || UInt8(ascii: "0")...UInt8(ascii: "9") ~= first
      // The number of cells is no value.
      if isNumber, code != .syntax { return text[..<range.upperBound] + "another number" }
      if text[range.upperBound...].hasPrefix("number ") {
        return text[..<range.upperBound] + "number"
      }
    }
    return text
  }
}
