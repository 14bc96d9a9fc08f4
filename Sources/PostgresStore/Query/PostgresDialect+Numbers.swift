import DataModel
import DataStore

/// Generates exact comparisons of integers with doubles. PostgreSQL itself converts the integers to
/// doubles for a comparison, which rounds large integers.
extension PostgresDialect {
  func compares(
    _ column: SQL, of type: FieldType, _ comparison: Comparison, with value: Value
  ) -> SQL {
    switch (type, value) {
    case (.integer, .number(let number)):
      return compares(integers: column, comparison, with: number)
    case (.number, .integer(let integer)):
      return compares(numbers: column, comparison, with: integer)
    default: return "\(column)\(comparison.sql)\(value)"
    }
  }

  private func compares(integers column: SQL, _ comparison: Comparison, with number: Double) -> SQL
  {
    let isNotNull: SQL = "\(column) is not null"
    if number >= 0x1p63 {
      return comparison == .less || comparison == .lessOrEqual ? isNotNull : "false"
    }
    if number < -0x1p63 {
      return comparison == .greater || comparison == .greaterOrEqual ? isNotNull : "false"
    }
    func bound(_ rule: FloatingPointRoundingRule) -> Value {
      .integer(Int64(exactly: number.rounded(rule)) ?? .max)
    }
    switch comparison {
    case .equal:
      return Int64(exactly: number).map { "\(column) = \(.integer($0))" } ?? "false"
    case .less where number != number.rounded(.down), .lessOrEqual:
      return "\(column) <= \(bound(.down))"
    case .less: return "\(column) < \(bound(.down))"
    case .greater where number != number.rounded(.up), .greaterOrEqual:
      return "\(column) >= \(bound(.up))"
    case .greater: return "\(column) > \(bound(.up))"
    }
  }

  private func compares(
    numbers column: SQL, _ comparison: Comparison, with integer: Int64
  ) -> SQL {
    let nearest = Double(integer)
    switch Value.number(nearest).order(comparedTo: .integer(integer)) {
    case .before?:
      // The nearest double is less than the integer. So a stored double is less than the integer if
      // and only if it is at most the nearest double.
      switch comparison {
      case .equal: return "false"
      case .less, .lessOrEqual: return "\(column) <= \(.number(nearest))"
      case .greater, .greaterOrEqual: return "\(column) > \(.number(nearest))"
      }
    case .after?:
      switch comparison {
      case .equal: return "false"
      case .less, .lessOrEqual: return "\(column) < \(.number(nearest))"
      case .greater, .greaterOrEqual: return "\(column) >= \(.number(nearest))"
      }
    case .same?, nil: return "\(column)\(comparison.sql)\(.number(nearest))"
    }
  }

  func compares(
    _ column: SQL, of type: FieldType, _ comparison: Comparison, with other: SQL,
    of otherType: FieldType
  ) -> SQL {
    switch (type, otherType) {
    case (.integer, .number): compares(integers: column, comparison, withNumbers: other)
    case (.number, .integer): compares(integers: other, comparison.flipped, withNumbers: column)
    case (.date, .datetime): "\(Self.time(ofDate: column))\(comparison.sql)\(other)"
    case (.datetime, .date): "\(column)\(comparison.sql)\(Self.time(ofDate: other))"
    case (.decimal, .number):
      "\(Self.inSmallest(column))\(comparison.sql)\(decimal(other, over: 1))"
    case (.number, .decimal):
      "\(decimal(column, over: 1))\(comparison.sql)\(Self.inSmallest(other))"
    default: "\(column)\(comparison.sql)\(other)"
    }
  }

  /// Returns an expression for a decimal as a multiple of the smallest double, 2^-1074.
  private static func inSmallest(_ column: SQL) -> SQL { "\(column) * power(2::numeric, 1074)" }

  /// Returns an expression for midnight UTC at the beginning of each date in a column.
  static func time(ofDate column: SQL) -> SQL {
    "(\(column)::timestamp at time zone 'UTC')"
  }

  /// Returns a predicate that compares an integer column with a double column exactly. It rounds
  /// the double to an integer, up or down depending on the comparison.
  private func compares(
    integers column: SQL, _ comparison: Comparison, withNumbers other: SQL
  ) -> SQL {
    let (rounded, above, below): (SQL, SQL, SQL) =
      switch comparison {
      case .equal:
        ("\(column) = \(other)::bigint and \(other) = trunc(\(other))", "false", "false")
      case .less: ("\(column) < ceil(\(other))::bigint", "true", "false")
      case .lessOrEqual: ("\(column) <= floor(\(other))::bigint", "true", "false")
      case .greater: ("\(column) > floor(\(other))::bigint", "false", "true")
      case .greaterOrEqual: ("\(column) >= ceil(\(other))::bigint", "false", "true")
      }
    return """
      (\(column) is not null and case when \(other) is null then false \
      when \(other) > \(.number(0x1p63.nextDown)) then \(above) \
      when \(other) < \(.number(-0x1p63)) then \(below) else \(rounded) end)
      """
  }
}

