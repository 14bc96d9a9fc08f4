import DataModel

/// Streams the rows of a query, 100 at a time.
actor MemoryRecordStream: RecordStream {
  private var records: ArraySlice<Rows>
  private let width: Int

  init(_ records: [Rows], width: Int) {
    self.records = records[...]
    self.width = width
  }

  func next(reusing rows: consuming Rows) async throws(DataError) -> Rows? {
    guard !records.isEmpty else { return nil }
    var chunk = rows.width == width ? rows : Rows(width: width)
    chunk.removeAll()
    for record in records.prefix(100) { chunk.append(0, of: record, slots: Array(0..<width)) }
    records = records.dropFirst(100)
    return chunk
  }
}

/// Streams the bytes of a file, 64 KiB at a time.
actor MemoryContentStream: ContentStream {
  private var bytes: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) {
    self.bytes = bytes[...]
  }

  func next() async throws(DataError) -> [UInt8]? {
    guard !bytes.isEmpty else { return nil }
    let piece = Array(bytes.prefix(65_536))
    bytes = bytes.dropFirst(65_536)
    return piece
  }
}
