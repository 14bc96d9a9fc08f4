import DataModel
import JSONText
import RecordText

/// Reads the records of an input once and collects statistics of their keys.
struct StatisticsReader<Source: ByteSource>: Sendable {
  /// How much of the input is read.
  enum Extent: Hashable, Sendable {
    case all
    /// The start of the input. Reading stops after this number of records or bytes, and invalid
    /// records are skipped.
    case head(records: Int, bytes: Int)
  }

  /// The number of bytes that are read and scanned at once. It is doubled if a record is longer.
  private static var pieceSize: Int { 256 << 10 }

  private(set) var statistics: RecordStatistics
  /// The format of the records, or nil if it has not been detected yet.
  private(set) var format: RecordFormat?
  /// Whether the records are the elements of a JSON array.
  var isArray: Bool { iterator.layout != .sequence && iterator.layout != .undecided }
  /// The bytes that have been read. If the whole input is read, the bytes that have been scanned
  /// are removed. If only its head is read, all bytes are kept, because the save that follows reads
  /// them again.
  private(set) var buffer: [UInt8] = []
  private(set) var source: Source
  private var isAtEnd = false

  private let file: InferenceFile
  /// The number of records in the earlier files.
  private let formerCount: Int
  /// A closure that returns the line in the document for a record number and a key. It is nil if
  /// the scanned text is the document itself.
  private let lines: (@Sendable (_ record: Int, _ key: String) -> Int)?
  private let extent: Extent
  let form: TextForm
  private var isBegun = false
  /// Whether scanning has ended: at the end of the input, or at an error after which the next
  /// record cannot be found.
  private(set) var isFinished = false
  private var json = JSONScanner()
  private var iterator = JSONRecordIterator()
  private var rows = CSVRowScanner()
  /// The delimiter of the cells in a table.
  var separator: UInt8 { rows.separator }
  /// The number of columns in the CSV header, or 0 if the header has not been read yet.
  private var columnCount = 0
  /// The error in the first record that was skipped, or nil if no record was skipped.
  private(set) var scanError: DataError?

  init(
    _ source: Source, schema: String, _ form: TextForm, file: InferenceFile,
    splitting: SchemaSplitting,
    lines: (@Sendable (_ record: Int, _ key: String) -> Int)? = nil, extent: Extent,
    continuing former: RecordStatistics? = nil
  ) {
    self.lines = lines
    self.source = source
    self.form = form
    format = form.format
    self.file = file
    self.extent = extent
    var statistics =
      former
      ?? RecordStatistics(schema, splitting, file: file, hasOnlyText: form.format == .xml, form)
    statistics.beginFile(file)
    self.statistics = statistics
    formerCount = statistics.count
    if format == .ndjson { iterator.layout = .sequence }
  }

  /// Reads records and updates the statistics until the input ends. If the extent is `head`, stops
  /// after the maximum number of records or bytes.
  mutating func read() throws(DataError) {
    var targetSize = Self.pieceSize
    while !isFinished {
      while buffer.count < targetSize && !isAtEnd {
        isAtEnd = try source.read(into: &buffer, atMost: targetSize - buffer.count) == 0
        try check(source.takeFindings())
      }
      try scan()
      try checkHeader()
      if isAtEnd || isExtentReached { break }
      switch extent {
      case .head: targetSize = buffer.count + Self.pieceSize
      case .all:
        if position > 0 {
          discardScanned()
          targetSize = Self.pieceSize
        } else {
          guard targetSize < InputLimitError.longestRecord else {
            throw error(.record(longerThan: InputLimitError.longestRecord))
          }
          targetSize = min(targetSize * 2, InputLimitError.longestRecord)
        }
      }
    }
    // After the head of the input, do not report unused rules: more records follow, and the save
    // that reads them reports the rules.
    guard extent == .all, statistics.count > formerCount else { return }
    if var error = DataError(statistics.problemsOfUnusedRules) {
      error = error.modifyingProblems { $0.file = file.name }
      throw error
    }
  }

