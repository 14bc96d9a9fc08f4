import DataModel

/// The input formats of records.
package enum RecordFormat: String, CaseIterable, Sendable {
  /// An object, an array of objects or a sequence of objects, in any layout.
  case json
  /// One object per line; a malformed one ends with its line.
  case ndjson
  case csv
}

/// The result of format detection from the first bytes of a text.
enum FormatDetection {
  /// More bytes are needed.
  case tooShort
  /// The text is not a supported format.
  case unsupported(InputLimitError)
  /// The format of the records and the length of the byte order mark.
  case text(RecordFormat, byteOrderMarkLength: Int)

  /// Inspects the first bytes of a text; a given format is not detected again.
  init(of text: Span<UInt8>, isLast: Bool, format: RecordFormat?) {
    self = .tooShort
    guard text.count >= 3 || isLast else { return }
    let hasByteOrderMark = text.count >= 3 && text[0] == 0xEF && text[1] == 0xBB && text[2] == 0xBF
    if text.count >= 2, min(text[0], text[1]) == 0xFE, max(text[0], text[1]) == 0xFF {
      self = .unsupported(.utf16)
      return
    }
    if text.count >= 2, text[0] == 0x1F, text[1] == 0x8B {
      self = .unsupported(.gzip)
      return
    }
    let byteOrderMarkLength = hasByteOrderMark ? 3 : 0
    if let format {
      self = .text(format, byteOrderMarkLength: byteOrderMarkLength)
      return
    }
    var first = byteOrderMarkLength
    while first < text.count && Self.isSpace(text[first]) { first += 1 }
    guard first < text.count || isLast else { return }
    let isJSON =
      first == text.count || text[first] == UInt8(ascii: "{") || text[first] == UInt8(ascii: "[")
    self = .text(isJSON ? .json : .csv, byteOrderMarkLength: byteOrderMarkLength)
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }
}

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
