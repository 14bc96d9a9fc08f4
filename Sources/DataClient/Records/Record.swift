/// A record as a store gave it: its values, and what the store keeps of it.
public struct Record: Sendable {
  /// The schema that the record belongs to.
  public let schema: Schema
  /// The values in the order of the slots.
  let values: [Value]

  init(_ schema: Schema, _ rows: Rows, _ row: Int) {
    self.schema = schema
    values = (0..<schema.width).map { rows.value(rows[row, $0], of: schema.type(of: $0)) }
  }

  /// The value of a field, by its name or a property's; nil if the schema has no such field.
  ///
  /// A field without a value gives `.null`, and so does a password, which never leaves the store.
  public subscript(name: String) -> Value? {
    schema.slot(ofProperty: name).map { values[$0] }
  }

  /// The value of the primary key.
  public var id: String {
    if case .text(let id) = values[schema.keySlot] { id } else { "" }
  }

  /// How often the record has been saved with a change, counted from 1.
  public var revision: Int64 {
    if case .integer(let revision) = values[schema.slot(.revision)] { revision } else { 0 }
  }

  /// When the record was made.
  public var createdAt: Timestamp { time(.createdAt) }

  /// The id of the user who made the record.
  public var createdBy: String? { user(.createdBy) }

  /// When the record was changed for the last time.
  public var modifiedAt: Timestamp { time(.modifiedAt) }

  /// The id of the user who changed the record for the last time.
  public var modifiedBy: String? { user(.modifiedBy) }

  /// The value of a field as a type of Swift's or of the library's; nil if the field has no value.
  ///
  /// ```swift
  /// let age = try record.value("age", as: Int.self)
  /// ```
  public func value<Wanted: Decodable>(_ name: String, as type: Wanted.Type) throws -> Wanted? {
    guard let slot = schema.slot(ofProperty: name) else {
      let nearest = nearest(name, among: schema.fields.map(\.name))
      throw DataError(
        Problem(
          .usage, "\(schema.name) has no field \(name)",
          hint: nearest.map { "did you mean \($0)?" }, schema: schema.name, field: name))
    }
    guard values[slot] != .null else { return nil }
    return try decode(type, at: slot)
  }

  /// The record as a draft: to be changed and saved again.
  ///
  /// It carries its revision along, so that the save refuses if somebody else was faster.
  public var draft: Draft {
    Draft(
      entries: values.indices.compactMap { slot in
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

extension Record: Hashable {
  /// Tells whether two records are of one schema and hold the same values.
  public static func == (left: Record, right: Record) -> Bool {
    left.values == right.values && left.schema == right.schema
  }

  /// Mixes the values in.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(schema.name)
    hasher.combine(values)
  }
}
