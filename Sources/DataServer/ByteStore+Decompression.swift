internal import ClientCore
internal import DataModel
internal import RecordText

extension ByteStore {
  /// Decompresses the bytes, which are in the gzip format, and returns the result in a new byte
  /// store. Throws an error if the result has more than `limit` bytes.
  func decompressed(atMost limit: Int) async throws -> ByteStore {
    let result = ByteStore(.kept)
    var source = try GzipSource(ByteStoreSource(self), file: "-")
    var piece: [UInt8] = []
    while try source.read(into: &piece, atMost: 64 << 10) > 0 {
      guard result.count + piece.count <= limit else { throw HTTPError.bodyTooLarge(limit) }
      try result.append(piece.span)
      piece.removeAll(keepingCapacity: true)
      // Other requests continue while a long body is decompressed.
      await Task.yield()
    }
    result.finish()
    return result
  }
}

/// A byte source that reads a `ByteStore` whose writer has finished.
private struct ByteStoreSource: ByteSource {
  private let store: ByteStore
  private var offset = 0

  init(_ store: ByteStore) {
    self.store = store
  }

  mutating func read(into buffer: inout [UInt8], atMost count: Int) throws(DataError) -> Int {
    let size = try store.next(at: offset, into: &buffer, atMost: count) ?? 0
    offset += size
    return size
  }

  func hasBytes(within seconds: Double) throws(DataError) -> Bool { true }
}
