package import DataModel

/// A source of bytes that is read in pieces: a file, stdin or a buffer in memory.
package protocol ByteSource: Sendable {
  /// Appends at most `count` bytes to the buffer and returns how many were appended. Returns 0 only
  /// at the end of the source.
  mutating func read(into buffer: inout [UInt8], atMost count: Int) throws(DataError) -> Int

  /// Waits until `read` would not block, for at most the given number of seconds. Returns false if
  /// `read` would still block after that time.
  func hasBytes(within seconds: Double) throws(DataError) -> Bool
}

extension ByteSource {
  /// Returns true, because sources do not block by default.
  package func hasBytes(within seconds: Double) -> Bool { true }
}

/// A byte source that returns the bytes of an array.
package struct BytesInMemory: ByteSource {
  private let bytes: [UInt8]
  private var position = 0
  private let pieceSize: Int

  /// Creates a source that returns at most `pieceSize` bytes for each call of `read`.
  package init(_ bytes: [UInt8], pieceSize: Int = .max) {
    self.bytes = bytes
    self.pieceSize = pieceSize
  }

  package mutating func read(into buffer: inout [UInt8], atMost count: Int) -> Int {
    let size = min(count, pieceSize, bytes.count - position)
    buffer.append(contentsOf: bytes[position..<position + size])
    position += size
    return size
  }
}
