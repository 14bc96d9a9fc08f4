import DataModel

/// Validates a parsed condition against the schemas and converts it to a `Condition`.
///
/// It collects all errors of a condition instead of stopping at the first.
struct ConditionCheck {
  let catalog: Catalog
  let schema: Schema
  let alias: String?
  let now: Timestamp
  var parameters: ConditionParameters
  private(set) var faults: [ConditionFault] = []
  private var size = QuestionSize()

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

  /// Returns the condition. If `errors` is not empty, the result must not be used.
  mutating func condition(_ tree: ConditionTree) -> Condition {
    condition(tree, at: Level())
  }

  /// The nesting level of a part of a condition.
  private struct Level {
    private var joinsSome: Bool?
    private var isDenied = false
    private(set) var depth = 0

    var denied: Level {
      var level = self
      level.isDenied.toggle()
      return level
    }

    /// Returns the level inside `and` or `or`. Under a negation, `and` counts as `or` and vice
    /// versa, and directly nested operators of the same kind share a level.
    func within(or isOr: Bool) -> Level {
      var level = self
      level.joinsSome = isOr != isDenied
      if level.joinsSome != joinsSome { level.depth += 1 }
      return level
    }
  }

  private mutating func condition(_ tree: ConditionTree, at level: Level) -> Condition {
    switch tree {
    case .constant(let holds): return holds ? .all : .not(.all)
    case .not(let inner): return condition(inner, at: level.denied).negation
    case .and(let inner): return .every(inner.map { condition($0, at: level.within(or: false)) })
    case .or(let inner): return .some(inner.map { condition($0, at: level.within(or: true)) })
    case .test(let test):
      do throws(ConditionFault) {
        try count(test.path) { size throws(QuestionSize.Fault) in
          try size.addTest(atDepth: level.depth)
        }
        let (route, path) = try self.route(test.path)
        let criterion = try self.criterion(test, Subject(route: route, words: test.path))
        let condition = Condition.test(path, criterion)
        return test.isNegated ? condition.negation : condition
      } catch {
        if !error.isRepeated { faults.append(error) }
        return .all
      }
    }
  }

  /// The left side of a test: a resolved path and its source.
  struct Subject {
    var route: Route
    var words: PathWords

    var type: FieldType { route.type }
    var name: String { Excerpt.visible(words.names.joined(separator: ".")) }
  }

  /// Resolves a path and counts its relations toward the limit of the query.
  mutating func route(
    _ words: PathWords
  ) throws(ConditionFault) -> (route: Route, path: FieldPath) {
    let found: (route: Route, path: FieldPath)
    do throws(ConditionFault) {
      found = try words.route(from: schema, in: catalog, alias: alias)
    } catch {
      var fault = error
      if words.isNow { fault.advice = "did you mean now()?" }
      throw fault
    }
    try count(words) { size throws(QuestionSize.Fault) in try size.follow(found.route) }
    return found
  }

  private mutating func count(
    _ words: PathWords, _ body: (inout QuestionSize) throws(QuestionSize.Fault) -> Void
  ) throws(ConditionFault) {
    do throws(QuestionSize.Fault) {
      try body(&size)
    } catch {
      throw ConditionFault(error.message, words.range, advice: error.hint)
    }
  }

  private mutating func criterion(
    _ test: ConditionTree.Test, _ subject: Subject
  ) throws(ConditionFault) -> Criterion {
    switch test.question {
    case .isTrue:
      guard subject.type == .boolean || subject.type == .array(.boolean) else {
        throw ConditionFault(
          "\(subject.name) is \(subject.type.phrase), which is not a condition by itself",
          test.path.range,
          advice: "add a comparison, such as \(subject.name) is not null")
      }
      return .compare(.equal, .boolean(true))
    case .isNull:
      if subject.type.relation?.isMany == true {
        throw ConditionFault(
          "\(subject.name) is a to-many relation, which is never null", test.operatorRange,
          advice: "use \(test.isNegated ? "is not empty" : "is empty")",
          schema: schema.name, field: subject.name)
      }
      return .isNull
    case .isEmpty:
      guard subject.type.isList || subject.type == .json else {
        throw misfit("is empty", subject, test, advice: "did you mean is null?")
      }
      return .isEmpty
    case .compare(let comparison, .path(let words)):
      return .comparePath(comparison, try other(words, than: subject, comparison, test))
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
        throw misfit(letters == .exact ? "like" : "ilike", subject, test)
      }
      return .like(try pattern(literal, letters))
    case .contains(let literal):
      guard subject.hasText || subject.type.isList else {
        throw misfit("contains", subject, test)
      }
      return .contains(try value(literal, for: subject))
    case .withinCircle(let distance, let metresPerUnit, let centre):
      try checkIsPlace(subject, test)
      return .withinCircle(try circle(distance, metresPerUnit, centre))
    case .withinBox(let south, let west, let north, let east):
      try checkIsPlace(subject, test)
      return .withinBox(try box(south: south, west: west, north: north, east: east))
    }
  }

  func checkIsOrdered(
    _ subject: Subject, _ test: ConditionTree.Test
  ) throws(ConditionFault) {
    if subject.type == .geopoint || subject.type == .file {
      throw ConditionFault(
        "\(subject.name) is \(subject.type.phrase), which has no order", test.operatorRange,
        advice: subject.type == .geopoint
          ? "use within D km of (LAT, LON), within box (S, W, N, E), or \(subject.name).lat" : nil)
    }
  }

  private func checkIsPlace(
    _ subject: Subject, _ test: ConditionTree.Test
  ) throws(ConditionFault) {
    guard subject.type == .geopoint else { throw misfit("within", subject, test) }
  }

  private func misfit(
    _ operation: String, _ subject: Subject, _ test: ConditionTree.Test, advice: String? = nil
  ) -> ConditionFault {
    ConditionFault(
      "\(operation) cannot be used with \(subject.name), which is \(subject.type.phrase)",
      test.operatorRange, advice: advice)
  }
}

extension ConditionCheck.Subject {
  /// The type of a value that the subject is compared with; for a relation, the type of an id.
  var valueType: FieldType { type.relation == nil ? type.elementOrSelf : .id }

  /// Whether the values are texts, or may be (`json`).
  var hasText: Bool { type == .json || type.elementOrSelf.isText }
}

extension FieldType {
  /// The type of a single value; of an array, the element type.
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
