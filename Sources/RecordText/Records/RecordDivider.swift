import DataModel

/// Finds the ends of records in a text that arrives in pieces, without parsing the records, so that
/// the text can be divided into parts.
///
/// A syntax error ends with its line. Parsing the part that contains the error then finds it.
package struct RecordDivider: Sendable {
  package enum Detection {
    /// More bytes are needed.
    case tooShort
    /// The text cannot be divided, for example because it is a JSON array.
    case whole
    case divided(RecordDivider)
  }

  package let format: RecordFormat
  /// The character between the cells of CSV.
  package let separator: UInt8
  /// The offset at which the last complete record or the header ends.
  package private(set) var end = 0
  /// The number of complete records before `end`.
  package private(set) var count = 0
  /// The number of lines before `end`, including those in discarded bytes.
  package private(set) var lines = 0
  /// The length of the text up to the end of the CSV header; 0 if there is no header, or if it is
  /// not complete.
  package private(set) var headerEnd = 0

  /// The number of the line at which the last complete record ends.
  package var lastLine: Int { format == .json ? lines + 1 : lines }

  private var position: Int
  private var scannedLines = 0
  /// Whether the next row is the header.
  private var isBeforeHeader: Bool
  /// Whether the current line has a byte other than white space.
  private var hasText = false
  private var isQuoted = false
  private var isAtCellStart = true
  private var isEscaped = false
  private var isMalformed = false
  private var depth = 0
  /// The last byte that is not white space, outside of strings.
  private var previous: UInt8 = 0

  private init(
    _ format: RecordFormat, separator: UInt8, hasHeader: Bool, after byteOrderMarkLength: Int
  ) {
    self.format = format
    self.separator = separator
    isBeforeHeader = hasHeader
    position = byteOrderMarkLength
  }

  /// Detects from the first bytes of a text how it can be divided.
  package static func detect(
    _ text: Span<UInt8>, isLast: Bool, _ form: TextForm
  ) -> Detection {
    switch form.encoding {
    case nil, .utf8, .latin1, .windows1252: break
    case .utf16, .utf16LittleEndian, .utf16BigEndian: return .whole
    }
    switch FormatDetection(of: text, isLast: isLast, form) {
    case .tooShort: return .tooShort
    case .unsupported: return .whole
    case .text(let format, let separator, let byteOrderMarkLength):
      let first = (byteOrderMarkLength..<text.count).first { text[$0] > 0x20 }
      guard let first else { return isLast ? .whole : .tooShort }
      let isOther =
        format == .xml || form.format == nil && text[first] == UInt8(ascii: "<")
        || format == .json && text[first] == UInt8(ascii: "[")
      if isOther { return .whole }
      return .divided(
        RecordDivider(
          format, separator: separator, hasHeader: format.isTable && form.header == .firstRow,
          after: byteOrderMarkLength))
    }
  }

  /// Scans the bytes that have arrived since the last call, until `limit` records are complete.
  ///
  /// - Parameter text: The bytes that were not discarded, and those that have arrived since then.
  package mutating func scan(_ text: Span<UInt8>, until limit: Int) {
    while position < text.count, count < limit {
      let byte = text[position]
      position += 1
      if byte == 0x0A { scannedLines += 1 }
      switch format {
      case .csv, .tsv: scanTable(byte)
      case .ndjson: scanLine(byte)
      case .json, .xml: scanJSON(byte)
      }
    }
  }

  /// Prepares for the removal of the bytes before `end` from the text.
  package mutating func discard() {
    position -= end
    end = 0
    count = 0
  }

  private mutating func endRecord() {
    end = position
    lines = scannedLines
    count += 1
  }

  private mutating func scanLine(_ byte: UInt8) {
    if byte > 0x20 { hasText = true }
    if byte == 0x0A, hasText {
      hasText = false
      endRecord()
    }
  }

  private mutating func scanTable(_ byte: UInt8) {
    if isQuoted {
      // The second of two quotes begins another quoted part of the cell.
      if byte == UInt8(ascii: "\"") { (isQuoted, isAtCellStart) = (false, true) }
      hasText = true
      return
    }
    switch byte {
    case UInt8(ascii: "\"") where isAtCellStart: isQuoted = true
    case separator: (hasText, isAtCellStart) = (true, true)
    case 0x0D: isAtCellStart = true
    case 0x0A:
      isAtCellStart = true
      guard hasText else { return }
      hasText = false
      endRecord()
      guard isBeforeHeader else { return }
      isBeforeHeader = false
      headerEnd = end
      count = 0
    default: (hasText, isAtCellStart) = (true, false)
    }
  }

  private mutating func scanJSON(_ byte: UInt8) {
    if isMalformed {
      guard byte == 0x0A else { return }
      (isMalformed, isQuoted, isEscaped, depth) = (false, false, false, 0)
      return endRecord()
    }
    if isQuoted {
      if isEscaped {
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == UInt8(ascii: "\"") {
        isQuoted = false
      } else if byte < 0x20 {
        noteError(at: byte)
      }
      return
    }
    switch byte {
    case 0x20, 0x09, 0x0A, 0x0D: return
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      if depth > 0, !":,[".utf8.contains(previous) { return noteError(at: byte) }
      depth += 1
    case _ where depth == 0: return noteError(at: byte)
    case UInt8(ascii: "\""): isQuoted = true
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      depth -= 1
      if depth == 0 { endRecord() }
    default: break
    }
    previous = byte
  }

  private mutating func noteError(at byte: UInt8) {
    isMalformed = true
    if byte == 0x0A { scanJSON(byte) }
  }
}
