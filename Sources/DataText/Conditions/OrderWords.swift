import DataModel

/// The source of one term of an order.
struct OrderWords {
  var path: PathWords
  var isDescending: Bool
}

extension ConditionParser {
  /// Parses an order that extends to the end of the text.
  mutating func order() throws(ConditionFault) -> [OrderWords] {
    var order: [OrderWords] = []
    repeat {
      var isDescending = pass(.minus)
      let path = try path()
      if !isDescending, !pass("asc") { isDescending = pass("desc") }
      order.append(OrderWords(path: path, isDescending: isDescending))
    } while pass(.comma)
    guard token.kind == .end else { throw expected("a comma") }
    return order
  }
}

extension OrderWords {
  /// Returns the validated term; throws if records cannot be ordered by the field.
  func term(
    of schema: Schema, in catalog: Catalog, alias: String?
  ) throws(ConditionFault) -> OrderTerm {
    let (route, path) = try path.route(from: schema, in: catalog, alias: alias)
    guard !route.type.isList, !route.hops.contains(where: \.isMany) else {
      throw ConditionFault(
        "cannot order by \(path), which may have several values", self.path.range,
        schema: schema.name, field: path.description)
    }
    guard route.type.isOrdered else {
      throw ConditionFault(
        "\(path) is \(route.type.phrase), which has no order", self.path.range,
        schema: schema.name, field: path.description)
    }
    return OrderTerm(path.description, isDescending: isDescending)
  }
}
