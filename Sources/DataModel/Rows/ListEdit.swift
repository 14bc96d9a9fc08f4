/// An edit of a stored list: elements to remove, and elements to append. `Rows.arena` contains both
/// as lists, and a single cell contains the offsets of these two lists.
struct ListEdit {
  var removed: Int?
  var appended: Int?

  private static let none = UInt32.max

  init(_ cell: Cell) {
    guard cell.operation == .edit else { return }
    let offsets = (UInt32(cell.bits >> 32), UInt32(truncatingIfNeeded: cell.bits))
    removed = offsets.0 == Self.none ? nil : Int(offsets.0)
    appended = offsets.1 == Self.none ? nil : Int(offsets.1)
  }

  var cell: Cell {
    let high = removed.map { UInt32(truncatingIfNeeded: $0) } ?? Self.none
    let low = appended.map { UInt32(truncatingIfNeeded: $0) } ?? Self.none
    return Cell(kind: .arena, bits: UInt64(high) << 32 | UInt64(low), operation: .edit)
  }
}
