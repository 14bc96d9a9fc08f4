package import DataModel
import JSONText

/// Related records that are written in place of their ids.
package struct ExpandedRecords: Sendable {
  package let rows: Rows
  /// The schema of the related records. `columns` are the columns that are written.
  package let schema: Schema
  package let columns: [RecordWriter.Column]
  private let isMany: Bool
  private var writer: RecordWriter
  private var rowsByID: [[UInt8]: Int] = [:]
  /// For each row of `rows`, a lower bound of the size of the record as JSON, in bytes.
  private var sizes: [Int] = []
  /// An error with a problem for each record that has an invalid stored value. Such records are
  /// written as if they did not exist.
  package private(set) var damage: DataError?

  /// Stores the records in `rows`, so that they can be found by their ids.
  ///
  /// - Parameters:
  ///   - schema: The schema of the records.
  ///   - columns: The columns to write.
  ///   - isMany: Whether the relation to the records contains a list of ids.
  ///   - writer: The writer that serializes each record as JSON.
  package init(
    _ rows: Rows, of schema: Schema, columns: [RecordWriter.Column], isMany: Bool,
    writer: RecordWriter
  ) {
    var check = writer.check
    damage = writer.expansionDamage
    self.rows = rows
    self.schema = schema
    self.columns = columns
    self.isMany = isMany
    self.writer = writer
    sizes.reserveCapacity(rows.count)
    for row in 0..<rows.count {
      sizes.append(writer.minimumSize(rows, row))
      if let problem = check.problem(in: rows, row, of: schema) {
        damage.add(problem)
        continue
      }
      rowsByID[rows.withBytes(of: rows[row, schema.keySlot]) { Array(copying: $0) }] = row
    }
  }

  /// The related records that are written inside these records. The keys of the dictionary are the
  /// slots of the relations, which are positions in a row.
  package var nested: [Int: ExpandedRecords] { writer.expansions }

  /// Writes numbers that other programs may round as JSON strings.
  mutating func quoteNumbers() { writer.write(numbersAs: .text) }

  /// Calls `body` for each id in a cell of the relation.
  ///
  /// - Parameter body: Receives the row of the record in `rows`. If the record was not found, `row`
  ///   is nil, and `keptID` is the id that is written in place of the record. If `keptID` is nil
  ///   too, null is written.
  package func forEachRecord(
    of cell: Cell, in other: Rows, _ body: (_ row: Int?, _ keptID: [UInt8]?) -> Void
  ) {
    for id in ids(of: cell, in: other) {
      let row = rowsByID[id]
      body(row, row == nil && keepsIDs ? id : nil)
    }
  }

  /// Returns the minimum size of the JSON that `append` writes for a cell of the relation. It is
  /// used to detect records that are too long to print.
  package func minimumSize(of cell: Cell, in other: Rows) -> Int {
    var size = 0
    for id in ids(of: cell, in: other) {
      size = min(
        size + (rowsByID[id].map { sizes[$0] } ?? (keepsIDs ? 2 : 4)), RecordWriter.greatestSize)
    }
    return size
  }

  private func ids(of cell: Cell, in other: Rows) -> [[UInt8]] {
    guard isMany else { return [other.withBytes(of: cell) { Array(copying: $0) }] }
    let ids = other.withBytes(of: cell) { ListText.values(in: $0, of: .text) } ?? []
    return ids.compactMap { if case .text(let id) = $0 { Array(id.utf8) } else { nil } }
  }

  /// Whether an id is written in place of a record that was not found. This is the case if access
  /// rules apply to the caller, because the record may exist but be hidden.
  private var keepsIDs: Bool { schema.visibility != nil }

  /// Appends the records whose ids are in a cell of the relation, as JSON. In place of a record
  /// that was not found, appends null. If access rules apply to the caller, appends the id of this
  /// record instead, because the record may exist but be hidden.
  ///
  /// - Parameters:
  ///   - cell: The cell, which contains one id or a list of ids.
  ///   - other: The rows that contain the cell.
  ///   - flush: Writes and empties the output when it becomes long. If nil, all output is kept.
  package func append(
    _ cell: Cell, of other: Rows, to output: inout [UInt8], flush: RecordWriter.Flush? = nil
  ) {
    if isMany { output.append(UInt8(ascii: "[")) }
    for (index, id) in ids(of: cell, in: other).enumerated() {
      if index > 0 { output.append(UInt8(ascii: ",")) }
      append(id, to: &output, flush)
      if let flush, output.count >= Self.pieceSize { flush(&output) }
    }
    if isMany { output.append(UInt8(ascii: "]")) }
  }

  /// The number of bytes after which the output is flushed.
  private static var pieceSize: Int { 256 << 10 }

  private func append(_ id: [UInt8], to output: inout [UInt8], _ flush: RecordWriter.Flush?) {
    guard let row = rowsByID[id] else {
      guard keepsIDs else { return output.append(contentsOf: "null".utf8) }
      return JSONQuote.append(id.span, to: &output)
    }
    var writer = writer
    // Ignore the result: the initializer has excluded the records with invalid values.
    _ = writer.writeObject(rows, row, to: &output, flush: flush)
  }
}

extension [UInt8] {
  fileprivate init(copying bytes: Span<UInt8>) {
    self = []
    append(copying: bytes)
  }
}

extension Schema {
  /// Returns the output column for a field or system field, given by its slot (the position in a
  /// row).
  package func column(_ slot: Int) -> RecordWriter.Column {
    RecordWriter.Column(name(of: slot), type(of: slot), slot: slot, hasContent: true)
  }
}
