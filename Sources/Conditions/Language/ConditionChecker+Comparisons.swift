import DataModel
import JSONText

/// Comparisons of integer fields with fractions, and with numbers outside the 64-bit range. The
/// number is replaced with an integer such that the comparison has the same result.
extension ConditionChecker {
  /// Returns the criterion, a validated predicate, for a comparison with a literal. For an integer
  /// field, `stock < 1.5` becomes `stock <= 1`.
  ///
  /// - Throws: An error if an integer field is tested for equality with a fraction, because no
  ///   integer is equal to it.
  mutating func compare(
    _ comparison: Comparison, _ literal: Literal, _ subject: Subject
  ) throws(ConditionError) -> Criterion {
    switch comparison {
    case .equal: break
    case .less, .lessOrEqual:
      if let around = integers(around: literal, subject) {
        return around.below.map { Criterion.compare(.lessOrEqual, .integer($0)) }
          ?? .compare(.less, .integer(.min))
      }
    case .greater, .greaterOrEqual:
      if let around = integers(around: literal, subject) {
        return around.above.map { Criterion.compare(.greaterOrEqual, .integer($0)) }
          ?? .compare(.greater, .integer(.max))
      }
    }
    return .compare(comparison, try value(literal, for: subject))
  }

  /// Returns the criterion for a value between two literals. If an integer field is compared and
  /// there is no 64-bit integer between them, the criterion is a range that contains no values.
  mutating func between(
    _ low: Literal, _ high: Literal, _ subject: Subject
  ) throws(ConditionError) -> Criterion {
    let (least, greatest) = (integers(around: low, subject), integers(around: high, subject))
    let lower: Value?
    if let least {
      lower = least.above.map(Value.integer)
    } else {
      lower = try value(low, for: subject)
    }
    let upper: Value?
    if let greatest {
      upper = greatest.below.map(Value.integer)
    } else {
      upper = try value(high, for: subject)
    }
    guard let lower, let upper else { return .between(.integer(.max), .integer(.min)) }
    return .between(lower, upper)
  }

  /// Returns the 64-bit integers directly below and above a number that is compared with an integer
  /// field. Returns nil if the literal is not a number, if the literal is a 64-bit integer itself,
  /// or if the compared field is not an integer field.
  private mutating func integers(
    around literal: Literal, _ subject: Subject
  ) -> (below: Int64?, above: Int64?)? {
    guard subject.type.elementOrSelf == .integer, let text = numberText(literal),
      NumberText.isJSONNumber(text.utf8.span)
    else { return nil }
    let around = NumberText.integers(around: text.utf8.span)
    return around.below == around.above ? nil : around
  }

  /// Returns the text of a number literal, or the value of a parameter if it is a number or text.
  /// Returns nil for other literals.
  mutating func numberText(_ literal: Literal) -> String? {
    switch literal.kind {
    case .number(let text): return text
    case .parameter(let name):
      switch parameters.lookUp(name) {
      case .value(.text(let text)): return text
      case .value(.json(.number(let number))): return number.text
      case .value(.json), .deferred, .user, .unknownInRule, .missing: return nil
      }
    case .text, .boolean, .null, .now, .duration, .point, .json: return nil
    }
  }
}
