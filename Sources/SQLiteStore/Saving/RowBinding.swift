import CSQLite
import DataModel
import DataStore

/// Maps the cells of a row to the parameters of a statement, in order.
struct RowBinding: Sendable {
  private struct Place: BitwiseCopyable {
    let slot: Int32
    let part: TableLayout.Column.Part
  }

  private let places: [Place]

  init(_ columns: [TableLayout.Column]) {
    places = columns.map { Place(slot: Int32($0.slot), part: $0.part) }
  }

  var count: Int { places.count }

  /// Binds a row to the parameters from `first` on, without copying its texts, and returns the
  /// result code. The memory must remain valid until the statement has been stepped.
  @unsafe
  func bind(
    _ row: Int, of rows: borrowing Rows, in memory: RowMemory, to statement: borrowing Statement,
    from first: Int = 0
  ) -> Int32 {
    var code = SQLITE_OK
    var parameter = first
    let start = row * rows.width
    for place in places {
      let cell = rows.cells[start + Int(place.slot)]
      let target = statement.parameters[parameter]
      switch place.part {
      case .whole: code |= unsafe statement.bind(cell, of: memory, at: target)
      case .latitude, .longitude, .cell:
        code |= unsafe statement.bind(cell, place.part, of: memory, at: target)
      }
      parameter += 1
    }
    return code
  }
}

extension Statement {
  /// Binds the latitude, the longitude or the cell number of a point.
  @unsafe
  fileprivate func bind(
    _ cell: Cell, _ part: TableLayout.Column.Part, of memory: RowMemory, at place: Int32
  ) -> Int32 {
    guard cell.hasValue, cell.length == 16 else { return unsafe sqlite3_bind_null(handle, place) }
    // A point is always in the arena, because its input text is not its binary form.
    let bytes = unsafe UnsafeRawBufferPointer(memory.arena.extracting(cell.range))
    func coordinate(_ offset: Int) -> Double {
      let bits = unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      return Double(bitPattern: UInt64(littleEndian: bits))
    }
    switch part {
    case .latitude: return unsafe sqlite3_bind_double(handle, place, coordinate(0))
    case .longitude: return unsafe sqlite3_bind_double(handle, place, coordinate(8))
    case .cell, .whole:
      let number = GeoCell.number(latitude: coordinate(0), longitude: coordinate(8))
      return unsafe sqlite3_bind_int64(handle, place, number)
    }
  }
}
