package import DataModel

/// Writes the contents of files in pieces, and verifies their size and SHA-256.
package protocol FilePieceWriter {
  var schema: Schema { get }

  /// Deletes all pieces of the file in a field of a record.
  func remove(_ id: String, _ slot: Int) throws(DataError)

  /// Adds a piece to the file in a field of a record.
  ///
  /// - Parameter number: The index of the piece in the file.
  func add(_ piece: [UInt8], _ number: Int64, of id: String, _ slot: Int) throws(DataError)
}

/// The maximum size of a piece in bytes. Each piece is stored in a separate row.
private let pieceSize = 256 << 10

extension FilePieceWriter {
  /// Writes the new content of a file field. Returns a problem if the size or the SHA-256 of the
  /// content differs from that in the file reference.
  ///
  /// - Parameter isNew: Whether the record is new, so that there is no previous file to delete.
  package func write(
    _ slot: Int, _ row: Int, of chunk: RowChanges, isNew: Bool
  ) throws(DataError) -> Problem? {
    let id = chunk.rows.text(chunk.rows[row, schema.keySlot])
    let cell = chunk.rows[row, slot]
    let content = chunk.contents.first { $0.row == row && $0.slot == slot }
    if !isNew && (content != nil || !cell.hasValue) { try remove(id, slot) }
    guard let content, cell.hasValue else { return nil }
    guard let file = chunk.rows.withBytes(of: cell, { FileReference(canonicalText: $0) })
    else { preconditionFailure("a file cell must contain a file reference") }
    var digest = SHA256()
    let size = try write(content.source, of: id, slot, &digest)
    let sha256 = digest.hexadecimal()
    if size == file.size && sha256 == file.sha256 { return nil }
    return .contentMismatch(
      expected: file, size: size, sha256: sha256, slot: slot, of: schema, id: id,
      line: chunk.lines[row])
  }

  private func write(
    _ content: FileContent, of id: String, _ slot: Int, _ digest: inout SHA256
  ) throws(DataError) -> Int64 {
    var size: Int64 = 0
    try content.forEachPiece { piece, number throws(DataError) in
      digest.update(piece.span)
      size += Int64(piece.count)
      try add(piece, number, of: id, slot)
    }
    return size
  }
}

extension FileContent {
  /// Passes the content to a closure in pieces, with the index of each piece. All pieces but the
  /// last one have the same size.
  fileprivate func forEachPiece(
    _ body: ([UInt8], Int64) throws(DataError) -> Void
  ) throws(DataError) {
    var count: Int64 = 0
    var piece: [UInt8] = []
    func addPiece() throws(DataError) {
      try body(piece, count)
      count += 1
      piece.removeAll(keepingCapacity: true)
    }
    func addAll(_ bytes: [UInt8]) throws(DataError) {
      var start = 0
      while start < bytes.count {
        let end = min(start + pieceSize - piece.count, bytes.count)
        piece += bytes[start..<end]
        start = end
        if piece.count == pieceSize { try addPiece() }
      }
    }
    switch self {
    case .bytes(let bytes): try addAll(bytes)
    case .stream(let open):
      let next = try open()
      while let bytes = try next() { try addAll(bytes) }
    }
    if !piece.isEmpty { try addPiece() }
  }
}

/// A file field of a record.
package struct FileField: Hashable, Sendable {
  package let schema: Schema
  package let slot: Int
  package let id: String

  package init(_ slot: Int, of id: String, in schema: Schema) {
    self.schema = schema
    self.slot = slot
    self.id = id
  }
}

extension SQLTransaction where Self: ~Copyable {
  /// Returns whether a file field has a content.
  package borrowing func hasContent(_ field: FileField) throws(DataError) -> Bool {
    try count(
      """
      select count(*) from \(table: "_file") where schema = \(.text(field.schema.name)) \
      and record = \(.text(field.id)) and field = \(.text(field.schema.name(of: field.slot))) \
      and piece = 0
      """) > 0
  }
}

extension WriteTransaction {
  /// Writes a content to file fields that have none. The caller has verified that their file
  /// references name this content.
  ///
  /// - Parameter mayExist: Whether some of the fields may have the content. They are skipped.
  func add(
    _ content: FileContent, to fields: [FileField], mayExist: Bool
  ) throws(DataError) {
    var writers: [any FilePieceWriter] = []
    for field in fields where !writers.contains(where: { $0.schema.name == field.schema.name }) {
      writers.append(try filePieceWriter(of: field.schema))
    }
    var missing: [FileField] = []
    for field in fields {
      if mayExist, try hasContent(field) { continue }
      missing.append(field)
    }
    try content.forEachPiece { piece, number throws(DataError) in
      try checkInterruption()
      for field in missing {
        let writer = writers.first { $0.schema.name == field.schema.name }
        try writer?.add(piece, number, of: field.id, field.slot)
      }
    }
  }
}
