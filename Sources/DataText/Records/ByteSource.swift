package import DataModel

/// Gives bytes piece by piece: a file, standard input, or bytes in memory.
package protocol ByteSource: Sendable {
  /// Appends at most so many bytes and tells how many; 0 at the end.
  mutating func read(into buffer: inout [UInt8], atMost count: Int) throws(DataError) -> Int

  /// Whether the next read gives something, or the end, without waiting longer than so many seconds.
  func hasBytes(within seconds: Double) throws(DataError) -> Bool
}

extension ByteSource {
  /// What never waits for anybody can be read at any time.
  package func hasBytes(within seconds: Double) -> Bool { true }
}

/// Bytes that are in memory already.
package struct BytesInMemory: ByteSource {
  private let bytes: [UInt8]
  private var place = 0
  private let pieceSize: Int

  /// Takes the bytes, and how many of them one call gives at most.
  package init(_ bytes: [UInt8], pieceSize: Int = .max) {
    self.bytes = bytes
    self.pieceSize = pieceSize
  }

  package mutating func read(into buffer: inout [UInt8], atMost count: Int) -> Int {
    let size = min(count, pieceSize, bytes.count - place)
    buffer.append(contentsOf: bytes[place..<place + size])
    place += size
    return size
  }
}
