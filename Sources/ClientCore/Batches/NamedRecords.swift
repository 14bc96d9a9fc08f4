import DataModel
import JSONText
import RecordText

/// The records that the named operations of a batch saved or read. Later operations can refer to
/// these records.
struct NamedRecords: Sendable {
  private struct Named {
    var id: String
    /// The field values that later operations need, as JSON text, keyed by field name.
    var fields: [String: String] = [:]
  }

  /// For each named operation, the fields of its record that later operations need:
  /// `neededFields[operation][field]` is the slot of the field (its index in the schema).
  private let neededFields: [String: [String: Int]]
  private var records: [String: Named] = [:]

  init(needing neededFields: [String: [String: Int]]) {
    self.neededFields = neededFields
  }

  /// Adds a record of which only the id is known so far.
  mutating func add(_ name: String, id: String) {
    records[name] = Named(id: id)
  }

  /// Adds a record that the operation `name` saved or read. Does nothing if the operation has no
  /// name, because later operations cannot refer to its record.
  mutating func add(_ name: String?, _ rows: Rows, _ row: Int, of schema: Schema) {
    guard let name else { return }
    var record = Named(id: rows.text(rows[row, schema.keySlot]))
    for (field, slot) in neededFields[name] ?? [:] {
      var text: [UInt8] = []
      let column = schema.column(slot)
      var writer = RecordWriter([column], format: .ndjson)
      _ = writer.writeObject(rows, row, to: &text)
      if let value = try? JSONValue(parsing: text.span)[column.name] {
        record.fields[field] = value.description
      }
    }
    records[name] = record
  }

  /// Returns the value of a reference as JSON text, which is `null` if the value is not known.
  func text(of reference: BatchOperation.Reference) -> String {
    guard let record = records[reference.name] else { return "null" }
    if let field = reference.field { return record.fields[field] ?? "null" }
    return JSONValue.text(record.id).description
  }

  /// Returns the id that the key `id` of an operation contains or refers to, or nil if the
  /// operation does not have this key.
  func id(of operation: BatchOperation) throws(DataError) -> String? {
    switch operation.id {
    case nil: return nil
    case .value(let id): return id
    case .reference(let reference):
      let value = try JSONValue(parsing: text(of: reference))
      guard case .text(let id) = value else {
        throw DataError(.invalid, "\"id\": expected text, found \(value)")
      }
      return id
    }
  }
}
