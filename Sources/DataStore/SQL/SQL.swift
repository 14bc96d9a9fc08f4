package import DataModel

/// A statement as a value: words of our own, names, and values that are always bound.
///
/// Only literals of the program become words. A name passes through the engine's one quoting
/// function, a value is never text: `"select \(name: "title") from \(name: table)"`.
package struct SQL: Hashable, Sendable, ExpressibleByStringInterpolation {
  /// What is large stands apart: in its place the segments of a short select took 40 KB.
  package enum Segment: Hashable, Sendable {
    case words(String)
    case name(String)
    /// The table of the store with this name: an engine may keep its tables in a place of their own.
    case table(String)
    indirect case value(Value)
    /// Many values of a type, bound as one: an array, or what an engine has in its place.
    indirect case values([Value], FieldType)
    /// A test for a function of the engine's; it is bound like a value.
    indirect case test(StoredTest)
    /// A place that is bound again and again while the statement is stepped.
    case parameter
  }

  package private(set) var segments: [Segment]

  package init(stringLiteral words: StaticString) {
    segments = [.words(words.description)]
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

  /// Collects the parts of a literal.
  package struct Interpolation: StringInterpolationProtocol {
    var segments: [Segment] = []

    package init(literalCapacity: Int, interpolationCount: Int) {}

    package mutating func appendLiteral(_ words: StaticString) {
      segments.append(.words(words.description))
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

    package mutating func appendInterpolation(values: [Value], of type: FieldType) {
      segments.append(.values(values, type))
    }

    package mutating func appendInterpolation(_ test: StoredTest) {
      segments.append(.test(test))
    }

    /// A number that must stand in the statement itself, where no value can be bound.
    package mutating func appendInterpolation(number: Int64) {
      segments.append(.words(String(number)))
    }

    package mutating func appendInterpolation(_ part: SQL) {
      segments += part.segments
    }
  }

  /// A place that is bound for each row.
  package static var parameter: SQL {
    var sql = SQL()
    sql.segments = [.parameter]
    return sql
  }

  /// The parts with the same words between them.
  package static func list(_ parts: [SQL], separator: SQL = ", ") -> SQL {
    var list = SQL()
    for (index, part) in parts.enumerated() {
      if index > 0 { list += separator }
      list += part
    }
    return list
  }
}
