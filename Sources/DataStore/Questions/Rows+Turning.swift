package import DataModel

extension Rows {
  /// Returns the rows in reverse order.
  package consuming func reversedRows() -> Rows {
    var cells: [Cell] = []
    cells.reserveCapacity(self.cells.count)
    for row in stride(from: count - 1, through: 0, by: -1) {
      cells += self.cells[row * width..<(row + 1) * width]
    }
    self.cells = cells
    return self
  }
}
