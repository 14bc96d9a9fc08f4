import DataModel
import DataStore

/// Updates rows of distributed tables on Citus. A few rows are updated one by one. For many rows,
/// the new values are first copied to a staging table, which is distributed in the same way as the
/// updated table.
///
/// No row is locked before it is updated. If another transaction has changed a row since it was
/// read, the revision of the row no longer matches, and the whole save is retried.
struct CitusStaging {
  /// The name of the staging table. All tables that are distributed by id are colocated with it.
  static let name = "_staging"

  /// The columns of the staging table that contain values. There is one array column for each
  /// column type that a schema can have.
  private static let columns: [(name: String, type: WireType, sqlName: SQL)] = [
    ("texts", .text, "text[]"), ("integers", .bigint, "bigint[]"),
    ("numbers", .double, "double precision[]"), ("booleans", .boolean, "boolean[]"),
    ("times", .timestamp, "timestamptz[]"), ("jsons", .json, "json[]"),
    ("lists", .jsonb, "jsonb[]"),
  ]

  static func creationSQL(in dialect: PostgresDialect) -> [SQL] {
    let arrays = columns.map { column -> SQL in "\(name: column.name) \(column.sqlName)" }
    return [
      """
      create table \(table: name) (id text collate "C" not null, revision bigint not null, \
      \(SQL.list(arrays)))
      """
    ] + dialect.distributionSQL(name, .distributed(by: "id"))
  }

  /// Counts the rows that were not updated because their revision has changed since they were read.
  private final class Misses {
    var count = 0
  }

  private let layout: TableLayout
  private let connection: Connection
  private let misses = Misses()

  init(_ layout: TableLayout, on connection: Connection) {
    self.layout = layout
    self.connection = connection
  }

  /// Updates rows of a chunk with the values in the given slots. The result is known only after
  /// `finish`.
  mutating func update(
    _ slots: [Int], _ changes: [RowWriter.Change], of chunk: Rows
  ) throws(DataError) {
    let columns = slots.flatMap { TableLayout.columns(of: $0, in: layout.schema) }
    if changes.count < RowWriter.minRowsToCopy {
      for change in changes { update(columns, change, of: chunk) }
    } else {
      try copy(columns, changes, of: chunk)
      try updateFromCopies(columns, count: changes.count)
    }
  }

  /// Waits for the updates, and throws a write conflict if a row has changed since it was read.
  func finish() throws(DataError) {
    try connection.drain()
    guard misses.count > 0 else { return }
    throw connection.writeConflict()
  }

  private func update(
    _ columns: [TableLayout.Column], _ change: RowWriter.Change, of chunk: Rows
  ) {
    let assignments = columns.map { column -> SQL in "\(name: column.name) = \(SQL.parameter)" }
    let key = Value.text(chunk.text(chunk[change.row, layout.schema.keySlot]))
    connection.enqueue(
      """
      update \(layout.table) set \(SQL.list(assignments)) where \(layout.key) = \(key) \
      and revision = \(.integer(change.revision))
      """, binding: RowEncoding(columns).values(change.row, of: chunk)
    ) { [misses] in misses.count += 1 - $0.changedRows }
  }

  private func copy(
    _ columns: [TableLayout.Column], _ changes: [RowWriter.Change], of chunk: Rows
  ) throws(DataError) {
    let key = RowEncoding(TableLayout.columns(of: layout.schema.keySlot, in: layout.schema))
    let arrays = Self.columns.map { array in
      (type: array.type, encoding: RowEncoding(columns.filter { WireType($0.type) == array.type }))
    }
    let names = ["id", "revision"] + Self.columns.map(\.name)
    try connection.beginCopying(
      """
      copy \(table: Self.name) (\(SQL.list(names.map { "\(name: $0)" }))) \
      from stdin with (format binary)
      """)
    var buffer = RowWriter.copyHeader
    for change in changes {
      buffer.append(bigEndian: Int16(truncatingIfNeeded: names.count))
      key.appendValues(change.row, of: chunk, to: &buffer)
      buffer.append(bigEndian: Int32(8))
      buffer.append(bigEndian: change.revision)
      for array in arrays {
        array.encoding.appendArray(array.type, change.row, of: chunk, to: &buffer)
      }
      if buffer.count > 256 << 10 {
        try connection.copy(buffer)
        buffer.removeAll(keepingCapacity: true)
      }
    }
    buffer += RowWriter.copyTrailer
    try connection.copy(buffer)
    try connection.endCopying(rows: changes.count)
  }

  private func updateFromCopies(
    _ columns: [TableLayout.Column], count: Int
  ) throws(DataError) {
    var positions: [WireType: Int64] = [:]
    let assignments = columns.map { column -> SQL in
      let type = WireType(column.type)
      positions[type, default: 0] += 1
      let array = Self.columns.first { $0.type == type }?.name ?? ""
      return "\(name: column.name) = _new.\(name: array)[\(number: positions[type] ?? 0)]"
    }
    connection.enqueue(
      """
      update \(layout.table) as _old set \(SQL.list(assignments)) from \(table: Self.name) \
      as _new where _old.\(layout.key) = _new.id and _old.revision = _new.revision
      """
    ) { [misses] in misses.count += count - $0.changedRows }
    connection.enqueue("delete from \(table: Self.name)")
  }
}
