import DataModel

/// Validation of comparisons between two fields.
extension ConditionCheck {
  /// Returns the path on the right side of a comparison.
  ///
  /// - Throws: An error if the field cannot be compared with the subject.
  mutating func other(
    _ words: PathWords, than subject: Subject, _ comparison: Comparison,
    _ test: ConditionTree.Test
  ) throws(ConditionFault) -> FieldPath {
    let (route, path) = try otherRoute(words)
    if subject.type == .json || subject.type == .geopoint || subject.type == .file {
      throw ConditionFault(
        "\(subject.name) is \(subject.type.phrase), which can be compared only with a value",
        test.operatorRange)
    }
    if comparison != .equal { try checkIsOrdered(subject, test) }
    let name = Excerpt.visible(words.names.joined(separator: "."))
    guard route.isSingle else {
      throw ConditionFault(
        "\(name) may have several values and cannot be on this side of a comparison", words.range,
        advice: "swap the sides, or compare with a single value")
    }
    guard subject.type.comparesWith(route.type) else {
      throw ConditionFault(
        "\(subject.name) is \(subject.type.phrase), \(name) is \(route.type.phrase)", words.range)
    }
    return path
  }

  /// Resolves the path on the right side of a comparison. A common cause of an error is a text
  /// without quotes, so the error suggests them.
  private mutating func otherRoute(
    _ words: PathWords
  ) throws(ConditionFault) -> (route: Route, path: FieldPath) {
    do throws(ConditionFault) {
      return try route(words)
    } catch {
      var fault = error
      if words.names.count == 1, !words.isNow {
        fault.advice = "write a text in single quotes: '\(Excerpt.visible(words.names[0]))'"
      }
      throw fault
    }
  }
}

extension FieldType {
  fileprivate func comparesWith(_ other: FieldType) -> Bool {
    let (first, second) = (elementOrSelf, other.elementOrSelf)
    return first == second || first.isText && second.isText || first.isNumeric && second.isNumeric
  }

  private var isNumeric: Bool { self == .integer || self == .number }
}
