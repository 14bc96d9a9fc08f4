import DataModel
package import JSONText

/// Scans records from CSV. Each row is a record, except the first row if it contains the names of
/// the columns.
package struct CSVChunkScanner: Sendable {
  /// The start of a row, to which the scanner can return to scan the row again.
  package struct Mark: BitwiseCopyable, Sendable {
    package var position: Int
    package var line: Int
    package var lineStart: Int

    package init(position: Int, line: Int, lineStart: Int) {
      self.position = position
      self.line = line
      self.lineStart = lineStart
    }
  }

  let schema: Schema
  private(set) var rows = CSVRowScanner()
  var cells: CSVRecordScanner
  /// Whether the field of each column is known, from a header row or from the options.
  private(set) var hasHeader = false
  private let header: TextForm.Header
  private let isRagged: Bool
  private let comment: [UInt8]
  /// Whether the caller specified the format. If false, it was detected from the first bytes.
  private let isGiven: Bool
  /// Whether scanning has ended, at the end of the input or at an error.
  var isFinished = false
  /// Whether scanning ended at an error, so that the remaining records were not read.
  var isBroken = false

  init(_ schema: Schema, _ form: TextForm) {
    self.schema = schema
    header = form.header
    (isRagged, comment) = (form.isRagged, form.comment)
    isGiven = form.format != nil
    cells = CSVRecordScanner(schema, form)
  }

  /// Starts scanning a text. `position` is the offset of the first byte after the byte order mark,
  /// or 0 if there is none.
  mutating func begin(separator: UInt8, at position: Int) {
    rows = CSVRowScanner(separator: separator, comment: comment)
    (rows.position, rows.lineStart) = (position, position)
  }

  /// Adjusts the offsets of the scanner after the caller has removed the first `count` bytes from
  /// the text.
  mutating func discard(_ count: Int) {
    rows.position -= count
    rows.lineStart -= count
  }

  /// Scans the complete rows in the text, until `changes` has `limit` records or `rejected` is
  /// full.
  mutating func scan(
    _ text: Span<UInt8>, isLast: Bool, into changes: inout RowChanges, assign: inout IDAssigner,
    atMost limit: Int, rejected: inout Rejections
  ) {
    rows.isLast = isLast
    while changes.count < limit && !rejected.isFull && !isFinished {
      guard rows.skipEmptyLines(text) else {
        isFinished = isLast
        return
      }
      let mark = mark
      do throws(ScanError) {
        try rows.scan(text)
        try Self.check(text, mark.position..<rows.position)
        if hasHeader || !readHeader(text, mark, &rejected) {
          scanRecord(text, mark, into: &changes, &assign, &rejected)
        }
      } catch {
        guard recover(from: error, to: mark, text, &rejected) else { return }
      }
    }
  }

  private var mark: Mark {
    Mark(position: rows.position, line: rows.line, lineStart: rows.lineStart)
  }

  /// Throws an error if the bytes in the range are not valid UTF-8 or contain a NUL.
  package static func check(_ text: Span<UInt8>, _ range: Range<Int>) throws(ScanError) {
    if let offset = UTF8Check.firstInvalidOffset(in: text.extracting(range)) {
      throw ScanError(.notUTF8, range.lowerBound + offset)
    }
    for index in range where text[index] == 0 { throw ScanError(.rawNUL, index) }
  }

  /// Returns the error message for a row in which the number of cells differs from the number of
  /// columns.
  package static func message(
    ofCells found: Int, expected: Int, _ header: TextForm.Header
  ) -> String {
    let source = header == .fields || header == .numbers ? "first row" : "header"
    let cells = expected == 1 ? "1 cell" : "\(expected) cells"
    return "expected \(cells) as in the \(source), found \(found)"
  }

  /// Returns a hint for a row in which the number of cells differs from the number of columns, or
  /// nil if the cause is unknown.
  ///
  /// - Parameter first: The first byte of the row.
  package static func hint(
    ofCells found: Int, expected: Int, beginningWith first: UInt8
  ) -> String? {
    if first == UInt8(ascii: "#") { return "to skip lines that begin with #, pass --comment '#'" }
    return found < expected
      ? "add a separator for each missing cell at the end of the row, or pass --ragged" : nil
  }

  /// Maps the columns to fields after the first row was scanned. Returns false if this row is a
  /// record instead of a header.
  private mutating func readHeader(
    _ text: Span<UInt8>, _ mark: Mark, _ rejected: inout Rejections
  ) -> Bool {
    hasHeader = true
    let problems =
      switch header {
      case .firstRow: cells.header.map(rows.cells, text, mark, isGiven: isGiven)
      case .names, .numbers: cells.header.map(header.names(forCells: rows.cellCount) ?? [])
      case .fields: cells.header.map(count: rows.cellCount, line: mark.line)
      }
    if problems.isEmpty { return header == .firstRow }
    rejected.add(
      problems, line: mark.line, text, mark.position..<rows.position, unread: .wholeInput)
    isFinished = true
    isBroken = true
    return true
  }

  private mutating func scanRecord(
    _ text: Span<UInt8>, _ mark: Mark, into changes: inout RowChanges, _ assign: inout IDAssigner,
    _ rejected: inout Rejections
  ) {
    let raw = mark.position..<rows.position
    let (found, expected) = (rows.cellCount, cells.header.slots.count)
    guard
      found == expected
        || rows.hasCells(expected, isRagged: isRagged) && rows.cellCount >= cells.header.leastCells
    else {
      let problem = Problem(
        .syntax, Self.message(ofCells: found, expected: expected, header),
        hint: isRagged && found < expected
          ? "only cells after the id can be missing"
          : Self.hint(ofCells: found, expected: expected, beginningWith: text[raw.lowerBound]),
        schema: schema.name, line: mark.line, column: 1)
      return rejected.add([problem], line: mark.line, text, raw)
    }
    changes.beginRecord(line: mark.line)
    cells.scan(rows.cells, text, into: &changes)
    assign.assign(to: &changes, reading: text)
    let problems = changes.endRecord(reading: text, at: raw) { problems in
      cells.located(problems, rows.cells, in: text, from: mark)
    }
    if problems.isEmpty { return }
    rejected.add(problems, line: mark.line, text, raw)
  }

  /// Rejects a malformed row and moves to the next line, so that scanning can resume there. Returns
  /// false if the caller must stop scanning.
  private mutating func recover(
    from error: ScanError, to mark: Mark, _ text: Span<UInt8>, _ rejected: inout Rejections
  ) -> Bool {
    if error.kind == .needsMore {
      (rows.position, rows.line, rows.lineStart) = (mark.position, mark.line, mark.lineStart)
      return false
    }
    var end = error.position
    while end < text.count && text[end] != 0x0A { end += 1 }
    guard end < text.count || rows.isLast else {
      (rows.position, rows.line, rows.lineStart) = (mark.position, mark.line, mark.lineStart)
      return false
    }
    let position = TextLocation(of: error.position, in: text, from: mark)
    let ends = error.kind == .unclosedQuote || !hasHeader
    // A row with an unclosed quote extends to the end of the text. After other errors, scanning
    // resumes at the next line.
    end = error.kind == .unclosedQuote ? text.count : min(end + 1, text.count)
    rejected.add(
      [
        Problem(
          .syntax, error.kind.message, hint: error.kind.hint, schema: schema.name,
          line: position.line, column: position.column)
      ], line: mark.line, text, mark.position..<end,
      unread: !hasHeader ? .wholeInput : ends ? .rest : nil)
    if ends {
      isFinished = true
      isBroken = true
      rows.position = text.count
      return false
    }
    rows.line = position.line
    if end > 0, text[end - 1] == 0x0A {
      rows.endLine(at: end - 1)
    } else {
      rows.position = text.count
    }
    return true
  }
}

/// A line and a column (in bytes), both counted from 1.
package struct TextLocation {
  package var line: Int
  package var column: Int

  /// Converts a byte offset to a line and a column. Counts the line breaks between the mark and the
  /// offset, so the mark must not be after the offset.
  package init(of position: Int, in text: Span<UInt8>, from mark: CSVChunkScanner.Mark) {
    line = mark.line
    var lineStart = mark.lineStart
    for index in mark.position..<max(mark.position, min(position, text.count))
    where text[index] == 0x0A {
      line += 1
      lineStart = index + 1
    }
    column = position - lineStart + 1
  }

  /// Returns a mark at this location. With the mark, the location of a later offset can be computed
  /// without counting the earlier lines again.
  ///
  /// - Parameter position: The byte offset of this location.
  func mark(at position: Int) -> CSVChunkScanner.Mark {
    CSVChunkScanner.Mark(position: position, line: line, lineStart: position - column + 1)
  }
}
