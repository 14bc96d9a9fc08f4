import DataModel

/// A condition as it was written: its form is right, and nothing of it is checked against a schema.
indirect enum ConditionTree {
  case constant(Bool)
  case test(Test)
  case not(ConditionTree)
  case and([ConditionTree])
  case or([ConditionTree])

  /// A path, and what is asked of it.
  struct Test {
    var path: PathWords
    var question: Question
    var isNegated: Bool
    /// Where the operator stands.
    var operatorRange: Range<Int>
  }

  enum Question {
    /// The path stands alone: a boolean that is to be true.
    case isTrue
    case isNull
    case isEmpty
    case compare(Comparison, Operand)
    case isIn([Literal])
    case between(Literal, Literal)
    case like(Literal, LikePattern.Letters)
    case contains(Literal)
    case withinCircle(distance: Literal, metresPerUnit: Double, centre: Literal)
    case withinBox(south: Literal, west: Literal, north: Literal, east: Literal)
  }

  enum Operand {
    case path(PathWords)
    case value(Literal)
  }
}

/// The names of a path, each with its place.
struct PathWords {
  var names: [String]
  var ranges: [Range<Int>]

  var range: Range<Int> { ranges[0].lowerBound..<ranges[ranges.count - 1].upperBound }

  /// Whether it is the word of the present moment, without its brackets.
  var isNow: Bool { names.count == 1 && names[0].lowercased() == "now" }
}

extension PathWords {
  /// Where the names lead, an alias of the schema aside.
  func route(
    from schema: Schema, in catalog: Catalog, alias: String?
  ) throws(ConditionFault) -> (route: Route, path: FieldPath) {
    var own = self
    if let alias, names.count > 1, names[0] == alias {
      own.names.removeFirst()
      own.ranges.removeFirst()
    }
    do throws(PathFault) {
      return try catalog.route(own.names, from: schema)
    } catch {
      throw ConditionFault(
        error.message, own.ranges[error.place], advice: error.hint, schema: error.schema,
        field: Excerpt.visible(own.names[error.place]), isSecret: error.isSecret)
    }
  }
}

/// A value as it was written; which type it has to be, its neighbour tells.
struct Literal {
  indirect enum Kind {
    case text(String)
    /// A number as JSON writes it.
    case number(String)
    case boolean(Bool)
    case null
    /// `now()`, and what is added to it in microseconds.
    case now(plus: Int64)
    case point(latitude: Literal, longitude: Literal)
    /// Any JSON, as it was written.
    case json(String)
    case parameter(String)
  }

  var kind: Kind
  var range: Range<Int>
}
