import DataModel

/// The reason why an input is not read any further.
struct TextRefusal {
  let message: String
  var hint: String?

  static let utf16 = TextRefusal(message: "the text is UTF-16; records are read as UTF-8")

  static let gzip = TextRefusal(
    message: "the input is compressed with gzip; records are read as UTF-8",
    hint: "unpack it first: gzip -dc FILE | datactl …")

  /// A hint for text that was detected as CSV but may be something else.
  static let formHint =
    "the input does not begin with { or [, so it was read as CSV, whose first line names the fields"

  /// A record is longer than `limit` bytes.
  static func record(longerThan limit: Int) -> TextRefusal {
    TextRefusal(message: "a record of more than \(limit >> 20) MiB of text")
  }

  /// A CSV header is longer than `limit` bytes. If the format was detected, the text may not be
  /// CSV.
  static func header(longerThan limit: Int, isGiven: Bool) -> TextRefusal {
    TextRefusal(
      message: "a CSV header of more than \(limit >> 20) MiB of text",
      hint: isGiven ? nil : formHint)
  }
}
