import DataModel

/// The syntax tree of a condition, before validation against a schema.
indirect enum ConditionTree {
  case constant(Bool)
  case test(Test)
  case not(ConditionTree)
  case and([ConditionTree])
  case or([ConditionTree])

  /// A test of a path with a predicate, such as `stock < 5`.
  struct Test {
    var path: PathSyntax
    var predicate: Predicate
    var isNegated: Bool
    /// The byte range of the operator in the text.
    var operatorRange: Range<Int>
  }

  enum Predicate {
    /// The path has no operator. The test is true if the boolean value at the path is true.
    case isTrue
    case isNull
    case isEmpty
    case compare(Comparison, Operand)
    case isIn([Literal])
    case between(Literal, Literal)
    case like(Literal, LikePattern.Letters)
    case contains(Literal)
    case withinCircle(distance: Literal, metersPerUnit: Double, center: Literal)
    case withinBox(south: Literal, west: Literal, north: Literal, east: Literal)
  }

  enum Operand {
    case path(PathSyntax)
    case value(Literal)
  }
}

/// A path as written in a condition: its names, with the byte range of each name.
struct PathSyntax {
  var names: [String]
  var ranges: [Range<Int>]

  var range: Range<Int> { ranges[0].lowerBound..<ranges[ranges.count - 1].upperBound }

  /// Whether the path is `now`, which is probably a call of `now()` without the parentheses.
  var isNow: Bool { names.count == 1 && names[0].lowercased() == "now" }
}

extension PathSyntax {
  /// Resolves the path, starting at a schema. If the first name is the alias of the schema, it is
  /// skipped.
  func resolvedPath(
    from schema: Schema, in catalog: Catalog, alias: String?
  ) throws(ConditionError) -> (resolvedPath: ResolvedPath, path: FieldPath) {
    var own = self
    if let alias, names.count > 1, names[0] == alias {
      own.names.removeFirst()
      own.ranges.removeFirst()
    }
    do throws(PathError) {
      return try catalog.resolvedPath(own.names, from: schema)
    } catch {
      throw ConditionError(
        error.message, own.ranges[error.index], hint: error.hint, schema: error.schema,
        field: Excerpt.escaped(own.names[error.index]), isSecret: error.isSecret)
    }
  }
}

/// A literal in a condition. The field with which it is compared determines the type of its value.
struct Literal {
  indirect enum Kind {
    case text(String)
    /// A number in JSON syntax.
    case number(String)
    case boolean(Bool)
    case null
    /// `now()`, plus an offset in microseconds.
    case now(plus: Int64)
    case point(latitude: Literal, longitude: Literal)
    /// JSON text, written as `json '…'` in a condition.
    case json(String)
    case parameter(String)
  }

  var kind: Kind
  var range: Range<Int>
}
