private import Synchronization

/// A sink that keeps all bytes in memory.
package final class BufferSink: ByteSink {
  private let buffer = Mutex<[UInt8]>([])

  package init() {}

  /// The bytes appended so far.
  package var bytes: [UInt8] { buffer.withLock { $0 } }

  package func append(_ body: (inout [UInt8]) -> Void) { buffer.withLock { body(&$0) } }

  package func flush() {}

  package func discardBuffer() -> Bool {
    buffer.withLock { $0 = [] }
    return true
  }
}
