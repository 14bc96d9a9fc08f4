extension Condition {
  /// Whether a record of the schema meets the condition.
  package func matches(_ rows: Rows, _ row: Int, of schema: Schema) -> Bool {
    switch self {
    case .all: true
    case .and(let conditions): conditions.allSatisfy { $0.matches(rows, row, of: schema) }
    case .isNull(let field):
      schema.slot(named: field).map { !rows[row, $0].hasValue } ?? false
    case .equals(let field, let value):
      schema.slot(named: field).map { slot in
        let found = rows.value(rows[row, slot], of: schema.type(of: slot))
        if case .list(let elements) = found { return elements.contains(value) }
        return value != .null && found == value
      } ?? false
    }
  }
}