  /// Handles the problems that the source found. If the whole input is read, throws the first
  /// problem. If only the head is read, continues, because the save that follows reports the
  /// problems.
  private mutating func check(_ findings: SourceFindings) throws(DataError) {
    let first = findings.problems.min { $0.key < $1.key }?.value.first ?? findings.failure
    guard var first else { return }
    first.file = file.name
    if extent == .all { throw DataError(first) }
    scanError = scanError ?? DataError(first)
  }

  private var isTable: Bool { format?.isTable == true }

  private var position: Int { isTable ? rows.position : json.position }

  private var isExtentReached: Bool {
    switch extent {
    case .all: false
    case .head(let records, let bytes):
      statistics.count >= records || statistics.count > 0 && buffer.count >= bytes
        || buffer.count >= InputLimitError.longestRecord
    }
  }

  private mutating func discardScanned() {
    let count = position
    buffer.removeFirst(count)
    json.position -= count
    json.lineStart -= count
    rows.position -= count
    rows.lineStart -= count
  }

  private mutating func scan() throws(DataError) {
    let copy = buffer
    let text = copy.span
    if !isBegun {
      switch FormatDetection(of: text, isLast: isAtEnd, form) {
      case .tooShort: return
      case .unsupported(let limitError): throw error(limitError)
      case .text(let format, let separator, let byteOrderMarkLength):
        self.format = format
        isBegun = true
        (json.position, json.lineStart) = (byteOrderMarkLength, byteOrderMarkLength)
        rows = CSVRowScanner(separator: separator, comment: form.comment)
        (rows.position, rows.lineStart) = (byteOrderMarkLength, byteOrderMarkLength)
      }
    }
    json.isLast = isAtEnd
    rows.isLast = isAtEnd
    while !isFinished && !isExtentReached {
      let (mark, layout) = (mark, iterator.layout)
      do throws(ScanError) {
        guard try isTable ? scanRow(text) : scanRecord(text) else { return }
      } catch {
        if error.kind == .needsMore { return rewind(to: mark, layout) }
        try reject(error, mark, text)
      }
    }
  }

  /// Counts the next record. Returns false if there are no more records in the text.
  private mutating func scanRecord(_ text: Span<UInt8>) throws(ScanError) -> Bool {
    switch try iterator.advance(&json, text) {
    case .end:
      isFinished = isAtEnd
      return false
    case .violation(let scanError): throw scanError
    case .record:
      let beginning = iterator.mark(of: json)
      // The whole record is validated before it is counted, so that no record is counted in part.
      let notes = try json.skipValue(text)
      if let violation = notes.violation, violation.kind != .tooDeep { throw violation }
      iterator.reset(to: beginning, &json)
      guard let lines else {
        try statistics.add(&json, text)
        return true
      }
      let number = json.line
      try statistics.add(&json, text) { key in lines(number, key) }
      json.line = number
      return true
    }
  }

  /// Reads the CSV header, or counts the next row. Returns false if there are no more rows in the
  /// text.
  private mutating func scanRow(_ text: Span<UInt8>) throws(ScanError) -> Bool {
    guard rows.skipEmptyLines(text) else {
      isFinished = isAtEnd
      return false
    }
    let (start, line) = (rows.position, rows.line)
    try rows.scan(text)
    try CSVChunkScanner.check(text, start..<rows.position)
    var unquoted: [UInt8] = []
    if columnCount == 0, let names = form.header.names(forCells: rows.cellCount) {
      columnCount = names.count
      for name in names {
        if let scanError = statistics.add(column: name.utf8.span) {
          throw ScanError(scanError, start)
        }
      }
    }
    guard columnCount > 0 else {
      columnCount = rows.cellCount
      for (index, cell) in rows.cells.enumerated() {
        cell.unquote(from: text, into: &unquoted)
        if let name = numberedName(of: unquoted, index) { unquoted = Array(name.utf8) }
        if let scanError = statistics.add(column: unquoted.span) {
          throw ScanError(scanError, cell.start)
        }
      }
      return true
    }
    guard rows.hasCells(columnCount, isRagged: form.isRagged) else {
      throw ScanError(.wrongCellCount, start)
    }
    statistics.beginRow()
    for (column, cell) in rows.cells.enumerated() {
      if cell.hasDoubledQuotes {
        cell.unquote(from: text, into: &unquoted)
        try statistics.add(cell: unquoted.span, isQuoted: true, column: column, line: line)
      } else {
        try statistics.add(
          cell: text.extracting(cell.start..<cell.end), isQuoted: cell.isQuoted, column: column,
          line: line)
      }
    }
    return true
  }

