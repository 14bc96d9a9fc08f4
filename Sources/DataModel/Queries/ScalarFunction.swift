import JSONText

/// A function in an expression, such as `year(due)` or `round(price, 1)`.
package enum ScalarFunction: String, CaseIterable, Hashable, Sendable {
  case year
  case month
  case day
  case hour
  /// The day of the week: 1 is Monday, and 7 is Sunday.
  case weekday
  /// The day of a datetime.
  case date
  /// The number of Unicode scalars in a text, or of elements in an array.
  case length
  /// The text with the letters A to Z in lower case.
  case lower
  /// The text with the letters a to z in upper case.
  case upper
  /// A part of a text: the index of its first Unicode scalar, from 1, and its maximum length. It is
  /// null if the index is below 1 or the length is negative.
  case substr
  case abs
  /// A number with at most the given number of digits after the point. A half is rounded away from
  /// zero. A double is rounded as the decimal that it is printed as.
  case round

  /// The maximum number of digits after the point that `round` keeps.
  package static let maxRoundedDigits: Int64 = 15

  /// Whether the function has a datetime or a date as its operand, and returns a component of it.
  package var isTimePart: Bool {
    switch self {
    case .year, .month, .day, .hour, .weekday, .date: true
    case .length, .lower, .upper, .substr, .abs, .round: false
    }
  }

  /// The possible numbers of arguments.
  package var argumentCounts: ClosedRange<Int> {
    switch self {
    case .year, .month, .day, .hour, .weekday, .date, .length, .lower, .upper, .abs: 1...1
    case .round: 1...2
    case .substr: 3...3
    }
  }

  /// Returns the least value of an argument for which the function is not null; nil if there is none.
  package func leastValue(ofArgument index: Int) -> Int64? {
    switch (self, index) {
    case (.substr, 1): 1
    case (.substr, 2): 0
    case (_, _): nil
    }
  }

  /// Whether the result may be out of range although the arguments are not.
  var mayBeOutOfRange: Bool {
    switch self {
    case .abs, .round: true
    case .year, .month, .day, .hour, .weekday, .date, .length, .lower, .upper, .substr: false
    }
  }

  /// Returns the type of the result for arguments of the given types. Returns nil if the function
  /// cannot be used with them.
  package func type(of arguments: [Expression], _ types: [FieldType]) -> FieldType? {
    let first = types[0]
    let isText = first.isText || first.relation?.isMany == false
    switch self {
    case .year, .month, .day, .weekday: return first.isTime ? .integer : nil
    case .hour: return first == .datetime ? .integer : nil
    case .date: return first.isTime ? .date : nil
    case .length: return isText || first.isList && first.relation == nil ? .integer : nil
    case .lower, .upper: return isText ? .text : nil
    case .substr:
      return isText && types.dropFirst().allSatisfy { $0 == .integer } ? .text : nil
    case .abs: return first.isNumeric ? first.sumType : nil
    case .round:
      guard first.digits != nil else { return first.isNumeric ? first : nil }
      return DecimalDigits.computed(scale: Self.digits(arguments)).map(FieldType.decimal)
    }
  }

  /// The number of digits after the point that `round` keeps, which its second argument says.
  package static func digits(_ arguments: [Expression]) -> Int {
    digits(arguments.map { if case .value(let value) = $0 { value } else { .null } })
  }

  private static func digits(_ values: [Value]) -> Int {
    if case .integer(let digits)? = values.dropFirst().first { Int(digits) } else { 0 }
  }

  /// Returns the value of the function, given the values of its arguments.
  func value(of values: [Value]) -> Value {
    switch (self, values[0]) {
    case (.year, .datetime(let time)): return .integer(Int64(time.components.year))
    case (.month, .datetime(let time)): return .integer(Int64(time.components.month))
    case (.day, .datetime(let time)): return .integer(Int64(time.components.day))
    case (.hour, .datetime(let time)): return .integer(Int64(time.components.hour))
    case (.weekday, .datetime(let time)): return .integer(Int64((time.weekday + 6) % 7 + 1))
    case (.date, .datetime(let time)): return .date(CalendarDate(time))
    case (.year, .date(let date)): return .integer(Int64(date.year))
    case (.month, .date(let date)): return .integer(Int64(date.month))
    case (.day, .date(let date)): return .integer(Int64(date.day))
    case (.weekday, .date(let date)): return .integer(Int64(date.weekday))
    case (.date, .date): return values[0]
    case (.length, .text(let text)): return .integer(Int64(text.utf8.count { $0 & 0xC0 != 0x80 }))
    case (.length, .list(let elements)): return .integer(Int64(elements.count))
    case (.lower, .text(let text)): return .text(text.folding("A"..."Z"))
    case (.upper, .text(let text)): return .text(text.folding("a"..."z"))
    case (.substr, .text(let text)):
      guard case .integer(let start) = values[1], case .integer(let length) = values[2],
        start >= 1, length >= 0
      else { return .null }
      let part = text.unicodeScalars.dropFirst(Int(start) - 1).prefix(Int(length))
      return .text(String(String.UnicodeScalarView(part)))
    case (.abs, .integer(let integer)):
      return integer == .min ? .null : .integer(Swift.abs(integer))
    case (.abs, .number(let number)): return number.isFinite ? .number(number.magnitude) : .null
    case (.abs, .decimal(let decimal)):
      return .decimal(decimal.coefficient < 0 ? -decimal : decimal)
    case (.round, .integer): return values[0]
    case (.round, .decimal(let decimal)):
      return decimal.rounded(toScale: Self.digits(values)).map(Value.decimal) ?? .null
    case (.round, .number(let number)):
      return number.isFinite ? .number(number.rounded(toDigits: Self.digits(values))) : .null
    case (_, _): return .null
    }
  }
}

