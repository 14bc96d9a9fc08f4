/// The limits on the size of a chunk, and on the time to wait for its bytes.
package struct ChunkLimit: Sendable {
  /// The maximum number of records in the chunk.
  let rows: Int
  /// The number of bytes of text that are read for a chunk, unless a single record is longer.
  let bytes: Int
  /// How many seconds to wait for bytes before an empty chunk is returned, or nil to wait forever.
  let timeout: Double?

  /// Creates limits. A chunk has at most `bytes / 64` records, even if `rows` is larger.
  package init(rows: Int = .max, bytes: Int = 256 << 10, timeout: Double? = nil) {
    self.rows = min(rows, bytes / 64)
    self.bytes = bytes
    self.timeout = timeout
  }
}
