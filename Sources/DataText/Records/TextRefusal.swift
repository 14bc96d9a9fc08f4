import DataModel

/// Why a text is not read any further.
struct TextRefusal {
  let message: String
  var hint: String?

  static let utf16 = TextRefusal(message: "the input is UTF-16; records must be UTF-8")

  static let gzip = TextRefusal(
    message: "the input is compressed with gzip; records must be UTF-8",
    hint: "decompress it first: gzip -dc FILE | datactl …")

  /// What is said of text that was taken for CSV and does not seem to be any.
  static let formHint =
    "input that does not begin with { or [ is read as CSV, and its first line as field names"

  /// Refuses a record whose text is longer than so many bytes.
  static func record(longerThan limit: Int) -> TextRefusal {
    TextRefusal(message: "a record exceeds \(limit >> 20) MiB of text")
  }

  /// Refuses a header that is longer than so many bytes; it may be none, if the form was not given.
  static func header(longerThan limit: Int, isGiven: Bool) -> TextRefusal {
    TextRefusal(
      message: "a CSV header exceeds \(limit >> 20) MiB of text",
      hint: isGiven ? nil : formHint)
  }
}
