package import DataModel

/// A source of bytes that is read in pieces: a file, stdin or a buffer in memory.
package protocol ByteSource: Sendable {
  /// Appends at most `count` bytes to the buffer and returns how many were appended. Returns 0 only
  /// at the end of the source.
  mutating func read(into buffer: inout [UInt8], atMost count: Int) throws(DataError) -> Int

  /// Waits until `read` would not block, for at most the given number of seconds. Returns false if
  /// `read` would still block after that time.
  func hasBytes(within seconds: Double) throws(DataError) -> Bool

  /// Returns the problems that the source has found since the last call. Only a source that
  /// converts its input from another format to JSON can find problems.
  mutating func takeFindings() -> SourceFindings

  /// The number of bytes that `read` will still return, or nil if it is not known.
  var remainingCount: Int? { get }

  /// If the source converts text, the number of bytes that it has read from its own input, for
  /// progress reports. Nil for other sources.
  var convertedCount: Int? { get }
}

/// The problems that a source found while it converted records from another format to JSON.
package struct SourceFindings: Sendable {
  /// The problems of single records, keyed by the number of the record, counted from 1. These
  /// records are rejected.
  package var problems: [Int: [Problem]] = [:]
  /// The error that ended the input early, or nil if there was none.
  package var failure: Problem?

  package init() {}
}

extension ByteSource {
  /// By default, returns no problems: only sources that convert text can find any.
  package mutating func takeFindings() -> SourceFindings { SourceFindings() }

  /// By default, returns nil: the length of most sources is not known.
  package var remainingCount: Int? { nil }

  /// By default, returns nil: most sources do not convert text.
  package var convertedCount: Int? { nil }

  /// By default, returns true: most sources never block.
  package func hasBytes(within seconds: Double) -> Bool { true }
}

/// A byte source that returns the bytes of an array.
package struct BytesInMemory: ByteSource {
  private let bytes: [UInt8]
  private var position = 0
  private let pieceSize: Int
  package var remainingCount: Int? { bytes.count - position }

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
