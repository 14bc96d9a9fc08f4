import DataModel

/// The reason why an input is not read any further.
struct InputLimitError {
  let message: String
  var hint: String?

  static let utf16 = InputLimitError(message: "the input is UTF-16; records must be UTF-8")

  static let gzip = InputLimitError(
    message: "the input is compressed with gzip; records must be UTF-8",
    hint: "decompress it first: gzip -dc FILE | datactl …")

  /// A hint for text that was detected as CSV but may be something else.
  static let formatHint =
    "input that does not begin with { or [ is read as CSV, and its first line as field names"

  /// A record is longer than `limit` bytes.
  static func record(longerThan limit: Int) -> InputLimitError {
    InputLimitError(message: "a record exceeds \(limit >> 20) MiB of text")
  }

  /// A CSV header is longer than `limit` bytes. If the format was detected, the text may not be
  /// CSV.
  static func header(longerThan limit: Int, isGiven: Bool) -> InputLimitError {
    InputLimitError(
      message: "a CSV header exceeds \(limit >> 20) MiB of text",
      hint: isGiven ? nil : formatHint)
  }
}
