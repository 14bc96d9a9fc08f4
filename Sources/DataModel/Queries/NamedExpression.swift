/// A column of a query result: a computed value with a name.
package struct NamedExpression: Hashable, Sendable {
  package var name: String
  package var expression: Expression

  package init(_ name: String, _ expression: Expression) {
    self.name = name
    self.expression = expression
  }

  /// Creates a column that contains the value at a path. The column is named after the path.
  package init(_ path: FieldPath) {
    self.init(path.description, .path(path))
  }

  /// Returns the hint to show when the name of a column is already in use.
  package static func hint(forTaken name: String) -> String {
    let plain = String(name.map { $0 == "." ? "_" : $0 })
    return "choose another name, such as other_\(Excerpt.escaped(plain)) = …"
  }
}

extension Expression {
  /// The default name of a column that contains the expression: the path or, for a function such as
  /// `year(due)`, a name such as `year_due`. Nil for expressions without a default name.
  package var defaultName: String? {
    switch self {
    case .path(let path): path.description
    case .element(let path): "each_\(path.names.joined(separator: "_"))"
    case .count(let path): "count_\(path.names.joined(separator: "_"))"
    case .aggregate(let function, .path(let path), let relation):
      function.columnName(for: (relation.names + path.names).joined(separator: "_"))
    case .distance(let path, _): "distance_\(path)"
    case .function(let function, let arguments):
      arguments[0].defaultName.map { "\(function.rawValue)_\($0)" }
    case .coalesce(let value, _, _): value.defaultName.map { "coalesce_\($0)" }
    case .json(_, let operand), .local(let operand, _): operand.defaultName
    case .aggregate, .referrers, .value, .arithmetic, .negated, .shifted: nil
    }
  }
}
