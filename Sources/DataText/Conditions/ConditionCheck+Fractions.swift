import DataModel

/// How integers compare with fractions: as the integers do that lie beside them.
extension ConditionCheck {
  /// A comparison with a value: `stock < 1.5` is `stock <= 1`. No integer equals a fraction, so that
  /// to ask for it is an error.
  mutating func compare(
    _ comparison: Comparison, _ literal: Literal, _ subject: Subject
  ) throws(ConditionFault) -> Criterion {
    switch comparison {
    case .equal: break
    case .less, .lessOrEqual:
      if let fraction = fraction(literal, subject) {
        return .compare(.lessOrEqual, Self.integer(fraction, .down))
      }
    case .greater, .greaterOrEqual:
      if let fraction = fraction(literal, subject) {
        return .compare(.greaterOrEqual, Self.integer(fraction, .up))
      }
    }
    return .compare(comparison, try value(literal, for: subject))
  }

  /// The least value that a literal lets through.
  mutating func least(_ literal: Literal, _ subject: Subject) throws(ConditionFault) -> Value {
    if let fraction = fraction(literal, subject) { return Self.integer(fraction, .up) }
    return try value(literal, for: subject)
  }

  /// The greatest value that a literal lets through.
  mutating func greatest(_ literal: Literal, _ subject: Subject) throws(ConditionFault) -> Value {
    if let fraction = fraction(literal, subject) { return Self.integer(fraction, .down) }
    return try value(literal, for: subject)
  }

  /// The fraction that stands beside an integer, if it is one that a double has as a fraction too.
  private mutating func fraction(_ literal: Literal, _ subject: Subject) -> Double? {
    guard subject.type.elementOrSelf == .integer, let text = numberText(literal),
      NumberText.isJSONNumber(text.utf8.span)
    else { return nil }
    do throws(NumberText.Fault) {
      let number = try NumberText.double(text.utf8.span)
      return number == number.rounded() ? nil : number
    } catch {
      return nil
    }
  }

  /// The digits of a literal that is a number, or a parameter that stands for one.
  private mutating func numberText(_ literal: Literal) -> String? {
    switch literal.kind {
    case .number(let text): return text
    case .parameter(let name):
      switch parameters.lookUp(name) {
      case .value(.text(let text)): return text
      case .value(.json(.number(let number))): return number.text
      case .value(.json), .deferred, .missing: return nil
      }
    case .text, .boolean, .null, .now, .point, .json: return nil
    }
  }

  /// Every double with a fraction is within 64 bits.
  private static func integer(_ fraction: Double, _ rule: FloatingPointRoundingRule) -> Value {
    .integer(Int64(fraction.rounded(rule)))
  }
}
