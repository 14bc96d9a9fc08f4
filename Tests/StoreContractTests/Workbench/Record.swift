import DataModel

/// A record with the values of all its fields, as a test expects it.
struct Record: Hashable, ExpressibleByDictionaryLiteral, CustomStringConvertible {
  var values: [String: Value]

  init(dictionaryLiteral entries: (String, Value)...) {
    values = Dictionary(uniqueKeysWithValues: entries)
  }

  /// Creates a record from a row. Missing cells have no key.
  init(_ rows: Rows, _ row: Int, of schema: Schema) {
    values = [:]
    for slot in 0..<schema.width where rows[row, slot].kind != .missing {
      values[schema.name(of: slot)] = rows.value(rows[row, slot], of: schema.type(of: slot))
    }
  }

  subscript(name: String) -> Value? { values[name] }

  /// Returns the record with system fields.
  func stamped(
    revision: Int64 = 1, created: Timestamp = StoreFixture.noon, by creator: Value = nil,
    modified: Timestamp = StoreFixture.noon, by modifier: Value = nil
  ) -> Record {
    var record = self
    record.values["revision"] = .integer(revision)
    record.values["created_at"] = .datetime(created)
    record.values["created_by"] = creator
    record.values["modified_at"] = .datetime(modified)
    record.values["modified_by"] = modifier
    return record
  }

  /// The record without its system fields.
  var bare: Record {
    var record = self
    for field in SystemField.allCases { record.values[field.name] = nil }
    return record
  }

  var description: String {
    "[" + values.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", ")
      + "]"
  }
}
