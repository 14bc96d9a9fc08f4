import DataModel
import Platform
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A thread that runs closures one after another. The calls of a store run on such a thread,
/// because they can block, and the threads that answer other requests must not be blocked.
final class WorkerThread: Sendable {
  private struct Queue {
    var jobs: [@Sendable () -> Void] = []
    var isEnding = false
  }

  private let queue = Mutex(Queue())
  /// A pipe that wakes the thread. It contains one byte for each closure in the queue.
  private let pipe: WakePipe

  init() throws(DataError) {
    pipe = try WakePipe()
    let status = DetachedThread.run { [self] in work() }
    guard status == 0 else {
      throw DataError(.failed, "cannot start a thread: \(SystemCallError(number: status).text)")
    }
  }

  /// Adds a closure to the queue of the thread, which calls the closures in order.
  func run(_ job: @escaping @Sendable () -> Void) {
    queue.withLock { $0.jobs.append(job) }
    pipe.wake()
  }

  /// Ends the thread as soon as all closures that were passed to `run` have returned.
  func end() {
    queue.withLock { $0.isEnding = true }
    pipe.wake()
  }

  private func work() {
    while true {
      let (jobs, isEnding) = queue.withLock { queue in
        defer { queue.jobs = [] }
        return (queue.jobs, queue.isEnding)
      }
      for job in jobs { job() }
      if jobs.isEmpty {
        if isEnding { return }
        pipe.wait()
      }
    }
  }
}

/// A pipe by which one thread wakes another, or interrupts the calls of a store.
final class WakePipe: Sendable {
  /// The descriptor that `wake` makes readable.
  let reading: Int32
  private let writing: Int32

  /// Creates the pipe (`pipe`).
  init() throws(DataError) {
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else {
      throw DataError(.failed, "cannot create a pipe: \(SystemCallError.last.text)")
    }
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
  func wake() {
    var byte: UInt8 = 0
    _ = unsafe write(writing, &byte, 1)
  }

  /// Waits until the pipe is readable, and empties it.
  func wait() {
    _ = try? Descriptor.wait(for: .input, of: reading, alarm: nil)
    drain()
  }

  /// Reads and discards all bytes in the pipe, so that it is no longer readable.
  func drain() {
    var bytes: [UInt8] = []
    while (try? Descriptor.wait(for: .input, of: reading, alarm: nil, seconds: 0)) == .ready {
      guard (try? Descriptor.readBytes(reading, into: &bytes, atMost: 4_096)) ?? 0 > 0 else {
        return
      }
      bytes.removeAll(keepingCapacity: true)
    }
  }
}

/// The thread that runs the current code.
enum CurrentThread {
  static var id: UInt {
    #if canImport(Darwin)
      UInt(bitPattern: pthread_self())
    #else
      UInt(pthread_self())
    #endif
  }
}
