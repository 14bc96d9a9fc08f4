import DataModel

/// Validates a parsed condition against the schemas and converts it to a `Condition`.
///
/// The checker collects all errors of a condition instead of stopping at the first one.
struct ConditionChecker {
  let catalog: Catalog
  let schema: Schema
  let alias: String?
  let now: Timestamp
  var parameters: ConditionParameters
  private(set) var errors: [ConditionError] = []
  private var size = QueryLimits()

  init(
    catalog: Catalog, schema: Schema, alias: String?, now: Timestamp,
    parameters: ConditionParameters
  ) {
    self.catalog = catalog
    self.schema = schema
    self.alias = alias
    self.now = now
    self.parameters = parameters
  }

  /// Converts a syntax tree to a condition. Use the result only if `errors` is empty.
  mutating func condition(_ tree: ConditionTree) -> Condition {
    condition(tree, at: Level())
  }

  /// The position of a subexpression in the nesting of `and`, `or` and `not`.
  private struct Level {
    private var isInOr: Bool?
    private var isNegated = false
    private(set) var depth = 0

    var negated: Level {
      var level = self
      level.isNegated.toggle()
      return level
    }

    /// Returns the level of the operands of an `and` or `or`. Under a negation, `and` counts as
    /// `or` and vice versa. Directly nested operators of the same kind share a level.
    func within(or isOr: Bool) -> Level {
      var level = self
      level.isInOr = isOr != isNegated
      if level.isInOr != isInOr { level.depth += 1 }
      return level
    }
  }

  private mutating func condition(_ tree: ConditionTree, at level: Level) -> Condition {
    switch tree {
    case .constant(let constant): return constant ? .all : .not(.all)
    case .not(let inner): return condition(inner, at: level.negated).negation
    case .and(let inner): return .every(inner.map { condition($0, at: level.within(or: false)) })
    case .or(let inner): return .some(inner.map { condition($0, at: level.within(or: true)) })
    case .test(let test):
      do throws(ConditionError) {
        try count(test.path) { size throws(QueryLimits.LimitError) in
          try size.addTest(atDepth: level.depth)
        }
        let (resolvedPath, path) = try self.resolvedPath(test.path)
        let criterion = try self.criterion(
          test, Subject(resolvedPath: resolvedPath, syntax: test.path))
        let condition = Condition.test(path, criterion)
        return test.isNegated ? condition.negation : condition
      } catch {
        if !error.isRepeated { errors.append(error) }
        return .all
      }
    }
  }

  /// The left side of a test: a resolved path and the syntax from which it was resolved.
  struct Subject {
    var resolvedPath: ResolvedPath
    var syntax: PathSyntax

    var type: FieldType { resolvedPath.type }
    var name: String { Excerpt.escaped(syntax.names.joined(separator: ".")) }
  }

  /// Resolves a path and counts its relations toward the limit on relations in a query.
  mutating func resolvedPath(
    _ syntax: PathSyntax
  ) throws(ConditionError) -> (resolvedPath: ResolvedPath, path: FieldPath) {
    let found: (resolvedPath: ResolvedPath, path: FieldPath)
    do throws(ConditionError) {
      found = try syntax.resolvedPath(from: schema, in: catalog, alias: alias)
    } catch {
      var hinted = error
      if syntax.isNow { hinted.hint = "did you mean now()?" }
      throw hinted
    }
    try count(syntax) { size throws(QueryLimits.LimitError) in try size.follow(found.resolvedPath) }
    return found
  }

  private mutating func count(
    _ syntax: PathSyntax, _ body: (inout QueryLimits) throws(QueryLimits.LimitError) -> Void
  ) throws(ConditionError) {
    do throws(QueryLimits.LimitError) {
      try body(&size)
    } catch {
      throw ConditionError(error.message, syntax.range, hint: error.hint)
    }
  }

