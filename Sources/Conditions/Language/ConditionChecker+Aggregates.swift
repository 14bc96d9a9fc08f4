import DataModel

/// Validation of aggregates of related records, such as `sum(lines.price * lines.quantity)`.
extension ConditionChecker {
  /// Validates an aggregate. Each path in its expression must begin with the same relation; the rest
  /// of the expression is then validated as one of the related records.
  mutating func aggregate(
    _ function: AggregateFunction, of term: ExpressionSyntax, _ range: Range<Int>
  ) throws(ConditionError) -> (expression: Expression, type: FieldType) {
    let name = "\(function.rawValue)()"
    var relation: (path: FieldPath, hop: ResolvedPath.Hop, target: Schema)?
    let own = try term.mapPaths(in: name) { path throws(ConditionError) in
      let (first, rest) = try split(path, in: name)
      let found = try self.relation(first)
      if let relation, relation.hop != found.hop {
        throw ConditionError(
          "the fields in \(name) must begin with the same relation, \(relation.path)", path.range)
      }
      relation = found
      return rest
    }
    guard let (path, hop, target) = relation else {
      throw ConditionError(
        "\(name) needs a field of related records, such as lines.price", range)
    }
    let (expression, type) = try withinRelated(hop, target, range) {
      check throws(ConditionError) in try check.expression(own)
    }
    let isNumber = function == .sum || function == .average
    guard isNumber ? type.isNumeric : type.isOrdered else {
      throw ConditionError("\(name) cannot be used with \(type.nameWithArticle)", term.range)
    }
    return (.aggregate(function, expression, of: path), function.type(of: type))
  }

  /// Splits a path into the relation with which it begins and the path from the related records.
  private func split(
    _ path: PathSyntax, in name: String
  ) throws(ConditionError) -> (relation: PathSyntax, rest: PathSyntax) {
    var own = path
    own.removeAlias(alias)
    let count = own.names.indices.first { count in
      count > 0
        && (try? catalog.toManyHop(FieldPath(names: Array(own.names[..<count])), from: schema))
          != nil
    }
    guard let count else {
      let text = Excerpt.escaped(path.names.joined(separator: "."))
      let isRelation = (try? relation(own)) != nil
      let hint =
        isRelation
        ? "write \(text).FIELD" : "write fields of \(schema.name) outside the parentheses"
      throw ConditionError(
        "\(name) needs a field of related records, found \(text)", path.range, hint: hint)
    }
    return (
      PathSyntax(names: Array(own.names[..<count]), ranges: Array(own.ranges[..<count])),
      PathSyntax(names: Array(own.names[count...]), ranges: Array(own.ranges[count...]))
    )
  }
}

extension ExpressionSyntax {
  /// Returns the expression with other paths.
  ///
  /// - Parameters:
  ///   - name: The function of which this is the argument, for the error about an aggregate inside.
  ///   - body: Returns the path that replaces a path.
  fileprivate func mapPaths(
    in name: String, _ body: (PathSyntax) throws(ConditionError) -> PathSyntax
  ) throws(ConditionError) -> ExpressionSyntax {
    switch self {
    case .path(let path): return .path(try body(path))
    case .literal: return self
    case .count(_, let range), .element(_, let range), .aggregate(_, _, let range):
      throw ConditionError("\(name) cannot contain an aggregate of related records", range)
    case .distance(let path, let point, let range):
      return .distance(try body(path), point, range: range)
    case .function(let function, let arguments, let range):
      var mapped: [ExpressionSyntax] = []
      for argument in arguments { mapped.append(try argument.mapPaths(in: name, body)) }
      return .function(function, mapped, range: range)
    case .coalesce(let first, let second, let range):
      return .coalesce(
        try first.mapPaths(in: name, body), try second.mapPaths(in: name, body), range: range)
    case .arithmetic(let operation, let left, let right):
      return .arithmetic(
        operation, try left.mapPaths(in: name, body), try right.mapPaths(in: name, body))
    case .negated(let operand, let range):
      return .negated(try operand.mapPaths(in: name, body), range: range)
    case .shifted(let operand, let microseconds, let range):
      return .shifted(try operand.mapPaths(in: name, body), microseconds, range: range)
    }
  }
}
