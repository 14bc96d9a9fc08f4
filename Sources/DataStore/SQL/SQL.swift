package import DataModel

/// An SQL statement or a part of one: literal SQL, identifiers to quote, and values to bind.
///
/// Only string literals in the source code become SQL text. Identifiers are quoted by the engine's
/// quoting function, and values are always bound: `"select \(name: "title") from \(name: table)"`.
package struct SQL: Hashable, Sendable, ExpressibleByStringInterpolation {
  /// A part of a statement. Segments with large values are `indirect`, because a short `select`
  /// would take 40 KB with these values inline.
  package enum Segment: Hashable, Sendable {
    case literal(String)
    case name(String)
    /// A table of the store, which an engine may qualify with its own namespace.
    case table(String)
    indirect case value(Value)
    /// Bytes, bound as a parameter.
    case bytes([UInt8])
    /// Many values of a type, bound as one parameter: an array or a JSON array, depending on the
    /// engine.
    indirect case values([Value], FieldType)
    /// A predicate that SQLite evaluates by calling an application-defined function, which receives
    /// the predicate as a bound argument.
    indirect case test(SQLFunctionTest)
    /// An expression that SQLite evaluates by calling an application-defined function, which
    /// receives the expression as a bound argument.
    indirect case expression(ResolvedExpression)
    /// A placeholder for a value that is bound for each execution of the prepared statement.
    case parameter
  }

  package private(set) var segments: [Segment]

  package init(stringLiteral words: StaticString) {
    segments = [.literal(words.description)]
  }

  package init(stringInterpolation interpolation: Interpolation) {
    segments = interpolation.segments
  }

  package init() {
    segments = []
  }

  package static func + (left: SQL, right: SQL) -> SQL {
    var sum = left
    sum.segments += right.segments
    return sum
  }

  package static func += (left: inout SQL, right: SQL) {
    left.segments += right.segments
  }

  /// Collects the segments of an interpolated literal.
  package struct Interpolation: StringInterpolationProtocol {
    var segments: [Segment] = []

    package init(literalCapacity: Int, interpolationCount: Int) {}

    package mutating func appendLiteral(_ words: StaticString) {
      segments.append(.literal(words.description))
    }

    package mutating func appendInterpolation(name: String) {
      segments.append(.name(name))
    }

    package mutating func appendInterpolation(table: String) {
      segments.append(.table(table))
    }

    package mutating func appendInterpolation(_ value: Value) {
      segments.append(.value(value))
    }

    package mutating func appendInterpolation(bytes: [UInt8]) {
      segments.append(.bytes(bytes))
    }

    package mutating func appendInterpolation(values: [Value], of type: FieldType) {
      segments.append(.values(values, type))
    }

    package mutating func appendInterpolation(_ test: SQLFunctionTest) {
      segments.append(.test(test))
    }

    package mutating func appendInterpolation(_ expression: ResolvedExpression) {
      segments.append(.expression(expression))
    }

    /// Appends a number as SQL text. Some clauses, such as `order by 1`, do not accept a bound
    /// value.
    package mutating func appendInterpolation(number: Int64) {
      segments.append(.literal(String(number)))
    }

    /// Appends a binary literal, such as `x'00ff'`.
    package mutating func appendInterpolation(hexadecimal bytes: [UInt8]) {
      let digits = bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
      segments.append(.literal("x'\(digits.joined())'"))
    }

    package mutating func appendInterpolation(_ part: SQL) {
      segments += part.segments
    }
  }

  /// The text of a statement without quotes around its names, to compare definitions of indexes.
  package var plainText: String {
    segments.map { segment in
      switch segment {
      case .literal(let text), .name(let text), .table(let text): text
      case .value, .bytes, .values, .test, .expression, .parameter: "?"
      }
    }.joined()
  }

  /// A placeholder that is bound for each execution of the prepared statement.
  package static var parameter: SQL {
    var sql = SQL()
    sql.segments = [.parameter]
    return sql
  }

  /// Joins the parts with a separator.
  package static func list(_ parts: [SQL], separator: SQL = ", ") -> SQL {
    var list = SQL()
    for (index, part) in parts.enumerated() {
      if index > 0 { list += separator }
      list += part
    }
    return list
  }
}

/// A predicate that the module `DataModel` evaluates, and that SQLite calls as an
/// application-defined function. It is used for lists, JSON and patterns, because engines compare
/// these in different ways.
package struct SQLFunctionTest: Hashable, Sendable {
  package var criterion: Criterion
  /// The type of the field that the predicate tests.
  package var type: FieldType
  /// The key path to the tested value in a JSON column.
  package var keys: [String]
  /// The type of the field at the end of the second path, if the criterion compares two paths.
  package var otherType: FieldType?

  package init(
    _ criterion: Criterion, of type: FieldType, keys: [String] = [],
    comparedWith otherType: FieldType? = nil
  ) {
    self.criterion = criterion
    self.type = type
    self.keys = keys
    self.otherType = otherType
  }
}

extension Value {
  /// The strings in a list, such as the ids of a to-many relation; empty for other values.
  package var texts: [String] {
    guard case .list(let values) = self else { return [] }
    return values.compactMap { if case .text(let text) = $0 { text } else { nil } }
  }
}
