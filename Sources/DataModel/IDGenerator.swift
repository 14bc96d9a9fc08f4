/// Makes ids: UUIDs of version 7 (RFC 9562), each above the one before, whatever the clock does.
///
/// Rising ids are what makes a large save fast, since each record then comes last in the store's
/// index. Beside its 48 bits of milliseconds an id has 12 that count within a millisecond and carry
/// over into the next, and 62 that are random.
package struct IDGenerator: Sendable {
  /// Overwrites every word with one that nobody can foresee.
  package typealias RandomFill = @Sendable (_ words: inout [UInt64]) -> Void

  private let clock: @Sendable () -> Int64
  private let fill: RandomFill
  private var words = [UInt64](repeating: 0, count: 64)
  private var wordsLeft = 0

  /// The milliseconds and the counter of the last id, as one number of 60 bits.
  private var last: UInt64 = 0

  /// Takes a clock, which gives microseconds since the beginning of 1970, and a source of random
  /// words, which is asked for 64 at a time.
  package init(
    clock: @escaping @Sendable () -> Int64, randomWords: @escaping RandomFill = systemWords
  ) {
    self.clock = clock
    self.fill = randomWords
  }

  /// Fills words from the system's generator, one call for each: right everywhere, but slower than
  /// making the rest of an id. Who can ask the system for a whole block should.
  package static let systemWords: RandomFill = { words in
    var generator = SystemRandomNumberGenerator()
    for place in words.indices { words[place] = generator.next() }
  }

  /// Appends the next id: 36 bytes, in lowercase.
  package mutating func next(into output: inout [UInt8]) {
    let now = min(max(clock(), 0), Timestamp.latest.microseconds)
    last = max(UInt64(now / 1_000) &<< 12, last &+ 1)
    if wordsLeft == 0 {
      fill(&words)
      wordsLeft = words.count
    }
    wordsLeft &-= 1
    let counter = last & 0xFFF
    let low = words[wordsLeft] & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
    let milliseconds = last &>> 12
    output.append(addingCapacity: 36) { text in
      text.append(hexadecimal: milliseconds &>> 16, digits: 8)
      text.append(UInt8(ascii: "-"))
      text.append(hexadecimal: milliseconds, digits: 4)
      text.append(UInt8(ascii: "-"))
      text.append(hexadecimal: 0x7000 | counter, digits: 4)
      text.append(UInt8(ascii: "-"))
      text.append(hexadecimal: low &>> 48, digits: 4)
      text.append(UInt8(ascii: "-"))
      text.append(hexadecimal: low, digits: 12)
    }
  }
}

extension OutputSpan<UInt8> {
  /// Appends the last digits of a number in lowercase hexadecimal.
  @inline(__always)
  fileprivate mutating func append(hexadecimal number: UInt64, digits: Int) {
    var shift = UInt64(digits) &* 4
    while shift > 0 {
      shift &-= 4
      let digit = UInt8(truncatingIfNeeded: number &>> shift) & 0xF
      append(digit &+ (digit < 10 ? 48 : 87))
    }
  }
}
