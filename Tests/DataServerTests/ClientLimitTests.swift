import ClientCore
import DataModel
import DataServer
import Dispatch
import Platform
import Synchronization
import Testing

@Suite("Limits on clients", .timeLimit(.minutes(10)))
struct ClientLimitTests {
  private func pool(_ size: ClientPool.Size) throws -> ClientPool {
    try ClientPool(size) { (executor, _, _) throws(DataError) in
      try await Client.open(
        StoreChoice(StoreAddress("memory:", in: "/"), origin: .option), for: .writing,
        in: .process, executor: executor)
    }
  }

  /// A point at which the threads that hash passwords wait.
  private final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func wait() { semaphore.wait() }

    func open(for count: Int) {
      for _ in 0..<count { semaphore.signal() }
    }
  }

  /// A job that ends when the gate is opened for it.
  private struct BlockedJob: PasswordJob {
    let gate: Gate
    var begin: @Sendable () -> Void = {}

    func result() -> String? {
      begin()
      gate.wait()
      return "done"
    }
  }

  @Test(
    "lets other requests use the client of a request while its password is hashed",
    arguments: [1, 2])
  func otherRequests(readers: Int) async throws {
    let pool = try pool(.separate(readers: readers))
    let (begun, begin) = AsyncStream.makeStream(of: Void.self)
    let gate = Gate()
    async let first = pool.withClient(for: .writing, by: .user) { client in
      let client = ObjectIdentifier(client)
      let results = try await Passwords.perform([
        BlockedJob(gate: gate) { begin.yield() }, BlockedJob(gate: gate),
      ])
      return (client, results)
    }
    for await _ in begun { break }
    // Waits forever if the first request keeps its client.
    let second = try await pool.withClient(for: .writing, by: .user) { ObjectIdentifier($0) }
    gate.open(for: 2)
    let (client, results) = try await first
    #expect(results == ["done", "done"] && client == second)
    await pool.close()
  }

  @Test("refuses passwords while 32 requests wait until others are hashed")
  func limit() async throws {
    let pool = try pool(.common(2))
    let accepted = Processors.count + 32
    let gate = Gate()
    let outcomes = await withTaskGroup(of: DataError?.self) { group in
      for _ in 0..<accepted + 5 {
        group.addTask {
          do {
            try await pool.withClient(for: .writing, by: .user) { _ in
              _ = try await Passwords.perform([BlockedJob(gate: gate)])
            }
            return nil
          } catch {
            return error as? DataError
          }
        }
      }
      var outcomes: [DataError?] = []
      for await outcome in group {
        outcomes.append(outcome)
        if outcomes.count == 5 { gate.open(for: accepted) }
      }
      return outcomes
    }
    #expect(outcomes.prefix(5).allSatisfy { $0?.code == .storeBusy })
    #expect(outcomes.dropFirst(5).allSatisfy { $0 == nil } && outcomes.count == accepted + 5)
    await pool.close()
  }

  @Test("limits wrong passwords of an address by a clock that is never set")
  func throttle() async throws {
    let seconds = Mutex(1_000.0)
    let throttle = AddressThrottle { seconds.withLock { $0 } }
    func attempt(_ address: String = "192.0.2.1") async -> ErrorCode? {
      do {
        try await throttle.limiting(address) { throw DataError(.wrongLogin, "wrong") }
        return nil
      } catch {
        return (error as? DataError)?.code
      }
    }
    for _ in 0..<5 { #expect(await attempt() == .wrongLogin) }
    #expect(await attempt() == .throttled)
    #expect(await attempt("192.0.2.2") == .wrongLogin)
    seconds.withLock { $0 += 10 }
    #expect(await attempt() == .wrongLogin)
    #expect(await attempt() == .throttled)
  }

  @Test("gives clients ten seconds, and then requires 1 KB a second and at most 60 seconds")
  func bodySpeed() {
    let speed = HTTPServer.BodySpeed()
    for (bytes, seconds, isTooSlow) in [
      (0, 10.0, false), (11_000, 11, true), (11_264, 11, false), (61_440, 60, false),
      (1 << 20, 60.5, true),
    ] {
      #expect(speed.isTooSlow(bytes: bytes, in: seconds) == isTooSlow, "\(bytes), \(seconds)")
    }
  }

  @Test("counts the addresses of an IPv6 network as one")
  func networks() {
    for (address, network) in [
      ("192.0.2.1", "192.0.2.1"), ("unix", "unix"), ("::ffff:192.0.2.1", "192.0.2.1"),
      ("2001:db8:0:1::1", "2001:db8:0:1::/64"), ("2001:DB8:0:1:ff::2", "2001:db8:0:1::/64"),
      ("fe80::1%eth0", "fe80:0:0:0::/64"), ("::1", "0:0:0:0::/64"),
    ] {
      #expect(ConnectionSocket.network(of: address) == network)
    }
  }
}
