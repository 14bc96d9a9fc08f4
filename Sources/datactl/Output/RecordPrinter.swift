import CommandSyntax
import DataModel
import DataText

/// Writes records in the form that the line asks for, or that fits the place they go to.
struct RecordPrinter: Sendable {
  /// What a command prints where nothing is said.
  enum Habit {
    /// A table on a terminal, otherwise NDJSON.
    case table
    /// Indented JSON on a terminal, otherwise NDJSON.
    case object
  }

  /// How many records there may be.
  enum Number {
    /// JSON is the object itself.
    case one
    /// JSON is an array.
    case several
  }

  /// Whether a table ends before all records have been printed.
  enum Stopping {
    case never
    /// After 100 rows, if it is printed on a terminal.
    case onTerminal
  }

  private static let rowsOnTerminal = 100

  /// What is said where a table stops.
  static let moreWords = "Only the first \(rowsOnTerminal) records are shown."

  fileprivate enum Form: Sendable {
    case nothing
    case text(RecordWriter)
    case indented(RecordWriter)
    case table(RecordTable)
    /// An object that holds the records and the tokens behind them.
    case page(RecordWriter)
  }

  private var form: Form
  /// The rows after which a table on a terminal stops.
  private var rowsLeft: Int?
  /// Whether there were more rows than are printed.
  private(set) var hasMore = false

  init(
    _ columns: [RecordWriter.Column], format: OutputFormat?, habit: Habit, number: Number,
    files: RecordWriter.FileContents = .left, on console: Console,
    stopping: Stopping = .never
  ) {
    let isTerminal = console.output.isTerminal
    func writer(_ format: RecordWriter.Format) -> RecordWriter {
      RecordWriter(columns, format: format, files: files)
    }
    var table: Form { .table(RecordTable(columns, on: console)) }
    switch (format, number) {
    case (.json, .one): form = .text(writer(.ndjson))
    case (.json, .several): form = .text(writer(.json))
    case (.ndjson, _): form = .text(writer(.ndjson))
    case (.csv, _): form = .text(writer(.csv))
    case (.ids, _): form = .text(writer(.ids))
    case (.table, _): form = table
    case (OutputFormat.none?, _): form = .nothing
    case (.page, _): form = .page(writer(.json))
    case (nil, _):
      switch habit {
      case _ where !isTerminal: form = .text(writer(.ndjson))
      case .table: form = table
      case .object: form = .indented(writer(.ndjson))
      }
    }
    if case .table = form, isTerminal, stopping == .onTerminal { rowsLeft = Self.rowsOnTerminal }
  }

  /// Whether nothing at all is printed.
  var isSilent: Bool { if case .nothing = form { true } else { false } }

  /// Writes what stands before the first record.
  func begin(to output: inout [UInt8]) {
    switch form {
    case .nothing, .indented, .table: break
    case .text(let writer): writer.begin(to: &output)
    case .page(let writer):
      output += Array("{\"records\":".utf8)
      writer.begin(to: &output)
    }
  }

  /// Writes some of the rows.
  mutating func write(_ rows: Rows, _ chosen: some Sequence<Int>, to output: inout [UInt8]) {
    switch form {
    case .nothing: break
    case .text(var writer):
      // What is written to must not be shared.
      form = .nothing
      for row in chosen { writer.write(rows, row, to: &output) }
      form = .text(writer)
    case .page(var writer):
      form = .nothing
      for row in chosen { writer.write(rows, row, to: &output) }
      form = .page(writer)
    case .indented(var writer):
      form = .nothing
      for row in chosen {
        var line: [UInt8] = []
        writer.writeAlone(rows, row, to: &line)
        line.removeLast()
        IndentedJSON.write(line.span, to: &output)
      }
      form = .indented(writer)
    case .table(var table):
      form = .nothing
      for row in chosen {
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

  /// Puts records in the place of the ids that a relation holds, from here on.
  mutating func expand(_ slot: Int, into records: ExpandedRecords) {
    switch form {
    case .nothing: break
    case .text(var writer):
      writer.expand(slot, into: records)
      form = .text(writer)
    case .page(var writer):
      writer.expand(slot, into: records)
      form = .page(writer)
    case .indented(var writer):
      writer.expand(slot, into: records)
      form = .indented(writer)
    case .table(var table):
      table.expand(slot, into: records)
      form = .table(table)
    }
  }

  /// The places in the output where the base64 of files belongs, since the last call.
  mutating func takeInsertions() -> [RecordWriter.Insertion] {
    switch form {
    case .nothing, .indented, .table: return []
    case .text(var writer):
      defer { form = .text(writer) }
      return writer.takeInsertions()
    case .page(var writer):
      defer { form = .page(writer) }
      return writer.takeInsertions()
    }
  }

  /// Writes what stands behind the last record; a page has the tokens of those beside it.
  mutating func end(_ tokens: PageTokens = PageTokens(), to output: inout [UInt8]) {
    switch form {
    case .nothing, .indented: break
    case .text(let writer): writer.end(to: &output)
    case .table(var table): table.end(to: &output)
    case .page(let writer):
      writer.end(to: &output)
      output.removeLast()
      tokens.append(to: &output)
    }
  }
}
