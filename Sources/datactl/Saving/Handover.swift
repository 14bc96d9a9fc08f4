import Synchronization

/// Hands values from one thread to another, in their order.
///
/// Each puts a byte into a pipe, for which the other waits.
final class Handover<Value: Sendable>: Sendable {
  private let values = Mutex<[Value?]>([])
  private let ends: (reading: Int32, writing: Int32)

  /// Gives nil if there is no pipe to be had.
  init?() {
    guard let ends = Platform.makePipe() else { return nil }
    self.ends = ends
  }

  deinit {
    Platform.closeFile(ends.reading)
    Platform.closeFile(ends.writing)
  }

  /// Hands a value over; nil lets nobody wait for more.
  func put(_ value: Value?) {
    values.withLock { $0.append(value) }
    _ = try? Platform.writeBytes(ends.writing, [0].span)
  }

  /// The next value, once there is one; nil behind the last.
  func take() -> Value? {
    var byte: [UInt8] = []
    while byte.isEmpty { _ = try? Platform.readBytes(ends.reading, into: &byte, atMost: 1) }
    return values.withLock { $0.removeFirst() }
  }
}
