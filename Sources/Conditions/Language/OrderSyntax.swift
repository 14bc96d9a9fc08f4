import DataModel

/// One term of an order, such as `due desc`, before validation: a path or another expression, and
/// its direction.
struct OrderSyntax {
  var expression: ExpressionSyntax
  var isDescending: Bool
}

extension ConditionParser {
  /// Parses an order, which must extend to the end of the text. A leading minus sign applies to the
  /// whole term.
  mutating func order() throws(ConditionError) -> [OrderSyntax] {
    var order: [OrderSyntax] = []
    repeat {
      var isDescending = accept(.minus)
      let expression = try item()
      if !isDescending, !accept("asc") { isDescending = accept("desc") }
      order.append(OrderSyntax(expression: expression, isDescending: isDescending))
    } while accept(.comma)
    guard token.kind == .end else { throw expected("a comma") }
    return order
  }

  /// Parses a path or another expression, as an item of a list.
  mutating func item() throws(ConditionError) -> ExpressionSyntax {
    if let path = acceptPlainPath() { return .path(path) }
    return try expression()
  }

  /// Parses an item of a list if it is only a path, and returns nil for other expressions. Names in
  /// the path need no quotes, even if they are keywords.
  mutating func acceptPlainPath() -> PathSyntax? {
    var parser = self
    guard let path = try? parser.path(),
      parser.token.kind == .end || parser.token.kind.isSymbol(.comma)
        || parser.token.kind.isWord("asc") || parser.token.kind.isWord("desc")
    else { return nil }
    self = parser
    return path
  }
}

extension ConditionChecker {
  /// Validates a sort term and returns it.
  ///
  /// - Parameters:
  ///   - columns: Columns to which the term can refer by name.
  ///   - purpose: The purpose of the term, for errors.
  /// - Throws: An error if records cannot be sorted by the expression.
  mutating func term(
    _ syntax: OrderSyntax, columns: [NamedExpression] = [], purpose: String = "order by"
  ) throws(ConditionError) -> OrderTerm {
    var syntax = syntax
    if case .path(let path) = syntax.expression, path.names.count == 1,
      let value = columns.first(where: { $0.name == path.names[0] })?.expression
    {
      guard case .path(let named) = value else {
        return OrderTerm(
          value, text: ConditionWriter.text(of: value), isDescending: syntax.isDescending)
      }
      let ranges = Array(repeating: path.range, count: named.names.count)
      syntax.expression = .path(PathSyntax(names: named.names, ranges: ranges))
    }
    guard case .path(let pathSyntax) = syntax.expression else {
      if case .literal(let literal) = syntax.expression {
        throw ConditionError("expected a field, found a value", literal.range)
      }
      let (expression, type) = try expression(syntax.expression)
      guard type.isOrdered else {
        throw ConditionError(
          "cannot \(purpose) \(type.nameWithArticle), which has no order", syntax.expression.range)
      }
      return OrderTerm(
        expression, text: ConditionWriter.text(of: expression), isDescending: syntax.isDescending)
    }
    let (resolvedPath, path) = try resolvedPath(pathSyntax)
    guard !resolvedPath.type.isList, !resolvedPath.hops.contains(where: \.isMany) else {
      throw ConditionError(
        "cannot \(purpose) \(path), which may have several values", pathSyntax.range,
        schema: schema.name, field: path.description)
    }
    if resolvedPath.isInJSON {
      return OrderTerm(
        .path(path), text: ConditionWriter.text(of: path), isDescending: syntax.isDescending)
    }
    guard resolvedPath.type.isOrdered else {
      throw ConditionError(
        "\(path) is \(resolvedPath.type.nameWithArticle), which has no order", pathSyntax.range,
        schema: schema.name, field: path.description)
    }
    return OrderTerm(path.description, isDescending: syntax.isDescending)
  }

  /// Validates a term by which groups are sorted: the name of a column, or the expression of a
  /// column, such as `month(due)`. The schema of the checker must be that of the query result,
  /// which has a field for each column.
  mutating func groupTerm(_ syntax: OrderSyntax) throws(ConditionError) -> OrderTerm {
    let name = syntax.expression.defaultName
    if let name, schema.slot(named: name) != nil {
      return OrderTerm(name, isDescending: syntax.isDescending)
    }
    // Do not report an unknown column here: the query reports it, and names the option that adds
    // it.
    guard case .path = syntax.expression, let name else { return try term(syntax) }
    return OrderTerm(name, isDescending: syntax.isDescending)
  }
}

extension ExpressionSyntax {
  /// The default name of a column with this expression, such as `month_due`; nil if it has none.
  fileprivate var defaultName: String? {
    switch self {
    case .path(let path): path.names.joined(separator: ".")
    case .element(let path, _): "each_\(path.names.joined(separator: "_"))"
    case .count(let path, _): "count_\(path.names.joined(separator: "_"))"
    case .aggregate(let function, .path(let path), _):
      function.columnName(for: path.names.joined(separator: "_"))
    case .distance(let path, _, _): "distance_\(path.names.joined(separator: "."))"
    case .function(let function, let arguments, _):
      arguments[0].defaultName.map { "\(function.rawValue)_\($0)" }
    case .coalesce(let value, _, _): value.defaultName.map { "coalesce_\($0)" }
    case .aggregate, .literal, .arithmetic, .negated, .shifted: nil
    }
  }
}
