import DataModel
import JSONText
import RecordText

/// Scans a JSON or CSV document for the records that a map describes.
struct ForeignScanner: Sendable {
  struct Record {
    var value: ForeignValue
    var place: RecordPlace
    /// The bytes of the record in the text.
    var range: Range<Int>
    /// Whether the document lacks the path to the records, so that its top-level objects may be
    /// records. Such an object is a record only if it contains a value that the map assigns to a
    /// field.
    var lacksPath = false
  }

  /// A row or a line that is not a record because of a syntax error. The scanner continues after
  /// it.
  struct Malformed {
    var problem: Problem
    /// The bytes of the row or line in the text.
    var range: Range<Int>
    /// The number of the line on which the malformed text begins.
    var line: Int
  }

  enum Found {
    case record(Record)
    case malformed(Malformed)
  }

  /// What the scanner expects next in JSON.
  private enum State {
    case root
    /// Expects the first key of an object that encloses the records, or the closing brace.
    case frameStart
    /// Expects the comma after a member of an object that encloses the records, or the closing
    /// brace.
    case frameEnd
    /// Expects the first record of an array, or the closing bracket.
    case recordsStart
    case recordsEnd
    /// Expects the first member of an object whose values are the records, or the closing brace.
    case entriesStart
    case entriesEnd
    /// Expects the next top-level value of a sequence.
    case sequence
    case finished
  }

  /// The state of the scanner before a record, or before another value. It is restored if the text
  /// ends within the value.
  private struct Progress {
    var state: State
    /// The number of open objects that enclose the records.
    var frameDepth = 0
    var frameStart = (position: 0, line: 1, lineStart: 0)
    var index = 0
    var hasFoundRecords = false
    /// Whether the first top-level object did not contain the path to the records.
    var lacksPath = false
    /// The line numbers of the keys in the path to the records, outermost key first.
    var keyLines: [Int] = []
    /// The column names of a CSV document.
    var header: [String]?
  }

  private let map: DataMap
  private let form: TextForm
  /// The name of the column with the id, or nil if the map does not contain it.
  private let keyColumn: String?
  /// The names in the path to the records.
  private let names: [String]
  private var json = JSONScanner()
  private var rows: CSVRowScanner
  private var progress: Progress
  /// The state before the JSON value that is being scanned.
  private var mark: (position: Int, line: Int, lineStart: Int, progress: Progress)
  /// What has to arrive before it is useful to scan an incomplete text again.
  private(set) var missingEnd = IncompleteText.End.value
  private var hasBegun = false
  private var errorLocation = (line: 1, column: 1)
  /// Whether each line of a JSON document is a record.
  private let isLineByLine: Bool
  /// The start of the value or row that is being scanned.
  private var beginning = CSVChunkScanner.Mark(position: 0, line: 1, lineStart: 0)
  /// The first byte of the most recent malformed record. The hint for an error depends on it.
  private var firstByte: UInt8 = 0
  /// The message of the most recent error, if the path to the records is the problem: the document
  /// lacks the path, or contains one of its keys twice. Nil for other errors.
  private var message: String?

  init(_ map: DataMap, _ form: TextForm, keyColumn: String?) {
    self.map = map
    self.form = form
    self.keyColumn = keyColumn
    names = map.records.steps.compactMap { if case .name(let name) = $0 { name } else { nil } }
    isLineByLine = form.format == .ndjson
    progress = Progress(state: isLineByLine ? .sequence : .root)
    mark = (0, 1, 0, progress)
    if case .names(let names) = form.header { progress.header = names }
    rows = CSVRowScanner(
      separator: form.separator ?? (form.format == .tsv ? 0x09 : map.separator),
      comment: form.comment)
  }

  var position: Int { map.format == .csv ? rows.position : json.position }
  var line: Int { map.format == .csv ? rows.line : json.line }
  /// The number of bytes at the start of the text that are no longer needed. An object that may
  /// itself be a record is needed until the path to the records was found in it.
  var removableCount: Int {
    progress.frameDepth > 0 && !progress.hasFoundRecords ? progress.frameStart.position : position
  }

