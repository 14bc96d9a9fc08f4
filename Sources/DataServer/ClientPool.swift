package import ClientCore
package import DataModel
package import DataStore
internal import Platform
internal import Synchronization

/// The open clients of a store, each of which is used by one request at a time.
package final class ClientPool: Sendable {
  /// How many clients there are, and whether there are separate clients for reading and for
  /// writing. An SQLite store has several clients for reading, but only one for writing, because
  /// SQLite allows only one writer. All clients of a PostgreSQL store can read and write.
  package enum Size: Sendable {
    case separate(readers: Int)
    case common(Int)
  }

  /// Opens a client. The calls of its store run on `executor`, and are interrupted when the
  /// descriptor `alarm` becomes readable. Reads wait for locks for at most `lockTimeout` seconds;
  /// nil means the default.
  package typealias Opener =
    @Sendable (
      _ executor: StoreExecutor, _ alarm: Int32, _ lockTimeout: Double?
    ) async throws(DataError) -> Client

  private final class Entry: Sendable {
    /// The thread or executor that runs the calls of the store.
    enum Runner {
      case thread(WorkerThread)
      case inline(InlineExecutor)
    }

    let runner: Runner
    let alarm: WakePipe
    private let opened = Mutex<Client?>(nil)

    init(_ runner: Runner) throws(DataError) {
      self.runner = runner
      alarm = try WakePipe()
    }

    /// The executor on which the client's store runs its calls.
    var executor: StoreExecutor {
      switch runner {
      case .thread(let thread): StoreExecutor { thread.run($0) }
      case .inline(let executor): StoreExecutor { executor.run($0) }
      }
    }

    /// How many seconds reads wait for locks: 0 on the thread of an event loop, which must not
    /// wait, and nil (the default) on other threads.
    var lockTimeout: Double? {
      switch runner {
      case .thread: nil
      case .inline: 0
      }
    }

    /// Closes the client, and ends the thread or executor that runs the calls of its store.
    func close() async {
      await client?.close()
      client = nil
      switch runner {
      case .thread(let thread): thread.end()
      case .inline(let executor): executor.end()
      }
    }

    var client: Client? {
      get { opened.withLock { $0 } }
      set { opened.withLock { $0 = newValue } }
    }
  }

  /// The clients that no request uses at the moment, and the requests that wait for one.
  private final class Queue: Sendable {
    private struct State {
      var idle: [Entry]
      /// The requests that wait, oldest first.
      var waiting: [(id: Int, continuation: CheckedContinuation<Entry?, Never>)] = []
      var nextID = 0
    }

    private let state: Mutex<State>

    init(_ count: Int) throws(DataError) {
      var entries: [Entry] = []
      for _ in 0..<count { entries.append(try Entry(.thread(try WorkerThread()))) }
      state = Mutex(State(idle: entries))
    }

    /// Removes an idle client from the queue and returns it. If all clients are in use, waits for
    /// one. Returns nil if the task is canceled while it waits.
    func take() async -> Entry? {
      let id = state.withLock { state in
        state.nextID += 1
        return state.nextID
      }
      return await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          let entry = state.withLock { state -> Entry?? in
            if Task.isCancelled { return .some(nil) }
            if let entry = state.idle.popLast() { return .some(entry) }
            state.waiting.append((id, continuation))
            return nil
          }
          if let entry { continuation.resume(returning: entry) }
        }
      } onCancel: {
        let waiting = state.withLock { state in
          state.waiting.firstIndex { $0.id == id }.map { state.waiting.remove(at: $0) }
        }
        waiting?.continuation.resume(returning: nil)
      }
    }

    func give(_ entry: Entry) {
      let next = state.withLock { state -> CheckedContinuation<Entry?, Never>? in
        guard !state.waiting.isEmpty else {
          state.idle.append(entry)
          return nil
        }
        return state.waiting.removeFirst().continuation
      }
      next?.resume(returning: entry)
    }

    /// Removes and returns the idle clients.
    func removeIdle() -> [Entry] {
      state.withLock { state in
        defer { state.idle = [] }
        return state.idle
      }
    }
  }

  private let open: Opener
  private let readers: Queue
  /// The queue of the clients that can write. If all clients can write, this is the same queue as
  /// `readers`.
  private let writers: Queue
  /// The idle clients for requests that are answered on the thread of an event loop.
  private let inlineReaders: Mutex<[Entry]>

  /// The client for the reads of the current task. Nil if the task was not started by `runInline`.
  @TaskLocal private static var own: Entry?

  package init(_ size: Size, open: @escaping Opener) throws(DataError) {
    self.open = open
    var inlineReaders: [Entry] = []
    switch size {
    case .separate(let count):
      readers = try Queue(count)
      writers = try Queue(1)
      for _ in 0..<Processors.count {
        inlineReaders.append(try Entry(.inline(try InlineExecutor())))
      }
    case .common(let count):
      readers = try Queue(count)
      writers = readers
    }
    self.inlineReaders = Mutex(inlineReaders)
  }

  /// Starts an operation that reads from the store, and runs it on the current thread until it
  /// waits or ends. This is possible only with an SQLite store: calls of a PostgreSQL store would
  /// block the thread.
  ///
  /// - Returns: False if the operation was not started, because no client is available for it.
  package func runInline(_ operation: @escaping @Sendable () async -> Void) -> Bool {
    guard let entry = inlineReaders.withLock({ $0.popLast() }) else { return false }
    guard case .inline(let executor) = entry.runner else { return false }
    executor.runInline {
      Task.detached(executorPreference: executor) { [self] in
        await Self.$own.withValue(entry) { await operation() }
        inlineReaders.withLock { $0.append(entry) }
      }
    }
    return true
  }

  /// Whether the current task was started by `runInline`, so that its reads do not wait for locks.
  package var isInline: Bool { Self.own != nil }

  /// Runs an operation on other threads, with clients that may wait for locks. This is necessary if
  /// a read of the operation failed in `runInline`, where reads do not wait for locks.
  package func leaveInline(_ operation: @escaping @Sendable () async -> Void) async {
    // A detached task does not inherit the client and the executor of the current task.
    await Task.detached { await operation() }.value
  }

  /// Calls a closure with a client. If all clients are in use, waits for one.
  ///
  /// - Parameter exchange: The request, or nil if there is none. If the request is canceled, the
  ///   calls of the client's store are interrupted.
  package func withClient<Result: Sendable>(
    for access: StoreAccess, _ exchange: Exchange?,
    _ body: (Client) async throws -> Result
  ) async throws -> Result {
    if access == .reading, let entry = Self.own {
      return try await withClient(of: entry, exchange, body)
    }
    let queue = access == .reading ? readers : writers
    guard let entry = await queue.take() else { throw DataError.interrupted }
    defer { queue.give(entry) }
    return try await withClient(of: entry, exchange, body)
  }

  private func withClient<Result: Sendable>(
    of entry: Entry, _ exchange: Exchange?, _ body: (Client) async throws -> Result
  ) async throws -> Result {
    let client: Client
    if let opened = entry.client {
      client = opened
    } else {
      client = try await open(entry.executor, entry.alarm.reading, entry.lockTimeout)
      entry.client = client
    }
    exchange?.onCancellation { entry.alarm.wake() }
    do {
      let result = try await body(client)
      await end(client, of: entry, exchange)
      return result
    } catch let error as DataError where error.code == .storeUnreachable {
      // The connection may be lost, so the next request opens a new one.
      await end(client, of: entry, exchange)
      entry.client = nil
      await client.close()
      throw error
    } catch {
      await end(client, of: entry, exchange)
      throw error
    }
  }

  /// Ends the use of a client for a request.
  ///
  /// Canceling a request interrupts the calls of the client's store until the alarm is reset.
  /// Therefore the alarm is reset before the store ends its transactions.
  private func end(_ client: Client, of entry: Entry, _ exchange: Exchange?) async {
    exchange?.onCancellation(nil)
    entry.alarm.drain()
    await client.store.endIdleReads()
  }

  /// Closes the clients that are not in use.
  package func close() async {
    let inline = inlineReaders.withLock { entries in
      defer { entries = [] }
      return entries
    }
    for entry in inline + readers.removeIdle() + writers.removeIdle() { await entry.close() }
  }
}
