internal import Platform

/// Compresses the body of a response piece by piece, as fast as the client receives it.
package final class ResponseCompressor {
  /// Whether zlib can be loaded. If not, responses are not compressed.
  static let isAvailable = GzipCompressor() != nil

  private static let pieceSize = 64 << 10

  private let store: ByteStore
  private var compressor: GzipCompressor
  /// The number of bytes of the body that have been compressed.
  private var offset = 0
  /// The compressed bytes. The first `start` of them have been read.
  private var output: [UInt8] = []
  private var start = 0
  private var isFinished = false
  /// Whether zlib has output everything so far. If not, it may hold back some bytes until it gets
  /// more input.
  private var isFlushed = true

  package init?(_ store: ByteStore) {
    guard let compressor = GzipCompressor() else { return nil }
    self.store = store
    self.compressor = compressor
  }

  /// Reads compressed bytes into the buffer. If the result is `pending`, the caller must wait until
  /// the uncompressed body has bytes after the returned offset.
  package func read(
    into buffer: UnsafeMutableRawBufferPointer
  ) -> (piece: ByteStore.Piece, offset: Int) {
    while start == output.count {
      if isFinished { return (.end, offset) }
      output.removeAll(keepingCapacity: true)
      start = 0
      var bytes: [UInt8] = []
      switch store.read(at: offset, into: &bytes, atMost: Self.pieceSize) {
      case .bytes(let count):
        offset += count
        compressor.compress(bytes.span, before: .more, into: &output)
        isFlushed = false
      case .end:
        compressor.compress(bytes.span, before: .nothing, into: &output)
        isFinished = true
      case .pending:
        if isFlushed { return (.pending, offset) }
        // The client receives all bytes that are available now, because further bytes may follow
        // much later.
        compressor.compress(bytes.span, before: .pause, into: &output)
        isFlushed = true
      case .failure: return (.failure, offset)
      }
    }
    let count = min(buffer.count, output.count - start)
    unsafe buffer.copyBytes(from: output[start..<start + count])
    start += count
    return (.bytes(count), offset)
  }
}
