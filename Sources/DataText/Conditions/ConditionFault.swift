import DataModel

/// What is wrong with a condition, and where.
struct ConditionFault: Error {
  var message: String
  /// What to do about it, below the place.
  var advice: String?
  var range: Range<Int>
  var schema: String?
  var field: String?
  /// Whether the line is not shown, since a password may stand in it.
  var isSecret: Bool
  /// Whether the same was found at another place already, so that it is not said again.
  var isRepeated = false

  init(
    _ message: String, _ range: Range<Int>, advice: String? = nil, schema: String? = nil,
    field: String? = nil, isSecret: Bool = false
  ) {
    self.message = message
    self.advice = advice
    self.range = range
    self.schema = schema
    self.field = field
    self.isSecret = isSecret
  }
}

extension ConditionFault {
  /// How much of a long line is shown on each side of the place.
  private static let context = 36

  /// The problem as it is reported: the hint shows the line, a caret under the place, and the advice.
  func problem(in text: [UInt8], code: ErrorCode) -> Problem {
    let place = min(range.lowerBound, text.count)
    let start = (text[..<place].lastIndex(of: newline) ?? -1) + 1
    let end = text[place...].firstIndex(of: newline) ?? text.count
    let (shown, column) = Self.excerpt(text[start..<end], at: place - start)
    let isBlank = shown.utf8.allSatisfy { $0 == 0x20 }
    var lines = isBlank || isSecret ? [] : [shown, String(repeating: " ", count: column) + "^"]
    if let advice { lines.append(advice) }
    return Problem(
      code, message, hint: lines.isEmpty ? nil : lines.joined(separator: "\n"), schema: schema,
      field: field,
      line: text[..<start].count { $0 == newline } + 1, column: place - start + 1)
  }

  /// A line, cut around a place, and how many characters stand before the place then.
  private static func excerpt(_ line: ArraySlice<UInt8>, at offset: Int) -> (String, Int) {
    let before = Array(String(decoding: line.prefix(offset), as: UTF8.self).unicodeScalars)
    let after = Array(String(decoding: line.dropFirst(offset), as: UTF8.self).unicodeScalars)
    let head =
      before.count > context + 4 ? "…" + visible(before.suffix(context)) : visible(before[...])
    let tail =
      after.count > context + 4 ? visible(after.prefix(context)) + "…" : visible(after[...])
    return (head + tail, head.unicodeScalars.count)
  }

  private static func visible(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    Excerpt.visible(String(String.UnicodeScalarView(scalars)))
  }

  private var newline: UInt8 { UInt8(ascii: "\n") }
}
