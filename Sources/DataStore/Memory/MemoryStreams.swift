import DataModel

/// Gives the rows that a query found, a hundred at a time.
actor MemoryRecordStream: RecordStream {
  private var records: ArraySlice<Rows>
  private let slots: [Int]

  init(_ records: [Rows], slots: [Int]) {
    self.records = records[...]
    self.slots = slots
  }

  func next(reusing rows: consuming Rows) async throws(DataError) -> Rows? {
    guard !records.isEmpty else { return nil }
    rows.removeAll()
    for record in records.prefix(100) { rows.append(0, of: record, slots: slots) }
    records = records.dropFirst(100)
    return rows
  }
}

/// Gives a file's bytes, 64 KiB at a time.
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
