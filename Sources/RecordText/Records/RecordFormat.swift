import JSONText

/// The formats in which `save` and other commands read records.
package enum RecordFormat: String, CaseIterable, Sendable {
  /// A single object, an array of objects or a sequence of objects, with any line breaks.
  case json
  /// One object per line. A syntax error affects only the object on its line.
  case ndjson
  case csv
  /// CSV with tabs between the cells. In a cell that does not begin with a quote, quotes are read
  /// literally.
  case tsv
  /// XML that a source converts to JSON objects, one per record. Each object is on the same line as
  /// its record in the XML, so that problems have the right line.
  case xml

  /// Whether every scalar in the format is text, so that types must be inferred from the text.
  package var hasOnlyText: Bool { isTable || self == .xml }

  /// Whether the format is a table, in which each record is a row of cells.
  package var isTable: Bool { self == .csv || self == .tsv }
}

/// The result of detecting the format of an input from its first bytes.
package enum FormatDetection {
  /// More bytes are needed to detect the format.
  case tooShort
  /// The input is in a format that is not supported.
  case unsupported(InputLimitError)
  /// The detected format, the delimiter of CSV, and the length of the byte order mark. The length
  /// is 0 if there is no byte order mark.
  case text(RecordFormat, separator: UInt8, byteOrderMarkLength: Int)

  /// Detects the format from the first bytes of an input.
  ///
  /// - Parameter form: The format and the separator, if they are known. UTF-16 and binary formats
  ///   are detected even if a format is given.
  package init(of text: Span<UInt8>, isLast: Bool, _ form: TextForm) {
    self = .tooShort
    guard text.count >= 3 || isLast else { return }
    let hasByteOrderMark = text.count >= 3 && text[0] == 0xEF && text[1] == 0xBB && text[2] == 0xBF
    if text.count >= 2, min(text[0], text[1]) == 0xFE, max(text[0], text[1]) == 0xFF {
      self = .unsupported(.utf16)
      return
    }
    for signature in FileSignature.all {
      let count = min(signature.bytes.count, text.count)
      guard text.extracting(0..<count).isEqual(to: signature.bytes.span.extracting(0..<count))
      else { continue }
      if count == signature.bytes.count { self = .unsupported(signature.limitError) }
      if count == signature.bytes.count || !isLast { return }
    }
    let byteOrderMarkLength = hasByteOrderMark ? 3 : 0
    var first = byteOrderMarkLength
    while first < text.count && Self.isSpace(text[first]) { first += 1 }
    guard first < text.count || isLast || form.format != nil else { return }
    let isJSON =
      first == text.count || text[first] == UInt8(ascii: "{") || text[first] == UInt8(ascii: "[")
    var format = form.format ?? (isJSON ? .json : .csv)
    if !form.comment.isEmpty, format == .csv {
      while text.extracting(first...).extracting(first: form.comment.count)
        .isEqual(to: form.comment.span)
      {
        let end = (first..<text.count).first { text[$0] == 0x0A }
        guard end != nil || isLast || text.count >= Self.maxCommentsLength else { return }
        first = end.map { $0 + 1 } ?? text.count
        while first < text.count && Self.isSpace(text[first]) { first += 1 }
      }
    }
    var separator = form.separator ?? (format == .tsv ? 0x09 : UInt8(ascii: ","))
    if format == .csv, form.separator == nil, first < text.count {
      let end = (first..<text.count).first { text[$0] == 0x0A || text[$0] == 0x0D }
      guard end != nil || isLast || text.count >= Self.maxLineLength else { return }
      // The first name may be empty, so that the line begins with a separator.
      while first > byteOrderMarkLength, text[first - 1] == 0x09 { first -= 1 }
      let line = FirstLine(text.extracting(first..<(end ?? text.count)))
      if form.format == nil {
        let isLast = isLast || text.count >= Self.maxLineLength
        guard let isYAML = Self.isYAML(text.extracting(first...), isLast: isLast) else { return }
        if isYAML {
          self = .unsupported(
            .format("YAML", hint: "convert the input first: yq -o json FILE | datactl …"))
          return
        }
      }
      separator = line.separator
      if separator == 0x09 { format = .tsv }
    }
    self = .text(format, separator: separator, byteOrderMarkLength: byteOrderMarkLength)
  }

  /// Returns whether a text begins with a YAML directive or, possibly after comments, with a line
  /// of YAML. Returns nil if more text is needed to decide this.
  private static func isYAML(_ text: Span<UInt8>, isLast: Bool) -> Bool? {
    var start = 0
    while true {
      let end = (start..<text.count).first { text[$0] == 0x0A || text[$0] == 0x0D }
      guard end != nil || isLast else { return nil }
      let line = text.extracting(start..<(end ?? text.count))
      if line.count >= 5, line.extracting(0..<5).isEqual(to: "%YAML".utf8.span) { return true }
      guard let end, line.isEmpty || line[0] == UInt8(ascii: "#") else {
        return !line.isEmpty && FirstLine(line).isYAML
      }
      start = end + 1
    }
  }

  /// The number of bytes after which the first line is examined even if it is not complete.
  private static let maxLineLength = 4_096
  /// The number of bytes after which a comment is no longer skipped.
  private static let maxCommentsLength = 1 << 20

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }
}

/// The reason why no more records are read from an input: its format is not supported, or a record
/// or header is too long.
package struct InputLimitError {
  /// The maximum length in bytes of a record that a server receives.
  package static let longestRecord = 96 << 20
  /// The maximum length in bytes of a record that a command reads itself. While it is read, its
  /// text is in memory at most twice.
  package static let longestLocalRecord = 512 << 20

  package let message: String
  package var hint: String?

  static let utf16 = InputLimitError(message: "the input is UTF-16; records must be UTF-8")

  /// Returns the error for an input that is compressed with a tool.
  static func compressed(with tool: String) -> InputLimitError {
    InputLimitError(
      message: "the input is compressed with \(tool); records must be UTF-8",
      hint: "decompress the input first: \(tool) -dc FILE | datactl …")
  }

  /// Returns the error for an input in a format that records cannot be read from.
  static func format(_ name: String, hint: String) -> InputLimitError {
    InputLimitError(
      message: "the input is \(name); records must be JSON, NDJSON, CSV or XML", hint: hint)
  }

  /// A hint for text that was detected as CSV but may be something else.
  static let formatHint =
    "input that does not begin with {, [ or < is read as CSV, and its first line as field names"

  /// Returns the error for a record that is longer than `limit` bytes.
  package static func record(longerThan limit: Int) -> InputLimitError {
    InputLimitError(
      message: "a record exceeds \(limit >> 20) MiB of text",
      hint: "save the content of a large file with FIELD@=PATH")
  }

  /// Returns the error for a CSV header that is longer than `limit` bytes.
  ///
  /// - Parameter isGiven: Whether the format was given. If it was detected instead, the error has a
  ///   hint, because the input may not be CSV.
  package static func header(longerThan limit: Int, isGiven: Bool) -> InputLimitError {
    InputLimitError(
      message: "a CSV header exceeds \(limit >> 20) MiB of text",
      hint: isGiven ? nil : formatHint)
  }
}
