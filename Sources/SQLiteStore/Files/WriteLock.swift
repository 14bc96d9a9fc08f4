import DataModel
import DataStore

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
    try file.whenTaken { descriptor in
      Task { await queue.take(descriptor) }
    }
    let timer = Task {
      // A wait that is cancelled has nobody left who waits.
      try? await Task.sleep(for: .seconds(wait.seconds))
      await queue.giveUp()
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
private actor LockQueue {
  private enum State {
    case waiting
    case taken(Int32)
    case givenUp
  }

  private var state = State.waiting
  private var waiter: CheckedContinuation<Int32?, Never>?

  func take(_ descriptor: Int32) {
    switch state {
    case .waiting:
      state = .taken(descriptor)
      waiter?.resume(returning: descriptor)
      waiter = nil
    case .taken, .givenUp: _ = LockFile(descriptor: descriptor)
    }
  }

  func giveUp() {
    guard case .waiting = state else { return }
    state = .givenUp
    waiter?.resume(returning: nil)
    waiter = nil
  }

  func descriptor() async -> Int32? {
    switch state {
    case .taken(let descriptor): return descriptor
    case .givenUp: return nil
    case .waiting: return await withCheckedContinuation { waiter = $0 }
    }
  }
}
