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

  /// Returns the error as a problem. The problem's hint contains an excerpt of the line, a caret
  /// below the position of the error, and the error's own hint.
  func problem(in text: [UInt8], code: ErrorCode) -> Problem {
    let position = min(range.lowerBound, text.count)
    let start = (text[..<position].lastIndex(of: newline) ?? -1) + 1
    let end = text[position...].firstIndex(of: newline) ?? text.count
    let (shown, column) = Self.excerpt(text[start..<end], at: position - start)
    // Look for passwords in the whole line: an excerpt may cut an address, so that the password in
    // it is not recognized.
    let line = String(decoding: text[start..<end], as: UTF8.self)
    let isSecret = isSecret || Secrets.redacted(inText: line) != line
    let isBlank = shown.utf8.allSatisfy { $0 == 0x20 }
    var lines = isBlank || isSecret ? [] : [shown, String(repeating: " ", count: column) + "^"]
    if let hint { lines.append(hint) }
    return Problem(
      code, message, hint: lines.isEmpty ? nil : lines.joined(separator: "\n"), schema: schema,
      field: field,
      line: text[..<start].count { $0 == newline } + 1, column: position - start + 1)
  }

  /// Returns an excerpt of a line around an offset, and the number of characters in the excerpt
  /// that precede the offset.
  private static func excerpt(_ line: ArraySlice<UInt8>, at offset: Int) -> (String, Int) {
    let before = Array(String(decoding: line.prefix(offset), as: UTF8.self).unicodeScalars)
    let after = Array(String(decoding: line.dropFirst(offset), as: UTF8.self).unicodeScalars)
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
