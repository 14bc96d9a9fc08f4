import JSONText

/// A chunk of records, stored as flat cells that refer to shared byte buffers. Modules use this
/// type to pass large numbers of records to each other.
///
/// A row has a cell for each field, in the order of the schema, followed by one for each system
/// field. The index of a cell in its row is called its slot. How a cell represents a value depends
/// on the type of the field:
///
/// | type | cell |
/// | --- | --- |
/// | `id`, `text`, `relation`, `password` | the bytes of the text |
/// | `integer`, `boolean`, `datetime` | an integer: the value, 0 or 1, microseconds since 1970 |
/// | `date` | the bytes of its text, such as `2026-11-20` |
/// | `number` | a double |
/// | `decimal` | the integer without the point: 1250 for `12.50` with the scale 2 |
/// | `geopoint` | 16 bytes: two little-endian doubles, latitude first |
/// | `json` | the bytes of the text without insignificant whitespace |
/// | `file` | the bytes of the reference as canonical JSON (`FileReference.init(canonicalText:)`) |
/// | arrays, to-many | the bytes of a canonical list (`ListText`) |
@usableFromInline
package struct Rows: Sendable {
  /// The number of cells in each row.
  @usableFromInline package let width: Int
  /// The cells of all rows, one row after another.
  @usableFromInline package var cells: [Cell] = []
  /// The text that the rows were parsed from.
  @usableFromInline package var input: [UInt8] = []
  /// Bytes that cells refer to, but that are not in the input: generated ids, texts whose escapes
  /// were resolved, and lists.
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

  /// Appends a row in which all cells are missing.
  package mutating func addRow() {
    cells.append(addingCapacity: width) { $0.append(repeating: .missing, count: width) }
  }

  /// Removes the given row and all rows after it.
  mutating func removeRows(from row: Int) {
    cells.removeLast(cells.count - row * width)
  }

  /// Appends the rows of `other`, which were parsed from the same input.
  mutating func append(movedFrom other: Rows) {
    let offset = arena.count
    arena += other.arena
    cells.append(addingCapacity: other.cells.count) { output in
      for index in other.cells.indices {
        output.append(other.cells[index].movingArena(by: offset))
      }
    }
  }

  /// Removes all rows, but keeps the allocated memory for the next chunk.
  package mutating func removeAll() {
    cells.removeAll(keepingCapacity: true)
    input.removeAll(keepingCapacity: true)
    arena.removeAll(keepingCapacity: true)
  }

  /// Copies bytes into `arena` and returns a cell that refers to them.
  package mutating func store(_ bytes: Span<UInt8>) -> Cell {
    let start = arena.count
    arena.append(copying: bytes)
    return .arena(start..<arena.count)
  }

  /// Copies a string into `arena` and returns a cell that refers to it.
  package mutating func store(_ text: String) -> Cell {
    let start = arena.count
    arena.append(contentsOf: text.utf8)
    return .arena(start..<arena.count)
  }

  /// Appends a row and copies the cells in the given slots from a row of `other`. The cells in the
  /// other slots are missing.
  package mutating func append(_ row: Int, of other: Rows, slots: [Int]) {
    addRow()
    for slot in slots { self[count - 1, slot] = copy(other[row, slot], of: other) }
  }

  /// Removes the values in the given slots from all rows, so that they are not shown to a caller
  /// who may not read them.
  package mutating func hide(_ slots: Set<Int>) {
    for slot in slots { for row in 0..<count { self[row, slot] = .missing } }
  }

  /// Copies a cell of `other`, together with the bytes that the cell refers to, and returns the new
  /// cell.
  package mutating func copy(_ cell: Cell, of other: Rows) -> Cell {
    switch cell.kind {
    case .missing, .null, .integer, .number: cell
    case .input, .arena: other.withBytes(of: cell) { bytes in store(bytes) }
    }
  }

  /// Calls the closure with the bytes that a cell refers to. The span is empty if the cell refers
  /// to no bytes.
  package func withBytes<Result, Failure: Error>(
    of cell: Cell, _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    switch cell.kind {
    case .input: try body(input.span.extracting(cell.range))
    case .arena: try body(arena.span.extracting(cell.range))
    case .missing, .null, .integer, .number: try body(arena.span.extracting(0..<0))
    }
  }

  /// Returns the bytes of a cell as text.
  package func text(_ cell: Cell) -> String {
    withBytes(of: cell) { bytes in
      // Cells contain validated UTF-8, except that a damaged store may return any bytes.
      String(decoding: bytes)
    }
  }
}

extension Rows {
  /// Returns a cell for the value. A value that does not fit in a cell is copied into `arena`.
  package mutating func cell(for value: Value) -> Cell {
    let start = arena.count
    switch value {
    case .null: return .null
    case .integer(let integer): return .integer(integer)
    case .number(let number): return .number(number == 0 ? 0 : number)
    case .decimal(let decimal):
      // A value of a field has its scale, and at most 18 digits.
      return .integer(Int64(truncatingIfNeeded: decimal.coefficient))
    case .boolean(let boolean): return .integer(boolean ? 1 : 0)
    case .date(let date): date.write(to: &arena)
    case .datetime(let time): return .integer(time.microseconds)
    case .text(let text), .json(let text): return store(text)
    case .geopoint(let point): point.append(to: &arena)
    case .file(let file): file.append(to: &arena)
    case .list(let values): ListText.append(values, to: &arena)
    }
    return .arena(start..<arena.count)
  }

  /// Returns the value of a cell, given the type of its field. Returns null for missing cells,
  /// passwords, and invalid bytes, which come from a damaged store.
  package func value(_ cell: Cell, of type: FieldType) -> Value {
    cell.hasValue ? type.descriptor.value(self, cell) : .null
  }

  func list(_ cell: Cell, of element: ElementType) -> Value {
    withBytes(of: cell) { ListText.values(in: $0, of: element) }.map(Value.list) ?? .null
  }
}

extension FieldType {
  /// The type of the elements in lists of this type. The ids in a to-many relation are texts.
  package var elementType: ElementType {
    if case .array(let element) = self { element } else { .text }
  }
}

extension GeoPoint {
  /// Appends the bytes that represent the point in a cell: two little-endian doubles, latitude
  /// first.
  package func append(to output: inout [UInt8]) {
    for coordinate in [latitude, longitude] {
      for shift in stride(from: 0, to: 64, by: 8) {
        output.append(UInt8(truncatingIfNeeded: coordinate.bitPattern >> shift))
      }
    }
  }

  /// Decodes the bytes that represent a point in a cell: two little-endian doubles, latitude first.
  /// Returns nil for other bytes.
  package init?(bytes: Span<UInt8>) {
    guard bytes.count == 16 else { return nil }
    var patterns: [UInt64] = [0, 0]
    for index in bytes.indices {
      patterns[index / 8] |= UInt64(bytes[index]) << (index % 8 * 8)
    }
    try? self.init(
      latitude: Double(bitPattern: patterns[0]), longitude: Double(bitPattern: patterns[1]))
  }
}
