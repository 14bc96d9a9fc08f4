package import DataModel
import DataXML
package import RecordText

/// Writes records in the format that the user selected. If the user selected none, the format
/// depends on the command and on whether the output is a terminal.
package struct RecordPrinter: Sendable {
  /// The format of a command's output if the user selects none.
  package enum DefaultFormat {
    /// A table on a terminal, NDJSON in a pipe or a file.
    case table
    /// Indented JSON on a terminal, NDJSON in a pipe or a file.
    case object
  }

  /// The number of records that a command prints: exactly one, or any number.
  package enum Cardinality {
    /// One record: JSON output is an object.
    case one
    /// Any number of records: JSON output is an array.
    case several
  }

  /// The maximum number of rows of a table.
  package enum RowLimit {
    /// The number of rows is not limited.
    case never
    /// If the output is a terminal, the table has at most this many rows.
    case onTerminal(Int)

    /// The maximum number of rows that a query prints on a terminal.
    package static let ofRequested = onTerminal(100)
    /// The maximum number of saved records that are printed on a terminal.
    package static let ofSaved = onTerminal(5)

    /// The message that is shown if a table omits rows.
    package var message: String? {
      switch self {
      case .never: nil
      case .onTerminal(let count): "Only the first \(count) records are shown."
      }
    }
  }

  fileprivate enum Form: Sendable {
    case nothing
    case text(RecordWriter)
    case xml(XMLRecordWriter)
    case mapped(MappedPrinter)
    case indented(RecordWriter)
    case table(RecordTable)
    case lines(LineWriter)
    /// One JSON object that contains the records and, after them, the page tokens.
    case page(RecordWriter)
  }

  private var form: Form
  /// The number of rows that can still be added to the table. Nil if the number of rows is not
  /// limited.
  private var rowsLeft: Int?
  /// Whether rows were omitted because the table reached its maximum number of rows.
  package private(set) var hasMore = false
  /// An error about the records that could not be printed, for example because a stored value is
  /// invalid. Nil if there are none.
  package private(set) var damage: DataError?
  private let schema: Schema?
  private let columns: [RecordWriter.Column]

  /// Creates a printer of rows with the given columns.
  ///
  /// - Parameters:
  ///   - schema: The schema of the records, or nil if the rows are not records. Only records are
  ///     printed as XML.
  ///   - map: The map to apply to the printed records, or nil.
  package init(
    _ columns: [RecordWriter.Column], of schema: Schema?, format: OutputFormat?,
    defaultFormat: DefaultFormat,
    cardinality: Cardinality,
    files: RecordWriter.FileContents = .left, on terminal: TerminalStyle?,
    rowLimit: RowLimit = .never, map: MapOutput? = nil, numbers: RecordWriter.NumberStyle
  ) {
    let isTerminal = terminal != nil
    self.schema = schema
    self.columns = columns
    func writer(_ format: RecordWriter.Format) -> RecordWriter {
      var writer = RecordWriter(columns, format: format, files: files)
      writer.write(numbersAs: numbers)
      return writer
    }
    var table: Form { .table(RecordTable(columns, on: terminal)) }
    switch (format, cardinality) {
    case (.json, .one): form = .text(writer(.ndjson))
    case (.json, .several): form = .text(writer(.json))
    case (.ndjson, _): form = .text(writer(.ndjson))
    case (.csv, _): form = .text(writer(.csv))
    case (.tsv, _): form = .text(writer(.tsv))
    case (.md, _): form = .table(RecordTable(columns))
    case (.xml, _):
      form = schema.map { .xml(XMLRecordWriter(columns, of: $0, files: files)) } ?? .nothing
    case (.ids, _):
      let key = columns.first { $0.slot == schema?.keySlot }
      form = .text(RecordWriter(key.map { [$0] } ?? columns, format: .ids))
    case (.lines, _): form = columns.last.map { .lines(LineWriter($0)) } ?? .nothing
    case (.table, _): form = table
    case (OutputFormat.none?, _), (.diff, _): form = .nothing
    case (.page, _): form = .page(writer(.json))
    case (nil, _):
      switch defaultFormat {
      case _ where !isTerminal: form = .text(writer(.ndjson))
      case .table: form = table
      case .object: form = .indented(writer(.ndjson))
      }
    }
    if let map, let schema, !isSilent { form = .mapped(MappedPrinter(map, columns, of: schema)) }
    if case .table = form, isTerminal, format != .md, case .onTerminal(let count) = rowLimit {
      rowsLeft = count
    }
  }

  /// Whether the selected format is `none`, so that nothing is printed.
  package var isSilent: Bool { if case .nothing = form { true } else { false } }

  /// Writes the text that precedes the first record.
  package func begin(to output: inout [UInt8]) {
    switch form {
    case .nothing, .indented, .lines: break
    case .table(let table): table.begin(to: &output)
    case .text(let writer): writer.begin(to: &output)
    case .xml(let writer): writer.begin(to: &output)
    case .mapped(let printer): printer.begin(to: &output)
    case .page(let writer):
      output += Array("{\"records\":".utf8)
      writer.begin(to: &output)
    }
  }

  /// Continues an output that already contains `count` rows and the text before them.
  package mutating func continueOutput(after count: Int) {
    switch form {
    case .nothing, .indented, .xml, .mapped, .lines: break
    case .table:
      hasMore = rowsLeft.map { count > $0 } ?? false
      rowsLeft = rowsLeft.map { max(0, $0 - count) }
    case .text(var writer):
      writer.continueOutput(after: count)
      form = .text(writer)
    case .page(var writer):
      writer.continueOutput(after: count)
      form = .page(writer)
    }
  }

  /// Writes the rows in a range for which `isChosen` returns true. Rows with invalid values are not
  /// written, but reported in `damage`.
  ///
  /// The method is not generic over a sequence of rows, because calls from other modules would not
  /// be specialized and would look up protocol conformances at run time.
  package mutating func write(
    _ rows: Rows, _ range: Range<Int>, where isChosen: (Int) -> Bool = { _ in true },
    to output: inout [UInt8], flush: RecordWriter.Flush? = nil
  ) {
    switch form {
    case .nothing: break
    case .text(var writer):
      // If `form` kept a second reference to the writer, each change would copy the writer.
      form = .nothing
      for row in range where isChosen(row) {
        if let slot = writer.write(rows, row, to: &output, flush: flush) {
          report(slot, in: rows, row)
        }
      }
      form = .text(writer)
    case .xml(var writer):
      form = .nothing
      for row in range where isChosen(row) {
        if let problem = writer.write(rows, row, to: &output) { damage.add(problem) }
      }
      form = .xml(writer)
    case .mapped(var printer):
      form = .nothing
      for row in range where isChosen(row) {
        if let problem = printer.write(rows, row, to: &output) { damage.add(problem) }
      }
      form = .mapped(printer)
    case .page(var writer):
      form = .nothing
      for row in range where isChosen(row) {
        if let slot = writer.write(rows, row, to: &output, flush: flush) {
          report(slot, in: rows, row)
        }
      }
      form = .page(writer)
    case .indented(var writer):
      form = .nothing
      for row in range where isChosen(row) {
        var object: [UInt8] = []
        if let slot = writer.writeObject(rows, row, to: &object) {
          report(slot, in: rows, row)
        } else {
          IndentedJSON.write(object.span, to: &output)
        }
      }
      form = .indented(writer)
    case .lines(var writer):
      for row in range where isChosen(row) {
        do throws(LineWriter.Failure) {
          try writer.write(rows, row, to: &output)
        } catch {
          switch error {
          case .invalidValue(let slot): report(slot, in: rows, row)
          case .lineEnd:
            damage.add(
              Problem(
                .invalid, "the value has several lines, which -o lines cannot print",
                hint: "print it as JSON: -o ndjson", schema: schema?.name,
                id: schema.map { rows.text(rows[row, $0.keySlot]) }, field: columns.last?.name))
          }
        }
      }
    case .table(var table):
      form = .nothing
      for row in range where isChosen(row) {
        if let slot = table.invalidSlot(in: rows, row) {
          report(slot, in: rows, row)
          continue
        }
        if rowsLeft == 0 {
          hasMore = true
          break
        }
        rowsLeft = rowsLeft.map { $0 - 1 }
        table.add(rows, row, to: &output)
      }
      form = .table(table)
    }
  }

  /// Adds the problem of an invalid value to `damage`.
  private mutating func report(_ slot: Int, in rows: Rows, _ row: Int) {
    let name = columns.first { $0.slot == slot }?.name ?? ""
    damage.add(
      schema.map {
        .invalidStoredValue(of: name, id: rows.text(rows[row, $0.keySlot]), schema: $0.name)
      } ?? .invalidStoredValue(of: name))
  }

  /// Writes the rows of a range to a sink, with their related records. Records that would be too
  /// long are not written, but reported in `damage`.
  package mutating func write(
    _ rows: Rows, _ range: Range<Int>,
    with related: [(slot: Int, records: ExpandedRecords)], tooLong: Set<Int>,
    to sink: any ByteSink
  ) throws(DataError) {
    guard !related.isEmpty || !tooLong.isEmpty else {
      return try sink.append { write(rows, range, to: &$0) }
    }
    for row in expand(range, with: related, tooLong: tooLong, of: rows) {
      try write(rows, row, toPiecesOf: sink)
    }
  }

  /// Prepares to write the rows of a range with their related records, and returns the rows that
  /// can be written. Rows that would be too long are reported in `damage` instead.
  package mutating func expand(
    _ range: Range<Int>, with related: [(slot: Int, records: ExpandedRecords)],
    tooLong: Set<Int>, of rows: Rows
  ) -> [Int] {
    for (slot, records) in related { expand(slot, into: records) }
    guard let schema else { return Array(range) }
    for row in tooLong.sorted() {
      damage.add(.tooLongWithRelatedRecords(rows.text(rows[row, schema.keySlot]), of: schema))
    }
    return range.filter { !tooLong.contains($0) }
  }

  /// Writes a row to a sink. A long record is written in pieces, so that its complete text is never
  /// in memory.
  private mutating func write(
    _ rows: Rows, _ row: Int, toPiecesOf sink: any ByteSink
  ) throws(DataError) {
    var failure: DataError?
    var text: [UInt8] = []
    write(rows, row..<row + 1, to: &text) { piece in
      do throws(DataError) {
        if failure == nil { try sink.write(piece.span) }
      } catch {
        failure = error
      }
      piece.removeAll(keepingCapacity: true)
    }
    if let failure { throw failure }
    try sink.write(text.span)
  }

  /// Sets the related records that are printed in place of their ids in the field with the given
  /// slot (position in a row). This applies to all rows that are written afterwards.
  package mutating func expand(_ slot: Int, into records: ExpandedRecords) {
    for problem in records.damage?.problems ?? [] { damage.add(problem) }
    switch form {
    case .nothing: break
    case .text(var writer):
      writer.expand(slot, into: records)
      form = .text(writer)
    case .xml(var writer):
      writer.expand(slot, into: records)
      form = .xml(writer)
    case .mapped(var printer):
      printer.expand(slot, into: records)
      form = .mapped(printer)
    case .page(var writer):
      writer.expand(slot, into: records)
      form = .page(writer)
    case .lines(var writer):
      writer.expand(slot, into: records)
      form = .lines(writer)
    case .indented(var writer):
      writer.expand(slot, into: records)
      form = .indented(writer)
    case .table(var table):
      table.expand(slot, into: records)
      form = .table(table)
    }
  }

  /// Returns the output offsets at which the caller must insert base64-encoded file contents. Each
  /// offset is returned only once.
  package mutating func takeInsertions() -> [RecordWriter.Insertion] {
    switch form {
    case .nothing, .indented, .table, .lines: return []
    case .text(var writer):
      defer { form = .text(writer) }
      return writer.takeInsertions()
    case .xml(var writer):
      defer { form = .xml(writer) }
      return writer.takeInsertions()
    case .mapped(var printer):
      defer { form = .mapped(printer) }
      return printer.takeInsertions()
    case .page(var writer):
      defer { form = .page(writer) }
      return writer.takeInsertions()
    }
  }

  /// Writes the text that follows the last record. For the format `page`, it includes the page
  /// tokens.
  package mutating func end(_ tokens: PageTokens = PageTokens(), to output: inout [UInt8]) {
    switch form {
    case .nothing, .indented, .lines: break
    case .text(let writer): writer.end(to: &output)
    case .xml(let writer): writer.end(to: &output)
    case .mapped(let printer): printer.end(to: &output)
    case .table(var table): table.end(to: &output)
    case .page(let writer):
      writer.end(to: &output)
      output.removeLast()
      tokens.append(to: &output)
    }
  }
}

extension Problem {
  /// Returns the problem to report if a record with its related records is too long to print.
  package static func tooLongWithRelatedRecords(_ id: String, of schema: Schema) -> Problem {
    Problem(
      .invalid, "the record would exceed 256 MiB with its related records",
      hint: "expand fewer relations, or list the related records separately",
      schema: schema.name, id: id)
  }
}
