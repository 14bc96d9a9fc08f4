package import DataModel

/// A source of bytes that is read in pieces: a file, stdin or a buffer in memory.
package protocol ByteSource: Sendable {
  /// Appends at most `count` bytes to the buffer and returns their number; 0 at the end.
  mutating func read(into buffer: inout [UInt8], atMost count: Int) throws(DataError) -> Int

  /// Waits at most `seconds` until a read would not block. Returns false if the time is over.
  func hasBytes(within seconds: Double) throws(DataError) -> Bool
}

extension ByteSource {
  /// Returns true: by default, a source never blocks.
  package func hasBytes(within seconds: Double) -> Bool { true }
}

/// A byte source over a buffer in memory.
package struct BytesInMemory: ByteSource {
  private let bytes: [UInt8]
  private var position = 0
  private let pieceSize: Int

  /// Creates a source that returns at most `pieceSize` bytes per call.
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
