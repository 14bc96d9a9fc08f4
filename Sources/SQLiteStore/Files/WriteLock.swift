import DataModel
import DataStore
import Platform
import Synchronization

/// An exclusive lock on a store, which a process holds while it writes. It is released on
/// deinitialization.
///
/// It is needed because SQLite before 3.51.3 can corrupt a database when two connections run a
/// checkpoint at the same time. Unlike SQLite's own lock, it is also fair: the kernel keeps the
/// processes that wait for it in a queue.
struct WriteLock: ~Copyable {
  private let file: LockFile

  private init(_ file: consuming LockFile, of path: StorePath) {
    self.file = file
    StoreFile.removeSecondName(of: path)
  }

  /// Acquires the write lock of a store. Throws an error if the lock does not become free within
  /// the time that `wait` allows, or if the program must stop.
  static func acquired(
    _ path: StorePath, wait: WriteWait, alarm: Int32?
  ) async throws(DataError) -> WriteLock {
    let file = try LockFile(path.lock, of: path.name)
    if file.tryLock() { return WriteLock(file, of: path) }
    guard wait.seconds > 0 else { throw .busy(path.given) }
    let queue = PendingLock()
    try file.lockInBackground { queue.fulfill($0) }
    let timer = Task {
      // The timer is canceled only after the wait has ended, and `timeOut` has no effect then.
      await Alarm.sleep(seconds: wait.seconds, unless: alarm)
      queue.timeOut()
    }
    defer { timer.cancel() }
    let acquired = await withTaskCancellationHandler {
      await queue.descriptor()
    } onCancel: {
      queue.timeOut()
    }
    guard let descriptor = acquired else {
      throw Alarm.isRaised(alarm) ? .interrupted : .busy(path.given)
    }
    return WriteLock(LockFile(descriptor: descriptor), of: path)
  }

  /// Calls a closure while the lock is held. The lock cannot be released before the closure
  /// returns.
  func withLock<Result>(
    _ body: () throws(DataError) -> Result
  ) throws(DataError) -> Result {
    try body()
  }
}

/// A wait for the lock, which ends when the lock is acquired or the wait times out. It is shared
/// by the waiting thread and a timer.
private final class PendingLock: Sendable {
  private enum State {
    /// The lock has not been acquired yet. The closure resumes the waiting task; nil if no task
    /// waits.
    ///
    /// A closure is used instead of a continuation: to create the type of a continuation, Swift
    /// would search all protocol conformances of the program at run time, even if no task waits.
    case waiting((@Sendable (Int32?) -> Void)?)
    case acquired(Int32)
    case timedOut
  }

  private let state = Mutex(State.waiting(nil))

  func fulfill(_ descriptor: Int32) {
    let isAccepted = state.withLock { state in
      switch state {
      case .waiting(let waiter):
        state = .acquired(descriptor)
        waiter?(descriptor)
        return true
      case .acquired, .timedOut: return false
      }
    }
    // The wait has timed out before. Closing the file releases the lock for the next process.
    if !isAccepted { _ = LockFile(descriptor: descriptor) }
  }

  func timeOut() {
    state.withLock { state in
      guard case .waiting(let waiter) = state else { return }
      state = .timedOut
      waiter?(nil)
    }
  }

  /// Waits for the lock. Returns the descriptor of the locked file, or nil if the wait timed out.
  func descriptor() async -> Int32? {
    await withCheckedContinuation { waiter in
      state.withLock { state in
        switch state {
        case .waiting: state = .waiting { waiter.resume(returning: $0) }
        case .acquired(let descriptor): waiter.resume(returning: descriptor)
        case .timedOut: waiter.resume(returning: nil)
        }
      }
    }
  }
}