  /// Skips the byte order mark, if there is one. Returns an error if the format of the input is not
  /// supported.
  mutating func begin(_ text: Span<UInt8>, isLast: Bool) -> InputLimitError? {
    guard !hasBegun else { return nil }
    // With `.json`, the separator of CSV is not detected: the map or the caller specifies it.
    switch FormatDetection(of: text, isLast: isLast, TextForm(.json)) {
    case .tooShort: return nil
    case .unsupported(let limitError): return limitError
    case .text(_, _, let byteOrderMarkLength):
      hasBegun = true
      (json.position, json.lineStart) = (byteOrderMarkLength, byteOrderMarkLength)
      (rows.position, rows.lineStart) = (byteOrderMarkLength, byteOrderMarkLength)
      return nil
    }
  }

  /// Adjusts the positions after the caller removed the first `count` bytes of the text.
  mutating func discard(_ count: Int) {
    json.position -= count
    json.lineStart -= count
    progress.frameStart.position -= count
    progress.frameStart.lineStart -= count
    rows.position -= count
    rows.lineStart -= count
  }

  /// Returns the problem that describes an error. Returns nil if the error only means that more
  /// bytes are needed.
  func problem(_ error: ScanError) -> Problem? {
    guard error.kind != .needsMore else { return nil }
    if let message { return Problem(.invalid, message, line: errorLocation.line) }
    let isRow = error.kind == .wrongCellCount
    let columnCount = progress.header?.count ?? 0
    return Problem(
      .syntax,
      isRow
        ? CSVChunkScanner.message(
          ofCells: rows.cellCount, expected: columnCount, .firstRow)
        : error.kind.message,
      hint: isRow
        ? CSVChunkScanner.hint(
          ofCells: rows.cellCount, expected: columnCount, beginningWith: firstByte)
        : error.kind.hint,
      line: errorLocation.line, column: errorLocation.column)
  }

  /// Returns the next record or malformed record, or nil at the end of the text. Throws an error if
  /// more bytes are needed, or if the start of the next record is unknown.
  mutating func next(_ text: Span<UInt8>, isLast: Bool) throws(ScanError) -> Found? {
    guard hasBegun else { return nil }
    let (startProgress, startRows) = (progress, rows)
    json.isLast = isLast
    rows.isLast = isLast
    do throws(ScanError) {
      let record = map.format == .csv ? try nextRow(text) : try nextValue(text)
      return record.map { .record($0) }
    } catch {
      var error = error
      missingEnd = map.format == .csv || error.kind != .needsMore ? .line : .value
      switch recovery(from: error, text) {
      case .needsMore: error.kind = .needsMore
      case .endOfLine(let end, let shown): return .malformed(skip(to: end, shown, text))
      case .impossible: break
      }
      let start =
        map.format == .csv
        ? CSVChunkScanner.Mark(
          position: startRows.position, line: startRows.line, lineStart: startRows.lineStart)
        : CSVChunkScanner.Mark(
          position: mark.position, line: mark.line, lineStart: mark.lineStart)
      let location = TextLocation(of: error.position, in: text, from: start)
      errorLocation = (location.line, location.column)
      guard error.kind == .needsMore else { throw error }
      if map.format == .csv {
        (progress, rows) = (startProgress, startRows)
      } else {
        (json.position, json.line, json.lineStart, progress) = mark
      }
      throw error
    }
  }
}

