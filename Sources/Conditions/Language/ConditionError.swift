import DataModel

/// An error in a condition, with its position in the text.
struct ConditionError: Error {
  var message: String
  /// A hint that is shown below the excerpt of the condition.
  var hint: String?
  var range: Range<Int>
  var schema: String?
  var field: String?
  /// Whether the excerpt of the condition is omitted from the problem, because it may contain a
  /// password.
  var isSecret: Bool
  /// Whether the error is about a missing parameter that an earlier error already reports. If so,
  /// this error is not shown.
  var isRepeated = false
  /// Whether a name is neither a field nor the inverse of a known relation.
  var isUnknownName = false

  init(
    _ message: String, _ range: Range<Int>, hint: String? = nil, schema: String? = nil,
    field: String? = nil, isSecret: Bool = false
  ) {
    self.message = message
    self.hint = hint
    self.range = range
    self.schema = schema
    self.field = field
    self.isSecret = isSecret
  }
}

extension ConditionError {
  /// The number of characters that an excerpt of a long line shows on each side of the error.
  private static let context = 36
  /// The number of bytes on each side of the error that are searched for passwords. It is much
  /// larger than an excerpt, which can begin or end within an address.
  private static let searchedSize = 1 << 10

  /// Returns the error as a problem. The problem's hint contains an excerpt of the line, a caret
  /// below the position of the error, and the error's own hint.
  func problem(in text: [UInt8], code: ErrorCode) -> Problem {
    let position = min(range.lowerBound, text.count)
    let start = (text[..<position].lastIndex(of: newline) ?? -1) + 1
    let before = text[start..<position].suffix(Self.searchedSize)
    let after = text[position...].prefix(Self.searchedSize).prefix { $0 != newline }
    let (shown, column) = Self.excerpt(before, after)
    let isCut = after.count == Self.searchedSize
    let searched = String(decoding: text[before.startIndex..<after.endIndex], as: UTF8.self)
    let isSecret = isSecret || Secrets.redacted(inText: searched, isTruncated: isCut) != searched
    let isBlank = shown.utf8.allSatisfy { $0 == 0x20 }
    var lines = isBlank || isSecret ? [] : [shown, String(repeating: " ", count: column) + "^"]
    if let hint { lines.append(hint) }
    return Problem(
      code, message, hint: lines.isEmpty ? nil : lines.joined(separator: "\n"), schema: schema,
      field: field,
      line: text[..<start].count { $0 == newline } + 1, column: position - start + 1)
  }

  /// Returns an excerpt of a line around an error, and the number of characters in the excerpt that
  /// precede the error.
  ///
  /// - Parameters:
  ///   - before: Bytes of the line before the error, more than the excerpt shows.
  ///   - after: Bytes of the line after the error, more than the excerpt shows.
  private static func excerpt(
    _ before: ArraySlice<UInt8>, _ after: ArraySlice<UInt8>
  ) -> (String, Int) {
    let before = Array(String(decoding: before, as: UTF8.self).unicodeScalars)
    let after = Array(String(decoding: after, as: UTF8.self).unicodeScalars)
    let head =
      before.count > context + 4 ? "…" + escaped(before.suffix(context)) : escaped(before[...])
    let tail =
      after.count > context + 4 ? escaped(after.prefix(context)) + "…" : escaped(after[...])
    return (head + tail, head.unicodeScalars.count)
  }

  private static func escaped(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    Excerpt.escaped(String(String.UnicodeScalarView(scalars)))
  }

  private var newline: UInt8 { UInt8(ascii: "\n") }
}

/// The errors of a condition or of a list. Errors beyond the maximum number of problems are only
/// counted.
struct ConditionErrors {
  private var list: [ConditionError] = []
  private var omittedCount = 0
  /// Whether further errors are only counted, so that they need no hints.
  var isFull: Bool { list.count == DataError.maxProblems }
  /// Whether one of the errors concerns a value that may be a password.
  private var hasSecret = false
  /// Whether one of the errors is about a name that is neither a field nor the inverse of a known
  /// relation.
  private(set) var hasUnknownName = false

  mutating func add(_ error: ConditionError) {
    hasSecret = hasSecret || error.isSecret
    hasUnknownName = hasUnknownName || error.isUnknownName
    if list.count < DataError.maxProblems { list.append(error) } else { omittedCount += 1 }
  }

  /// Returns the errors in a text, or nil if there are none.
  ///
  /// - Parameter hidesSecrets: Whether a value that may be a password prevents all excerpts.
  func error(in text: [UInt8], code: ErrorCode, hidesSecrets: Bool = false) -> DataError? {
    let problems = list.map { error in
      var error = error
      error.isSecret = error.isSecret || hidesSecrets && hasSecret
      return error.problem(in: text, code: code)
    }
    return DataError(problems, omitting: omittedCount)
  }
}
