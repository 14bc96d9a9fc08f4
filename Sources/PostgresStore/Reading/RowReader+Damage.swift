import DataModel
import DataStore

/// Detection of columns and values that another tool has changed, which could not be decoded
/// correctly.
extension RowReader {
  /// Throws an error if a column has another type than datactl gave it.
  func checkTypes(of resultSet: ResultSet) throws(DataError) {
    for (target, column) in zip(targets, columnIndexes) {
      guard target.form.wireTypes.contains(resultSet.type(of: column)),
        target.form != .point || resultSet.type(of: column + 1) == resultSet.type(of: column)
      else {
        guard let (slot, schema) = field(of: target) else { throw .damaged(store) }
        throw .wrongColumnType(slot, of: schema)
      }
    }
  }

  /// Returns the error for a value, in the current row, that datactl would not have written.
  func damage(_ target: SelectList.Target, _ rows: Rows) -> DataError {
    var id: String?
    if let schema {
      let cell = rows[rows.count - 1, schema.keySlot]
      if cell.hasValue { id = rows.text(cell) }
    }
    guard let (slot, schema) = field(of: target) else { return .damaged(store) }
    let record = id.map { ", in \(Excerpt.quoted($0))" } ?? ""
    return DataError(
      Problem(
        .storeDamaged, "the stored value is invalid\(record)",
        hint: "correct it with psql, or restore the store from a backup", schema: schema.name,
        id: id, field: schema.name(of: slot)))
  }

  /// Returns the field that a target belongs to, if it is one of a schema.
  private func field(of target: SelectList.Target) -> (slot: Int, schema: Schema)? {
    guard let schema, Int(target.slot) < schema.width else { return nil }
    return (Int(target.slot), schema)
  }
}

extension SelectList.Form {
  /// The OIDs of the types in which values of this form are received, from columns and from
  /// aggregates.
  fileprivate var wireTypes: [UInt32] {
    let types: [WireType] =
      switch self {
      case .bytes: [.text, .json, .varchar]
      case .list: [.jsonb, .json, .text]
      case .integer: [.bigint, .numeric, .integer]
      case .boolean: [.boolean]
      case .datetime: [.timestamp]
      case .number, .point: [.double]
      }
    return types.map(\.rawValue)
  }
}