/// Recovery after syntax errors.
extension ForeignScanner {
  /// Returns how to continue after an error. Only an invalid row of CSV or an invalid object in a
  /// sequence of JSON objects can be skipped.
  private func recovery(
    from error: ScanError, _ text: Span<UInt8>
  ) -> JSONRecordIterator.Recovery {
    guard error.kind != .needsMore else { return .needsMore }
    if map.format == .csv {
      guard progress.header != nil, error.kind != .unclosedQuote else { return .impossible }
      // The whole row has been scanned if its cells, not its quotes, are invalid.
      if rows.position > beginning.position, error.kind == .wrongCellCount || error.kind == .notUTF8
      {
        return .endOfLine(rows.position, error)
      }
      var end = error.position
      while end < text.count, text[end] != 0x0A { end += 1 }
      guard end < text.count || rows.isLast else { return .needsMore }
      return .endOfLine(min(end + 1, text.count), error)
    }
    switch progress.state {
    case .sequence:
      let recovery = iterator.recovery(from: error, json, text, isLineByLine: isLineByLine)
      // An error at the end of the document concerns only the last value.
      if case .impossible = recovery, json.isLast, error.position >= text.count {
        return .endOfLine(text.count, error)
      }
      return recovery
    case .root, .frameStart, .frameEnd, .recordsStart, .recordsEnd, .entriesStart, .entriesEnd,
      .finished:
      return .impossible
    }
  }

  /// Moves to the end of a malformed record, and returns this record.
  private mutating func skip(
    to end: Int, _ error: ScanError, _ text: Span<UInt8>
  ) -> Malformed {
    let location = TextLocation(of: error.position, in: text, from: beginning)
    errorLocation = (location.line, location.column)
    firstByte = beginning.position < text.count ? text[beginning.position] : 0
    let malformed = Malformed(
      problem: problem(error) ?? Problem(.syntax, error.kind.message),
      range: beginning.position..<end, line: beginning.line)
    if map.format != .csv {
      iterator.skipToLine(at: min(end + 1, text.count), &json, text)
    } else if rows.position != end {
      rows.line = location.line
      if end > 0, text[end - 1] == 0x0A { rows.endLine(at: end - 1) } else { rows.position = end }
    }
    return malformed
  }

  /// An iterator whose current record is the value that is being scanned.
  private var iterator: JSONRecordIterator {
    JSONRecordIterator(
      inSequenceAt: JSONRecordIterator.Mark(
        position: beginning.position, line: beginning.line, lineStart: beginning.lineStart,
        layout: .sequence))
  }
}

/// Scanning JSON.
extension ForeignScanner {
  private mutating func nextValue(_ text: Span<UInt8>) throws(ScanError) -> Record? {
    while true {
      mark = (json.position, json.line, json.lineStart, progress)
      guard let byte = json.skipWhitespace(text) else {
        switch progress.state {
        case .root, .sequence, .finished: return nil
        case .frameStart, .frameEnd, .recordsStart, .recordsEnd, .entriesStart, .entriesEnd:
          throw json.endError(text)
        }
      }
      switch progress.state {
      case .root: try begin(byte)
      case .sequence:
        let value = try value(text)
        return Record(
          value: value, place: .root, range: range, lacksPath: progress.lacksPath)
      case .finished:
        // Another document may follow, such as the next page of a list.
        guard map.hasObjectPath, byte == UInt8(ascii: "{") else {
          throw ScanError(.trailingContent, json.position)
        }
        progress = Progress(state: .root)
      case .frameStart, .frameEnd:
        guard try hasNext(byte, closing: UInt8(ascii: "}"), text) else {
          try endFrame()
          continue
        }
        if let record = try frameMember(text) { return record }
      case .recordsStart, .recordsEnd:
        guard try hasNext(byte, closing: UInt8(ascii: "]"), text) else {
          endRecords()
          continue
        }
        let value = try value(text)
        progress.state = .recordsEnd
        progress.index += 1
        let index = progress.index - 1
        return Record(
          value: value,
          place: progress.frameDepth > 0 || names.isEmpty ? .element(index) : .rootElement(index),
          range: range)
      case .entriesStart, .entriesEnd:
        guard try hasNext(byte, closing: UInt8(ascii: "}"), text) else {
          endRecords()
          continue
        }
        let name = try key(text)
        let value = try value(text)
        progress.state = .entriesEnd
        return Record(value: value, place: .entry(name), range: range)
      }
    }
  }

  /// Parses the value at the current position, and sets `beginning` to its start.
  private mutating func value(_ text: Span<UInt8>) throws(ScanError) -> ForeignValue {
    _ = try json.next(text)
    beginning = CSVChunkScanner.Mark(
      position: json.position, line: json.line, lineStart: json.lineStart)
    return try json.foreignValue(text)
  }

