import DataModel
import DataStore
import Synchronization

/// The right to write, which one process at a time has; it ends with the value.
///
/// SQLite before 3.51.3 can damage a file that two connections checkpoint at once. Under this lock
/// there are never two; and whoever waits for it waits in a queue.
struct WriteLock: ~Copyable {
  private let file: LockFile

  /// Takes the lock of a store, waiting for it as long as is allowed.
  static func taken(
    _ path: StorePath, wait: WriteWait
  ) async throws(DataError) -> WriteLock {
    let file = try LockFile(path.lock)
    if file.isTaken() { return WriteLock(file: file) }
    guard wait.seconds > 0 else { throw .busy(path.given) }
    let queue = LockQueue()
    try file.whenTaken { queue.take($0) }
    let timer = Task {
      // A wait that is cancelled has nobody left who waits.
      try? await Task.sleep(for: .seconds(wait.seconds))
      queue.giveUp()
    }
    defer { timer.cancel() }
    guard let descriptor = await queue.descriptor() else { throw .busy(path.given) }
    return WriteLock(file: LockFile(descriptor: descriptor))
  }

  /// Does something while nobody else writes.
  func holding<Result>(
    _ body: () throws(DataError) -> Result
  ) throws(DataError) -> Result {
    try body()
  }
}

/// Brings together the thread that waits for a lock and the clock that ends the wait.
private final class LockQueue: Sendable {
  private enum State {
    case waiting(CheckedContinuation<Int32?, Never>?)
    case taken(Int32)
    case givenUp
  }

  private let state = Mutex(State.waiting(nil))

  func take(_ descriptor: Int32) {
    let isWanted = state.withLock { state in
      switch state {
      case .waiting(let waiter):
        state = .taken(descriptor)
        waiter?.resume(returning: descriptor)
        return true
      case .taken, .givenUp: return false
      }
    }
    // Nobody waits any more; closing the file gives the lock to the next.
    if !isWanted { _ = LockFile(descriptor: descriptor) }
  }

  func giveUp() {
    state.withLock { state in
      guard case .waiting(let waiter) = state else { return }
      state = .givenUp
      waiter?.resume(returning: nil)
    }
  }

  /// The file with the lock, or nil if the clock was faster.
  func descriptor() async -> Int32? {
    await withCheckedContinuation { waiter in
      state.withLock { state in
        switch state {
        case .waiting: state = .waiting(waiter)
        case .taken(let descriptor): waiter.resume(returning: descriptor)
        case .givenUp: waiter.resume(returning: nil)
        }
      }
    }
  }
}