  /// Returns a name such as `column_3` for a column whose header contains no name of a field. Nil for
  /// other columns, and for those that an option names.
  private func numberedName(of header: [UInt8], _ index: Int) -> String? {
    let numbered = "column_\(index + 1)"
    let name = Names.field(forColumn: String(decoding: header, as: UTF8.self), number: index + 1)
    return name == numbered && !form.columns.hasRule(for: header) ? name : nil
  }

  private var mark: CSVChunkScanner.Mark {
    isTable
      ? CSVChunkScanner.Mark(position: rows.position, line: rows.line, lineStart: rows.lineStart)
      : CSVChunkScanner.Mark(position: json.position, line: json.line, lineStart: json.lineStart)
  }

  private mutating func rewind(to mark: CSVChunkScanner.Mark, _ layout: JSONRecordIterator.Layout) {
    if isTable {
      (rows.position, rows.line, rows.lineStart) = (mark.position, mark.line, mark.lineStart)
    } else {
      iterator.reset(
        to: JSONRecordIterator.Mark(
          position: mark.position, line: mark.line, lineStart: mark.lineStart, layout: layout),
        &json)
    }
  }

  /// Handles an invalid record. If the whole input is read, throws the error. If only the head is
  /// read, skips the record, because the save that follows reports the error. Too many keys are
  /// always an error.
  private mutating func reject(
    _ found: ScanError, _ mark: CSVChunkScanner.Mark, _ text: Span<UInt8>
  ) throws(DataError) {
    let position = TextLocation(of: found.position, in: text, from: mark)
    let isRow = found.kind == .wrongCellCount
    let message =
      isRow
      ? CSVChunkScanner.message(ofCells: rows.cellCount, expected: columnCount, form.header)
      : found.kind.message
    let hint =
      isRow
      ? CSVChunkScanner.hint(
        ofCells: rows.cellCount, expected: columnCount, beginningWith: text[found.position])
      : found.kind.hint
    let error = DataError(
      Problem(
        .syntax, message, hint: hint, file: file.name, line: position.line,
        column: format == .xml ? nil : position.column))
    guard extent != .all, found.kind != .tooManyKeys else { throw error }
    scanError = scanError ?? error
    if found.kind == .expectedRecord || found.kind == .wrongCellCount { return }
    // A record that was converted from XML can have any number of lines.
    guard format != .xml,
      isTable ? found.kind != .duplicateColumn : iterator.layout == .sequence,
      let end = lineEnd(text, from: isTable ? mark.position : iterator.beginning.position)
    else {
      isFinished = true
      return
    }
    if isTable {
      rows.line = mark.line
      rows.endLine(at: end)
    } else {
      let line = iterator.beginning.line + 1
      iterator.reset(
        to: JSONRecordIterator.Mark(
          position: end + 1, line: line, lineStart: end + 1, layout: .sequence),
        &json)
    }
  }

  private func lineEnd(_ text: Span<UInt8>, from position: Int) -> Int? {
    for index in position..<text.count where text[index] == 0x0A { return index }
    return nil
  }

  /// Throws an error if the CSV header is longer than the maximum length of a record.
  private func checkHeader() throws(DataError) {
    guard isTable, columnCount == 0, !isFinished,
      buffer.count - position >= Schema.maxRecordSize
    else { return }
    throw error(.header(longerThan: Schema.maxRecordSize, isGiven: form.format != nil))
  }

  private func error(_ limitError: InputLimitError) -> DataError {
    DataError(
      Problem(
        .syntax, limitError.message, hint: limitError.hint, file: file.name,
        line: isTable ? rows.line : json.line))
  }
}
