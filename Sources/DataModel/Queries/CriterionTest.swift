import JSONText

/// A criterion that is prepared once, for example by parsing its pattern, to test many values.
package struct CriterionTest: Sendable {
  private enum Prepared: Sendable {
    case none
    case set(Set<Value>)
    case pattern(LikePattern.Matcher)
    case part(TextSearch)
    case circle(SpherePoint, squaredChord: Double)
  }

  private let criterion: Criterion
  private let prepared: Prepared
  /// Whether an operand is a JSON object or array. If so, a tested JSON value must first be
  /// converted to canonical text.
  private let comparesJSON: Bool

  package init(_ written: Criterion) {
    let criterion = written.withNormalizedJSON
    self.criterion = criterion
    comparesJSON = criterion.values.contains { if case .json = $0 { true } else { false } }
    switch criterion {
    case .isIn(let values): prepared = .set(Set(values))
    case .like(let pattern): prepared = .pattern(LikePattern.Matcher(pattern))
    case .contains(.text(let text)): prepared = .part(TextSearch(text))
    case .withinCircle(let circle):
      prepared = .circle(SpherePoint(circle.center), squaredChord: circle.squaredChord)
    case .isNull, .isEmpty, .compare, .comparePath, .compareExpression, .between, .contains,
      .withinBox:
      prepared = .none
    }
  }

  /// Returns whether a field's value satisfies the criterion.
  ///
  /// A list is passed as one value. A JSON array is tested both as JSON and as a list.
  ///
  /// - Parameters:
  ///   - value: The field's value.
  ///   - other: The value to compare with, if the criterion compares the field with another path or
  ///     with a computed value.
  package func isSatisfied(by value: Value, comparedTo other: Value = .null) -> Bool {
    let value = comparesJSON ? value.normalizedJSON : value
    if satisfies(value, other) { return true }
    guard case .json(let text) = value else { return false }
    return JSONPathEvaluator.elements(ofArray: text.utf8.span).map { satisfies(.list($0), other) }
      ?? false
  }

  /// Returns whether UTF-8 text satisfies the criterion.
  package func isSatisfied(byText text: Span<UInt8>) -> Bool {
    switch prepared {
    case .pattern(let pattern): pattern.matches(text)
    case .part(let search): search.isPart(of: text)
    case .none, .set, .circle: satisfies(.text(String(decoding: text)), .null)
    }
  }

  private func satisfies(_ value: Value, _ other: Value) -> Bool {
    switch criterion {
    case .isNull: return value == .null
    case .isEmpty: return value == .list([])
    case .contains(let operand):
      if case .list(let elements) = value { return elements.contains(operand) }
      return hasPart(value)
    case .comparePath(let comparison, _), .compareExpression(let comparison, _):
      return value.elements.contains { comparison.matches($0, other) }
    case .compare, .isIn, .between, .like, .withinCircle, .withinBox:
      return value.elements.contains(where: isSatisfied(bySingle:))
    }
  }

  private func isSatisfied(bySingle value: Value) -> Bool {
    switch criterion {
    case .compare(let comparison, let operand): return comparison.matches(value, operand)
    case .between(let low, let high):
      return Comparison.greaterOrEqual.matches(value, low)
        && Comparison.lessOrEqual.matches(value, high)
    case .isIn:
      if case .set(let values) = prepared { return value != .null && values.contains(value) }
    case .like:
      if case .pattern(let pattern) = prepared, case .text(let text) = value {
        return pattern.matches(text.utf8.span)
      }
    case .withinCircle:
      if case .circle(let center, let limit) = prepared, case .geopoint(let point) = value {
        return SpherePoint(point).squaredChord(to: center) <= limit
      }
    case .withinBox(let box):
      if case .geopoint(let point) = value { return box.matches(point) }
    case .isNull, .isEmpty, .contains, .comparePath, .compareExpression: break
    }
    return false
  }

  private func hasPart(_ value: Value) -> Bool {
    guard case .part(let search) = prepared, case .text(let text) = value else { return false }
    return search.isPart(of: text.utf8.span)
  }
}

extension Criterion {
  /// The criterion with normalized JSON operands: scalars become plain values, and objects and
  /// arrays become canonical text.
  fileprivate var withNormalizedJSON: Criterion {
    switch self {
    case .compare(let comparison, let value): .compare(comparison, value.normalizedJSON)
    case .isIn(let values): .isIn(values.map(\.normalizedJSON))
    case .between(let low, let high): .between(low.normalizedJSON, high.normalizedJSON)
    case .contains(let value): .contains(value.normalizedJSON)
    case .isNull, .isEmpty, .comparePath, .compareExpression, .like, .withinCircle, .withinBox:
      self
    }
  }

  /// The operands of the criterion that are values, as opposed to paths, patterns, and areas.
  fileprivate var values: [Value] {
    switch self {
    case .compare(_, let value), .contains(let value): [value]
    case .isIn(let values): values
    case .between(let low, let high): [low, high]
    case .isNull, .isEmpty, .comparePath, .compareExpression, .like, .withinCircle, .withinBox:
      []
    }
  }
}

extension Value {
  fileprivate var normalizedJSON: Value {
    guard case .json(let text) = self else { return self }
    let value = JSONPathEvaluator.scalar(text.utf8.span)
    return if case .json(let text) = value { .json(JSONPathEvaluator.canonical(text)) } else {
      value
    }
  }
}

/// A substring search in linear time (Knuth-Morris-Pratt).
struct TextSearch: Sendable {
  private let needle: [UInt8]
  /// For each prefix of the needle, the length of the longest text with which the prefix starts and
  /// ends, except for the prefix itself. For `abcab`, this text is `ab`, so the length is 2.
  private var borders = [0]

  init(_ text: String) {
    needle = Array(text.utf8)
    var border = 0
    for index in needle.indices.dropFirst() {
      while border > 0, needle[index] != needle[border] { border = borders[border - 1] }
      if needle[index] == needle[border] { border += 1 }
      borders.append(border)
    }
  }

  func isPart(of text: Span<UInt8>) -> Bool {
    if needle.isEmpty { return true }
    var matched = 0
    for index in text.indices {
      while matched > 0, text[index] != needle[matched] { matched = borders[matched - 1] }
      if text[index] == needle[matched] { matched += 1 }
      if matched == needle.count { return true }
    }
    return false
  }
}
