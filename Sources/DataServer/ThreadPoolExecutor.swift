internal import DataModel
internal import Synchronization

/// An executor that runs tasks on a fixed number of threads of its own.
final class ThreadPoolExecutor: TaskExecutor {
  private struct State {
    var jobs: [UnownedJob] = []
    var idle: [WorkerThread]
  }

  private let threads: [WorkerThread]
  private let state: Mutex<State>

  init(threads count: Int) throws(DataError) {
    var threads: [WorkerThread] = []
    for _ in 0..<count { threads.append(try WorkerThread()) }
    self.threads = threads
    state = Mutex(State(idle: threads))
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let thread = state.withLock { state in
      state.jobs.append(job)
      return state.idle.popLast()
    }
    thread?.run { [self] in if let thread { runJobs(on: thread) } }
  }

  /// Ends the threads, after their remaining jobs.
  func end() { for thread in threads { thread.end() } }

  private func runJobs(on thread: WorkerThread) {
    while let job = next(for: thread) {
      unsafe job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }

  /// Removes and returns the next job. If there is none, marks the thread as idle.
  private func next(for thread: WorkerThread) -> UnownedJob? {
    state.withLock { state in
      guard !state.jobs.isEmpty else {
        state.idle.append(thread)
        return nil
      }
      return state.jobs.removeFirst()
    }
  }
}