  /// The byte range from the start of the current value or row to the current position.
  private var range: Range<Int> { beginning.position..<position }

  private mutating func begin(_ byte: UInt8) throws(ScanError) {
    let hasEntries = map.records.steps.last == .entries
    if byte == UInt8(ascii: "["), !hasEntries {
      json.position += 1
      progress.state = .recordsStart
      progress.hasFoundRecords = true
    } else if names.isEmpty, !hasEntries {
      progress.state = .sequence
    } else {
      guard byte == UInt8(ascii: "{") else { throw ScanError(.expectedRecord, json.position) }
      progress.frameStart = (json.position, json.line, json.lineStart)
      json.position += 1
      if names.isEmpty {
        progress.state = .entriesStart
        progress.hasFoundRecords = true
      } else {
        progress.state = .frameStart
        progress.frameDepth = 1
      }
    }
  }

  /// Skips the comma before the next element or member, and returns true. If the closing bracket or
  /// brace is next, skips it and returns false.
  private mutating func hasNext(
    _ byte: UInt8, closing: UInt8, _ text: Span<UInt8>
  ) throws(ScanError) -> Bool {
    if byte == closing {
      json.position += 1
      return false
    }
    switch progress.state {
    case .frameStart, .recordsStart, .entriesStart: return true
    case .root, .frameEnd, .recordsEnd, .entriesEnd, .sequence, .finished: break
    }
    guard byte == UInt8(ascii: ",") else {
      throw ScanError(
        closing == UInt8(ascii: "]") ? .expectedCommaOrBracket : .expectedCommaOrBrace,
        json.position)
    }
    json.position += 1
    guard try json.next(text) != closing else { throw ScanError(.trailingComma, json.position) }
    return true
  }

  private mutating func key(_ text: Span<UInt8>) throws(ScanError) -> String {
    guard try json.next(text) == UInt8(ascii: "\"") else {
      throw ScanError(.expectedKey, json.position)
    }
    let name = try json.foreignText(text)
    _ = try json.skipColon(text)
    return name
  }

  private mutating func endRecords() {
    progress.state = progress.frameDepth > 0 ? .frameEnd : .finished
  }

  /// Handles the end of an object that can enclose records. If this is the outermost object and no
  /// records were found in it, moves back to its start, because the object may itself be a record.
  /// If the map requires the path to the records, throws an error instead.
  private mutating func endFrame() throws(ScanError) {
    progress.frameDepth -= 1
    progress.state = progress.frameDepth > 0 ? .frameEnd : .finished
    guard progress.frameDepth == 0, !progress.hasFoundRecords else { return }
    // If the path to the records was not found, the document may be a single record. A map that
    // ignores unmapped values would accept any object as a record, so it requires the path.
    guard map.fields.unknown == .error, !map.fields.fields.contains(where: \.isRest) else {
      message = map.missingRecords
      throw ScanError(.expectedRecord, json.position)
    }
    (json.position, json.line, json.lineStart) = progress.frameStart
    progress.state = .sequence
    progress.lacksPath = true
  }

  /// Scans a member of an object that encloses the records. Returns a record if the path to the
  /// records leads to a single value instead of an array.
  private mutating func frameMember(_ text: Span<UInt8>) throws(ScanError) -> Record? {
    let name = try key(text)
    let byte = try json.next(text)
    progress.state = .frameEnd
    guard name.utf8.elementsEqual(names[progress.frameDepth - 1].utf8) else {
      _ = try json.skipValue(text)
      return nil
    }
    let line = json.line
    guard progress.keyLines.count < progress.frameDepth else {
      let first = progress.keyLines[progress.frameDepth - 1]
      message =
        "\(Excerpt.quoted(name)) is given twice" + (first == line ? "" : ", first in line \(first)")
      throw ScanError(.expectedRecord, json.position)
    }
    progress.keyLines.append(line)
    let isLast = progress.frameDepth == names.count
    if isLast, map.records.steps.last != .entries {
      progress.hasFoundRecords = true
      guard byte == UInt8(ascii: "[") else {
        let value = try value(text)
        return value.isNull ? nil : Record(value: value, place: .single, range: range)
      }
      json.position += 1
      progress.state = .recordsStart
      return nil
    }
    guard byte == UInt8(ascii: "{") else { throw ScanError(.expectedRecord, json.position) }
    json.position += 1
    if isLast {
      progress.hasFoundRecords = true
      progress.state = .entriesStart
    } else {
      progress.frameDepth += 1
      progress.state = .frameStart
    }
    return nil
  }
}

