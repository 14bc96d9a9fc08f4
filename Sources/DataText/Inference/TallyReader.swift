import DataModel

/// Reads records once and collects statistics of their keys.
struct TallyReader<Source: ByteSource>: Sendable {
  /// The part of the input to read.
  enum Extent: Hashable, Sendable {
    case all
    /// At most so many records or bytes; invalid records are skipped.
    case head(records: Int, bytes: Int)
  }

  /// The number of bytes that are scanned at once, unless a record is longer.
  private static var pieceSize: Int { 256 << 10 }
  private static var longestText: Int { 96 << 20 }

  private(set) var tally: RecordTally
  /// The format of the records, once it is known.
  private(set) var format: RecordFormat?
  /// Whether the records are the elements of an array.
  var isArray: Bool { walk.form != .sequence && walk.form != .undecided }
  /// The bytes that were read and, for a whole input, not scanned yet.
  private(set) var buffer: [UInt8] = []
  private(set) var source: Source
  private var isAtEnd = false

  private let file: String
  private let extent: Extent
  private let isGiven: Bool
  private var isBegun = false
  /// Whether the input was scanned to its end.
  private(set) var isFinished = false
  private var json = JSONScanner()
  private var walk = JSONRecordWalk()
  private var rows = CSVRowScanner()
  /// The number of columns in the header; 0 until it was read.
  private var columnCount = 0
  /// The error of the first record that was skipped.
  private(set) var fault: DataError?

  init(
    _ source: Source, schema: String, format: RecordFormat?, file: String, splits: Bool,
    extent: Extent
  ) {
    self.source = source
    self.format = format
    isGiven = format != nil
    self.file = file
    self.extent = extent
    tally = RecordTally(schema, splits: splits)
    if format == .ndjson { walk.form = .sequence }
  }

  /// Reads the input to the end of the extent.
  mutating func read() throws(DataError) {
    var wanted = Self.pieceSize
    while !isFinished {
      while buffer.count < wanted && !isAtEnd {
        isAtEnd = try source.read(into: &buffer, atMost: wanted - buffer.count) == 0
      }
      try scan()
      try checkHeader()
      if isAtEnd || isEnough { break }
      switch extent {
      case .head: wanted = buffer.count + Self.pieceSize
      case .all:
        if place > 0 {
          dropScanned()
          wanted = Self.pieceSize
        } else {
          guard wanted < Self.longestText else {
            throw error(.record(longerThan: Self.longestText))
          }
          wanted = min(wanted * 2, Self.longestText)
        }
      }
    }
  }

  private var place: Int { format == .csv ? rows.place : json.place }

  private var isEnough: Bool {
    switch extent {
    case .all: false
    case .head(let records, let bytes):
      tally.count >= records || tally.count > 0 && buffer.count >= bytes
        || buffer.count >= Self.longestText
    }
  }

  private mutating func dropScanned() {
    let count = place
    buffer.removeFirst(count)
    json.place -= count
    json.lineStart -= count
    rows.place -= count
    rows.lineStart -= count
  }

  private mutating func scan() throws(DataError) {
    let copy = buffer
    let text = copy.span
    if !isBegun {
      switch TextBeginning(of: text, isLast: isAtEnd, format: format) {
      case .tooShort: return
      case .refused(let refusal): throw error(refusal)
      case .text(let format, let markLength):
        self.format = format
        isBegun = true
        (json.place, json.lineStart) = (markLength, markLength)
        (rows.place, rows.lineStart) = (markLength, markLength)
      }
    }
    json.isLast = isAtEnd
    rows.isLast = isAtEnd
    while !isFinished && !isEnough {
      let (mark, form) = (mark, walk.form)
      do throws(ScanFault) {
        guard try format == .csv ? scanRow(text) : scanRecord(text) else { return }
      } catch {
        if error.kind == .needsMore { return goBack(to: mark, form) }
        try refuse(error, mark, text)
      }
    }
  }

  /// Counts the next record. Returns false at the end of the text.
  private mutating func scanRecord(_ text: Span<UInt8>) throws(ScanFault) -> Bool {
    switch try walk.step(&json, text) {
    case .end:
      isFinished = isAtEnd
      return false
    case .misfit(let fault): throw fault
    case .record:
      let beginning = walk.mark(of: json)
      // Validating the record first ensures that it is counted completely or not at all.
      let notes = try json.passValue(text)
      if let misfit = notes.misfit, misfit.kind != .tooDeep { throw misfit }
      walk.go(back: beginning, &json)
      try tally.take(&json, text)
      return true
    }
  }

