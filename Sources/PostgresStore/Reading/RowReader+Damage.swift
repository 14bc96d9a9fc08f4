import DataModel
import DataStore

/// What others have done to a table: such values would be read as something that they are not.
extension RowReader {
  /// Refuses columns whose types are not those that datactl gave them.
  func checkTypes(of answer: Answer) throws(DataError) {
    for (target, column) in zip(targets, places) {
      guard target.form.wireTypes.contains(answer.type(of: column)),
        target.form != .point || answer.type(of: column + 1) == answer.type(of: column)
      else {
        guard let (slot, schema) = field(of: target) else { throw .damaged(store) }
        throw .mistyped(slot, of: schema)
      }
    }
  }

  /// The error of a value that no datactl has written, in the row that is being read.
  func damage(_ target: Selection.Target, _ rows: Rows) -> DataError {
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

  /// The field that a target is for, if it is one of a schema's.
  private func field(of target: Selection.Target) -> (slot: Int, schema: Schema)? {
    guard let schema, Int(target.slot) < schema.width else { return nil }
    return (Int(target.slot), schema)
  }
}

extension Selection.Form {
  /// The types in which such values come: those of the columns, and of what is said of groups.
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
