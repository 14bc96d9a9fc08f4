import DataModel

/// Scans records from CSV: the header names the fields, each row is a record.
struct CSVBatchScanner: Sendable {
  /// A place to which the scanner can go back, and where a row begins.
  struct Mark: BitwiseCopyable, Sendable {
    var place: Int
    var line: Int
    var lineStart: Int
  }

  let schema: Schema
  var rows = CSVRowScanner()
  var cells: CSVRecordScanner
  private(set) var hasHeader = false
  /// Whether the form was told, and not made out from the first bytes.
  private let isGiven: Bool
  /// Whether there is nothing more to scan.
  var isFinished = false
  /// Whether an error ended the scanning, so that records may be unread.
  var isBroken = false

  init(_ schema: Schema, isGiven: Bool) {
    self.schema = schema
    self.isGiven = isGiven
    cells = CSVRecordScanner(schema)
  }

  /// Scans the rows that end within the text.
  mutating func scan(
    _ text: Span<UInt8>, isLast: Bool, into changes: inout Changes, assign: inout IDAssigner,
    atMost limit: Int, rejected: inout Rejections
  ) {
    rows.isLast = isLast
    while changes.count < limit && !isFinished {
      guard rows.passEmptyLines(text) else {
        isFinished = isLast
        return
      }
      let mark = mark
      do throws(ScanFault) {
        try rows.scan(text)
        try Self.check(text, mark.place..<rows.place)
        if hasHeader {
          scanRecord(text, mark, into: &changes, &assign, &rejected)
        } else {
          readHeader(text, mark, &rejected)
        }
      } catch {
        guard recover(from: error, to: mark, text, &rejected) else { return }
      }
    }
  }

  private var mark: Mark {
    Mark(place: rows.place, line: rows.line, lineStart: rows.lineStart)
  }

  /// Refuses what no text may have.
  static func check(_ text: Span<UInt8>, _ range: Range<Int>) throws(ScanFault) {
    if let offset = UTF8Check.firstFault(in: text.extracting(range)) {
      throw ScanFault(.notUTF8, range.lowerBound + offset)
    }
    for index in range where text[index] == 0 { throw ScanFault(.rawNUL, index) }
  }

  /// What is said of a row with another number of cells than the header.
  static func message(ofCells found: Int, expected: Int) -> String {
    "expected \(expected) cells as in the header, found \(found)"
  }

  private mutating func readHeader(
    _ text: Span<UInt8>, _ mark: Mark, _ rejected: inout Rejections
  ) {
    hasHeader = true
    let problems = cells.takeHeader(rows.cells, text, mark, isGiven: isGiven)
    if problems.isEmpty { return }
    rejected.add(problems, line: mark.line, text, mark.place..<rows.place)
    isFinished = true
    isBroken = true
  }

  private mutating func scanRecord(
    _ text: Span<UInt8>, _ mark: Mark, into changes: inout Changes, _ assign: inout IDAssigner,
    _ rejected: inout Rejections
  ) {
    let raw = mark.place..<rows.place
    guard rows.cellCount == cells.slots.count else {
      let (found, expected) = (rows.cellCount, cells.slots.count)
      let problem = Problem(
        .syntax, Self.message(ofCells: found, expected: expected), schema: schema.name,
        line: mark.line,
        column: 1)
      return rejected.add([problem], line: mark.line, text, raw)
    }
    changes.beginRecord(line: mark.line)
    cells.scan(rows.cells, text, into: &changes)
    assign.assign(to: &changes, reading: text)
    let problems = changes.endRecord(reading: text, at: raw)
    if problems.isEmpty { return }
    rejected.add(
      cells.placed(problems, rows.cells, in: text, from: mark), line: mark.line, text, raw)
  }

  /// Notes a broken row and goes on behind its first line. Gives false where the scanning stops.
  private mutating func recover(
    from fault: ScanFault, to mark: Mark, _ text: Span<UInt8>, _ rejected: inout Rejections
  ) -> Bool {
    if fault.kind == .needsMore {
      (rows.place, rows.line, rows.lineStart) = (mark.place, mark.line, mark.lineStart)
      return false
    }
    var end = fault.place
    while end < text.count && text[end] != 0x0A { end += 1 }
    guard end < text.count || rows.isLast else {
      (rows.place, rows.line, rows.lineStart) = (mark.place, mark.line, mark.lineStart)
      return false
    }
    let place = TextPlace(of: fault.place, in: text, from: mark)
    let ends = fault.kind == .openQuote || !hasHeader
    // All that an open quote takes in belongs to the row, and so does the end of its line.
    end = fault.kind == .openQuote ? text.count : min(end + 1, text.count)
    rejected.add(
      [
        Problem(
          .syntax, fault.kind.message, schema: schema.name, line: place.line,
          column: place.column)
      ], line: mark.line, text, mark.place..<end)
    if ends {
      isFinished = true
      isBroken = true
      rows.place = text.count
      return false
    }
    rows.line = place.line
    if end > 0, text[end - 1] == 0x0A {
      rows.endLine(at: end - 1)
    } else {
      rows.place = text.count
    }
    return true
  }
}

/// A line and a column in bytes, both counted from 1.
struct TextPlace {
  var line: Int
  var column: Int

  /// Finds a place that is not before a mark.
  init(of place: Int, in text: Span<UInt8>, from mark: CSVBatchScanner.Mark) {
    line = mark.line
    var lineStart = mark.lineStart
    for index in mark.place..<max(mark.place, min(place, text.count)) where text[index] == 0x0A {
      line += 1
      lineStart = index + 1
    }
    column = place - lineStart + 1
  }

  /// A mark where this is, from which the places behind it are found sooner.
  func mark(at place: Int) -> CSVBatchScanner.Mark {
    CSVBatchScanner.Mark(place: place, line: line, lineStart: place - column + 1)
  }
}
