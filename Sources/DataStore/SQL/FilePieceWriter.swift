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
    var count: Int64 = 0
    var piece: [UInt8] = []
    func writePiece() throws(DataError) {
      digest.update(piece.span)
      size += Int64(piece.count)
      try add(piece, count, of: id, slot)
      count += 1
      piece.removeAll(keepingCapacity: true)
    }
    func writeAll(_ bytes: [UInt8]) throws(DataError) {
      var start = 0
      while start < bytes.count {
        let end = min(start + pieceSize - piece.count, bytes.count)
        piece += bytes[start..<end]
        start = end
        if piece.count == pieceSize { try writePiece() }
      }
    }
    switch content {
    case .bytes(let bytes): try writeAll(bytes)
    case .stream(let open):
      let next = try open()
      while let bytes = try next() { try writeAll(bytes) }
    }
    if !piece.isEmpty { try writePiece() }
    return size
  }
}
