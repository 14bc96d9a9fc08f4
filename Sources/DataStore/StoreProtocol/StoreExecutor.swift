import Synchronization

/// The executor of a store's actor.
///
/// A command runs everything on the main thread, because starting another thread would take a
/// quarter of the command's run time. In other programs, each store has its own serial queue, so
/// that a slow disk does not block other work.
package final class StoreExecutor: SerialExecutor {
  private struct Queue {
    var jobs: [UnownedJob] = []
    var isRunning = false
  }

  private let queue = Mutex(Queue())
  private let usesMain: Bool
  /// Runs a closure, for example on a thread of its own. The closure executes the waiting jobs.
  private let run: @Sendable (@escaping @Sendable () -> Void) -> Void

  private init(usesMain: Bool) {
    self.usesMain = usesMain
    run = { work in Task.detached { work() } }
  }

  /// Creates an executor that runs one job at a time.
  ///
  /// - Parameter run: Called with a closure whenever jobs are waiting. The closure executes the
  ///   jobs. `run` must call the closure, for example on a thread of its own.
  package init(_ run: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) {
    usesMain = false
    self.run = run
  }

  /// An executor that runs jobs on the main thread.
  package static let main = StoreExecutor(usesMain: true)

  /// Returns an executor that runs one job at a time on the threads of the cooperative pool.
  package static func serialQueue() -> StoreExecutor { StoreExecutor(usesMain: false) }

  /// The executor as the value of an actor's `unownedExecutor`.
  package var unowned: UnownedSerialExecutor {
    unsafe usesMain ? MainActor.sharedUnownedExecutor : asUnownedSerialExecutor()
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isFirst = queue.withLock { queue in
      queue.jobs.append(job)
      defer { queue.isRunning = true }
      return !queue.isRunning
    }
    if isFirst { run { self.drain() } }
  }

  private func drain() {
    while let job = next() {
      unsafe job.runSynchronously(on: asUnownedSerialExecutor())
    }
  }

  private func next() -> UnownedJob? {
    queue.withLock { queue in
      guard !queue.jobs.isEmpty else {
        queue.isRunning = false
        return nil
      }
      return queue.jobs.removeFirst()
    }
  }
}
