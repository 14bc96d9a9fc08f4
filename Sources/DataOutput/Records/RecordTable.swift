import DataModel
import RecordText

/// Writes records as a text table or as a Markdown table.
struct RecordTable: Sendable {
  private let columns: [RecordWriter.Column]
  private var table: Body
  private var check: StoredValueCheck
  private var expansions: [Int: ExpandedRecords] = [:]

  private enum Body: Sendable {
    case text(TextTable)
    case markdown(MarkdownTable)
  }

  /// Creates a text table. If `terminal` is nil, the table is for a pipe or a file.
  init(_ columns: [RecordWriter.Column], on terminal: TerminalStyle?) {
    self.init(columns, .text(TextTable(columns.map(\.tableColumn), on: terminal)))
  }

  /// Creates a Markdown table.
  init(_ columns: [RecordWriter.Column]) {
    self.init(columns, .markdown(MarkdownTable(columns.map(\.tableColumn))))
  }

  private init(_ columns: [RecordWriter.Column], _ table: Body) {
    self.columns = columns
    self.table = table
    check = StoredValueCheck(columns)
  }

  /// Sets the related records that are printed as JSON, in place of their ids, in the field with
  /// the given slot (position in a row).
  mutating func expand(_ slot: Int, into records: ExpandedRecords) {
    expansions[slot] = records
  }

  /// Returns the slot (position in the row) of the first invalid value, or nil if all values are
  /// valid.
  mutating func invalidSlot(in rows: Rows, _ row: Int) -> Int? {
    check.invalidSlot(in: rows, row)
  }

  mutating func add(_ rows: Rows, _ row: Int, to output: inout [UInt8]) {
    let cells = columns.map { cell(rows, rows[row, $0.slot], $0) }
    switch table {
    case .text(var text):
      text.add(cells, to: &output)
      table = .text(text)
    case .markdown(let markdown): markdown.add(cells, to: &output)
    }
  }

  private func cell(_ rows: Rows, _ cell: Cell, _ column: RecordWriter.Column) -> String {
    guard let records = expansions[column.slot], cell.hasValue else {
      return rows.value(cell, of: column.type).cell
    }
    var text: [UInt8] = []
    records.append(cell, of: rows, to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  /// Appends the text that precedes the first record.
  func begin(to output: inout [UInt8]) {
    if case .markdown(let markdown) = table { markdown.begin(to: &output) }
  }

  mutating func end(to output: inout [UInt8]) {
    switch table {
    case .text(var text):
      text.end(to: &output)
      table = .text(text)
    case .markdown: break
    }
  }
}

extension RecordWriter.Column {
  fileprivate var tableColumn: TextTable.Column {
    TextTable.Column(name, type.isNumeric ? .right : .left, type == .id ? .cyan : nil)
  }
}
