import DataModel

/// The syntax tree of a condition, before validation against a schema.
indirect enum ConditionTree {
  case constant(Bool)
  case test(Test)
  case related(RelatedTest)
  case not(ConditionTree)
  case and([ConditionTree])
  case or([ConditionTree])

  /// A test of a value with a predicate, such as `stock < 5`.
  struct Test {
    var subject: ExpressionSyntax
    var predicate: Predicate
    var isNegated: Bool
    /// The byte range of the operator in the text.
    var operatorRange: Range<Int>
  }

  /// A test of the related records at a path, such as `any steps (done = false)`.
  struct RelatedTest {
    /// How many of the related records must satisfy the condition.
    enum Quantifier: String, CaseIterable {
      case any
      case all
      case no
    }

    var quantifier: Quantifier
    var path: PathSyntax
    var condition: ConditionTree
  }

  enum Predicate {
    /// The path has no operator. The test is true if the boolean value at the path is true.
    case isTrue
    case isNull
    case isEmpty
    case compare(Comparison, ExpressionSyntax)
    /// The datetime is in a day, month or year.
    case during(Literal)
    case isIn([Literal])
    case between(Literal, Literal)
    case like(Literal, LikePattern.Letters)
    case contains(Literal)
    case withinCircle(distance: Literal, metersPerUnit: Double, center: Literal)
    case withinBox(south: Literal, west: Literal, north: Literal, east: Literal)

    /// Returns the predicate with numbers in place of durations.
    ///
    /// - Parameter unit: The microseconds of the unit that the numbers count.
    func countingDurations(in unit: Int64) -> Predicate {
      func counted(_ literal: Literal) -> Literal {
        guard case .duration(let length, _) = literal.kind else { return literal }
        let (count, rest) = length.quotientAndRemainder(dividingBy: unit)
        let text = rest == 0 ? "\(count)" : "\(Double(length) / Double(unit))"
        return Literal(kind: .number(text), range: literal.range)
      }
      switch self {
      case .compare(let comparison, .literal(let literal)):
        return .compare(comparison, .literal(counted(literal)))
      case .isIn(let literals): return .isIn(literals.map(counted))
      case .between(let low, let high): return .between(counted(low), counted(high))
      case .isTrue, .isNull, .isEmpty, .compare, .during, .like, .contains, .withinCircle,
        .withinBox:
        return self
      }
    }
  }
}

/// The syntax tree of an expression, such as `price * 2`, before validation against a schema.
indirect enum ExpressionSyntax {
  case path(PathSyntax)
  case literal(Literal)
  case count(PathSyntax, range: Range<Int>)
  case aggregate(AggregateFunction, ExpressionSyntax, range: Range<Int>)
  case element(PathSyntax, range: Range<Int>)
  case distance(PathSyntax, Literal, range: Range<Int>)
  case function(ScalarFunction, [ExpressionSyntax], range: Range<Int>)
  case coalesce(ExpressionSyntax, ExpressionSyntax, range: Range<Int>)
  case arithmetic(ArithmeticOperator, ExpressionSyntax, ExpressionSyntax)
  case negated(ExpressionSyntax, range: Range<Int>)
  /// An expression to which a duration, such as `7d`, is added. The duration is in microseconds.
  case shifted(ExpressionSyntax, Int64, range: Range<Int>)

  var range: Range<Int> {
    switch self {
    case .path(let path): path.range
    case .literal(let literal): literal.range
    case .count(_, let range), .element(_, let range), .aggregate(_, _, let range),
      .distance(_, _, let range), .function(_, _, let range), .coalesce(_, _, let range),
      .negated(_, let range), .shifted(_, _, let range):
      range
    case .arithmetic(_, let left, let right): left.range.lowerBound..<right.range.upperBound
    }
  }
}

/// A path as written in a condition: its names, with the byte range of each name.
struct PathSyntax {
  var names: [String]
  var ranges: [Range<Int>]

  var range: Range<Int> { ranges[0].lowerBound..<ranges[ranges.count - 1].upperBound }

  /// Whether the path is the name `now`. The user has then probably forgotten the parentheses of
  /// `now()`.
  var isNow: Bool { names.count == 1 && names[0].lowercased() == "now" }
}

extension PathSyntax {
  /// Resolves the path, starting at a schema. If the first name is the alias of the schema, it is
  /// skipped.
  func resolvedPath(
    from schema: Schema, in catalog: Catalog, alias: String?, suggestsNames: Bool = true
  ) throws(ConditionError) -> (resolvedPath: ResolvedPath, path: FieldPath) {
    var own = self
    own.removeAlias(alias)
    do throws(PathError) {
      return try catalog.resolvedPath(own.names, from: schema, suggestsNames: suggestsNames)
    } catch {
      throw ConditionError(error, own)
    }
  }

  /// Removes the first name if it is the alias of the schema and other names follow.
  mutating func removeAlias(_ alias: String?) {
    guard let alias, names.count > 1, names[0] == alias else { return }
    names.removeFirst()
    ranges.removeFirst()
  }
}

extension ConditionError {
  /// Creates the error for a path that cannot be resolved.
  init(_ error: PathError, _ syntax: PathSyntax) {
    self.init(
      error.message, syntax.ranges[error.index], hint: error.hint, schema: error.schema,
      field: Excerpt.escaped(syntax.names[error.index]), isSecret: error.isSecret)
    isUnknownName = error.isUnknownName
  }
}

/// A literal in a condition. It is converted to a value later, according to the type of the field
/// that it is compared with.
struct Literal {
  indirect enum Kind {
    case text(String)
    /// A number in JSON syntax.
    case number(String)
    case boolean(Bool)
    case null
    /// `now()`, plus an offset in microseconds.
    case now(plus: Int64)
    /// A duration in microseconds, and its text, such as `7d`. It can be compared with the difference
    /// of two times.
    case duration(Int64, text: String)
    case point(latitude: Literal, longitude: Literal)
    /// JSON text, written as `json '…'` in a condition.
    case json(String)
    case parameter(String)
  }

  var kind: Kind
  var range: Range<Int>

  var isNow: Bool { if case .now = kind { true } else { false } }
}

extension ConditionError {
  /// Creates the error for a duration that is neither added to a time nor compared with the
  /// difference of two times.
  init(unexpectedDuration text: String, _ range: Range<Int>) {
    self.init(
      "expected a value, found \(text.prefix(60))", range,
      hint: "add a duration to now(): now() - 7d")
  }
}
