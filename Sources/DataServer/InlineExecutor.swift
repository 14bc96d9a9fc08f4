internal import DataModel
internal import Synchronization

/// An executor that runs a task on the thread that starts the task, until the task first waits.
/// After that, the task runs on the thread of the executor. The executor runs one job at a time.
final class InlineExecutor: TaskExecutor {
  private enum Work {
    case job(UnownedJob)
    case closure(@Sendable () -> Void)
  }

  private struct State {
    var queue: [Work] = []
    /// Whether a thread is running the jobs in the queue.
    var isRunning = false
  }

  private let state = Mutex(State())
  private let thread: WorkerThread

  init() throws(DataError) {
    thread = try WorkerThread()
  }

  func enqueue(_ job: consuming ExecutorJob) { add(.job(UnownedJob(job))) }

  /// Enqueues a closure, which the executor calls between two jobs.
  func run(_ closure: @escaping @Sendable () -> Void) { add(.closure(closure)) }

  /// Calls a closure that starts a task, and runs the task on the current thread until it waits or
  /// ends.
  func runInline(_ start: () -> Void) {
    let isIdle = state.withLock { state in
      defer { state.isRunning = true }
      return !state.isRunning
    }
    start()
    if isIdle { drain() }
  }

  /// Ends the thread of the executor, after its remaining jobs.
  func end() { thread.end() }

  private func add(_ work: Work) {
    let isFirst = state.withLock { state in
      state.queue.append(work)
      defer { state.isRunning = true }
      return !state.isRunning
    }
    if isFirst { thread.run { self.drain() } }
  }

  private func drain() {
    while let work = next() {
      switch work {
      case .job(let job): unsafe job.runSynchronously(on: asUnownedTaskExecutor())
      case .closure(let closure): closure()
      }
    }
  }

  private func next() -> Work? {
    state.withLock { state in
      guard !state.queue.isEmpty else {
        state.isRunning = false
        return nil
      }
      return state.queue.removeFirst()
    }
  }
}
