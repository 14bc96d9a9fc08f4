package import DataModel

extension Query {
  /// Whether the query reads records of related schemas.
  package var followsRelations: Bool {
    condition.followsRelations || order.contains { $0.field.contains(".") } || !joinedFields.isEmpty
  }
}

extension GroupQuery {
  /// Whether the query reads records of related schemas.
  package var followsRelations: Bool {
    condition.followsRelations || keys.contains { $0.names.count > 1 }
      || aggregates.contains { $0.path.map { $0.names.count > 1 } ?? false }
  }
}

extension Condition {
  fileprivate var followsRelations: Bool {
    switch self {
    case .all: false
    case .test(let path, .comparePath(_, let other)): path.names.count > 1 || other.names.count > 1
    case .test(let path, _): path.names.count > 1
    case .not(let condition): condition.followsRelations
    case .and(let conditions), .or(let conditions): conditions.contains { $0.followsRelations }
    }
  }
}
