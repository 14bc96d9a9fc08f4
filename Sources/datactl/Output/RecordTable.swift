import DataModel

/// Records as a table for people.
struct RecordTable: Sendable {
  private let slots: [Int]
  private let types: [FieldType]
  private var table: Table

  init(_ schema: Schema, slots: [Int], on console: Console) {
    self.slots = slots
    types = slots.map(schema.type)
    let columns = slots.map { slot in
      Table.Column(schema.name(of: slot), schema.type(of: slot).side)
    }
    table = Table(columns, on: console)
  }

  mutating func add(_ rows: Rows, _ row: Int, to output: inout [UInt8]) {
    let cells = zip(slots, types).map { slot, type in rows.value(rows[row, slot], of: type).cell }
    table.add(cells, to: &output)
  }

  mutating func end(to output: inout [UInt8]) {
    table.end(to: &output)
  }
}

extension FieldType {
  /// The side on which the cells of a column line up.
  fileprivate var side: Table.Column.Side {
    switch self {
    case .integer, .number: .right
    case .id, .text, .boolean, .datetime, .geopoint, .file, .json, .password, .relation, .array:
      .left
    }
  }
}
