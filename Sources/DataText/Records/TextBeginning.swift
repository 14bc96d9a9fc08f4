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
