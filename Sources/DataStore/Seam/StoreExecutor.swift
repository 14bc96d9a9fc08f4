import Synchronization

/// The executor of a store's actor.
///
/// A command runs everything on the main thread, because starting another thread would take a
/// quarter of its run time. In other programs each store has its own serial queue, so that a slow
/// disk does not block other work.
package final class StoreExecutor: SerialExecutor {
  private struct Line {
    var jobs: [UnownedJob] = []
    var isMoving = false
  }

  private let line = Mutex(Line())
  private let usesMain: Bool

  private init(usesMain: Bool) {
    self.usesMain = usesMain
  }

  /// Runs jobs on the main thread.
  package static let main = StoreExecutor(usesMain: true)

  /// Returns an executor that runs one job at a time on the threads of the cooperative pool.
  package static func ownLine() -> StoreExecutor { StoreExecutor(usesMain: false) }

  /// The executor to return from the actor's `unownedExecutor`.
  package var unowned: UnownedSerialExecutor {
    unsafe usesMain ? MainActor.sharedUnownedExecutor : asUnownedSerialExecutor()
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isFirst = line.withLock { line in
      line.jobs.append(job)
      defer { line.isMoving = true }
      return !line.isMoving
    }
    if isFirst { Task.detached { self.work() } }
  }

  private func work() {
    while let job = next() {
      unsafe job.runSynchronously(on: asUnownedSerialExecutor())
    }
  }

  private func next() -> UnownedJob? {
    line.withLock { line in
      guard !line.jobs.isEmpty else {
        line.isMoving = false
        return nil
      }
      return line.jobs.removeFirst()
    }
  }
}
