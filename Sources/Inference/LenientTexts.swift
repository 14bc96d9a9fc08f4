import DataModel
import JSONText
import RecordText

/// Counts the texts of a field that lenient conversions accept as values of other types, such as
/// `yes` and `1'234.5`.
struct LenientTexts: Sendable {
  private let lenience: Lenience
  /// The number of texts such as `yes`, and of the texts `0` and `1`.
  private var booleans = 0
  /// How often the number 0 or 1 is given as a number, not as text.
  private var numericBooleans = 0
  /// The numbers that are given as text, such as `1'234.5`.
  private var numbers = KindStatistics()
  /// The number of texts that are times with a UTC offset, but can be read only with lenient
  /// conversions, for example because they have no seconds.
  private var times = 0
  private var timesWithoutOffset = 0
  /// The number of dates in the order that the user has given.
  private var dates = 0
  /// The number of empty texts, which lenient conversions read as null.
  private var empty = 0
  private var hasWord = false
  private var hasGroups = false

  init(_ lenience: Lenience) {
    self.lenience = lenience
  }

  /// Whether the user has given the decimal mark, so that it determines what a number is.
  var hasDecimalMark: Bool { lenience.decimalMark != nil }

  /// Returns a number in JSON syntax for a text, if the user has given the decimal mark.
  func number(_ text: Span<UInt8>) -> [UInt8]? {
    guard hasDecimalMark, let number = lenience.number(text),
      ScalarText.isPlainNumber(number.span)
    else { return nil }
    return number
  }

  /// Counts a number that is given as a number, not as text.
  mutating func add(number: Span<UInt8>) {
    if lenience.boolean(number) != nil { numericBooleans += 1 }
  }

  /// Counts a text.
  ///
  /// - Parameter kind: The kind of the text without lenient conversions.
  mutating func add(_ text: Span<UInt8>, _ kind: InferredKind) {
    guard kind == .text else { return }
    if text.isEmpty {
      empty += 1
    } else if let number = lenience.number(text) {
      if lenience.boolean(text) != nil { booleans += 1 }
      if !text.isEqual(toBytes: number) { hasGroups = true }
      _ = numbers.add(number: number.span)
    } else if lenience.boolean(text) != nil {
      booleans += 1
      hasWord = true
    } else {
      let iso = lenience.isoText(text)
      guard iso != nil || text.count > 10 else { return }
      var conversions = ValueConversions()
      conversions.lenience = lenience
      do throws(Timestamp.ParseError) {
        _ = try Timestamp(parsing: text, by: conversions)
        if iso?.count == 10 { dates += 1 } else { times += 1 }
      } catch {
        if error == .missingOffset { timesWithoutOffset += 1 }
      }
    }
  }

  /// Returns the type to which lenient conversions can convert all values of the field. Returns nil
  /// if there is no such type, or if no text needs a lenient conversion. Digits alone, such as
  /// `"007"` or `"1"`, remain text.
  ///
  /// - Parameter values: The statistics of all values of the field.
  func type(amongst values: KindStatistics, assumesZone: Bool) -> FieldType? {
    let total = values.total - empty
    if hasWord, booleans + numericBooleans + values[.boolean] == total { return .boolean }
    if hasGroups {
      var all = values.numbers
      all.add(numbers)
      return all.total == total ? all.elementType?.fieldType : nil
    }
    let ownTimes = times + (assumesZone ? timesWithoutOffset : 0)
    if dates > 0, dates + values[.date] == total { return .date }
    return ownTimes + dates > 0 && ownTimes + dates + values.times == total ? .datetime : nil
  }
}
