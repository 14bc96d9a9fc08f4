package import DataModel
import JSONText

/// Serializes conditions in a canonical format. Parsing the text yields the same condition.
package enum ConditionWriter {
  /// Returns the text of a condition in the canonical format, such as `stock < 5`.
  package static func text(of condition: Condition) -> String {
    switch condition {
    case .all: "true"
    case .test(let path, let criterion): text(of: path, criterion)
    case .compute(let expression, let criterion):
      "\(text(of: expression)) \(operatorText(of: criterion))"
    case .any(let path, let inner): "any \(text(of: path)) (\(text(of: inner)))"
    case .not(let inner): text(negating: inner)
    case .and(let parts):
      parts.isEmpty ? "true" : parts.map { part in factor(part) }.joined(separator: " and ")
    case .or(let parts):
      parts.isEmpty ? "false" : parts.map { text(of: $0) }.joined(separator: " or ")
    }
  }

  private static func factor(_ condition: Condition) -> String {
    if case .or(let parts) = condition, parts.count > 1 { return "(\(text(of: condition)))" }
    return text(of: condition)
  }

  private static func text(negating condition: Condition) -> String {
    switch condition {
    case .all: "false"
    case .test(let path, .isNull): "\(text(of: path)) is not null"
    case .test(let path, .isEmpty): "\(text(of: path)) is not empty"
    case .test(let path, .compare(.equal, let value)): "\(text(of: path)) != \(text(of: value))"
    case .test(let path, .comparePath(.equal, let other)):
      "\(text(of: path)) != \(text(of: other))"
    case .compute(let expression, .isNull): "\(text(of: expression)) is not null"
    case .test(_, .compare), .test(_, .comparePath), .compute, .not:
      "not \(text(of: condition))"
    case .test(let path, let criterion):
      "\(text(of: path)) not \(operatorText(of: criterion))"
    case .any(let path, .not(let inner)): "all \(text(of: path)) (\(text(of: inner)))"
    case .any(let path, let inner): "no \(text(of: path)) (\(text(of: inner)))"
    case .and, .or: "not (\(text(of: condition)))"
    }
  }

  private static func text(of path: FieldPath, _ criterion: Criterion) -> String {
    "\(text(of: path)) \(operatorText(of: criterion))"
  }

  private static func operatorText(of criterion: Criterion) -> String {
    switch criterion {
    case .isNull: "is null"
    case .isEmpty: "is empty"
    case .compare(let comparison, let value): "\(comparison.rawValue) \(text(of: value))"
    case .comparePath(let comparison, let path): "\(comparison.rawValue) \(text(of: path))"
    case .compareExpression(let comparison, let expression):
      "\(comparison.rawValue) \(text(of: expression))"
    case .isIn(let values): "in (\(values.map { text(of: $0) }.joined(separator: ", ")))"
    case .between(let low, let high): "between \(text(of: low)) and \(text(of: high))"
    case .like(let pattern):
      "\(pattern.letters == .exact ? "like" : "ilike") \(quoted(pattern.source, "'"))"
    case .contains(let value): "contains \(text(of: value))"
    case .withinCircle(let circle):
      "within \(NumberText.text(circle.meters)) m of \(text(of: circle.center))"
    case .withinBox(let box):
      "within box ("
        + [box.south, box.west, box.north, box.east].map { NumberText.text($0) }
        .joined(separator: ", ") + ")"
    }
  }

  /// Returns the text of a column. The name is omitted if it is the default name.
  package static func text(of column: NamedExpression) -> String {
    let text = text(of: column.expression)
    return column.name == column.expression.defaultName ? text : "\(column.name) = \(text)"
  }

  /// Returns the text of an aggregate, such as `total = sum(price * amount)`. If the aggregate has
  /// its default name, such as `sum_price`, returns only the name.
  package static func text(of aggregate: Aggregate) -> String {
    guard case .of(let function, let values) = aggregate,
      values.name != values.expression.defaultName.map({ function.columnName(for: $0) })
    else { return aggregate.name }
    return "\(values.name) = \(function.rawValue)(\(text(of: values.expression)))"
  }

  /// Returns the text of an expression. An operand that is itself computed with an operator is
  /// enclosed in parentheses.
  ///
  /// - Parameter relation: The relation to the records at which the paths begin, or nil for the
  ///   records of the query.
  package static func text(
    of expression: Expression, for relation: FieldPath? = nil
  ) -> String {
    func text(_ path: FieldPath) -> String {
      self.text(of: relation.map { FieldPath(names: $0.names + path.names) } ?? path)
    }
    func operandText(_ operand: Expression) -> String {
      let text = self.text(of: operand, for: relation)
      switch operand {
      case .path, .json, .local, .distance, .count, .aggregate, .referrers, .element, .function,
        .coalesce:
        return text
      case .value, .arithmetic, .negated, .shifted: return "(\(text))"
      }
    }
    switch expression {
    case .path(let path), .referrers(let path): return text(path)
    case .element(let path): return "each(\(text(path)))"
    case .count(let path): return "count(\(text(path)))"
    case .aggregate(let function, let term, let path):
      return "\(function.rawValue)(\(self.text(of: term, for: path)))"
    case .distance(let path, let point): return "distance(\(text(path)), \(self.text(of: point)))"
    case .value(let value): return self.text(of: value)
    case .json(_, let operand), .local(let operand, _): return self.text(of: operand, for: relation)
    case .function(let function, let arguments):
      let list = arguments.map { self.text(of: $0, for: relation) }.joined(separator: ", ")
      return "\(function.rawValue)(\(list))"
    case .coalesce(let first, let second, _):
      let list = [first, second].map { self.text(of: $0, for: relation) }.joined(separator: ", ")
      return "coalesce(\(list))"
    case .arithmetic(let operation, let left, let right):
      return "\(operandText(left)) \(operation.rawValue) \(operandText(right))"
    case .negated(let operand): return "-(\(self.text(of: operand, for: relation)))"
    case .shifted(let operand, let microseconds):
      let (seconds, rest) = microseconds.magnitude.quotientAndRemainder(dividingBy: 1_000_000)
      precondition(rest == 0, "a duration is a number of seconds")
      return "\(operandText(operand)) \(microseconds < 0 ? "-" : "+") \(seconds)s"
    }
  }

  /// Returns the text of a path, with names in double quotes where the syntax requires them.
  package static func text(of path: FieldPath) -> String {
    path.names.enumerated().map { index, name in
      isPlain(name) && (index > 0 || !ConditionToken.Kind.reserved.contains(name.lowercased()))
        ? name : quoted(name, "\"")
    }.joined(separator: ".")
  }

  /// Returns the text of a value, as a literal in a condition.
  package static func text(of value: Value) -> String {
    switch value {
    case .null: "null"
    case .text(let text): quoted(text, "'")
    case .integer, .number, .decimal, .boolean: value.text
    case .date, .datetime: quoted(value.text, "'")
    case .geopoint(let point): text(of: point)
    case .json(let text): "json \(quoted(text, "'"))"
    case .file(let file): quoted(file.name, "'")
    case .list(let values): "(\(values.map { text(of: $0) }.joined(separator: ", ")))"
    }
  }

  private static func text(of point: GeoPoint) -> String {
    "(\(NumberText.text(point.latitude)), \(NumberText.text(point.longitude)))"
  }

  private static func quoted(_ text: String, _ quote: Character) -> String {
    var result = String.UnicodeScalarView()
    let mark = quote.unicodeScalars[quote.unicodeScalars.startIndex]
    result.append(mark)
    for scalar in text.unicodeScalars {
      if scalar == mark { result.append(mark) }
      result.append(scalar)
    }
    result.append(mark)
    return String(result)
  }

  private static func isPlain(_ name: String) -> Bool {
    guard let first = name.utf8.first, !(first &- 48 < 10) else { return false }
    return name.utf8.allSatisfy { byte in
      (byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z"))
        || byte &- 48 < 10 || byte == UInt8(ascii: "_")
    }
  }
}
