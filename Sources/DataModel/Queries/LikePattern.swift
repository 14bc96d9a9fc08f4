/// A pattern for the operator `like`: `%` matches any text, `_` matches one Unicode scalar, and `\`
/// escapes the next character.
///
/// Every pattern is matched in a single pass over the text, because a bit set tracks all possible
/// positions in the pattern at once.
package struct LikePattern: Hashable, Sendable {
  package enum ParseError: Error, Hashable, Sendable {
    /// The pattern ends with an unfinished escape.
    case endsInEscape
    /// The pattern has more than `maxLength` Unicode scalars.
    case tooLong
  }

  /// The case sensitivity of a pattern.
  package enum Letters: Hashable, Sendable {
    case exact
    /// The letters A to Z also match a to z, and vice versa.
    case folded
  }

  /// The maximum number of Unicode scalars in a pattern, which keeps the bit sets small.
  package static let maxLength = 1_000

  /// The source text of the pattern.
  package let source: String
  package let letters: Letters

  package init(_ source: String, _ letters: Letters = .exact) throws(ParseError) {
    guard source.unicodeScalars.count <= Self.maxLength else { throw .tooLong }
    self.source = source
    self.letters = letters
    var isEscaped = false
    for scalar in source.unicodeScalars { isEscaped = !isEscaped && scalar == "\\" }
    if isEscaped { throw .endsInEscape }
  }

  package static func == (first: LikePattern, second: LikePattern) -> Bool {
    first.letters == second.letters && first.source.utf8.elementsEqual(second.source.utf8)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(letters)
    for byte in source.utf8 { hasher.combine(byte) }
  }

  /// An element of a pattern: a literal scalar, `_`, or `%`.
  package enum Item: Hashable, Sendable {
    case scalar(Unicode.Scalar)
    case anyScalar
    case anyText
  }

  package var items: [Item] {
    var items: [Item] = []
    var isEscaped = false
    for scalar in source.unicodeScalars {
      if isEscaped {
        items.append(.scalar(scalar))
        isEscaped = false
      } else {
        switch scalar {
        case "\\": isEscaped = true
        case "%": items.append(.anyText)
        case "_": items.append(.anyScalar)
        default: items.append(.scalar(scalar))
        }
      }
    }
    return items
  }

  /// The literal text with which all matching strings begin. An engine can search an index for this
  /// prefix.
  package var prefix: String {
    var prefix = String.UnicodeScalarView()
    for item in items {
      guard case .scalar(let scalar) = item else { break }
      prefix.append(scalar)
    }
    return String(prefix)
  }

  /// Returns whether the whole UTF-8 text matches the pattern.
  package func matches(_ text: Span<UInt8>) -> Bool { Matcher(self).matches(text) }
}

extension LikePattern {
  /// A pattern compiled for matching many strings, as an automaton whose states are bit sets.
  ///
  /// Bit n of a state is set if the first n items of the pattern, not counting `%`, can match the
  /// text read so far.
  package struct Matcher: Sendable {
    private let letters: Letters
    private let words: Int
    private let end: Int
    /// For each scalar in the pattern, the bit set of the positions at which the scalar can be
    /// read. Position n follows the first n items of the pattern, not counting `%`. Scalars that
    /// are not in the pattern use the set `others`.
    private var accepting: [UInt32: [UInt64]] = [:]
    private var others: [UInt64]
    /// The bit set of the positions at which the pattern has a `%`. At these positions, any scalar
    /// can be read without moving to the next position.
    private var loops: [UInt64]

    package init(_ pattern: LikePattern) {
      letters = pattern.letters
      let items = pattern.items
      let count = items.count { $0 != .anyText }
      end = count
      words = count / 64 + 1
      others = Array(repeating: 0, count: words)
      loops = others
      var position = 0
      for item in items {
        switch item {
        case .anyText:
          Self.set(position, &loops)
          continue
        case .anyScalar: Self.set(position, &others)
        case .scalar: break
        }
        position += 1
      }
      position = 0
      for item in items where item != .anyText {
        if case .scalar(let scalar) = item {
          Self.set(position, &accepting[folded(scalar.value), default: others])
        }
        position += 1
      }
    }

    /// Returns whether the whole UTF-8 text matches the pattern.
    package func matches(_ text: Span<UInt8>) -> Bool {
      var state = Array(repeating: UInt64(0), count: words)
      state[0] = 1
      var position = 0
      while position < text.count {
        let scalar = folded(Self.scalar(in: text, &position))
        let isAlive = accepting[scalar].map { advance(&state, through: $0) }
        guard isAlive ?? advance(&state, through: others) else { return false }
      }
      return state[end / 64] & 1 << UInt64(end % 64) != 0
    }

    /// Advances the state by one scalar of the text. Returns false if no position is left, which
    /// means that the text cannot match.
    ///
    /// - Parameter accepting: The bit set of the positions at which the scalar can be read.
    private func advance(_ state: inout [UInt64], through accepting: [UInt64]) -> Bool {
      var carry: UInt64 = 0
      var any: UInt64 = 0
      for word in 0..<words {
        let moved = state[word] & accepting[word]
        state[word] = moved << 1 | carry | state[word] & loops[word]
        carry = moved >> 63
        any |= state[word]
      }
      return any != 0
    }

    private func folded(_ scalar: UInt32) -> UInt32 {
      letters == .folded && scalar >= 0x41 && scalar <= 0x5A ? scalar | 0x20 : scalar
    }

    private static func set(_ position: Int, _ bits: inout [UInt64]) {
      bits[position / 64] |= 1 << UInt64(position % 64)
    }

    /// Decodes the scalar at a position, and advances the position past it. An invalid byte counts
    /// as a scalar.
    private static func scalar(in text: Span<UInt8>, _ position: inout Int) -> UInt32 {
      let first = text[position]
      position += 1
      guard first >= 0xC0 else { return UInt32(first) }
      var scalar = UInt32(first) & (first < 0xE0 ? 0x1F : first < 0xF0 ? 0x0F : 0x07)
      while position < text.count, text[position] & 0xC0 == 0x80 {
        scalar = scalar << 6 | UInt32(text[position] & 0x3F)
        position += 1
      }
      return scalar
    }
  }
}
