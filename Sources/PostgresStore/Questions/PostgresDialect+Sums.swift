import DataModel
import DataStore

/// Sums and averages. PostgreSQL adds doubles up one after the other, and what a large one swallows of
/// a small one is gone: here numbers are added up exactly, and rounded once at the end.
///
/// A number is cut into digits to the base of 2^60, from 2^60 down to 2^-180, by multiplications that
/// are exact; a sum of such digits is one of integers. What is larger than that is added up as the
/// decimals that are printed, and what is smaller as doubles, of which no larger one takes anything.
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
        "(\(fraction)) * \(Self.least) + \(digits(column, at: scale, below: scale * 0x1p-60))"
    }
    return "\(large) + \(whole) + (\(fraction)) * \(Self.least)"
  }

  /// The sum of one digit of each number: what is left of it above the point if it is scaled, without
  /// what the digit before it has.
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

  /// What is too small to be divided is nothing: PostgreSQL calls that an error.
  private func tinyAverage(_ column: SQL) -> SQL {
    let (sum, count) = (tinySum(column), "count(\(column))::double precision" as SQL)
    let least: SQL = "\(.number(.leastNonzeroMagnitude))"
    return "(case when abs(\(sum)) * 2 > \(count) * \(least) then \(sum) / \(count) else 0 end)"
  }

  /// 2^-60, to its last digit.
  private static let least: SQL = """
    0.000000000000000000867361737988403547205962240695953369140625::numeric
    """
}
