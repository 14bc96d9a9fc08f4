package import DataModel

extension Query {
  /// Whether the query reads records of related schemas.
  package var followsRelations: Bool {
    scope != nil || condition.followsRelations || !joinedFields.isEmpty
      || (computed + order.map(\.value)).contains { $0.followsRelations }
      || valueLimit?.value.followsRelations == true
  }
}

extension GroupQuery {
  /// Whether the query reads records of related schemas.
  package var followsRelations: Bool {
    scope != nil || condition.followsRelations || keys.contains { $0.expression.followsRelations }
      || aggregates.contains { $0.expression?.followsRelations ?? false }
  }
}

extension Expression {
  fileprivate var followsRelations: Bool {
    readsReferrers || paths.contains { $0.names.count > 1 }
  }
}

extension Condition {
  fileprivate var followsRelations: Bool {
    switch self {
    case .all: false
    case .test(let path, .comparePath(_, let other)): path.names.count > 1 || other.names.count > 1
    case .test(let path, _): path.names.count > 1
    case .compute(let expression, let criterion):
      expression.followsRelations || criterion.expression?.followsRelations == true
    case .any: true
    case .not(let condition): condition.followsRelations
    case .and(let conditions), .or(let conditions): conditions.contains { $0.followsRelations }
    }
  }
}
