import DataModel
package import RecordText
import Synchronization

/// An input that a command can read again after a conflict with another writer: a regular file, or
/// another input whose first bytes are kept in memory.
package final class RewindableInput: Sendable {
  private struct Kept {
    var bytes: [UInt8] = []
    /// Whether all bytes that were read are kept. False if more than `capacity` bytes were read.
    var isComplete = true
    /// The number of bytes between the beginning of the input and its current offset.
    var position = 0
  }

  /// The maximum number of bytes that are kept. If more bytes are read, none are kept. The limit is
  /// large enough for the bytes that a save reads before it begins its transaction.
  private static let capacity = 4 << 20

  let input: InputStream
  /// The file offset at which the input begins, or nil if the input is not a regular file.
  private let start: Int?
  private let kept = Mutex(Kept())

  package init(_ input: InputStream) {
    self.input = input
    start = input.offset
  }

  /// Whether the input can be read again from its beginning.
  package var canRewind: Bool { start != nil || kept.withLock { $0.isComplete } }

  /// A source of the whole input. If the input is not a regular file, the source returns the kept
  /// bytes and then the rest of the input.
  package var bytes: some ByteSource { Reader(input: self) }

  /// Returns an iterator over the lines of the whole input.
  func lines(longest: Int) -> InputStream.Lines {
    InputStream.Lines(bytes, of: input.file, longest: longest)
  }

  private func read(
    into buffer: inout [UInt8], at position: Int, atMost count: Int
  ) throws(DataError) -> Int {
    try kept.withLock { (kept) throws(DataError) in
      if let start {
        if position != kept.position { try input.seek(to: start + position) }
        kept.position = position
        let size = try input.read(into: &buffer, atMost: count)
        kept.position += size
        return size
      }
      if position < kept.bytes.count {
        let size = min(count, kept.bytes.count - position)
        buffer += kept.bytes[position..<position + size]
        return size
      }
      let offset = buffer.count
      let size = try input.read(into: &buffer, atMost: count)
      if kept.isComplete {
        kept.isComplete = kept.bytes.count + size <= Self.capacity
        if kept.isComplete { kept.bytes += buffer[offset...] } else { kept.bytes = [] }
      }
      return size
    }
  }

  private struct Reader: ByteSource {
    let input: RewindableInput
    private var position = 0

    init(input: RewindableInput) {
      self.input = input
    }

    mutating func read(into buffer: inout [UInt8], atMost count: Int) throws(DataError) -> Int {
      let size = try input.read(into: &buffer, at: position, atMost: count)
      position += size
      return size
    }

    func hasBytes(within seconds: Double) throws(DataError) -> Bool {
      if input.kept.withLock({ $0.bytes.count > position }) { return true }
      return try input.input.hasBytes(within: seconds)
    }
  }
}
