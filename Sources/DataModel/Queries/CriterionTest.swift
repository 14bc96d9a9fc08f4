/// A criterion prepared for testing many values.
package struct CriterionTest: Sendable {
  private enum Means: Sendable {
    case none
    case set(Set<Value>)
    case pattern(LikePattern.Matcher)
    case part(TextSearch)
    case circle(SpherePoint, squaredChord: Double)
  }

  private let criterion: Criterion
  private let means: Means
  /// Whether an operand is a JSON object or array, so that tested JSON must be converted to
  /// canonical text.
  private let comparesJSON: Bool

  package init(_ written: Criterion) {
    let criterion = written.withPlainJSON
    self.criterion = criterion
    comparesJSON = criterion.values.contains { if case .json = $0 { true } else { false } }
    switch criterion {
    case .isIn(let values): means = .set(Set(values))
    case .like(let pattern): means = .pattern(LikePattern.Matcher(pattern))
    case .contains(.text(let text)): means = .part(TextSearch(text))
    case .withinCircle(let circle):
      means = .circle(SpherePoint(circle.centre), squaredChord: circle.squaredChord)
    case .isNull, .isEmpty, .compare, .comparePath, .between, .contains, .withinBox: means = .none
    }
  }

  /// Returns whether a field's value satisfies the criterion.
  ///
  /// A list counts as one value. A JSON array is tested both as JSON and as a list.
  ///
  /// - Parameter other: The value at the other path if the criterion compares two paths.
  package func isMet(by value: Value, beside other: Value = .null) -> Bool {
    let value = comparesJSON ? value.plain : value
    if meets(value, other) { return true }
    guard case .json(let text) = value else { return false }
    return JSONReach.elements(ofArray: text.utf8.span).map { meets(.list($0), other) } ?? false
  }

  /// Returns whether a text satisfies the criterion.
  package func isMet(byText text: Span<UInt8>) -> Bool {
    switch means {
    case .pattern(let pattern): pattern.matches(text)
    case .part(let search): search.isPart(of: text)
    case .none, .set, .circle: meets(.text(String(decoding: text)), .null)
    }
  }

  private func meets(_ value: Value, _ other: Value) -> Bool {
    switch criterion {
    case .isNull: return value == .null
    case .isEmpty: return value == .list([])
    case .contains(let wanted):
      if case .list(let elements) = value { return elements.contains(wanted) }
      return hasPart(value)
    case .comparePath(let comparison, _):
      return value.elements.contains { comparison.holds($0, other) }
    case .compare, .isIn, .between, .like, .withinCircle, .withinBox:
      return value.elements.contains(where: isMet(bySingle:))
    }
  }

  private func isMet(bySingle value: Value) -> Bool {
    switch criterion {
    case .compare(let comparison, let wanted): return comparison.holds(value, wanted)
    case .between(let low, let high):
      return Comparison.greaterOrEqual.holds(value, low)
        && Comparison.lessOrEqual.holds(value, high)
    case .isIn:
      if case .set(let values) = means { return value != .null && values.contains(value) }
    case .like:
      if case .pattern(let pattern) = means, case .text(let text) = value {
        return pattern.matches(text.utf8.span)
      }
    case .withinCircle:
      if case .circle(let centre, let limit) = means, case .geopoint(let point) = value {
        return SpherePoint(point).squaredChord(to: centre) <= limit
      }
    case .withinBox(let box):
      if case .geopoint(let point) = value { return box.holds(point) }
    case .isNull, .isEmpty, .contains, .comparePath: break
    }
    return false
  }

  private func hasPart(_ value: Value) -> Bool {
    guard case .part(let search) = means, case .text(let text) = value else { return false }
    return search.isPart(of: text.utf8.span)
  }
}

extension Criterion {
  /// The criterion with JSON scalars replaced by values, and other JSON by its canonical text.
  fileprivate var withPlainJSON: Criterion {
    switch self {
    case .compare(let comparison, let value): .compare(comparison, value.plain)
    case .isIn(let values): .isIn(values.map(\.plain))
    case .between(let low, let high): .between(low.plain, high.plain)
    case .contains(let value): .contains(value.plain)
    case .isNull, .isEmpty, .comparePath, .like, .withinCircle, .withinBox: self
    }
  }

  /// The operands.
  fileprivate var values: [Value] {
    switch self {
    case .compare(_, let value), .contains(let value): [value]
    case .isIn(let values): values
    case .between(let low, let high): [low, high]
    case .isNull, .isEmpty, .comparePath, .like, .withinCircle, .withinBox: []
    }
  }
}

extension Value {
  fileprivate var plain: Value {
    guard case .json(let text) = self else { return self }
    let value = JSONReach.scalar(text.utf8.span)
    return if case .json(let text) = value { .json(JSONReach.canonical(text)) } else { value }
  }
}
