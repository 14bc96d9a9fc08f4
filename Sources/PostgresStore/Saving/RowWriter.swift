import DataModel
import DataStore

/// Writes the rows of one table: many by COPY, a few with the statements around them.
struct RowWriter {
  /// From how many rows on COPY is worth its two journeys.
  static let leastToCopy = 100

  /// What stands before the rows of a COPY, and behind them.
  static let copyHead: [UInt8] =
    Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0] + [UInt8](repeating: 0, count: 8)
  static let copyEnd: [UInt8] = [0xFF, 0xFF]

  private let layout: TableLayout
  private let table: SQL
  private let systemSlots: [Int]
  private let connection: Connection
  private let columns: [String]
  private let encoding: RowEncoding
  private var buffer: [UInt8] = []

  init(_ layout: TableLayout, _ policy: SavePolicy, on connection: Connection) {
    self.layout = layout
    self.connection = connection
    table = layout.table
    columns = layout.columns.map(\.name)
    encoding = RowEncoding(layout.columns)
    systemSlots = SystemField.allCases.filter { field in
      switch field {
      case .createdAt, .createdBy: policy.systemFields == .given
      case .modifiedAt, .modifiedBy, .revision: true
      }
    }.map { layout.schema.slot($0) }
  }

  /// Writes the values of a unique field into the table that keeps them apart.
  init(valuesOf slot: Int, _ layout: TableLayout, on connection: Connection) {
    self.layout = layout
    self.connection = connection
    table = layout.sideTable(slot)
    columns = ["value", "id"]
    encoding = RowEncoding(
      [slot, layout.schema.keySlot].flatMap { TableLayout.columns(of: $0, in: layout.schema) })
    systemSlots = []
  }

  /// Inserts rows that are not there.
  mutating func insert(_ rows: [Int], of batch: Rows) throws(DataError) {
    guard !rows.isEmpty else { return }
    let names = SQL.list(columns.map { "\(name: $0)" })
    guard rows.count >= Self.leastToCopy else {
      connection.later(
        """
        insert into \(table) (\(names)) select * from \
        unnest(\(SQL.list(columns.map { _ in .parameter })))
        """, binding: encoding.arrays(rows, of: batch), changing: rows.count)
      return
    }
    try connection.beginCopying(
      "copy \(table) (\(names)) from stdin with (format binary)")
    buffer.removeAll(keepingCapacity: true)
    buffer += Self.copyHead
    for row in rows {
      encoding.append(row, of: batch, to: &buffer)
      if buffer.count > 256 << 10 {
        try connection.copy(buffer)
        buffer.removeAll(keepingCapacity: true)
      }
    }
    buffer += Self.copyEnd
    try connection.copy(buffer)
    try connection.endCopying(rows: rows.count)
  }

  /// A record that is there, as it will stand.
  struct Change {
    let row: Int
    /// The slots whose values are others now.
    let slots: [Int]
    /// The revision that it has still.
    let revision: Int64
  }

  /// Changes rows that are there, those alike together. They have been held since they were read;
  /// should one have changed nevertheless, the save is begun anew.
  func update(_ changes: [Change], of batch: Rows) throws(DataError) {
    var groups: [[Int]: [Change]] = [:]
    for change in changes { groups[change.slots, default: []].append(change) }
    let sorted = groups.sorted { $0.key.lexicographicallyPrecedes($1.key) }
    switch connection.engine {
    case .postgres, .cockroach, .yugabyte:
      for (slots, changes) in sorted { try update(slots, changes, of: batch) }
    case .citus:
      var staging = Staging(layout, on: connection)
      for (slots, changes) in sorted {
        try staging.update(slots + systemSlots, changes, of: batch)
      }
      try staging.finish()
    }
  }

  private func update(
    _ slots: [Int], _ changes: [Change], of batch: Rows
  ) throws(DataError) {
    let schema = layout.schema
    let written = (slots + systemSlots).flatMap { TableLayout.columns(of: $0, in: schema) }
    let all = written + TableLayout.columns(of: schema.keySlot, in: schema)
    var values = RowEncoding(all).arrays(changes.map(\.row), of: batch)
    values.append(WireValue(changes.map { .integer($0.revision) }, of: .integer))
    let names = values.indices.map { place -> SQL in "\(name: "_\(place)")" }
    let assignments = zip(written, names).map { column, name -> SQL in
      "\(name: column.name) = _new.\(name)"
    }
    connection.later(
      """
      update \(layout.table) as _old set \(SQL.list(assignments)) from \
      unnest(\(SQL.list(values.map { _ in .parameter }))) as _new (\(SQL.list(names))) \
      where _old.\(layout.key) = _new.\(names[names.count - 2]) \
      and _old.revision = _new.\(names[names.count - 1])
      """, binding: values, changing: changes.count)
  }
}
