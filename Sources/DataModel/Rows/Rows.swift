/// A chunk of records as flat cells over shared byte buffers, the form in which modules exchange
/// records in bulk.
///
/// A row has a cell for each field, in the order of the schema, followed by one for each system
/// field. The representation depends on the type:
///
/// | type | cell |
/// | --- | --- |
/// | `id`, `text`, `relation`, `password` | the bytes of the text |
/// | `integer`, `boolean`, `datetime` | an integer: the value, 0 or 1, microseconds since 1970 |
/// | `number` | a double |
/// | `geopoint` | 16 bytes: two little-endian doubles, latitude first |
/// | `json` | the bytes of the text without insignificant whitespace |
/// | `file` | the bytes of the reference as canonical JSON (`FileReference.init(canonicalText:)`) |
/// | arrays, to-many | the bytes of a canonical list (`ListText`) |
@usableFromInline
package struct Rows: Sendable {
  /// The number of cells in a row.
  @usableFromInline package let width: Int
  /// The cells, row by row.
  @usableFromInline package var cells: [Cell] = []
  /// The text that the rows were parsed from.
  @usableFromInline package var input: [UInt8] = []
  /// Bytes that are not in the input: generated ids, unescaped texts, and lists.
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

  /// Appends a row of missing cells.
  package mutating func addRow() {
    cells.append(addingCapacity: width) { $0.append(repeating: .missing, count: width) }
  }

  /// Removes the last row.
  package mutating func removeLastRow() {
    cells.removeLast(width)
  }

  /// Removes all rows, but keeps the allocated memory for the next chunk.
  package mutating func removeAll() {
    cells.removeAll(keepingCapacity: true)
    input.removeAll(keepingCapacity: true)
    arena.removeAll(keepingCapacity: true)
  }

  /// Copies bytes into the arena and returns a cell that refers to them.
  package mutating func store(_ bytes: Span<UInt8>) -> Cell {
    let start = arena.count
    arena.append(copying: bytes)
    return .arena(start..<arena.count)
  }

  /// Copies a text into the arena and returns a cell that refers to it.
  package mutating func store(_ text: String) -> Cell {
    let start = arena.count
    arena.append(contentsOf: text.utf8)
    return .arena(start..<arena.count)
  }

  /// Calls the closure with the bytes of a cell; empty for a cell without bytes.
  package func withBytes<Result, Failure: Error>(
    of cell: Cell, _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    switch cell.kind {
    case .input: try body(input.span.extracting(cell.range))
    case .arena: try body(arena.span.extracting(cell.range))
    case .missing, .null, .integer, .number: try body(arena.span.extracting(0..<0))
    }
  }

  /// Returns the text of a cell.
  package func text(_ cell: Cell) -> String {
    withBytes(of: cell) { bytes in
      // Cells contain validated UTF-8, but a damaged store may return any bytes.
      String(decoding: bytes)
    }
  }
}
