import DataModel
import Synchronization
import TestSupport
import Testing

@Suite("IDs")
struct IDTests {
  private let seeded: IDGenerator.RandomFill = { words in
    var generator = SeededRandom(seed: 41)
    for index in words.indices { words[index] = generator.next() }
  }

  @Test("generates UUIDs of version 7 with the clock's time in milliseconds")
  func form() {
    var generator = IDGenerator(
      clock: { 1_795_143_900_123_456 },
      randomWords: { words in
        for index in words.indices { words[index] = 0x0123_4567_89AB_CDEF }
      })
    var ids = Array("id:".utf8)
    generator.next(into: &ids)
    generator.next(into: &ids)
    #expect(
      String(decoding: ids, as: UTF8.self) == "id:"
        + "01a1f6ea-1bdb-7000-8123-456789abcdef" + "01a1f6ea-1bdb-7001-8123-456789abcdef")
  }

  @Test("fills all bits of a UUID except version and variant with random values")
  func randomBits() {
    var generator = IDGenerator(
      clock: { 0 },
      randomWords: { words in
        for index in words.indices { words[index] = .max }
      })
    #expect(ids(1, from: &generator) == ["00000000-0000-7001-bfff-ffffffffffff"])
  }

  @Test("generates increasing ids when the clock does not advance and the counter overflows")
  func stoppedClock() {
    var generator = IDGenerator(clock: { 1_000_000 }, randomWords: seeded)
    let made = ids(10_000, from: &generator)
    #expect(
      zip(made, made.dropFirst()).allSatisfy {
        Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8))
      })
    #expect(made[0].hasPrefix("00000000-03e8-7000-"))
    #expect(made[4_095].hasPrefix("00000000-03e8-7fff-"))
    #expect(made[4_096].hasPrefix("00000000-03e9-7000-"))
  }

  @Test("generates increasing ids when the clock jumps or returns invalid times")
  func unsteadyClock() {
    let clock = ScriptedClock(times: [
      5_000_000, 4_000_000, -7, 5_001_000, .min, 9_000_000, 0, .max, 1,
    ])
    var generator = IDGenerator(clock: { clock.next() }, randomWords: seeded)
    let made = ids(5_000, from: &generator)
    #expect(
      zip(made, made.dropFirst()).allSatisfy {
        Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8))
      })
    #expect(made.allSatisfy { $0.utf8.count == 36 && IDs.isValid(Array($0.utf8).span) })
  }

  @Test("generates different ids when two generators run at the same time")
  func twoGenerators() {
    var first = IDGenerator(clock: { 1_000_000 })
    var second = IDGenerator(clock: { 1_000_000 })
    let made = ids(1_000, from: &first) + ids(1_000, from: &second)
    #expect(Set(made).count == 2_000)
  }

  @Test(
    "accepts 1 to 255 bytes of UTF-8 without control characters",
    arguments: [
      "a", "7", " ", "ann@example.com", "größe", "🙂", "01a1f6ea-1bdb-7000-8123-456789abcdef", "a/b",
    ])
  func valid(id: String) {
    #expect(IDs.isValid(Array(id.utf8).span) == true)
  }

  @Test(
    "rejects empty text and control characters",
    arguments: ["", "\n", "a\u{0}", "\u{1B}[31m", "a\u{7F}", "a\u{85}b", "a\tb"])
  func invalid(id: String) {
    #expect(IDs.isValid(Array(id.utf8).span) == false)
  }

  @Test("rejects an id with invalid UTF-8 or more than 255 bytes")
  func invalidBytes() {
    #expect(IDs.isValid([UInt8]([0x61, 0xFF]).span) == false)
    #expect(IDs.isValid([UInt8]([0xED, 0xA0, 0x80]).span) == false)
    #expect(IDs.isValid([UInt8](repeating: 0x61, count: 255).span) == true)
    #expect(IDs.isValid([UInt8](repeating: 0x61, count: 256).span) == false)
    #expect(IDs.isValid(Array((String(repeating: "é", count: 127) + "a").utf8).span) == true)
    #expect(IDs.isValid(Array(String(repeating: "é", count: 128).utf8).span) == false)
  }

  private func ids(_ count: Int, from generator: inout IDGenerator) -> [String] {
    (0..<count).map { _ in
      var id: [UInt8] = []
      generator.next(into: &id)
      return String(decoding: id, as: UTF8.self)
    }
  }
}

/// Returns the given times in order, cyclically.
final class ScriptedClock: Sendable {
  private let times: [Int64]
  private let turn = Atomic(0)

  init(times: [Int64]) {
    self.times = times
  }

  func next() -> Int64 {
    times[turn.wrappingAdd(1, ordering: .relaxed).oldValue % times.count]
  }
}
