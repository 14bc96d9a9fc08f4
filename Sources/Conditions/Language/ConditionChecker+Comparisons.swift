import DataModel
import JSONText

/// Comparisons of integers and decimals with numbers that no value of the field can equal: fractions,
/// and numbers that are out of range. The number is replaced with a value of the field such that the
/// comparison has the same result.
extension ConditionChecker {
  /// Returns the criterion, a validated predicate, for a comparison with a literal. For an integer
  /// field, `stock < 1.5` becomes `stock <= 1`.
  ///
  /// - Throws: An error if an integer field is tested for equality with a fraction, because no
  ///   integer is equal to it. A decimal can be tested for equality with any number.
  mutating func compare(
    _ comparison: Comparison, _ literal: Literal, _ subject: Subject
  ) throws(ConditionError) -> Criterion {
    let neighbors = neighbors(literal, subject)
    switch comparison {
    case .equal:
      if let neighbors, subject.type.descriptor.scale != nil { return noValue(neighbors) }
    case .less, .lessOrEqual:
      if let neighbors {
        return neighbors.below.map { .compare(.lessOrEqual, $0) } ?? noValue(neighbors)
      }
    case .greater, .greaterOrEqual:
      if let neighbors {
        return neighbors.above.map { .compare(.greaterOrEqual, $0) } ?? noValue(neighbors)
      }
    }
    return .compare(comparison, try value(literal, for: subject))
  }

  /// Returns the criterion for a value between two literals. If an integer field is compared and
  /// there is no 64-bit integer between them, the criterion is a range that contains no values.
  mutating func between(
    _ low: Literal, _ high: Literal, _ subject: Subject
  ) throws(ConditionError) -> Criterion {
    let (least, greatest) = (neighbors(low, subject), neighbors(high, subject))
    if let least, least.above == nil { return noValue(least) }
    if let greatest, greatest.below == nil { return noValue(greatest) }
    let lower = if let least = least?.above { least } else { try value(low, for: subject) }
    let upper =
      if let greatest = greatest?.below { greatest } else { try value(high, for: subject) }
    return .between(lower, upper)
  }

  /// Returns a criterion that no value satisfies.
  private func noValue(_ neighbors: TypeDescriptor.Neighbors) -> Criterion {
    switch neighbors {
    case (let below?, let above?): .between(above, below)
    case (nil, let least?): .compare(.less, least)
    case (let greatest?, nil): .compare(.greater, greatest)
    case (nil, nil): .isIn([])
    }
  }

  /// Returns the values of the subject's type directly below and above a number. Returns nil if the
  /// literal is not a number, if it is a value of the type itself, or if the subject is neither an
  /// integer nor a decimal.
  private mutating func neighbors(
    _ literal: Literal, _ subject: Subject
  ) -> TypeDescriptor.Neighbors? {
    guard let neighbors = subject.type.elementOrSelf.descriptor.neighbors,
      let text = numberText(literal), NumberText.isJSONNumber(text.utf8.span)
    else { return nil }
    return neighbors(text.utf8.span)
  }

  /// Returns the text of a number literal, or the value of a parameter if it is a number or text.
  /// Returns nil for other literals.
  private mutating func numberText(_ literal: Literal) -> String? {
    switch literal.kind {
    case .number(let text): return text
    case .parameter(let name):
      switch parameters.lookUp(name) {
      case .value(.text(let text)): return text
      case .value(.json(.number(let number))): return number.text
      case .value(.json), .deferred, .user, .unknownInRule, .missing: return nil
      }
    case .text, .boolean, .null, .now, .point, .json: return nil
    }
  }
}
