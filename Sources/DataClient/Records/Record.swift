internal import RecordText

/// A record read from a store: its values and its system fields.
public struct Record: Sendable {
  /// The schema of the record.
  public let schema: Schema
  /// The values of the fields, in the order of the schema, followed by the values of the system
  /// fields.
  let values: [Value]
  /// The related records of the expanded relations, keyed by the name of the relation.
  private let related: [String: [Record]]

  /// Creates a record from a row.
  ///
  /// - Throws: An error if a stored value is invalid.
  init(
    _ schema: Schema, _ rows: Rows, _ row: Int, related: [String: [Record]] = [:],
    checkedBy check: inout StoredValueCheck
  ) throws(DataError) {
    if let problem = check.problem(in: rows, row, of: schema) { throw DataError(problem) }
    self.schema = schema
    self.related = related
    values = (0..<schema.width).map { rows.value(rows[row, $0], of: schema.type(of: $0)) }
  }

  /// The value of the field with the given field or property name; nil if the schema has no such
  /// field.
  ///
  /// A field without a value is `.null`, and so is a password, which is never read from a store.
  public subscript(name: String) -> Value? {
    schema.slot(ofProperty: name).map { values[$0] }
  }

  /// Returns the records that a relation refers to, in the order of the references.
  ///
  /// ```swift
  /// let order = try await client.records("order")
  ///   .get("o1", expanding: "customer,lines.product")
  /// for line in order?.related("lines") ?? [] { print(line.related("product")?.first?.id ?? "") }
  /// ```
  ///
  /// - Parameter relation: The name of the relation or property, or of an inverse relation.
  /// - Returns: The related records, or nil if the relation was not expanded. Records that the
  ///   caller may not read are omitted.
  public func related(_ relation: String) -> [Record]? {
    related[relation]
      ?? schema.slot(ofProperty: relation).flatMap { related[schema.name(of: $0)] }
  }

  /// Whether relations of the record have been expanded.
  var isExpanded: Bool { !related.isEmpty }

  /// The value of the primary key.
  public var id: String {
    if case .text(let id) = values[schema.keySlot] { id } else { "" }
  }

  /// The revision of the record: 1 when the record is created, and incremented with each change.
  public var revision: Int64 {
    if case .integer(let revision) = values[schema.slot(.revision)] { revision } else { 0 }
  }

  /// The time at which the record was created.
  public var createdAt: Timestamp { time(.createdAt) }

  /// The id of the user who created the record; nil if no user was logged in.
  public var createdBy: String? { user(.createdBy) }

  /// The time of the last change.
  public var modifiedAt: Timestamp { time(.modifiedAt) }

  /// The id of the user who made the last change; nil if no user was logged in.
  public var modifiedBy: String? { user(.modifiedBy) }

  /// Returns the value of a field, decoded as a Swift type; nil if the field has no value.
  ///
  /// ```swift
  /// let age = try record.value("age", as: Int.self)
  /// ```
  ///
  /// - Parameters:
  ///   - name: The name of the field or property.
  ///   - type: The type to decode.
  /// - Returns: The decoded value, or nil.
  /// - Throws: A ``DataError`` if the schema has no such field, or if its value cannot be decoded
  ///   as the type.
  public func value<Decoded: Decodable>(_ name: String, as type: Decoded.Type) throws -> Decoded? {
    guard let slot = schema.slot(ofProperty: name) else {
      let nearest = nearest(name, among: schema.knownSlots.map { schema.name(of: $0) })
      throw DataError(
        Problem(
          .usage, "\(schema.name) has no field \(name)",
          hint: nearest.map { "did you mean \($0)?" }, schema: schema.name, field: name))
    }
    guard values[slot] != .null else { return nil }
    return try RecordTree(self).decode(type, at: slot)
  }

  /// The record as a draft, which can be changed and saved again.
  ///
  /// The draft includes the revision. Saving it fails with a conflict if the record has been
  /// changed since it was read.
  public var draft: Draft {
    Draft(
      entries: schema.knownSlots.compactMap { slot in
        schema.type(of: slot) == .password
          ? nil : Draft.Entry(name: schema.name(of: slot), value: DraftValue(values[slot]))
      })
  }

  private func time(_ field: SystemField) -> Timestamp {
    if case .datetime(let time) = values[schema.slot(field)] { time } else { .earliest }
  }

  private func user(_ field: SystemField) -> String? {
    if case .text(let user) = values[schema.slot(field)] { user } else { nil }
  }
}

extension Record: CustomStringConvertible {
  /// The name of the schema, followed by a JSON object with the revision and all fields that have a
  /// value.
  public var description: String {
    let slots = schema.fields.indices + [schema.slot(.revision)]
    let members = slots.filter { values[$0] != .null }.map { slot in
      Draft.Entry(name: schema.name(of: slot), value: DraftValue(values[slot]))
    }
    return "\(schema.name) \(DraftValue(form: .object(members)).jsonText)"
  }
}

extension Record: Hashable {
  /// Returns whether two records have the same schema, the same values, and the same related
  /// records.
  public static func == (left: Record, right: Record) -> Bool {
    left.values == right.values && left.schema == right.schema && left.related == right.related
  }

  /// Hashes the name of the schema and the values.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(schema.name)
    hasher.combine(values)
  }
}
