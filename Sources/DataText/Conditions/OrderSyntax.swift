import DataModel

/// One term of a sort order, as parsed: a path and its sort direction.
struct OrderSyntax {
  var path: PathSyntax
  var isDescending: Bool
}

extension ConditionParser {
  /// Parses a sort order, which must extend to the end of the text.
  mutating func order() throws(ConditionError) -> [OrderSyntax] {
    var order: [OrderSyntax] = []
    repeat {
      var isDescending = accept(.minus)
      let path = try path()
      if !isDescending, !accept("asc") { isDescending = accept("desc") }
      order.append(OrderSyntax(path: path, isDescending: isDescending))
    } while accept(.comma)
    guard token.kind == .end else { throw expected("a comma") }
    return order
  }
}

extension OrderSyntax {
  /// Validates the term and returns it.
  ///
  /// - Throws: An error if records cannot be ordered by the field.
  func term(
    of schema: Schema, in catalog: Catalog, alias: String?
  ) throws(ConditionError) -> OrderTerm {
    let (resolvedPath, path) = try path.resolvedPath(from: schema, in: catalog, alias: alias)
    guard !resolvedPath.type.isList, !resolvedPath.hops.contains(where: \.isMany) else {
      throw ConditionError(
        "cannot order by \(path), which may have several values", self.path.range,
        schema: schema.name, field: path.description)
    }
    guard resolvedPath.type.isOrdered else {
      throw ConditionError(
        "\(path) is \(resolvedPath.type.nameWithArticle), which has no order", self.path.range,
        schema: schema.name, field: path.description)
    }
    return OrderTerm(path.description, isDescending: isDescending)
  }
}
