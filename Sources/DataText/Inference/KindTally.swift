import DataModel

/// Counts values by their kinds.
struct KindTally: Sendable {
  private var counts = Array(repeating: 0, count: FoundKind.allCases.count)
  private(set) var total = 0
  /// Whether there is an integer that is no double.
  private(set) var hasLongInteger = false
  /// Whether each number is a whole one of 64 bits, however it is written.
  private(set) var hasOnlyWholeNumbers = true
  /// How many texts are times but for an offset, and how many but for digits of the second.
  private(set) var timesWithoutOffset = 0
  private(set) var finerTimes = 0

  subscript(kind: FoundKind) -> Int { counts[kind.rawValue] }

  mutating func add(_ kind: FoundKind) {
    counts[kind.rawValue] += 1
    total += 1
  }

  /// Counts all that another has counted.
  mutating func add(_ other: KindTally) {
    for place in counts.indices { counts[place] += other.counts[place] }
    total += other.total
    hasLongInteger = hasLongInteger || other.hasLongInteger
    hasOnlyWholeNumbers = hasOnlyWholeNumbers && other.hasOnlyWholeNumbers
    timesWithoutOffset += other.timesWithoutOffset
    finerTimes += other.finerTimes
  }

  /// Counts a number as JSON writes it and tells its kind.
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

  /// Counts a text and tells its kind.
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

  /// The narrowest type that holds all the values without loss, if they are scalars of one kind.
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
