/// A batch of records as flat cells over shared bytes: what passes between the rooms in bulk.
///
/// A row has a cell for each field, in the order of the schema, and one for each system field. How
/// a cell holds its value:
///
/// | type | cell |
/// | --- | --- |
/// | `id`, `text`, `relation`, `password` | the bytes of the text |
/// | `integer`, `boolean`, `datetime` | an integer: the value, 0 or 1, microseconds since 1970 |
/// | `number` | a double |
/// | `geopoint` | 16 bytes: two doubles, latitude first, little end first |
/// | `json` | the bytes of the text without insignificant space |
/// | `file` | the bytes of its reference as canonical JSON (`FileReference.canonicalText`) |
/// | arrays, to-many | the bytes of a canonical list (`ListText`) |
@usableFromInline
package struct Rows: Sendable {
  /// How many cells a row has.
  @usableFromInline package let width: Int
  /// The cells, row after row.
  @usableFromInline package var cells: [Cell] = []
  /// The text that the rows were read from.
  @usableFromInline package var input: [UInt8] = []
  /// Bytes that stand nowhere in the input: ids that were assigned, unescaped texts, lists.
  @usableFromInline package var arena: [UInt8] = []

  package init(width: Int) {
    self.width = width
  }

  @inlinable
  package var count: Int { cells.count / width }

  package subscript(row: Int, slot: Int) -> Cell {
    @inlinable @inline(__always) get { cells[row &* width &+ slot] }
    @inlinable @inline(__always) set { cells[row &* width &+ slot] = newValue }
  }

  /// Adds a row of missing cells.
  package mutating func addRow() {
    cells.append(addingCapacity: width) { $0.append(repeating: .missing, count: width) }
  }

  /// Takes the last row away again.
  package mutating func removeLastRow() {
    cells.removeLast(width)
  }

  /// Empties the rows and keeps their memory for the next batch.
  package mutating func removeAll() {
    cells.removeAll(keepingCapacity: true)
    input.removeAll(keepingCapacity: true)
    arena.removeAll(keepingCapacity: true)
  }

  /// Copies bytes into the arena and returns the cell that stands for them.
  package mutating func store(_ bytes: Span<UInt8>) -> Cell {
    let start = arena.count
    arena.append(copying: bytes)
    return .arena(start..<arena.count)
  }

  /// Copies a text into the arena and returns the cell that stands for it.
  package mutating func store(_ text: String) -> Cell {
    let start = arena.count
    arena.append(contentsOf: text.utf8)
    return .arena(start..<arena.count)
  }

  /// Lends the bytes of a cell; none for a cell without bytes.
  package func withBytes<Result, Failure: Error>(
    of cell: Cell, _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    switch cell.kind {
    case .input: try body(input.span.extracting(cell.range))
    case .arena: try body(arena.span.extracting(cell.range))
    case .missing, .null, .integer, .number: try body(arena.span.extracting(0..<0))
    }
  }

  /// The text of a cell that holds one.
  package func text(_ cell: Cell) -> String {
    withBytes(of: cell) { bytes in
      // What is in a cell has been checked; a damaged store may still give anything.
      String(decoding: bytes)
    }
  }
}
