import DataModel

/// Validates a parsed condition against the schemas and converts it to a `Condition`.
///
/// The checker collects all errors of a condition instead of stopping at the first one.
struct ConditionChecker {
  let catalog: Catalog
  /// The schema of the records that the current part of the condition tests. Inside `any`, `all`
  /// and `no`, it is the schema of the related records.
  private(set) var schema: Schema
  private(set) var alias: String?
  let now: Timestamp
  let zone: QueryZone?
  var parameters: ConditionParameters
  private(set) var errors = ConditionErrors()
  private var size = QueryLimits()

  init(_ reader: ConditionReader, of schema: Schema, alias: String?) {
    catalog = reader.catalog
    now = reader.now
    zone = reader.zone
    parameters = reader.parameters
    self.schema = schema
    self.alias = alias
  }

  /// Converts a syntax tree to a condition. Use the result only if there are no `errors`.
  mutating func condition(_ tree: ConditionTree) -> Condition {
    condition(tree, at: Level())
  }

  /// The nesting depth of a part of a condition, and whether the part is negated.
  private struct Level {
    private var isInOr: Bool?
    private var isNegated = false
    private(set) var depth = 0
    /// Whether the number of negations around this part of the condition is odd, so that the whole
    /// condition can become true because the part is false. The quantifier `no` counts as a
    /// negation. In contrast to `isNegated`, negations outside an enclosing `any`, `all` or `no`
    /// count too.
    private var isOpposed = false

    var negated: Level {
      var level = self
      level.isNegated.toggle()
      level.isOpposed.toggle()
      return level
    }

    /// Returns the level of the condition in the parentheses after `any`, `all` or `no`. This
    /// condition is one level deeper. Negations outside the parentheses affect its `isOpposed`, but
    /// not its `isNegated`.
    func inRelated(_ quantifier: ConditionTree.RelatedTest.Quantifier) -> Level {
      var level = Level()
      level.depth = depth + 1
      level.isOpposed = isOpposed != (quantifier == .no)
      return level
    }

    /// The constant condition that replaces a test with `:user` if the caller is not logged in:
    /// false, or true if the test is negated. It can therefore never make the whole condition true.
    var denial: Condition { isOpposed ? .all : .not(.all) }

    /// Returns whether the absence of related records can make the whole condition true. Without
    /// related records, a test with `all` or `no` is true, and a test with `any` is false. The
    /// result therefore also depends on whether the test is negated.
    ///
    /// If the result is true, a test that contains `:user` must be replaced with `denial` for a
    /// caller that is not logged in.
    func isHelpedByNoRelatedRecords(in quantifier: ConditionTree.RelatedTest.Quantifier) -> Bool {
      isOpposed == (quantifier == .any)
    }

