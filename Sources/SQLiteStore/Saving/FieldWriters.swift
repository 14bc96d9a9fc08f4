import CSQLite
import DataModel
import DataStore

/// Writes the ids of one to-many relation to its link table, in order.
struct LinkWriter {
  let slot: Int
  private let removal: SharedStatement
  private let insertion: SharedStatement

  init(_ slot: Int, of layout: TableLayout, on connection: borrowing Connection) throws(DataError) {
    self.slot = slot
    removal = SharedStatement(
      try Statement(
        "delete from \(layout.link(slot)) where source = \(SQL.parameter)", on: connection))
    insertion = SharedStatement(
      try Statement(
        """
        insert into \(layout.link(slot)) (source, position, target) values \
        (\(SQL.parameter), \(SQL.parameter), \(SQL.parameter))
        """, on: connection))
  }

  /// Writes the related ids of a row to the link table. If the record is not new, its stored ids
  /// are deleted first.
  func write(_ row: Int, of chunk: RowChanges, isNew: Bool) throws(DataError) {
    let schema = chunk.schema
    let source = chunk.rows.text(chunk.rows[row, schema.keySlot])
    if !isNew {
      try removal.statement.bind(source, at: 1)
      try removal.statement.run()
    }
    let ids = chunk.rows.value(chunk.rows[row, slot], of: schema.type(of: slot)).texts
    guard !ids.isEmpty else { return }
    try insertion.statement.bind(source, at: 1)
    for (position, id) in ids.enumerated() {
      try insertion.statement.bind(Int64(position), at: 2)
      try insertion.statement.bind(id, at: 3)
      try insertion.statement.run()
    }
  }
}

/// Writes the contents of file fields. The statements are prepared once for all records.
struct FileWriter: FilePieceWriter {
  let schema: Schema
  private let removal: SharedStatement
  private let insertion: SharedStatement

  init(_ schema: Schema, on connection: borrowing Connection) throws(DataError) {
    self.schema = schema
    removal = SharedStatement(
      try Statement(
        """
        delete from _file where record = \(SQL.parameter) and field = \(SQL.parameter) \
        and schema = \(.text(schema.name))
        """, on: connection))
    insertion = SharedStatement(
      try Statement(
        """
        insert into _file (record, field, piece, bytes, schema) values (\(SQL.parameter), \
        \(SQL.parameter), \(SQL.parameter), \(SQL.parameter), \(.text(schema.name)))
        """, on: connection))
  }

  func remove(_ id: String, _ slot: Int) throws(DataError) {
    try removal.statement.bind(id, at: 1)
    try removal.statement.bind(schema.name(of: slot), at: 2)
    try removal.statement.run()
  }

  func add(_ piece: [UInt8], _ number: Int64, of id: String, _ slot: Int) throws(DataError) {
    try insertion.statement.bind(id, at: 1)
    try insertion.statement.bind(schema.name(of: slot), at: 2)
    try insertion.statement.bind(number, at: 3)
    try insertion.statement.run(bindingBlob: piece.span, at: 4)
  }
}

extension Statement {
  /// Binds a blob without copying it, and runs the statement.
  fileprivate func run(bindingBlob bytes: Span<UInt8>, at index: Int32) throws(DataError) {
    let bound = unsafe bytes.withUnsafeBufferPointer { bytes in
      let code = unsafe sqlite3_bind_blob(
        handle, index, bytes.baseAddress, Int32(bytes.count), nil)
      return code == SQLITE_OK ? stepThrough() : code
    }
    try check(bound)
  }
}
