#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A pipe by which one thread wakes another, or interrupts the calls of a store.
package final class WakePipe: Sendable {
  /// The descriptor that `wake` makes readable.
  package let reading: Int32
  private let writing: Int32

  /// Creates the pipe (`pipe`).
  package init() throws(SystemCallError) {
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { throw .last }
    reading = ends[0]
    writing = ends[1]
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    _ = fcntl(writing, F_SETFL, O_NONBLOCK)
  }

  deinit {
    Descriptor.closeFile(reading)
    Descriptor.closeFile(writing)
  }

  /// Makes the pipe readable, which wakes the thread that waits for it.
  package func wake() {
    var byte: UInt8 = 0
    _ = unsafe write(writing, &byte, 1)
  }

  /// Waits until the pipe is readable, and empties it.
  package func wait() {
    _ = try? Descriptor.wait(for: .input, of: reading, alarm: nil)
    drain()
  }

  /// Reads and discards all bytes in the pipe, so that it is no longer readable.
  package func drain() {
    var bytes: [UInt8] = []
    while (try? Descriptor.wait(for: .input, of: reading, alarm: nil, seconds: 0)) == .ready {
      guard (try? Descriptor.readBytes(reading, into: &bytes, atMost: 4_096)) ?? 0 > 0 else {
        return
      }
      bytes.removeAll(keepingCapacity: true)
    }
  }
}
