/// An edit of a stored list: elements to remove, and elements to append. `Rows.arena` contains both
/// as lists, and a single cell contains the offsets of these two lists.
struct ListEdit {
  var removed: Int?
  var appended: Int?
  /// The number of bytes of the elements.
  var size = 0

  private static let none = UInt32.max

  init(_ cell: Cell) {
    guard cell.operation == .edit else { return }
    let offsets = (UInt32(cell.bits >> 32), UInt32(truncatingIfNeeded: cell.bits))
    removed = offsets.0 == Self.none ? nil : Int(offsets.0)
    appended = offsets.1 == Self.none ? nil : Int(offsets.1)
    size = Int(cell.length)
  }

  var cell: Cell {
    let high = removed.map { UInt32(truncatingIfNeeded: $0) } ?? Self.none
    let low = appended.map { UInt32(truncatingIfNeeded: $0) } ?? Self.none
    return Cell(
      kind: .arena, bits: UInt64(high) << 32 | UInt64(low), length: size, operation: .edit)
  }
}

extension Cell {
  /// Returns a copy of the cell for an arena in which the bytes of the cell are at a higher offset.
  func movingArena(by offset: Int) -> Cell {
    guard kind == .arena else { return self }
    guard operation == .edit else {
      var cell = self
      cell.bits += UInt64(offset)
      return cell
    }
    var edit = ListEdit(self)
    edit.removed = edit.removed.map { $0 + offset }
    edit.appended = edit.appended.map { $0 + offset }
    return edit.cell
  }
}