  private mutating func criterion(
    _ test: ConditionTree.Test, _ subject: Subject
  ) throws(ConditionError) -> Criterion {
    switch test.predicate {
    case .isTrue:
      guard subject.type == .boolean || subject.type == .array(.boolean) else {
        throw ConditionError(
          "\(subject.name) is \(subject.type.nameWithArticle), which is not a condition by itself",
          test.path.range,
          hint: "add a comparison, such as \"\(subject.name) is not null\"")
      }
      return .compare(.equal, .boolean(true))
    case .isNull:
      if subject.type.relation?.isMany == true {
        throw ConditionError(
          "\(subject.name) is a to-many relation, which is never null", test.operatorRange,
          hint: "use \"\(test.isNegated ? "is not empty" : "is empty")\"",
          schema: schema.name, field: subject.name)
      }
      return .isNull
    case .isEmpty:
      guard subject.type.isList || subject.type == .json else {
        throw inapplicable("is empty", subject, test, hint: "did you mean \"is null\"?")
      }
      return .isEmpty
    case .compare(let comparison, .path(let syntax)):
      return .comparePath(comparison, try other(syntax, than: subject, comparison, test))
    case .compare(let comparison, .value(let literal)):
      if comparison != .equal { try checkIsOrdered(subject, test) }
      return try compare(comparison, literal, subject)
    case .isIn(let literals):
      var values: [Value] = []
      values.reserveCapacity(literals.count)
      for literal in literals { values.append(try value(literal, for: subject)) }
      return .isIn(values)
    case .between(let low, let high):
      try checkIsOrdered(subject, test)
      return try between(low, high, subject)
    case .like(let literal, let letters):
      guard subject.hasText else {
        throw inapplicable(letters == .exact ? "like" : "ilike", subject, test)
      }
      return .like(try pattern(literal, letters))
    case .contains(let literal):
      guard subject.hasText || subject.type.isList else {
        throw inapplicable("contains", subject, test)
      }
      return .contains(try value(literal, for: subject))
    case .withinCircle(let distance, let metersPerUnit, let center):
      try checkIsPoint(subject, test)
      return .withinCircle(try circle(distance, metersPerUnit, center))
    case .withinBox(let south, let west, let north, let east):
      try checkIsPoint(subject, test)
      return .withinBox(try box(south: south, west: west, north: north, east: east))
    }
  }

  func checkIsOrdered(
    _ subject: Subject, _ test: ConditionTree.Test
  ) throws(ConditionError) {
    if subject.type == .geopoint || subject.type == .file {
      throw ConditionError(
        "\(subject.name) is \(subject.type.nameWithArticle), which has no order",
        test.operatorRange,
        hint: subject.type == .geopoint
          ? "use within D km of (LAT, LON), within box (S, W, N, E), or \(subject.name).lat" : nil)
    }
  }

  private func checkIsPoint(
    _ subject: Subject, _ test: ConditionTree.Test
  ) throws(ConditionError) {
    guard subject.type == .geopoint else { throw inapplicable("within", subject, test) }
  }

  private func inapplicable(
    _ operation: String, _ subject: Subject, _ test: ConditionTree.Test, hint: String? = nil
  ) -> ConditionError {
    ConditionError(
      "\"\(operation)\" cannot be used with \(subject.name), "
        + "which is \(subject.type.nameWithArticle)",
      test.operatorRange, hint: hint)
  }
}

extension ConditionChecker.Subject {
  /// The type of values that the subject is compared with. For a list, this is the type of an
  /// element; for a relation, the type of an id.
  var valueType: FieldType { type.relation == nil ? type.elementOrSelf : .id }

  /// Whether the subject's values are text, or can be text, as in `json` fields. The operators
  /// `like` and `ilike` require this.
  var hasText: Bool { type == .json || type.elementOrSelf.isText }
}

extension FieldType {
  /// The element type of an array, `text` for a relation, and the type itself for all other types.
  var elementOrSelf: FieldType {
    switch self {
    case .array(let element): element.fieldType
    case .relation: .text
    case .id, .text, .integer, .number, .boolean, .datetime, .geopoint, .file, .json, .password:
      self
    }
  }

  var isText: Bool { self == .text || self == .id }
}

/// Validation of comparisons between two fields.
extension ConditionChecker {
  /// Validates and returns the path on the right side of a comparison with `subject`.
  ///
  /// - Throws: An error if the field at the path cannot be compared with `subject`.
  mutating func other(
    _ syntax: PathSyntax, than subject: Subject, _ comparison: Comparison,
    _ test: ConditionTree.Test
  ) throws(ConditionError) -> FieldPath {
    let (resolvedPath, path) = try resolveOther(syntax)
    if subject.type == .json || subject.type == .geopoint || subject.type == .file {
      throw ConditionError(
        "\(subject.name) is \(subject.type.nameWithArticle), "
          + "which can be compared with a value, but not with a field",
        test.operatorRange)
    }
    if comparison != .equal { try checkIsOrdered(subject, test) }
    let name = Excerpt.escaped(syntax.names.joined(separator: "."))
    guard resolvedPath.isSingle else {
      throw ConditionError(
        "\(name) may have several values and cannot be on the right side of a comparison",
        syntax.range,
        hint: "swap the sides, or compare with a single value")
    }
    guard subject.type.isComparable(resolvedPath.type) else {
      throw ConditionError(
        "cannot compare \(subject.name), which is \(subject.type.nameWithArticle), with \(name), "
          + "which is \(resolvedPath.type.nameWithArticle)",
        syntax.range)
    }
    return path
  }

  /// Resolves the path on the right side of a comparison. A field name that is unknown is often
  /// text without quotes, so the error suggests quotes.
  private mutating func resolveOther(
    _ syntax: PathSyntax
  ) throws(ConditionError) -> (resolvedPath: ResolvedPath, path: FieldPath) {
    do throws(ConditionError) {
      return try resolvedPath(syntax)
    } catch {
      var hinted = error
      if syntax.names.count == 1, !syntax.isNow {
        hinted.hint = "write text in single quotes: '\(Excerpt.escaped(syntax.names[0]))'"
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
