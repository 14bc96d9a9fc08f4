import DataModel
import JSONText

/// Counts the values of a field by their kind.
struct KindStatistics: Sendable {
  private var counts = Array(repeating: 0, count: InferredKind.allCases.count)
  private(set) var total = 0
  /// Whether there is an integer that a double cannot represent exactly. If so, a number field
  /// would lose digits.
  private(set) var hasLongInteger = false
  /// Whether every number, such as `2.0`, has the value of a 64-bit integer. If so, an integer
  /// field can represent the numbers.
  private(set) var hasOnlyWholeNumbers = true
  /// The number of strings that would be datetimes if they had a UTC offset.
  private(set) var timesWithoutOffset = 0
  /// The number of strings that would be datetimes if their seconds had at most six decimal places.
  private(set) var tooPreciseTimes = 0

  subscript(kind: InferredKind) -> Int { counts[kind.rawValue] }

  /// The number of strings that are dates or datetimes.
  var times: Int { self[.date] + self[.datetime] }

  /// Whether there are values, and all of them are numbers.
  var areNumbers: Bool {
    total > 0 && self[.integer] + self[.number] + self[.longNumber] == total
  }

  mutating func add(_ kind: InferredKind) {
    counts[kind.rawValue] += 1
    total += 1
  }

  /// Adds the counts of another instance to the counts of this one.
  mutating func add(_ other: KindStatistics) {
    for index in counts.indices { counts[index] += other.counts[index] }
    total += other.total
    hasLongInteger = hasLongInteger || other.hasLongInteger
    hasOnlyWholeNumbers = hasOnlyWholeNumbers && other.hasOnlyWholeNumbers
    timesWithoutOffset += other.timesWithoutOffset
    tooPreciseTimes += other.tooPreciseTimes
  }

  /// A copy that contains only the counts of scalars, without arrays and objects.
  var scalars: KindStatistics {
    var scalars = self
    for kind in [InferredKind.geopoint, .array, .mixedArray, .object] {
      scalars.total -= counts[kind.rawValue]
      scalars.counts[kind.rawValue] = 0
    }
    return scalars
  }

  /// A copy that contains only the counts of numbers.
  var numbers: KindStatistics {
    var numbers = self
    for kind in InferredKind.allCases where ![.integer, .number, .longNumber].contains(kind) {
      numbers.total -= counts[kind.rawValue]
      numbers.counts[kind.rawValue] = 0
    }
    return numbers
  }

  /// Counts a JSON number and returns its kind.
  mutating func add(number: Span<UInt8>) -> InferredKind {
    let kind: InferredKind
    switch NumberText.losslessType(of: number) {
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

  /// Counts text and returns its kind.
  mutating func add(text: Span<UInt8>) -> InferredKind {
    var kind = InferredKind.text
    if text.count >= 10, JSONScanner.isDigit(text[0]), text[4] == UInt8(ascii: "-") {
      do throws(Timestamp.ParseError) {
        _ = try Timestamp(parsing: text)
        kind = text.count == 10 ? .date : .datetime
      } catch {
        switch error {
        case .missingOffset: timesWithoutOffset += 1
        case .tooPrecise: tooPreciseTimes += 1
        case .skippedTime, .notADateTime, .noSuchDay, .noSuchTime, .outOfRange: break
        }
      }
    }
    add(kind)
    return kind
  }

  /// The narrowest element type that represents all values without loss. Nil if there are no
  /// values, or if no element type can represent all of them.
  var elementType: ElementType? {
    if total == 0 { return nil }
    switch total {
    case self[.boolean]: return .boolean
    case self[.integer]: return .integer
    case self[.integer] + self[.number]:
      return !hasLongInteger ? .number : hasOnlyWholeNumbers ? .integer : nil
    case self[.date]: return .date
    case self[.date] + self[.datetime]: return .datetime
    case self[.date] + self[.datetime] + self[.text]: return .text
    default: return nil
    }
  }
}

/// The kind of a single value: the narrowest kind that represents the value without loss.
enum InferredKind: Int, CaseIterable, Sendable {
  case boolean
  case integer
  case number
  /// A number with more digits than an integer or number field can store.
  case longNumber
  case date
  case datetime
  case text
  case geopoint
  /// An array whose elements are all scalars: texts, numbers, booleans, dates or datetimes.
  case array
  /// An array with at least one element that is an object, an array or null.
  case mixedArray
  case object

  /// The name of the kind, as shown in messages.
  var label: String {
    switch self {
    case .boolean: "boolean"
    case .integer: "integer"
    case .number: "number"
    case .longNumber: "number with many digits"
    case .date: "date"
    case .datetime: "datetime"
    case .text: "text"
    case .geopoint: "geopoint"
    case .array: "array"
    case .mixedArray: "array of json"
    case .object: "object"
    }
  }

  /// Returns whether values of this kind are the usual values of a field with the given type. Other
  /// values that the field can store do not match, such as integers in a number field.
  func matches(_ type: FieldType) -> Bool {
    switch self {
    case .boolean: type == .boolean
    case .integer: type == .integer
    case .number: type == .number || type.digits != nil
    case .date: type == .date || type == .datetime
    case .datetime: type == .datetime
    case .text: type == .text || type == .id
    case .geopoint: type == .geopoint
    case .array: type.isList
    case .longNumber, .mixedArray, .object: type == .json || type.relation != nil
    }
  }
}
