import CSQLite
import DataModel
import DataStore

/// Writes the contents of files piece by piece, and holds them against what is said of them.
struct FileWriter {
  private let schema: Schema
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

  /// Writes what a changed field holds now, and says what is wrong with it.
  func write(
    _ slot: Int, _ row: Int, of batch: Changes, isNew: Bool
  ) throws(DataError) -> Problem? {
    let id = batch.rows.text(batch.rows[row, schema.keySlot])
    let cell = batch.rows[row, slot]
    let content = batch.contents.first { $0.row == row && $0.slot == slot }
    if !isNew && (content != nil || !cell.hasValue) { try remove(id, slot) }
    guard let content, cell.hasValue else { return nil }
    guard let file = batch.rows.withBytes(of: cell, { FileReference(canonicalText: $0) })
    else { preconditionFailure("a cell of a file holds its reference") }
    var digest = SHA256()
    let size = try write(content.source, of: id, slot, &digest)
    let sha256 = digest.hexadecimal()
    if size == file.size && sha256 == file.sha256 { return nil }
    return .contentMismatch(
      expected: file, size: size, sha256: sha256, slot: slot, of: schema, id: id,
      line: batch.lines[row])
  }

  private func remove(_ id: String, _ slot: Int) throws(DataError) {
    try removal.statement.bind(id, at: 1)
    try removal.statement.bind(schema.name(of: slot), at: 2)
    try removal.statement.run()
  }

  private func write(
    _ content: FileContent, of id: String, _ slot: Int, _ digest: inout SHA256
  ) throws(DataError) -> Int64 {
    try insertion.statement.bind(id, at: 1)
    try insertion.statement.bind(schema.name(of: slot), at: 2)
    var size: Int64 = 0
    var count: Int64 = 0
    var piece: [UInt8] = []
    func writePiece(_ bytes: Span<UInt8>) throws(DataError) {
      digest.update(bytes)
      size += Int64(bytes.count)
      try insertion.statement.bind(count, at: 3)
      try insertion.statement.run(bindingBlob: bytes, at: 4)
      count += 1
    }
    func writeAll(_ bytes: [UInt8]) throws(DataError) {
      var start = 0
      while start < bytes.count {
        let end = min(start + OwnTables.pieceSize - piece.count, bytes.count)
        piece += bytes[start..<end]
        start = end
        if piece.count == OwnTables.pieceSize {
          try writePiece(piece.span)
          piece.removeAll(keepingCapacity: true)
        }
      }
    }
    switch content {
    case .bytes(let bytes): try writeAll(bytes)
    case .stream(let open):
      let next = try open()
      while let bytes = try next() { try writeAll(bytes) }
    }
    if !piece.isEmpty { try writePiece(piece.span) }
    return size
  }
}

extension Statement {
  /// Runs with bytes that need no copy, since they stay for the while.
  fileprivate func run(bindingBlob bytes: Span<UInt8>, at place: Int32) throws(DataError) {
    let bound = unsafe bytes.withUnsafeBufferPointer { bytes in
      let code = unsafe sqlite3_bind_blob(
        handle, place, bytes.baseAddress, Int32(bytes.count), nil)
      return code == SQLITE_OK ? stepThrough() : code
    }
    try check(bound)
  }
}
