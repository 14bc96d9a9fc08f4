import ClientCore
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
    pipe = try WakePipe.open()
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
