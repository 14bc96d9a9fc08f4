extension Rows {
  /// Returns the cell for a value, which is copied into the arena if it does not fit in the cell.
  package mutating func cell(for value: Value) -> Cell {
    let start = arena.count
    switch value {
    case .null: return .null
    case .integer(let integer): return .integer(integer)
    case .number(let number): return .number(number == 0 ? 0 : number)
    case .boolean(let boolean): return .integer(boolean ? 1 : 0)
    case .datetime(let time): return .integer(time.microseconds)
    case .text(let text), .json(let text): return store(text)
    case .geopoint(let point): point.append(to: &arena)
    case .file(let file): file.append(to: &arena)
    case .list(let values): ListText.append(values, to: &arena)
    }
    return .arena(start..<arena.count)
  }

  /// Returns the value of a cell, given its type. A missing cell and invalid bytes from a damaged
  /// store give null.
  package func value(_ cell: Cell, of type: FieldType) -> Value {
    guard cell.hasValue else { return .null }
    switch type {
    case .id, .text: return .text(text(cell))
    case .integer: return .integer(cell.integer)
    case .number: return .number(cell.number)
    case .boolean: return .boolean(cell.integer != 0)
    case .datetime: return Timestamp(microseconds: cell.integer).map(Value.datetime) ?? .null
    case .geopoint: return withBytes(of: cell) { GeoPoint(bytes: $0) }.map(Value.geopoint) ?? .null
    case .file:
      return withBytes(of: cell) { FileReference(canonicalText: $0) }.map(Value.file) ?? .null
    case .json: return .json(text(cell))
    case .password: return .null
    case .relation(let relation): return relation.isMany ? list(cell, of: .text) : .text(text(cell))
    case .array(let element): return list(cell, of: element)
    }
  }

  private func list(_ cell: Cell, of element: ElementType) -> Value {
    withBytes(of: cell) { ListText.values(in: $0, of: element) }.map(Value.list) ?? .null
  }
}

extension FieldType {
  /// The type of the elements of a list; ids are texts.
  package var elementType: ElementType {
    if case .array(let element) = self { element } else { .text }
  }
}

extension GeoPoint {
  /// Appends the point in the form used in cells: two little-endian doubles, latitude first.
  package func append(to output: inout [UInt8]) {
    for coordinate in [latitude, longitude] {
      for shift in stride(from: 0, to: 64, by: 8) {
        output.append(UInt8(truncatingIfNeeded: coordinate.bitPattern >> shift))
      }
    }
  }

  /// Decodes the bytes that `append` writes.
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
