import DataModel
import DataText
import Synchronization

/// An input whose first bytes are kept in memory. If all bytes that were read are kept, a command
/// can read the input again after a conflict with another writer.
final class RewindableInput: Sendable {
  private struct Kept {
    var bytes: [UInt8] = []
    /// Whether all bytes that have been read are kept.
    var isComplete = true
  }

  /// The maximum number of bytes that are kept. If more bytes are read, none are kept. A save reads
  /// that many bytes before it begins its transaction.
  private static let capacity = 4 << 20

  let input: InputStream
  private let kept = Mutex(Kept())

  init(_ input: InputStream) {
    self.input = input
  }

  /// Whether `bytes` can be read from the beginning again.
  var canRewind: Bool { kept.withLock { $0.isComplete } }

  /// The whole input: first the kept bytes, and then the rest.
  var bytes: some ByteSource { Reader(input: self) }

  private func read(
    into buffer: inout [UInt8], at position: Int, atMost count: Int
  ) throws(DataError) -> Int {
    try kept.withLock { (kept) throws(DataError) in
      if position < kept.bytes.count {
        let size = min(count, kept.bytes.count - position)
        buffer += kept.bytes[position..<position + size]
        return size
      }
      let start = buffer.count
      let size = try input.read(into: &buffer, atMost: count)
      if kept.isComplete {
        kept.isComplete = kept.bytes.count + size <= Self.capacity
        if kept.isComplete { kept.bytes += buffer[start...] } else { kept.bytes = [] }
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
