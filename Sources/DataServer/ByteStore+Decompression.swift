internal import ClientCore
internal import DataModel
internal import DataText

extension ByteStore {
  /// Returns the decompressed bytes of a store that contains data in the gzip format. Throws an error
  /// if there are more than `limit` of them.
  func decompressed(atMost limit: Int) async throws -> ByteStore {
    let result = ByteStore(.kept)
    try await decompress(atMost: limit) { piece throws(DataError) in
      try result.append(piece.span)
    }
    result.finish()
    return result
  }

  /// Throws an error if the decompressed bytes are more than `limit`. They are not stored.
  func checkDecompressedSize(atMost limit: Int) async throws {
    try await decompress(atMost: limit) { _ in }
  }

  private func decompress(
    atMost limit: Int, _ receive: ([UInt8]) throws(DataError) -> Void
  ) async throws {
    var source = try GzipSource(ByteStoreSource(self), file: "-")
    var piece: [UInt8] = []
    var count = 0
    while try source.read(into: &piece, atMost: 64 << 10) > 0 {
      count += piece.count
      guard count <= limit else { throw HTTPError.bodyTooLarge(limit) }
      try receive(piece)
      piece.removeAll(keepingCapacity: true)
      // Other requests continue while a long body is decompressed.
      await Task.yield()
    }
  }
}

/// The bytes of a finished store.
private struct ByteStoreSource: ByteSource {
  private let store: ByteStore
  private var offset = 0

  init(_ store: ByteStore) {
    self.store = store
  }

  mutating func read(into buffer: inout [UInt8], atMost count: Int) throws(DataError) -> Int {
    switch store.read(at: offset, into: &buffer, atMost: count) {
    case .bytes(let size):
      offset += size
      return size
    case .end, .pending: return 0
    case .failure: throw DataError(.failed, "the body cannot be read")
    }
  }

  func hasBytes(within seconds: Double) throws(DataError) -> Bool { true }
}
