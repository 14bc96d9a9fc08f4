import CSQLite
import DataModel
import DataStore

/// Binds the values of a row to the parameters of a statement, in the order of the columns.
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

  /// Binds a row to consecutive parameters of a statement, and returns the SQLite result code. Text
  /// is not copied, so the memory of the row must remain valid until the statement has been
  /// stepped.
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
  /// Binds one part of a point: its latitude, its longitude or its grid cell (`GeoCell`). Returns
  /// the SQLite result code.
  @unsafe
  fileprivate func bind(
    _ cell: Cell, _ part: TableLayout.Column.Part, of memory: RowMemory, at index: Int32
  ) -> Int32 {
    guard cell.hasValue, cell.length == 16 else { return unsafe sqlite3_bind_null(handle, index) }
    // The bytes of a point are always in the arena, not in the input, because the input contains
    // the point as text and not in binary form.
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

/// Inserts new records. Records that may violate a constraint are inserted one at a time. All other
/// records are inserted with one statement for many records.
struct RowInsertion: ~Copyable {
  /// The maximum number of rows that one statement inserts. Stepping a statement costs 0.45 µs, so
  /// inserting more rows per statement lowers the cost of each row.
  static let maximumRows = 64

  private let binding: RowBinding
  private let one: Statement
  private let rowCount: Int
  private let head: SQL
  private let row: SQL
  /// The statement that inserts `rowCount` rows at once. It is prepared only when at least
  /// `rowCount` rows have to be inserted. For a few rows, preparing the statement would take longer
  /// than inserting the rows one by one.
  private var many: SharedStatement?

  init(
    _ layout: TableLayout, _ policy: SavePolicy, _ stamp: Stamp,
    on connection: borrowing Connection
  ) throws(DataError) {
    var bound: [TableLayout.Column] = []
    let values = layout.columns.map { column -> SQL in
      if let value = Self.constant(column.slot, of: layout.schema, policy, stamp) {
        return "\(value)"
      }
      bound.append(column)
      return .parameter
    }
    let row: SQL = "(\(SQL.list(values)))"
    let names = layout.columns.map { column -> SQL in "\(name: column.name)" }
    let columns: SQL = "into \(layout.table) (\(SQL.list(names))) values "
    // SQLite allows at least 32,766 parameters.
    let rowCount = max(1, min(Self.maximumRows, 32_000 / layout.columns.count))
    let one = try Statement("insert " + columns + row, on: connection)
    // With `or rollback`, a failed insert rolls back the whole transaction, so SQLite needs no
    // statement journal. The journal would be a third of the bytes that a bulk load writes.
    self.head = "insert or rollback " + columns
    self.row = row
    binding = RowBinding(bound)
    self.rowCount = rowCount
    self.one = one
  }

  /// Returns the value of a system field that is the same in all new records, such as the time of
  /// their creation. Returns nil for declared fields. Also returns nil if the input may contain the
  /// values of system fields.
  private static func constant(
    _ slot: Int, of schema: Schema, _ policy: SavePolicy, _ stamp: Stamp
  ) -> Value? {
    guard policy.systemFields == .kept, slot >= schema.fields.count else { return nil }
    switch SystemField.allCases[slot - schema.fields.count] {
    case .createdAt, .modifiedAt: return .datetime(stamp.time)
    case .createdBy, .modifiedBy: return stamp.user.map(Value.text) ?? .null
    case .revision: return .integer(1)
    }
  }

  /// Inserts one row, and returns the SQLite result code, which shows whether the row violated a
  /// constraint.
  func insert(_ row: Int, of rows: borrowing Rows) throws(DataError) -> Int32 {
    let rows = copy rows
    return try unsafe rows.withMemory { (memory) throws(DataError) -> Int32 in
      try one.check(unsafe binding.bind(row, of: rows, in: memory, to: one))
      return one.stepThrough()
    }
  }

  /// Inserts the rows with the given indices.
  ///
  /// - Precondition: None of these rows can violate a constraint.
  mutating func insert(
    all rowIndexes: [Int], of rows: borrowing Rows, on connection: borrowing Connection
  ) throws(DataError) {
    if many == nil && rowIndexes.count >= rowCount {
      let sql = head + SQL.list(Array(repeating: row, count: rowCount))
      many = SharedStatement(try Statement(sql, on: connection))
    }
    let many = many
    let rows = copy rows
    try unsafe rows.withMemory { (memory) throws(DataError) in
      var next = 0
      while let many, rowIndexes.count - next >= rowCount {
        var code: Int32 = 0
        for offset in 0..<rowCount {
          code |= unsafe binding.bind(
            rowIndexes[next + offset], of: rows, in: memory, to: many.statement,
            from: offset * binding.count)
        }
        try many.statement.check(code)
        try many.statement.run()
        next += rowCount
      }
      for rowIndex in rowIndexes[next...] {
        try one.check(unsafe binding.bind(rowIndex, of: rows, in: memory, to: one))
        try one.run()
      }
    }
  }
}

/// Updates existing records. Only the columns whose values have changed are written.
struct RowUpdates {
  private struct Update {
    /// The slots of the fields that the statement writes, without system fields.
    let slots: [Int]
    let binding: RowBinding
    let shared: SharedStatement
  }

  /// The maximum number of cached statements. Each combination of changed fields needs its own
  /// statement, but most records of an input change the same fields.
  private static let cacheLimit = 64

  private let layout: TableLayout
  private let systemSlots: [Int]
  /// The prepared `update` statements, one for each combination of changed fields. There are so few
  /// that an array is faster than a dictionary. To create the type of a dictionary's storage, Swift
  /// would search all protocol conformances of the program at run time.
  private var updates: [Update] = []

  init(_ layout: TableLayout, _ policy: SavePolicy) {
    self.layout = layout
    systemSlots = SystemField.allCases.filter { field in
      switch field {
      case .createdAt, .createdBy: policy.systemFields == .given
      case .modifiedAt, .modifiedBy, .revision: true
      }
    }.map { layout.schema.slot($0) }
  }

  /// Updates the stored record that has the id of the row. Only the columns of the given slots and
  /// the system fields are written. Returns the SQLite result code.
  mutating func update(
    _ row: Int, of rows: Rows, slots: [Int], on connection: borrowing Connection
  ) throws(DataError) -> Int32 {
    let update = try prepared(slots, on: connection)
    return try unsafe rows.withMemory { (memory) throws(DataError) -> Int32 in
      let code = unsafe update.binding.bind(
        row, of: rows, in: memory, to: update.shared.statement)
      try update.shared.statement.check(code)
      return update.shared.statement.stepThrough()
    }
  }

  private mutating func prepared(
    _ slots: [Int], on connection: borrowing Connection
  ) throws(DataError) -> Update {
    if let update = updates.first(where: { $0.slots == slots }) { return update }
    let schema = layout.schema
    let columns = (slots + systemSlots).flatMap { TableLayout.columns(of: $0, in: schema) }
    let assignments = columns.map { column -> SQL in "\(name: column.name) = \(SQL.parameter)" }
    let update = Update(
      slots: slots,
      binding: RowBinding(columns + TableLayout.columns(of: schema.keySlot, in: schema)),
      shared: SharedStatement(
        try Statement(
          """
          update \(layout.table) set \(SQL.list(assignments)) where \(layout.key) = \(SQL.parameter)
          """, on: connection)))
    if updates.count >= Self.cacheLimit { updates.removeAll() }
    updates.append(update)
    return update
  }
}
