import DataModel
import DataStore

/// Writes the rows of one table. Many rows are written with `COPY`. A few rows are written with an
/// `insert` statement, which is sent together with later statements, so that it needs no round trip
/// of its own.
struct RowWriter {
  /// The minimum number of rows for which `COPY` is faster than `insert`, although `COPY` needs two
  /// round trips.
  private static let minRowsToCopy = 100

  /// The header and the trailer of `COPY` data in the binary format.
  private static let copyHeader: [UInt8] =
    Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0] + [UInt8](repeating: 0, count: 8)
  private static let copyTrailer: [UInt8] = [0xFF, 0xFF]

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

  /// Creates a writer for the side table of a unique field. The primary key of a side table ensures
  /// that the values of the field are unique.
  init(valuesOf slot: Int, _ layout: TableLayout, on connection: Connection) {
    self.layout = layout
    self.connection = connection
    table = layout.sideTable(slot)
    columns = ["value", "id"]
    encoding = RowEncoding(
      [slot, layout.schema.keySlot].flatMap { TableLayout.columns(of: $0, in: layout.schema) })
    systemSlots = []
  }

  /// Inserts the given rows of a chunk into the table.
  mutating func insert(_ rows: [Int], of chunk: Rows) throws(DataError) {
    guard !rows.isEmpty else { return }
    let names = SQL.list(columns.map { "\(name: $0)" })
    guard rows.count >= Self.minRowsToCopy else {
      connection.enqueue(
        """
        insert into \(table) (\(names)) select * from \
        unnest(\(SQL.list(columns.map { _ in .parameter })))
        """, binding: encoding.arrays(rows, of: chunk), changing: rows.count)
      return
    }
    try connection.beginCopying(
      "copy \(table) (\(names)) from stdin with (format binary)")
    buffer.removeAll(keepingCapacity: true)
    buffer += Self.copyHeader
    for row in rows {
      encoding.append(row, of: chunk, to: &buffer)
      if buffer.count > 256 << 10 {
        try connection.copy(buffer)
        buffer.removeAll(keepingCapacity: true)
      }
    }
    buffer += Self.copyTrailer
    try connection.copy(buffer)
    try connection.endCopying(rows: rows.count)
  }

  /// The changes that a row makes to an existing record.
  struct Change {
    let row: Int
    /// The slots of the fields whose values have changed.
    let slots: [Int]
    /// The revision of the record before the update.
    let revision: Int64
  }

  /// Updates existing records. One statement updates all records in which the same fields have
  /// changed.
  ///
  /// The records have been locked since they were read. If a record with the expected revision is
  /// missing nevertheless, a trigger or a rule of another tool is the cause, so the record is
  /// counted as discarded by the server. On Citus, records are not locked, so a missing record is
  /// reported as a conflict with another writer.
  func update(_ changes: [Change], of chunk: Rows) throws(DataError) {
    var groups: [[Int]: [Change]] = [:]
    for change in changes { groups[change.slots, default: []].append(change) }
    let sorted = groups.sorted { $0.key.lexicographicallyPrecedes($1.key) }
    switch connection.engine {
    case .postgres:
      for (slots, changes) in sorted { update(slots + systemSlots, changes, of: chunk) }
    case .citus:
      try connection.drain()
      let discarded = connection.discardedRows
      for (slots, changes) in sorted {
        let key = layout.schema.keySlot
        let groups = connection.grouped(changes) { shardHash, change in
          chunk.withBytes(of: chunk[change.row, key]) { shardHash.shard(of: $0) }
        }
        for group in groups { update(slots + systemSlots, group, of: chunk) }
      }
      try connection.drain()
      guard connection.discardedRows == discarded else {
        connection.discardedRows = discarded
        throw connection.writeConflict()
      }
    }
  }

  private func update(_ slots: [Int], _ changes: [Change], of chunk: Rows) {
    let schema = layout.schema
    let written = slots.flatMap { TableLayout.columns(of: $0, in: schema) }
    let all = written + TableLayout.columns(of: schema.keySlot, in: schema)
    var values = RowEncoding(all).arrays(changes.map(\.row), of: chunk)
    values.append(WireValue(changes.map { .integer($0.revision) }, of: .integer))
    let names = values.indices.map { index -> SQL in "\(name: "_\(index)")" }
    let assignments = zip(written, names).map { column, name -> SQL in
      "\(name: column.name) = _new.\(name)"
    }
    var condition: SQL = """
      _old.\(layout.key) = _new.\(names[names.count - 2]) \
      and _old.revision = _new.\(names[names.count - 1])
      """
    var parameters = values
    switch connection.engine {
    case .postgres: break
    case .citus:
      // With a list of ids, Citus sends the statement only to the shards of these ids.
      condition += " and _old.\(layout.key) = any(\(SQL.parameter))"
      parameters.append(values[values.count - 2])
    }
    connection.enqueue(
      """
      update \(layout.table) as _old set \(SQL.list(assignments)) from \
      unnest(\(SQL.list(values.map { _ in .parameter }))) as _new (\(SQL.list(names))) \
      where \(condition)
      """, binding: parameters, changing: changes.count)
  }
}

/// Writes the ids of a to-many relation to its link table, in order.
struct LinkWriter {
  let slot: Int
  private let layout: TableLayout
  private let connection: Connection

  init(_ slot: Int, of layout: TableLayout, on connection: Connection) {
    self.slot = slot
    self.layout = layout
    self.connection = connection
  }

  /// Inserts the related ids of the given rows into the link table. First deletes the stored links
  /// of the rows in `replaced`.
  func write(_ rows: [Int], of chunk: RowChanges, replacing replaced: [Int]) throws(DataError) {
    let schema = chunk.schema
    let key = schema.keySlot
    if !replaced.isEmpty {
      let sources = replaced.map { Value.text(chunk.rows.text(chunk.rows[$0, key])) }
      connection.enqueue(
        "delete from \(layout.link(slot)) where source = any(\(values: sources, of: .id))")
    }
    var sources: [Value] = []
    var positions: [Value] = []
    var targets: [Value] = []
    for row in rows {
      let ids = chunk.rows.value(chunk.rows[row, slot], of: schema.type(of: slot)).texts
      if ids.isEmpty { continue }
      let source = Value.text(chunk.rows.text(chunk.rows[row, key]))
      for (position, id) in ids.enumerated() {
        sources.append(source)
        positions.append(.integer(Int64(position)))
        targets.append(.text(id))
      }
    }
    guard !sources.isEmpty else { return }
    connection.enqueue(
      """
      insert into \(layout.link(slot)) (source, position, target) select * from \
      unnest(\(values: sources, of: .id), \(values: positions, of: .integer), \
      \(values: targets, of: .id))
      """)
  }
}

/// Writes the contents of files to the table `_file`. They are written piece by piece, so that
/// memory use does not depend on the size of a file.
struct FileWriter: FilePieceWriter {
  let schema: Schema
  let connection: Connection

  func remove(_ id: String, _ slot: Int) {
    connection.enqueue(
      """
      delete from \(table: "_file") where schema = \(.text(schema.name)) \
      and record = \(.text(id)) and field = \(.text(schema.name(of: slot)))
      """)
  }

  func add(_ piece: [UInt8], _ number: Int64, of id: String, _ slot: Int) throws(DataError) {
    try connection.run(
      """
      insert into \(table: "_file") (schema, record, field, piece, bytes) values \
      (\(.text(schema.name)), \(.text(id)), \(.text(schema.name(of: slot))), \
      \(.integer(number)), \(SQL.parameter))
      """, binding: [WireValue(.bytes, piece)])
  }
}
