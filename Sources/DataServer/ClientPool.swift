package import ClientCore
package import DataModel
package import DataStore
internal import Platform
internal import Synchronization

/// The open clients of a store, each of which is used by one request at a time.
package final class ClientPool: Sendable {
  /// How many clients there are, and whether there are separate clients for reading and for
  /// writing. An SQLite store has several clients for reading, but only one for writing, because
  /// SQLite allows only one writer. All clients of a PostgreSQL store can read and write. There are
  /// at least two clients for reading.
  package enum Size: Sendable {
    case separate(readers: Int)
    case common(Int)

    /// The number of clients for reading.
    fileprivate var readers: Int {
      switch self {
      case .separate(let count), .common(let count): max(2, count)
      }
    }

    /// The number of threads that answer anonymous requests, which is half of the number of clients
    /// for reading.
    package var anonymousThreads: Int { readers / 2 }
  }

  /// Who sends a request. Anonymous requests use at most half of the clients for reading, so that
  /// they cannot keep out the users.
  package enum Caller: Sendable {
    case anonymous
    case user

    fileprivate var share: ResourceShare {
      switch self {
      case .anonymous: .limited
      case .user: .unlimited
      }
    }
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
      alarm = try WakePipe.open()
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

  private let open: Opener
  private let readers: ResourceQueue<Entry>
  /// The queue of the clients that can write. If all clients can write, this is the same queue as
  /// `readers`.
  private let writers: ResourceQueue<Entry>
  /// Answers anonymous requests.
  private let anonymousExecutor: ThreadPoolExecutor
  /// The idle clients for requests that are answered on the thread of an event loop.
  private let inlineReaders: Mutex<[Entry]>

  private let passwords: PasswordThreads

  /// The client for the reads of the current task. Nil if the task was not started by `runInline`.
  @TaskLocal private static var own: Entry?

  package init(_ size: Size, open: @escaping Opener) throws(DataError) {
    self.open = open
    passwords = try PasswordThreads(count: Processors.count)
    var inlineReaders: [Entry] = []
    anonymousExecutor = try ThreadPoolExecutor(threads: size.anonymousThreads)
    func queue(of count: Int, anonymousShare: Int) throws(DataError) -> ResourceQueue<Entry> {
      var entries: [Entry] = []
      for _ in 0..<count { entries.append(try Entry(.thread(try WorkerThread()))) }
      return ResourceQueue(entries, limitedShare: anonymousShare)
    }
    readers = try queue(of: size.readers, anonymousShare: size.anonymousThreads)
    switch size {
    case .separate:
      writers = try queue(of: 1, anonymousShare: 1)
      for _ in 0..<Processors.count {
        inlineReaders.append(try Entry(.inline(try InlineExecutor())))
      }
    case .common: writers = readers
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

  /// Runs an operation of a caller. The operations of anonymous callers run on few threads, so that
  /// they cannot keep the others busy.
  package func run<Result: Sendable>(
    for caller: Caller, _ operation: () async -> Result
  ) async -> Result {
    guard caller == .anonymous, !isInline else { return await operation() }
    return await withTaskExecutorPreference(anonymousExecutor) { await operation() }
  }

  /// Calls a closure with a client. If all clients that the caller may use are in use, waits for
  /// one.
  ///
  /// While the closure hashes or verifies passwords (`Passwords.perform`), other requests can use
  /// the client.
  ///
  /// - Parameter exchange: The request. If it is canceled, the calls of the client's store are
  ///   interrupted.
  package func withClient<Result: Sendable>(
    for access: StoreAccess, _ exchange: Exchange, _ body: (Client) async throws -> Result
  ) async throws -> Result {
    try await withClient(for: access, by: exchange.caller, exchange, body)
  }

  package func withClient<Result: Sendable>(
    for access: StoreAccess, by caller: Caller, _ exchange: Exchange? = nil,
    _ body: (Client) async throws -> Result
  ) async throws -> Result {
    if access == .reading, let entry = Self.own {
      let use = Use(entry, exchange)
      return try await withClient(of: use) { client in try await body(client) }
    }
    let queue = access == .reading ? readers : writers
    let entry = try await queue.take(for: caller.share)
    let use = Use(entry, exchange, of: caller, queue: queue, passwords)
    defer { use.giveBack() }
    return try await withClient(of: use) { client in
      try await Passwords.$performer.withValue(use) { try await body(client) }
    }
  }

  private func withClient<Result: Sendable>(
    of use: Use, _ body: (Client) async throws -> Result
  ) async throws -> Result {
    let entry = use.entry
    let client: Client
    if let opened = entry.client {
      client = opened
    } else {
      client = try await open(entry.executor, entry.alarm.reading, entry.lockTimeout)
      entry.client = client
    }
    use.begin()
    do {
      let result = try await body(client)
      await use.end()
      return result
    } catch let error as DataError
      where [.storeUnreachable, .outcomeUnknown].contains(error.code) && use.isCurrent
    {
      // The connection may be lost, so the next request opens a new one.
      await use.end()
      if entry.client === client { entry.client = nil }
      await client.close()
      throw error
    } catch {
      await use.end()
      throw error
    }
  }

  /// The use of a client by a request.
  private final class Use: PasswordPerformer {
    let entry: Entry
    private let exchange: Exchange?
    /// The queue to which the client is given back, or nil if it does not come from a queue.
    private let queue: ResourceQueue<Entry>?
    private let caller: Caller
    private let passwords: PasswordThreads?
    /// Whether the client belongs to the request. It does not while passwords are hashed.
    private let current = Atomic(true)

    init(
      _ entry: Entry, _ exchange: Exchange?, of caller: Caller = .user,
      queue: ResourceQueue<Entry>? = nil, _ passwords: PasswordThreads? = nil
    ) {
      self.entry = entry
      self.exchange = exchange
      self.caller = caller
      self.queue = queue
      self.passwords = passwords
    }

    var isCurrent: Bool { current.load(ordering: .relaxed) }

    func begin() { exchange?.onCancellation { [entry] in entry.alarm.wake() } }

    /// Ends the use of the client.
    ///
    /// Canceling a request interrupts the calls of the client's store until the alarm is reset.
    /// Therefore the alarm is reset before the store ends its transactions.
    func end() async {
      guard isCurrent else { return }
      exchange?.onCancellation(nil)
      entry.alarm.drain()
      await entry.client?.endIdleReads()
    }

    func giveBack() {
      if current.exchange(false, ordering: .relaxed) { queue?.give(entry, from: caller.share) }
    }

    func perform(_ jobs: [any PasswordJob]) async throws(DataError) -> [String?] {
      guard let queue, let passwords else { throw .interrupted }
      let client = entry.client
      await end()
      giveBack()
      let results = try await passwords.perform(jobs)
      // The request continues with the same client, because it has objects that belong to it.
      _ = try await queue.take(entry, for: caller.share)
      current.store(true, ordering: .relaxed)
      begin()
      guard entry.client === client else {
        throw DataError(.storeUnreachable, "the connection to the store was lost")
      }
      return results
    }
  }

  /// Closes the clients that are not in use.
  package func close() async {
    let inline = inlineReaders.withLock { entries in
      defer { entries = [] }
      return entries
    }
    for entry in inline + readers.removeIdle() + writers.removeIdle() { await entry.close() }
    passwords.end()
    anonymousExecutor.end()
  }
}
