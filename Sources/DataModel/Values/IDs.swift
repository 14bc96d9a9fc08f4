import JSONText

/// The rules for record ids.
package enum IDs {
  /// The maximum length of an id, in bytes.
  package static let limit = 255

  /// Returns whether the text is a valid id: 1 to 255 bytes of UTF-8 without control characters.
  package static func isValid(_ text: Span<UInt8>) -> Bool {
    text.count >= 1 && text.count <= limit && UTF8Check.firstInvalidOffset(in: text) == nil
      && !UTF8Check.hasControl(in: text)
  }
}

/// Generates record ids: version 7 UUIDs (RFC 9562) that increase even if the clock is set back.
///
/// Increasing ids make large saves fast, because each new record is appended at the end of the
/// store's index. An id consists of a 48-bit millisecond timestamp, a 12-bit counter that overflows
/// into the timestamp, and 62 random bits.
package struct IDGenerator: Sendable {
  /// A function that overwrites every word of a buffer with unpredictable random bits.
  package typealias RandomFill = @Sendable (_ words: inout [UInt64]) -> Void

  private let clock: @Sendable () -> Int64
  private let fill: RandomFill
  private var words = [UInt64](repeating: 0, count: 64)
  private var wordsLeft = 0

  /// The timestamp and the counter of the most recent id, as one 60-bit number. The counter is in
  /// the lowest 12 bits.
  private var last: UInt64 = 0

  /// Creates a generator.
  ///
  /// - Parameters:
  ///   - clock: A function that returns the microseconds since the Unix epoch.
  ///   - randomWords: A function that fills a buffer of 64 words with random bits. It is called
  ///     once for every 64 ids.
  package init(
    clock: @escaping @Sendable () -> Int64, randomWords: @escaping RandomFill = systemWords
  ) {
    self.clock = clock
    self.fill = randomWords
  }

  /// Fills a buffer with one call of `SystemRandomNumberGenerator` per word.
  ///
  /// This works on every platform, but takes longer than all other steps of generating an id. On
  /// platforms where a single system call can fill the buffer, pass a function that makes this
  /// call.
  package static let systemWords: RandomFill = { words in
    var generator = SystemRandomNumberGenerator()
    for index in words.indices { words[index] = generator.next() }
  }

  /// Generates the next id and appends its text: 36 bytes, in lowercase.
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
  /// Appends the given number of digits of an integer in lowercase hexadecimal: the least
  /// significant ones.
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