    /// Returns the level of the operands of an `and` or `or` at this level. The depth increases by
    /// one, except inside an operator of the same kind: in `(a and b) and c`, all operands have the
    /// same depth. In a negation, `and` counts as `or`, and `or` as `and`.
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
      return collectingError { check throws(ConditionError) in
        try check.condition(test, at: level)
      }
    case .related(let test):
      return collectingError { check throws(ConditionError) in
        try check.condition(test, at: level)
      }
    }
  }

  /// Returns the condition that `body` returns. If `body` throws an error, adds the error to
  /// `errors` and returns an arbitrary condition, because a condition with errors is never used.
  private mutating func collectingError(
    _ body: (inout Self) throws(ConditionError) -> Condition
  ) -> Condition {
    // The reader throws an error if the task is canceled.
    if Task.isCancelled { return .all }
    do throws(ConditionError) {
      return try body(&self)
    } catch {
      if !error.isRepeated { errors.add(error) }
      return .all
    }
  }

  private mutating func condition(
    _ test: ConditionTree.Test, at level: Level
  ) throws(ConditionError) -> Condition {
    try count(test.subject.range) { size throws(QueryLimits.LimitError) in
      try size.addTest(atDepth: level.depth)
    }
    let absentUserCount = parameters.absentUserCount
    let condition: Condition
    if case .path(let syntax) = test.subject {
      let (resolvedPath, path) = try resolvedPath(syntax)
      let subject = Subject(resolvedPath: resolvedPath, syntax: syntax)
      if case .during(let literal) = test.predicate {
        let criteria = try criteria(during: literal, subject, test)
        condition = .some(criteria.map { .test(path, $0) })
      } else {
        let criterion = try criterion(test, subject)
        if criterion.expression != nil {
          try checkIsSingle(resolvedPath, subject)
          condition = .compute(.path(path), criterion)
        } else if resolvedPath.endsInInverse {
          condition = Self.condition(onReferrersAt: path, criterion)
        } else {
          condition = .test(path, criterion)
        }
      }
    } else {
      var (expression, type) = try expression(test.subject)
      var subject = Subject(type: type, name: "the value", range: test.subject.range)
      subject.unit = catalog.unit(ofDifference: expression, from: schema)
      if case .during(let literal) = test.predicate {
        let criteria = try criteria(during: literal, subject, test)
        condition = .some(
          criteria.map { rangeCondition(expression, $0) ?? .compute(expression, $0) })
      } else {
        let criterion = try criterion(test, subject)
        if case .literal(let literal) = test.subject, case .now = literal.kind,
          let other = criterion.expression,
          (try? catalog.resolved(other, from: schema).type) == .date
        {
          // Compared with a date, `now()` is today in the zone of the query.
          expression = .value(try value(literal, .date, "now()"))
        }
        condition = rangeCondition(expression, criterion) ?? .compute(expression, criterion)
      }
    }
    if parameters.absentUserCount > absentUserCount { return level.denial }
    return test.isNegated ? condition.negation : condition
  }

  /// Returns the criteria of a test whether a value is in a day, month or year. The test succeeds
  /// if the value satisfies at least one criterion.
  private mutating func criteria(
    during literal: Literal, _ subject: Subject, _ test: ConditionTree.Test
  ) throws(ConditionError) -> [Criterion] {
    guard subject.type.elementOrSelf.isTime else {
      throw inapplicable(
        "a day, month or year", subject, test, hint: "write a list in parentheses: in (5, 6)")
    }
    return try during(literal, subject)
  }

  /// Returns a condition that tests the inverse of a relation: the list of ids of the records that
  /// refer to the tested record.
  private static func condition(onReferrersAt path: FieldPath, _ criterion: Criterion) -> Condition
  {
    switch criterion {
    case .isEmpty: .not(.any(path, .all))
    case .contains(let id): .test(path, .compare(.equal, id))
    case .isNull, .compare, .comparePath, .compareExpression, .isIn, .between, .like, .withinCircle,
      .withinBox:
      .test(path, criterion)
    }
  }

  private mutating func condition(
    _ test: ConditionTree.RelatedTest, at level: Level
  ) throws(ConditionError) -> Condition {
    let (path, hop, target) = try relation(test.path)
    try count(test.path.range) { size throws(QueryLimits.LimitError) in
      try size.addTest(atDepth: level.depth)
    }
    let absentUserCount = parameters.absentUserCount
    let inner = try withinRelated(hop, target, test.path.range) { check in
      check.condition(test.condition, at: level.inRelated(test.quantifier))
    }
    if parameters.absentUserCount > absentUserCount,
      level.isHelpedByNoRelatedRecords(in: test.quantifier)
    {
      return level.denial
    }
    switch test.quantifier {
    case .any: return .any(path, inner)
    case .all: return .not(.any(path, inner.negation))
    case .no: return .not(.any(path, inner))
    }
  }

  /// Resolves a path to a to-many relation or to the inverse of a relation. Also returns the schema
  /// of the related records.
  func relation(
    _ syntax: PathSyntax
  ) throws(ConditionError) -> (path: FieldPath, hop: ResolvedPath.Hop, target: Schema) {
    var own = syntax
    own.removeAlias(alias)
    let path = FieldPath(
      names: own.names.enumerated().map { index, name in
        index == 0 ? schema.slot(named: name).map { schema.name(of: $0) } ?? name : name
      })
    do throws(PathError) {
      let (hop, target) = try catalog.toManyHop(path, from: schema)
      return (path, hop, target)
    } catch {
      throw ConditionError(error, own)
    }
  }

  /// The left side of a test.
  struct Subject {
    var type: FieldType
    /// The path as the user wrote it, or a description of a computed value, for error messages.
    var name: String
    var range: Range<Int>
    /// The resolved path, or nil if the value is computed.
    var resolvedPath: ResolvedPath?
    /// The microseconds of the unit in which a difference of times is counted; nil for other values.
    var unit: Int64?
    /// The path in the syntax of conditions, or the name of a computed value, for hints.
    var text: String

    init(type: FieldType, name: String, range: Range<Int>) {
      self.type = type
      self.name = name
      self.range = range
      text = name
    }

    init(resolvedPath: ResolvedPath, syntax: PathSyntax) {
      self.init(
        type: resolvedPath.type, name: Excerpt.escaped(syntax.names.joined(separator: ".")),
        range: syntax.range)
      self.resolvedPath = resolvedPath
      text = Excerpt.escaped(ConditionWriter.text(of: FieldPath(names: syntax.names)))
    }
  }

  /// Resolves a path. Its relations count toward the maximum number of relations in a query.
  mutating func resolvedPath(
    _ syntax: PathSyntax
  ) throws(ConditionError) -> (resolvedPath: ResolvedPath, path: FieldPath) {
    let found: (resolvedPath: ResolvedPath, path: FieldPath)
    do throws(ConditionError) {
      found = try syntax.resolvedPath(
        from: schema, in: catalog, alias: alias, suggestsNames: !errors.isFull)
    } catch {
      var hinted = error
      if syntax.isNow { hinted.hint = "did you mean now()?" }
      throw hinted
    }
    try count(syntax.range) { size throws(QueryLimits.LimitError) in
      try size.follow(found.resolvedPath)
    }
    return found
  }

  /// Validates expressions or conditions about the records to which a relation leads.
  mutating func withinRelated<Result>(
    _ hop: ResolvedPath.Hop, _ target: Schema, _ range: Range<Int>,
    _ body: (inout Self) throws(ConditionError) -> Result
  ) throws(ConditionError) -> Result {
    try count(range) { size throws(QueryLimits.LimitError) in try size.enter(hop) }
    let outer = (schema, alias)
    (schema, alias) = (target, nil)
    defer {
      (schema, alias) = outer
      size.leave()
    }
    return try body(&self)
  }

  mutating func count(
    _ range: Range<Int>, _ body: (inout QueryLimits) throws(QueryLimits.LimitError) -> Void
  ) throws(ConditionError) {
    do throws(QueryLimits.LimitError) {
      try body(&size)
    } catch {
      throw ConditionError(error.message, range, hint: error.hint)
    }
  }

  private mutating func criterion(
    _ test: ConditionTree.Test, _ subject: Subject
  ) throws(ConditionError) -> Criterion {
    let predicate = subject.unit.map(test.predicate.countingDurations) ?? test.predicate
    switch predicate {
    case .isTrue:
      guard subject.type == .boolean || subject.type == .array(.boolean) else {
        throw ConditionError(
          "\(subject.name) is \(subject.type.nameWithArticle), which is not a condition by itself",
          subject.range,
          hint: "add a comparison, such as: \(subject.text) is not null")
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
      let path = try other(syntax, than: subject, comparison, test)
      return subject.resolvedPath == nil
        ? .compareExpression(comparison, .path(path)) : .comparePath(comparison, path)
    case .compare(let comparison, .literal(let literal)):
      if comparison != .equal { try checkIsOrdered(subject, test) }
      return try compare(comparison, literal, subject)
    case .compare(let comparison, let syntax):
      if comparison != .equal { try checkIsOrdered(subject, test) }
      let (expression, type) = try expression(syntax)
      guard subject.type.isComparable(type) else {
        throw ConditionError(
          "cannot compare \(subject.name), which is \(subject.type.nameWithArticle), with "
            + type.nameWithArticle, syntax.range,
          hint: subject.type.isTime && type == .integer
            ? "write a day or a datetime in single quotes, or use on or in: in 2026-11" : nil)
      }
      return .compareExpression(comparison, expression)
    case .during:
      preconditionFailure("a period is converted by `criteria(during:)`")
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
  /// The type that a value must have to be compared with the subject. For a list, this is the type
  /// of an element; for a relation, the type of an id.
  var valueType: FieldType { type.relation == nil ? type.elementOrSelf : .id }

  /// Whether the subject's values are text, or can be text, as in `json` fields. The operators
  /// `like` and `ilike` require this.
  var hasText: Bool { type == .json || type.elementOrSelf.isText }
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
    let (resolvedPath, path) = try resolveOther(syntax, than: subject)
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

  /// Resolves the path on the right side of a comparison. An unknown name is often text without
  /// quotes, so the error suggests quotes, except if `subject` is a number.
  private mutating func resolveOther(
    _ syntax: PathSyntax, than subject: Subject
  ) throws(ConditionError) -> (resolvedPath: ResolvedPath, path: FieldPath) {
    do throws(ConditionError) {
      return try resolvedPath(syntax)
    } catch {
      var hinted = error
      if syntax.names.count == 1, !syntax.isNow, !subject.type.elementOrSelf.isNumeric {
        hinted.hint = "write text in single quotes: '\(Excerpt.escaped(syntax.names[0]))'"
      }
      throw hinted
    }
  }
}

extension FieldType {
  fileprivate func isComparable(_ other: FieldType) -> Bool {
    let (first, second) = (elementOrSelf, other.elementOrSelf)
    return first == second || first.isTime && second.isTime || first.isText && second.isText
      || first.isNumeric && second.isNumeric
  }
}
