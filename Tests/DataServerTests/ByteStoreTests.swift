import DataModel
import DataServer
import Synchronization
import TestSupport
import Testing

@Suite("Bodies of requests and responses")
struct ByteStoreTests {
  private func bytes(_ count: Int, _ random: inout SeededRandom) -> [UInt8] {
    (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
  }

  @Test(
    "returns the bytes that were appended, whatever the sizes and the order of reads",
    .tags(.random), arguments: Seeds.count(check: 1, test: 20, all: 200))
  func order(seed: Int) throws {
    var random = SeededRandom(seed: UInt64(seed))
    for retention in [ByteStore.Retention.kept, .discarded] {
      let store = ByteStore(retention)
      var written: [UInt8] = []
      var read: [UInt8] = []
      let size = random.pick([0, 10, 100_000, 5 << 20, 9 << 20])
      while written.count < size {
        let piece = bytes(random.number(1...(1 << 20)), &random)
        try store.append(piece.span)
        written += piece
        while random.chance(50) {
          _ = store.read(at: read.count, into: &read, atMost: random.number(1...(2 << 20)))
        }
      }
      store.finish()
      while case .bytes = store.read(at: read.count, into: &read, atMost: 1 << 20) {}
      #expect(read == written)
      #expect(store.read(at: read.count, into: &read, atMost: 1) == .end)
      guard retention == .kept else { continue }
      var again: [UInt8] = []
      while case .bytes = store.read(at: again.count, into: &again, atMost: 3_000_000) {}
      #expect(again == written)
    }
  }

  @Test("throws an error if all bytes are requested before the end of writing or after a failure")
  func failure() throws {
    let store = ByteStore(.kept)
    try store.append([1, 2].span)
    #expect(throws: DataError.self) { try store.bytes() }
    var sum = 0
    #expect(throws: DataError.self) {
      try store.forEachPiece { piece in for index in piece.indices { sum += Int(piece[index]) } }
    }
    #expect(sum == 3)
    let failed = ByteStore(.kept)
    try failed.append([1].span)
    failed.fail()
    #expect(throws: DataError.self) { try failed.bytes() }
    store.finish()
    #expect(try store.bytes() == [1, 2])
  }

  @Test("notifies a waiting reader when bytes arrive and when the writer ends")
  func waiting() throws {
    let store = ByteStore(.discarded)
    let calls = Mutex(0)
    var buffer: [UInt8] = []
    #expect(store.read(at: 0, into: &buffer, atMost: 10) == .pending)
    store.whenReadable(after: 0) { calls.withLock { $0 += 1 } }
    #expect(calls.withLock { $0 } == 0)
    try store.append([1, 2].span)
    #expect(calls.withLock { $0 } == 1)
    #expect(store.read(at: 0, into: &buffer, atMost: 10) == .bytes(2))
    store.whenReadable(after: 2) { calls.withLock { $0 += 1 } }
    store.fail()
    #expect(calls.withLock { $0 } == 2)
    store.whenReadable(after: 2) { calls.withLock { $0 += 1 } }
    #expect(calls.withLock { $0 } == 3)
    #expect(store.read(at: 2, into: &buffer, atMost: 10) == .failure)
  }

  @Test("counts the bytes in temporary files until they are read or the body is dropped")
  func budget() throws {
    let bytes = [UInt8](repeating: 7, count: 100 << 10)
    let budget = SpoolBudget(13 * bytes.count)
    do {
      let stores = [ByteStore.Retention.discarded, .kept].map { ByteStore($0, within: budget) }
      for store in stores {
        for _ in 0..<6 { try store.append(bytes.span) }
        #expect(!store.mustWaitForReader)
      }
      // The first piece of each body was in memory until the second one came.
      #expect(budget.count == 12 * bytes.count && !budget.isUsedUp)
      try stores[1].append(bytes.span)
      #expect(budget.isUsedUp && stores.allSatisfy(\.mustWaitForReader))
      var read: [UInt8] = []
      while case .bytes = stores[0].read(at: read.count, into: &read, atMost: 1 << 20) {}
      #expect(read.count == 6 * bytes.count && !stores[0].mustWaitForReader)
      #expect(budget.count == 7 * bytes.count)
      try stores[0].append(bytes.span)
      #expect(stores[0].read(at: read.count, into: &read, atMost: 1 << 20) == .bytes(bytes.count))
      #expect(read.allSatisfy { $0 == 7 })
    }
    #expect(budget.count == 0)
  }

  @Test("a part of a budget is used up without the rest of the budget")
  func parts() {
    let budget = SpoolBudget(100)
    let part = SpoolBudget(50, of: budget)
    part.add(50)
    #expect(part.isUsedUp && !budget.isUsedUp && budget.count == 50)
    part.add(-20)
    budget.add(70)
    #expect(part.isUsedUp && budget.isUsedUp && part.count == 30)
  }
}
