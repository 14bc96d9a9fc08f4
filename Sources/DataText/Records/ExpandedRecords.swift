package import DataModel

/// Related records, to be written in place of the ids that refer to them.
package struct ExpandedRecords: Sendable {
  private let rows: Rows
  private let isMany: Bool
  private let writer: RecordWriter
  private var rowsByID: [[UInt8]: Int] = [:]
  /// An error with the stored values that are invalid. Records with such values are written as
  /// null.
  package private(set) var damage: DataError?

  /// Creates an index of the records in `rows` by id.
  ///
  /// - Parameters:
  ///   - schema: The schema of the records.
  ///   - isMany: Whether the relation contains a list of ids.
  ///   - writer: The writer that serializes each record.
  package init(_ rows: Rows, of schema: Schema, isMany: Bool, writer: RecordWriter) {
    var check = writer.check
    damage = writer.expansionDamage
    self.rows = rows
    self.isMany = isMany
    self.writer = writer
    for row in 0..<rows.count {
      if let problem = check.problem(in: rows, row, of: schema) {
        damage.add(problem)
        continue
      }
      rowsByID[rows.withBytes(of: rows[row, schema.keySlot]) { Array(copying: $0) }] = row
    }
  }

  /// Appends the records to which a relation's cell refers, as JSON. An id without a record becomes
  /// null.
  ///
  /// - Parameters:
  ///   - cell: The cell of the relation, with one id or a list of ids.
  ///   - other: The rows that contain the cell.
  package func append(_ cell: Cell, of other: Rows, to output: inout [UInt8]) {
    guard isMany else {
      return append(other.withBytes(of: cell) { Array(copying: $0) }, to: &output)
    }
    let ids = other.withBytes(of: cell) { ListText.values(in: $0, of: .text) } ?? []
    output.append(UInt8(ascii: "["))
    for (index, id) in ids.enumerated() {
      if index > 0 { output.append(UInt8(ascii: ",")) }
      if case .text(let id) = id { append(Array(id.utf8), to: &output) }
    }
    output.append(UInt8(ascii: "]"))
  }

  private func append(_ id: [UInt8], to output: inout [UInt8]) {
    guard let row = rowsByID[id] else { return output.append(contentsOf: "null".utf8) }
    var writer = writer
    // The values have been checked.
    _ = writer.writeObject(rows, row, to: &output)
  }
}

extension [UInt8] {
  fileprivate init(copying bytes: Span<UInt8>) {
    self = []
    append(copying: bytes)
  }
}

extension Schema {
  /// Returns the output column for a field or system field, given its slot (index in
  /// `Schema.slots`).
  package func column(_ slot: Int) -> RecordWriter.Column {
    RecordWriter.Column(name(of: slot), type(of: slot), slot: slot, hasContent: true)
  }
}