extension FieldType {
  /// Returns the type of a value that is of this type or of the other one. Returns nil if the types
  /// are not of one kind.
  package func common(with other: FieldType) -> FieldType? {
    if isNumeric, other.isNumeric { return ArithmeticOperator.add.type(self, other) }
    let types = [self, other]
    if types.allSatisfy({ $0.isText || $0.relation?.isMany == false }) { return .text }
    return self == other && [.boolean, .date, .datetime].contains(self) ? self : nil
  }
}

extension Value {
  /// The value, or null if it is infinite, as a sum that is out of range is.
  var inRange: Value {
    if case .number(let number) = self, !number.isFinite { return .null }
    return self
  }

  /// Returns the value in the form of a computed value of the given type: an integer becomes a double
  /// or a decimal. The result is null if it does not fit.
  func converted(toComputed type: FieldType) -> Value {
    if type == .number { return double.map(Value.number) ?? .null }
    guard let digits = type.digits else { return self }
    return exactDecimal?.rounded(toScale: digits.scale).map(Value.decimal) ?? .null
  }
}

extension String {
  /// Returns the text in which the letters of one case are replaced with those of the other case.
  fileprivate func folding(_ letters: ClosedRange<Unicode.Scalar>) -> String {
    String(
      String.UnicodeScalarView(
        unicodeScalars.map { scalar in
          letters.contains(scalar) ? Unicode.Scalar(UInt8(scalar.value) ^ 0x20) : scalar
        }))
  }
}

extension Double {
  /// Numbers of at least this magnitude have no digits after the point.
  package static let leastWithoutFraction = 1e16

  /// Returns the decimal that the number is printed as, rounded to at most 15 digits after the point.
  fileprivate func rounded(toDigits digits: Int) -> Double {
    if magnitude >= Self.leastWithoutFraction { return self }
    // A smaller number has more digits than a decimal, and is rounded to zero.
    if magnitude < 1e-16 { return 0 }
    return DecimalValue(self)?.rounded(toScale: digits)?.double ?? self
  }
}
