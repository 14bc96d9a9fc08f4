import DataModel

/// Counts values by kind.
struct KindTally: Sendable {
  private var counts = Array(repeating: 0, count: FoundKind.allCases.count)
  private(set) var total = 0
  /// Whether any integer cannot be represented exactly as a double.
  private(set) var hasLongInteger = false
  /// Whether each number is a 64-bit integer by value, such as `2.0`.
  private(set) var hasOnlyWholeNumbers = true
  /// The number of texts that would be datetimes with an offset, and with at most six digits of the
  /// second.
  private(set) var timesWithoutOffset = 0
  private(set) var finerTimes = 0

  subscript(kind: FoundKind) -> Int { counts[kind.rawValue] }

  mutating func add(_ kind: FoundKind) {
    counts[kind.rawValue] += 1
    total += 1
  }

  /// Adds the counts of another instance.
  mutating func add(_ other: KindTally) {
    for place in counts.indices { counts[place] += other.counts[place] }
    total += other.total
    hasLongInteger = hasLongInteger || other.hasLongInteger
    hasOnlyWholeNumbers = hasOnlyWholeNumbers && other.hasOnlyWholeNumbers
    timesWithoutOffset += other.timesWithoutOffset
    finerTimes += other.finerTimes
  }

  /// Counts a JSON number and returns its kind.
  mutating func add(number: Span<UInt8>) -> FoundKind {
    let kind: FoundKind
    switch NumberText.holder(of: number) {
    case .integer(let isDouble):
      kind = .integer
      if !isDouble { hasLongInteger = true }
    case .number(let isInteger):
      kind = .number
      if !isInteger { hasOnlyWholeNumbers = false }
    case .text: kind = .longNumber
    }
    add(kind)
    return kind
  }

  /// Counts a text and returns its kind.
  mutating func add(text: Span<UInt8>) -> FoundKind {
    var kind = FoundKind.text
    if text.count >= 10, JSONScanner.isDigit(text[0]), text[4] == UInt8(ascii: "-") {
      do throws(Timestamp.Fault) {
        _ = try Timestamp(parsing: text)
        kind = .datetime
      } catch {
        switch error {
        case .missingOffset: timesWithoutOffset += 1
        case .tooFine: finerTimes += 1
        case .notADateTime, .noSuchDay, .noSuchTime, .outOfRange: break
        }
      }
    }
    add(kind)
    return kind
  }

  /// The narrowest type that represents all values without loss, or nil if they are not scalars of
  /// one kind.
  var elementType: ElementType? {
    if total == 0 { return nil }
    switch total {
    case self[.boolean]: return .boolean
    case self[.integer]: return .integer
    case self[.integer] + self[.number]:
      return !hasLongInteger ? .number : hasOnlyWholeNumbers ? .integer : nil
    case self[.datetime]: return .datetime
    case self[.datetime] + self[.text]: return .text
    default: return nil
    }
  }
}
