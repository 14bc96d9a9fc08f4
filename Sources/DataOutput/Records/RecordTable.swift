import DataModel
import DataText

/// Writes records as a text table.
struct RecordTable: Sendable {
  private let columns: [RecordWriter.Column]
  private var table: Table
  private var check: StoredValueCheck
  private var expansions: [Int: ExpandedRecords] = [:]

  init(_ columns: [RecordWriter.Column], on terminal: TerminalStyle?) {
    self.columns = columns
    check = StoredValueCheck(columns)
    table = Table(columns.map { Table.Column($0.name, $0.type.alignment) }, on: terminal)
  }

  /// Prints related records as JSON in place of the ids in the field with the given slot.
  mutating func expand(_ slot: Int, into records: ExpandedRecords) {
    expansions[slot] = records
  }

  /// Returns the slot of the first invalid value in a row, or nil if all values are valid.
  mutating func invalidSlot(in rows: Rows, _ row: Int) -> Int? {
    check.invalidSlot(in: rows, row)
  }

  mutating func add(_ rows: Rows, _ row: Int, to output: inout [UInt8]) {
    table.add(columns.map { cell(rows, rows[row, $0.slot], $0) }, to: &output)
  }

  private func cell(_ rows: Rows, _ cell: Cell, _ column: RecordWriter.Column) -> String {
    guard let records = expansions[column.slot], cell.hasValue else {
      return rows.value(cell, of: column.type).cell
    }
    var text: [UInt8] = []
    records.append(cell, of: rows, to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  mutating func end(to output: inout [UInt8]) {
    table.end(to: &output)
  }
}

extension FieldType {
  /// The alignment of a column with values of this type.
  fileprivate var alignment: Table.Column.Alignment {
    switch self {
    case .integer, .number: .right
    case .id, .text, .boolean, .datetime, .geopoint, .file, .json, .password, .relation, .array:
      .left
    }
  }
}
