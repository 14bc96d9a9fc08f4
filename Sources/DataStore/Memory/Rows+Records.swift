import DataModel

extension Rows {
  /// Returns a copy of the bytes of a cell.
  func bytes(_ cell: Cell) -> [UInt8] {
    withBytes(of: cell) { bytes in
      var copy: [UInt8] = []
      copy.reserveCapacity(bytes.count)
      for index in bytes.indices { copy.append(bytes[index]) }
      return copy
    }
  }

  /// Appends a row with the given cells of another row.
  mutating func append(_ row: Int, of other: Rows, slots: [Int]) {
    addRow()
    for slot in slots { self[count - 1, slot] = copy(other[row, slot], of: other) }
  }

  /// Copies a cell of other rows, including its bytes.
  mutating func copy(_ cell: Cell, of other: Rows) -> Cell {
    switch cell.kind {
    case .missing, .null, .integer, .number: cell
    case .input, .arena: other.withBytes(of: cell) { bytes in store(bytes) }
    }
  }

  /// The ids in the cell of a relation.
  func targets(_ cell: Cell, of relation: Relation) -> [[UInt8]] {
    guard cell.hasValue else { return [] }
    guard relation.isMany else { return [bytes(cell)] }
    let ids = withBytes(of: cell) { ListText.values(in: $0, of: .text) } ?? []
    return ids.compactMap { id in
      if case .text(let id) = id { Array(id.utf8) } else { nil }
    }
  }
}
