/// The keys of a schema file with their descriptions. The parser, the manual and the JSON Schema of
/// schema files all use this table.
package enum SchemaFileKey: String, CaseIterable, Sendable {
  case schema
  case was
  case kind
  case doc
  case fields
  case indexes
  case properties

  package var meaning: String {
    switch self {
    case .schema: "the name of the schema; the file is called after it"
    case .was: "the name that the schema had before; its records follow it to the new one"
    case .kind:
      """
      `records`, which is also meant without this key, or `user`: the schema of those who can log \
      in, at most one in a store
      """
    case .doc: "what its records are, for those who read the schema"
    case .fields: "the fields in their order, each with its name; there are at most 500"
    case .indexes: "lists of fields; `-` before one means downwards"
    case .properties: "names in program code, each with the field that it stands for"
    }
  }
}

/// The keys of a field in a schema file, in the order in which they are written.
package enum FieldKey: String, CaseIterable, Sendable {
  case type
  case to
  case many
  case onDelete = "on_delete"
  case required
  case unique
  case `default`
  case min
  case max
  case oneOf = "one_of"
  case pattern
  case doc
  case was

  package var meaning: String {
    switch self {
    case .type: "what the values are: one of the types below; every field has it"
    case .to: "the schema that a relation refers to; every relation has it"
    case .many: "`true`: the relation holds many ids, in an order; none is `[]`, never null"
    case .onDelete:
      """
      what happens when the target of a relation goes: `nullify` (the reference goes, the \
      default), `cascade` (the record goes too) or `deny`
      """
    case .required: "`true`: every record has a value here; not for a relation to many"
    case .unique: "`true`: no two records have the same value; null collides with nothing"
    case .default:
      "what a record gets that is created without this field; a null that is given stays"
    case .min: "the least value, or the least length of a text or an array"
    case .max: "the greatest value, or the greatest length of a text or an array"
    case .oneOf: "the only values that are allowed, or the only elements of an array"
    case .pattern: "an I-Regexp (RFC 9485) that matches the whole text"
    case .doc: "what the field means, for those who read the schema"
    case .was: "the name that the field had before; its values follow it to the new one"
    }
  }
}
