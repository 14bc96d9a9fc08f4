import CSQLite
import DataModel
import DataStore

/// Maps the cells of a row to the parameters of a statement, in order.
struct RowBinding: Sendable {
  private struct CellSource: BitwiseCopyable {
    let slot: Int32
    let part: TableLayout.Column.Part
  }

  private let sources: [CellSource]

  init(_ columns: [TableLayout.Column]) {
    sources = columns.map { CellSource(slot: Int32($0.slot), part: $0.part) }
  }

  var count: Int { sources.count }

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
    for source in sources {
      let cell = rows.cells[start + Int(source.slot)]
      let target = statement.parameters[parameter]
      switch source.part {
      case .whole: code |= unsafe statement.bind(cell, of: memory, at: target)
      case .latitude, .longitude, .cell:
        code |= unsafe statement.bind(cell, source.part, of: memory, at: target)
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
    _ cell: Cell, _ part: TableLayout.Column.Part, of memory: RowMemory, at index: Int32
  ) -> Int32 {
    guard cell.hasValue, cell.length == 16 else { return unsafe sqlite3_bind_null(handle, index) }
    // A point is always in the arena, because its input text is not its binary form.
    let bytes = unsafe UnsafeRawBufferPointer(memory.arena.extracting(cell.range))
    func coordinate(_ offset: Int) -> Double {
      let bits = unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      return Double(bitPattern: UInt64(littleEndian: bits))
    }
    switch part {
    case .latitude: return unsafe sqlite3_bind_double(handle, index, coordinate(0))
    case .longitude: return unsafe sqlite3_bind_double(handle, index, coordinate(8))
    case .cell, .whole:
      let number = GeoCell.number(latitude: coordinate(0), longitude: coordinate(8))
      return unsafe sqlite3_bind_int64(handle, index, number)
    }
  }
}