extension Value {
  /// Converts the value to the type of a column. Returns nil if the result would not be equal to
  /// the value, for example for 1.5 and an integer column.
  func asStored(in type: FieldType) -> Value? {
    switch (type, self) {
    case (.integer, .number(let number)): Int64(exactly: number).map(Value.integer)
    case (.number, .integer(let integer)):
      Value.number(Double(integer)).order(comparedTo: self) == .same
        ? .number(Double(integer)) : nil
    default: self
    }
  }
}

/// Computes sums and averages of doubles exactly. PostgreSQL itself adds doubles one by one, and
/// loses the low digits of small numbers. The expressions generated here compute the exact sum as a
/// decimal, and round it once at the end.
///
/// Each number is split into digits in base 2^60, with place values from 2^60 down to 2^-180. The
/// multiplications for this are exact, and the sum of each digit is a sum of integers. Numbers with
/// a magnitude of at least 2^120 or below 2^-120 are rare, and are converted to decimals one by
/// one.
///
/// The expressions contain their constants as literals, so that PostgreSQL recognizes an aggregate
/// that occurs several times, and computes it once.
extension PostgresDialect {
  func sum(_ column: SQL, of type: FieldType) -> SQL {
    // A sum that does not fit in 64 bits, or in 38 digits, becomes a number from which no operation
    // returns to them.
    if let digits = type.digits {
      let bound: SQL = "1e\(number: Int64(DecimalValue.maxDigits - digits.scale))"
      return """
        (case when abs(sum(\(column))) < \(bound) then sum(\(column)) \
        else sign(sum(\(column))) * 1e90 end)
        """
    }
    guard type == .number else {
      return """
        (case when sum(\(column)) between -9223372036854775808 and 9223372036854775807 \
        then sum(\(column)) else sign(sum(\(column))) * 1e30 end)
        """
    }
    let sum: SQL = """
      (\(sumOfOthers(column)) + coalesce(\(sumOfTiny(column)) * \(Self.smallest), 0))
      """
    // A sum above the largest double cannot be converted: PostgreSQL would report an error that
    // names no column.
    return """
      (case when count(\(column)) = 0 then null when abs(\(sum)) >= \(Self.tooLarge(timesTwoTo: 0)) \
      then sign(\(sum))::double precision * 'Infinity'::double precision \
      else \(sum)::double precision end)
      """
  }

  func average(_ column: SQL, of type: FieldType) -> SQL {
    // The added zero gives the quotient 120 decimal places, because a quotient has as many as its
    // dividend.
    guard type == .number else {
      return "((sum(\(column)) + 0e-120) / count(\(column)))::double precision"
    }
    let (sum, tiny): (SQL, SQL) = (sumOfOthers(column), sumOfTiny(column))
    // Multiples of the smallest double are divided, because a quotient has at most 1,000 decimal
    // places. A number that would be rounded to zero is not converted, because this would be an
    // error.
    let quotient: SQL = """
      ((\(sum) * power(2::numeric, 1074) + \(tiny)) / count(\(column)))
      """
    return """
      (case when count(\(column)) = 0 then null \
      when \(tiny) is null then ((\(sum) + 0e-260) / count(\(column)))::double precision \
      when abs(\(quotient)) <= 0.5 then 0 \
      else (\(quotient) * \(Self.smallest))::double precision end)
      """
  }

  /// Returns an expression for the median: the mean of the two middle values. To get these, it
  /// selects the percentile 0.5 and a slightly greater one. If the number of values is odd, both
  /// are the same value.
  func median(_ column: SQL, of type: FieldType) -> SQL? {
    let middle: SQL = """
      (percentile_disc(array[0.5, 0.500000000001]) within group (order by \(column)))
      """
    let (low, high): (SQL, SQL) = ("(\(middle))[1]", "(\(middle))[2]")
    if type.digits != nil { return "((\(low) + \(high)) * 0.5)" }
    guard type == .number else {
      return "((\(low)::numeric + \(high)::numeric)::double precision / 2)"
    }
    // PostgreSQL raises an error if a sum or a quotient is out of range.
    let (large, smallest): (SQL, SQL) = (
      "\(.number(1e290))", "\(.number(.leastNonzeroMagnitude))"
    )
    return """
      (case when abs(\(low)) >= \(large) and abs(\(high)) >= \(large) then \(low) / 2 + \(high) / 2 \
      when abs(\(low) + \(high)) <= \(smallest) then 0 else (\(low) + \(high)) / 2 end)
      """
  }

  func middle(_ column: SQL, of type: FieldType) -> SQL { average(column, of: type) }