  /// Counts the next CSV row. Returns false at the end of the text.
  private mutating func scanRow(_ text: Span<UInt8>) throws(ScanFault) -> Bool {
    guard rows.passEmptyLines(text) else {
      isFinished = isAtEnd
      return false
    }
    let (start, line) = (rows.place, rows.line)
    try rows.scan(text)
    try CSVBatchScanner.check(text, start..<rows.place)
    var unquoted: [UInt8] = []
    guard columnCount > 0 else {
      columnCount = rows.cellCount
      for (column, cell) in rows.cells.enumerated() {
        CSVRecordScanner.unquote(cell, text, into: &unquoted)
        if let fault = tally.take(column: column, unquoted.span) {
          throw ScanFault(fault, cell.start)
        }
      }
      return true
    }
    guard rows.cellCount == columnCount else { throw ScanFault(.otherCellCount, start) }
    tally.beginRow()
    for (column, cell) in rows.cells.enumerated() {
      if cell.hasDoubled {
        CSVRecordScanner.unquote(cell, text, into: &unquoted)
        try tally.take(cell: unquoted.span, isQuoted: true, column: column, line: line)
      } else {
        try tally.take(
          cell: text.extracting(cell.start..<cell.end), isQuoted: cell.isQuoted, column: column,
          line: line)
      }
    }
    return true
  }

  private var mark: CSVBatchScanner.Mark {
    format == .csv
      ? CSVBatchScanner.Mark(place: rows.place, line: rows.line, lineStart: rows.lineStart)
      : CSVBatchScanner.Mark(place: json.place, line: json.line, lineStart: json.lineStart)
  }

  private mutating func goBack(to mark: CSVBatchScanner.Mark, _ form: JSONRecordWalk.Form) {
    if format == .csv {
      (rows.place, rows.line, rows.lineStart) = (mark.place, mark.line, mark.lineStart)
    } else {
      walk.go(
        back: JSONRecordWalk.Mark(
          place: mark.place, line: mark.line, lineStart: mark.lineStart, form: form), &json)
    }
  }

  /// Throws the error, except for a head: it resumes after the line, since the save reports the
  /// error.
  private mutating func refuse(
    _ found: ScanFault, _ mark: CSVBatchScanner.Mark, _ text: Span<UInt8>
  ) throws(DataError) {
    let place = TextPlace(of: found.place, in: text, from: mark)
    let message =
      found.kind == .otherCellCount
      ? CSVBatchScanner.message(ofCells: rows.cellCount, expected: columnCount)
      : found.kind.message
    let error = DataError(
      Problem(
        .syntax, message, hint: found.kind.hint, file: file, line: place.line,
        column: place.column))
    guard extent != .all, found.kind != .tooManyKeys else { throw error }
    fault = fault ?? error
    if found.kind == .expectedRecords || found.kind == .otherCellCount { return }
    guard format == .csv ? found.kind != .repeatedColumn : walk.form == .sequence,
      let end = lineEnd(text, from: format == .csv ? mark.place : walk.beginning.place)
    else {
      isFinished = true
      return
    }
    if format == .csv {
      rows.line = mark.line
      rows.endLine(at: end)
    } else {
      let line = walk.beginning.line + 1
      walk.go(
        back: JSONRecordWalk.Mark(place: end + 1, line: line, lineStart: end + 1, form: .sequence),
        &json)
    }
  }

  private func lineEnd(_ text: Span<UInt8>, from place: Int) -> Int? {
    for index in place..<text.count where text[index] == 0x0A { return index }
    return nil
  }

  /// Throws if the header is longer than the maximum length of a record.
  private func checkHeader() throws(DataError) {
    guard format == .csv, columnCount == 0, !isFinished,
      buffer.count - place >= Schema.longestRecord
    else { return }
    throw error(.header(longerThan: Schema.longestRecord, isGiven: isGiven))
  }

  private func error(_ refusal: TextRefusal) -> DataError {
    DataError(
      Problem(
        .syntax, refusal.message, hint: refusal.hint, file: file,
        line: format == .csv ? rows.line : json.line))
  }
}
