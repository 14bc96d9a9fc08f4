import Synchronization

/// Says where an engine's work is done.
///
/// A command runs everything on its main thread, since starting another costs it a quarter of its
/// time. A program gives each store a line of its own, so that a slow disk never blocks the rest.
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

  /// Does the work on the program's main thread.
  package static let main = StoreExecutor(usesMain: true)

  /// Does the work piece after piece, each on whichever thread of the pool is free.
  package static func ownLine() -> StoreExecutor { StoreExecutor(usesMain: false) }

  /// What the engine's actor names as its executor.
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
