import Synchronization

/// A blocking queue that passes values between threads in order.
///
/// Each value comes with a byte in a pipe, on which the receiver blocks.
final class BlockingQueue<Value: Sendable>: Sendable {
  private let values = Mutex<[Value?]>([])
  private let ends: (reading: Int32, writing: Int32)

  /// Returns nil if no pipe can be created.
  init?() {
    guard let ends = Platform.makePipe() else { return nil }
    self.ends = ends
  }

  deinit {
    Platform.closeFile(ends.reading)
    Platform.closeFile(ends.writing)
  }

  /// Enqueues a value; nil marks the end.
  func enqueue(_ value: Value?) {
    values.withLock { $0.append(value) }
    _ = try? Platform.writeBytes(ends.writing, [0].span)
  }

  /// Dequeues the next value, and blocks until there is one. Returns nil at the end.
  func dequeue() -> Value? {
    var byte: [UInt8] = []
    while byte.isEmpty { _ = try? Platform.readBytes(ends.reading, into: &byte, atMost: 1) }
    return values.withLock { $0.removeFirst() }
  }
}