  /// Returns an expression for the exact sum of the numbers in a column that have a magnitude of at
  /// least 2^-120. `sumOfTiny` adds up the smaller numbers.
  private func sumOfOthers(_ column: SQL) -> SQL {
    let large: SQL = """
      coalesce(sum(\(decimal(column, over: 1075))) filter (where abs(\(column)) >= \(Self.large)), 0)
      """
    let whole: SQL = """
      \(digits(column, at: "8.673617379884035e-19", below: nil)) * 1152921504606846976 \
      + \(digits(column, at: "1", below: "8.673617379884035e-19"))
      """
    let scales: [SQL] = [
      "1", "1.152921504606847e18", "1.329227995784916e36", "1.532495540865889e54",
    ]
    var fraction = digits(column, at: scales[3], below: scales[2])
    for index in [2, 1] {
      fraction = """
        (\(fraction)) * \(Self.twoToMinus60) \
        + \(digits(column, at: scales[index], below: scales[index - 1]))
        """
    }
    return "(\(large) + \(whole) + (\(fraction)) * \(Self.twoToMinus60))"
  }

  /// Returns an expression that adds up one digit of each number in a column, where the numbers are
  /// written in base 2^60. The digit is the integer part of `number * scale`, without the higher
  /// digits.
  ///
  /// - Parameter before: The scale of the next higher digit; nil for the highest digit.
  private func digits(_ column: SQL, at scale: SQL, below before: SQL?) -> SQL {
    let all: SQL = "trunc(\(column) * \(scale)::double precision)"
    let upper = before.map { before -> SQL in
      "trunc(\(column) * \(before)::double precision) * 1.152921504606847e18::double precision"
    }
    let digit = upper.map { "\(all) - \($0)" as SQL } ?? all
    return """
      coalesce(sum((\(digit))::bigint) filter (where abs(\(column)) >= \(Self.small) \
      and abs(\(column)) < \(Self.large)), 0)
      """
  }

  /// Returns an expression for the exact sum of the numbers with a magnitude below 2^-120, as a
  /// multiple of the smallest double. It is null if there are no such numbers.
  private func sumOfTiny(_ column: SQL) -> SQL {
    """
    sum(\(decimal(column, over: 1))) filter (where abs(\(column)) < \(Self.small) \
    and \(column) <> 0)
    """
  }

  /// Returns an expression for a double divided by 2 to the power of `exponent - 1075`, as an exact
  /// decimal. The quotient must be an integer. If `exponent` is 1075, the quotient is the double
  /// itself. If `exponent` is 1, it is the double as a multiple of 2^-1074, the smallest double.
  ///
  /// The expression reads the bits of the double, because PostgreSQL's own conversion keeps only 15
  /// digits.
  private func decimal(_ column: SQL, over exponent: Int64) -> SQL {
    let bits: SQL = "('x' || encode(float8send(\(column)), 'hex'))::bit(64)::bigint"
    let found: SQL = "((\(bits) >> 52) & 2047)"
    return """
      sign(\(column))::numeric * ((\(bits) & 4503599627370495) \
      + case when \(found) > 0 then 4503599627370496 else 0 end) \
      * power(2::numeric, (greatest(\(found), 1) - \(number: exponent))::numeric)
      """
  }

  /// The exact decimal value of 2^-60.
  private static let twoToMinus60: SQL = """
    0.000000000000000000867361737988403547205962240695953369140625::numeric
    """

  /// The exact decimal value of the smallest double, 2^-1074.
  private static let smallest: SQL = "(power(5::numeric, 1074) * 1e-1074::numeric)"

  /// Returns the least number that would be rounded to infinity, multiplied by a power of two. The
  /// number is the largest double plus half the distance between it and the double before it.
  static func tooLarge(timesTwoTo exponent: Int64) -> SQL {
    """
    (power(2::numeric, \(number: 1024 + exponent)) - power(2::numeric, \(number: 970 + exponent)))
    """
  }

  /// Returns an expression for the magnitude of the exact result of an operation on two doubles, as
  /// a multiple of 2^-1074, or of 2^-2148 for a product.
  func exactMagnitude(_ left: SQL, _ operation: SQL, _ right: SQL) -> SQL {
    "abs(\(decimal(left, over: 1)) \(operation) \(decimal(right, over: 1)))"
  }

  /// Returns an expression for the magnitude of a double, as a multiple of 2^-1074.
  func exactMagnitude(_ number: SQL) -> SQL { "abs(\(decimal(number, over: 1)))" }

  /// The largest double.
  static let largest: SQL = "1.7976931348623157e308::double precision"

  /// 2^120 and 2^-120. For an exact sum, numbers with a magnitude of at least 2^-120 and less than
  /// 2^120 are split into digits. All other numbers are converted to decimals one by one.
  private static let (large, small): (SQL, SQL) = (
    "1.329227995784916e36::double precision", "7.52316384526264e-37::double precision"
  )
}
