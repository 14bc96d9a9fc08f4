import DataModel

/// Validation of comparisons between two fields.
extension ConditionChecker {
  /// Returns the path on the right side of a comparison.
  ///
  /// - Throws: An error if the field cannot be compared with the subject.
  mutating func other(
    _ syntax: PathSyntax, than subject: Subject, _ comparison: Comparison,
    _ test: ConditionTree.Test
  ) throws(ConditionError) -> FieldPath {
    let (resolvedPath, path) = try resolveOther(syntax)
    if subject.type == .json || subject.type == .geopoint || subject.type == .file {
      throw ConditionError(
        "\(subject.name) is \(subject.type.nameWithArticle), which can be compared only with a value",
        test.operatorRange)
    }
    if comparison != .equal { try checkIsOrdered(subject, test) }
    let name = Excerpt.escaped(syntax.names.joined(separator: "."))
    guard resolvedPath.isSingle else {
      throw ConditionError(
        "\(name) may have several values and cannot be on this side of a comparison", syntax.range,
        hint: "swap the sides, or compare with a single value")
    }
    guard subject.type.isComparable(resolvedPath.type) else {
      throw ConditionError(
        "\(subject.name) is \(subject.type.nameWithArticle), \(name) is \(resolvedPath.type.nameWithArticle)",
        syntax.range)
    }
    return path
  }

  /// Resolves the path on the right side of a comparison. A common cause of an error is a text
  /// without quotes, so the error suggests them.
  private mutating func resolveOther(
    _ syntax: PathSyntax
  ) throws(ConditionError) -> (resolvedPath: ResolvedPath, path: FieldPath) {
    do throws(ConditionError) {
      return try resolvedPath(syntax)
    } catch {
      var hinted = error
      if syntax.names.count == 1, !syntax.isNow {
        hinted.hint = "write a text in single quotes: '\(Excerpt.escaped(syntax.names[0]))'"
      }
      throw hinted
    }
  }
}

extension FieldType {
  fileprivate func isComparable(_ other: FieldType) -> Bool {
    let (first, second) = (elementOrSelf, other.elementOrSelf)
    return first == second || first.isText && second.isText || first.isNumeric && second.isNumeric
  }

  private var isNumeric: Bool { self == .integer || self == .number }
}
