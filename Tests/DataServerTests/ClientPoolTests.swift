import ClientCore
import DataModel
import DataServer
import DataStore
import Synchronization
import Testing

@Suite("The clients of a server")
struct ClientPoolTests {
  /// Counts the operations that run at the same time.
  private final class Counter: Sendable {
    private let counts = Mutex((now: 0, most: 0))

    var most: Int { counts.withLock { $0.most } }

    func begin() {
      counts.withLock { counts in
        counts.now += 1
        counts.most = max(counts.most, counts.now)
      }
    }

    func end() { counts.withLock { $0.now -= 1 } }
  }

  private func pool(_ size: ClientPool.Size) throws -> ClientPool {
    try ClientPool(size) { (executor, _, _) throws(DataError) in
      try await Client.open(
        StoreChoice(StoreAddress("memory:", in: "/"), origin: .option), for: .writing,
        in: .process, executor: executor)
    }
  }

  /// Returns how many of many requests of a caller use clients at the same time.
  private func concurrency(
    of caller: ClientPool.Caller, in pool: ClientPool
  ) async throws -> Int {
    let counter = Counter()
    try await withThrowingTaskGroup { group in
      for _ in 0..<40 {
        group.addTask {
          try await pool.withClient(for: .reading, by: caller) { _ in
            counter.begin()
            for _ in 0..<100 { await Task.yield() }
            counter.end()
          }
        }
      }
      try await group.waitForAll()
    }
    return counter.most
  }

  @Test(
    "anonymous requests use at most half of the clients, and there are at least two clients",
    arguments: [
      (.separate(readers: 4), 2, 4), (.separate(readers: 1), 1, 2), (.common(8), 4, 8),
      (.common(1), 1, 2),
    ] as [(ClientPool.Size, Int, Int)])
  func shares(size: ClientPool.Size, anonymous: Int, users: Int) async throws {
    let pool = try pool(size)
    #expect(try await concurrency(of: .anonymous, in: pool) == anonymous)
    #expect(try await concurrency(of: .user, in: pool) == users)
    await pool.close()
  }

  @Test("users get a client while anonymous requests hold and await clients")
  func waiting() async throws {
    let pool = try pool(.separate(readers: 2))
    let (begun, begin) = AsyncStream<Void>.makeStream()
    let (ended, end) = AsyncStream<Void>.makeStream()
    let holding = Task {
      try await pool.withClient(for: .reading, by: .anonymous) { _ in
        begin.yield()
        for await _ in ended {}
      }
    }
    for await _ in begun { break }
    let users = Counter()
    try await withThrowingTaskGroup { group in
      group.addTask {
        try await pool.withClient(for: .reading, by: .anonymous) { _ in
          #expect(users.most == 1)
        }
      }
      try await pool.withClient(for: .reading, by: .user) { _ in
        users.begin()
      }
      end.finish()
      try await group.waitForAll()
    }
    try await holding.value
    await pool.close()
  }

  @Test("the code of anonymous requests runs on at most half as many threads as there are clients")
  func threads() async throws {
    let pool = try pool(.separate(readers: 4))
    let counter = Counter()
    await withTaskGroup { group in
      for _ in 0..<40 {
        group.addTask {
          await pool.run(for: .anonymous) {
            counter.begin()
            var sum = 0
            for number in 0..<200_000 { sum &+= number ^ sum }
            #expect(sum != 1)
            counter.end()
          }
        }
      }
    }
    #expect((1...2).contains(counter.most))
    await pool.close()
  }
}
