import DataModel
import DataStore

/// Sums and averages. PostgreSQL adds doubles one by one and loses the low digits of small numbers;
/// here numbers are added exactly, and rounded once at the end.
///
/// A number is split into digits in base 2^60, from 2^60 down to 2^-180, by multiplications that
/// are exact, so that the sum of each digit is a sum of integers. Larger numbers are added as
/// decimals, and smaller ones as doubles, separately from the larger ones.
extension PostgresDialect {
  func sum(_ column: SQL, of type: FieldType) -> SQL {
    guard type == .number else { return "sum(\(column))" }
    return """
      (case when count(\(column)) > 0 then (\(exactSum(column)))::double precision \
      + \(tinySum(column)) end)
      """
  }

  func average(_ column: SQL, of type: FieldType) -> SQL {
    guard type == .number else {
      return "(sum(\(column))::double precision / count(\(column))::double precision)"
    }
    return """
      (case when count(\(column)) > 0 then ((\(exactSum(column))) / count(\(column)))\
      ::double precision + \(tinyAverage(column)) end)
      """
  }

  private func exactSum(_ column: SQL) -> SQL {
    let large: SQL = """
      coalesce(sum(\(column)::text::numeric) filter (where abs(\(column)) >= \(.number(0x1p120))), 0)
      """
    let whole: SQL = """
      \(digits(column, at: 0x1p-60, below: nil)) * 1152921504606846976 \
      + \(digits(column, at: 1, below: 0x1p-60))
      """
    var fraction = digits(column, at: 0x1p180, below: 0x1p120)
    for scale in [0x1p120, 0x1p60] {
      fraction =
        "(\(fraction)) * \(Self.twoToMinus60) + \(digits(column, at: scale, below: scale * 0x1p-60))"
    }
    return "\(large) + \(whole) + (\(fraction)) * \(Self.twoToMinus60)"
  }

  /// The sum of one digit of all numbers: the integer part of the scaled number, without the digit
  /// before it.
  private func digits(_ column: SQL, at scale: Double, below before: Double?) -> SQL {
    let all: SQL = "trunc(\(column) * \(.number(scale)))"
    let upper = before.map { "trunc(\(column) * \(.number($0))) * \(.number(0x1p60))" as SQL }
    let digit = upper.map { "\(all) - \($0)" as SQL } ?? all
    return """
      coalesce(sum((\(digit))::bigint) filter (where abs(\(column)) >= \(.number(0x1p-120)) \
      and abs(\(column)) < \(.number(0x1p120))), 0)
      """
  }

  private func tinySum(_ column: SQL) -> SQL {
    "coalesce(sum(\(column)) filter (where abs(\(column)) < \(.number(0x1p-120))), 0)"
  }

  /// The average of the tiny numbers; zero where the quotient would be too small, which PostgreSQL
  /// reports as an error.
  private func tinyAverage(_ column: SQL) -> SQL {
    let (sum, count) = (tinySum(column), "count(\(column))::double precision" as SQL)
    let smallest: SQL = "\(.number(.leastNonzeroMagnitude))"
    return "(case when abs(\(sum)) * 2 > \(count) * \(smallest) then \(sum) / \(count) else 0 end)"
  }

  /// 2^-60, with all of its digits.
  private static let twoToMinus60: SQL = """
    0.000000000000000000867361737988403547205962240695953369140625::numeric
    """
}
