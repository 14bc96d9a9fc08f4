package import DataModel
package import JSONText

/// Generates the JSON Schemas of the records of a schema: one for output, one for new records, and
/// one for changes.
package struct RecordJSONSchema {
  /// What a JSON Schema describes: a record in the output, a new record, or a change.
  package enum Form: CaseIterable {
    /// A record in the output of `list`.
    case record
    /// A record in the input of `save` without an id, or with an id that does not exist yet.
    case new
    /// A record in the input of `save`, with the id of an existing record.
    case change

    /// Returns the name of the JSON Schema definition for the records of a schema: `todo`,
    /// `todo.new` or `todo.change`. Names of schemas contain no dots, so no two definitions have
    /// the same name.
    package func name(of schema: String) -> String {
      switch self {
      case .record: schema
      case .new: schema + ".new"
      case .change: schema + ".change"
      }
    }
  }

  let schema: Schema
  let form: Form

  /// Returns the JSON Schema definitions of the given schemas: for each schema, one for records in
  /// the output, one for new records and one for changes.
  package static func definitions(_ schemas: [Schema]) -> [JSONValue.Member] {
    schemas.flatMap { schema in
      Form.allCases.map { form in
        JSONValue.Member(
          form.name(of: schema.name), RecordJSONSchema(schema: schema, form: form).value)
      }
    }
  }

  var value: JSONValue {
    var members: [JSONValue.Member] = [
      .init("title", .text(title)), .init("description", .text(description)),
      .init("type", "object"),
      .init("properties", .object(properties)),
    ]
    let required = requiredNames
    if !required.isEmpty { members.append(.init("required", .array(required.map { .text($0) }))) }
    members.append(.init("additionalProperties", false))
    return .object(members)
  }

  private var title: String {
    switch form {
    case .record: schema.name
    case .new: "new \(schema.name)"
    case .change: "change of \(schema.name)"
    }
  }

  private var description: String {
    let use =
      switch form {
      case .record: "A record as printed."
      case .new: "A record to create; without an id, one is assigned."
      case .change: "Changes to a record: missing fields stay unchanged."
      }
    return schema.doc.map { "\($0)\n\n\(use)" } ?? use
  }

  private var slots: [Int] {
    [schema.keySlot]
      + (0..<schema.width).filter { slot in
        slot != schema.keySlot && (form != .record || schema.type(of: slot) != .password)
      }
  }

  private var requiredNames: [String] {
    switch form {
    case .record: slots.map(schema.name(of:))
    case .new:
      schema.fields.filter { field in
        field.type == .id
          ? schema.requiresExplicitIDs : field.isRequired && !field.hasDefault
      }.map(\.name)
    case .change: [schema.key.name]
    }
  }

  private var properties: [JSONValue.Member] {
    slots.map { slot in
      let shape =
        slot < schema.fields.count
        ? fieldShape(schema.fields[slot])
        : systemShape(SystemField.allCases[slot - schema.fields.count])
      return JSONValue.Member(schema.name(of: slot), .object(shape))
    }
  }

  private func systemShape(_ field: SystemField) -> [JSONValue.Member] {
    let shape: [JSONValue.Member] =
      switch field {
      case .createdAt, .modifiedAt: [.init("type", "string"), .init("format", "date-time")]
      case .createdBy, .modifiedBy: [.init("type", ["string", "null"])]
      case .revision:
        [.init("type", "integer"), .init("format", "int64"), .init("minimum", 1)]
      }
    return shape + [.init("readOnly", true)]
  }

  private func fieldShape(_ field: Field) -> [JSONValue.Member] {
    let isNullable =
      !field.isRequired && field.type != .id && field.type.relation?.isMany != true
    var shape = ValueJSONSchema(field: field, isWritten: form != .record).members(
      orNull: isNullable)
    if form == .change, let operation = ValueJSONSchema.operation(on: field.type) {
      shape = [.init("anyOf", [.object(shape), operation])]
    }
    if form == .new, let value = field.defaultValue {
      shape.append(.init("default", value.jsonValue))
    }
    if let doc = field.doc { shape.append(.init("description", .text(doc))) }
    if field.type == .password { shape.append(.init("writeOnly", true)) }
    if let note = note(on: field) { shape.append(.init("$comment", .text(note))) }
    return shape
  }

  /// Returns what JSON Schema cannot express about a field, such as `unique`, as text for a
  /// `$comment`. Returns nil if there is nothing to add.
  private func note(on field: Field) -> String? {
    var parts: [String] = []
    if field.type == .id { parts.append("the primary key") }
    if let relation = field.type.relation {
      parts.append(relation.isMany ? "ids of \(relation.target)" : "an id of \(relation.target)")
    }
    if field.type.isOwned { parts.append("the owner") }
    if field.isUnique { parts.append("unique") }
    if form == .new && field.defaultsToUser { parts.append("the acting user by default") }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }
}