/// Scanning CSV.
extension ForeignScanner {
  private mutating func nextRow(_ text: Span<UInt8>) throws(ScanError) -> Record? {
    guard rows.skipEmptyLines(text) else { return nil }
    if progress.header == nil {
      try rows.scan(text)
      let names = try cells(text).map { $0 ?? "" }
      var known: Set<[UInt8]> = []
      for (name, cell) in zip(names, rows.cells) where !known.insert(Array(name.utf8)).inserted {
        throw ScanError(.duplicateColumn, cell.start)
      }
      try check(names)
      progress.header = names
      guard rows.skipEmptyLines(text) else { return nil }
    }
    let line = rows.line
    beginning = CSVChunkScanner.Mark(
      position: rows.position, line: line, lineStart: rows.lineStart)
    try rows.scan(text)
    guard let header = progress.header,
      rows.hasCells(header.count, isRagged: form.isRagged),
      rows.cellCount == header.count || hasKey(header[..<rows.cellCount])
    else { throw ScanError(.wrongCellCount, beginning.position) }
    let members = zip(header, try cells(text)).compactMap { name, cell in
      member(name, cell, line: line)
    }
    return Record(value: ForeignValue(.object(members), line: line), place: .root, range: range)
  }

  /// Returns whether the columns contain the id, if the map does.
  private func hasKey(_ columns: ArraySlice<String>) -> Bool {
    keyColumn.map { key in columns.contains { $0.utf8.elementsEqual(key.utf8) } } ?? true
  }

  /// Returns the value of a cell with the name of its column, or nil if the column is skipped.
  private func member(_ name: String, _ cell: String?, line: Int) -> ForeignValue.Member? {
    let value = ForeignValue(cell.map { .text($0) } ?? .null, line: line)
    if form.columns.isEmpty { return ForeignValue.Member(name, value) }
    if form.columns.skips(Array(name.utf8)) { return nil }
    guard let cell, let separator = form.columns.separator(of: Array(name.utf8)) else {
      return ForeignValue.Member(name, value)
    }
    let bytes = Array(cell.utf8)
    let elements = CellElements.ranges(in: bytes, separatedBy: separator).map { range in
      ForeignValue(.text(String(decoding: bytes[range], as: UTF8.self)), line: line)
    }
    return ForeignValue.Member(name, ForeignValue(.array(elements), line: line))
  }

  /// Throws an error if an option names a column that the header does not contain.
  private mutating func check(_ header: [String]) throws(ScanError) {
    let found = Set(header.map { Array($0.utf8) })
    let unused = form.columns.problems(ofUnused: found, schema: "", line: rows.line)
    guard let problem = unused.first else { return }
    message = problem.message
    throw ScanError(.expectedRecord, rows.position)
  }

  /// Returns the texts of the cells in the row that was scanned last. An empty cell without quotes
  /// is nil.
  private func cells(_ text: Span<UInt8>) throws(ScanError) -> [String?] {
    var texts: [String?] = []
    for cell in rows.cells {
      let bytes = text.extracting(cell.start..<cell.end)
      if let offset = UTF8Check.firstInvalidOffset(in: bytes) {
        throw ScanError(.notUTF8, cell.start + offset)
      }
      let content = String(decoding: bytes)
      if content.isEmpty, !cell.isQuoted {
        texts.append(nil)
      } else if cell.hasDoubledQuotes {
        let parts = content.split(separator: "\"\"", omittingEmptySubsequences: false)
        texts.append(parts.joined(separator: "\""))
      } else {
        texts.append(content)
      }
    }
    return texts
  }
}
