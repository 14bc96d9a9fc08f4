/// The keys of a schema file, with a description of each. The parser, the manual and the JSON
/// Schema for schema files are all derived from them.
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
    case .schema: "the name of the schema; the file is named after it"
    case .was: "the previous name of the schema; its records are kept under the new one"
    case .kind:
      """
      `records`, the default, or `user`: the schema of the users who can log in, at most one per \
      store
      """
    case .doc: "a description of the records, for readers of the schema"
    case .fields: "the fields in order, each with its name; at most 500"
    case .indexes: "lists of fields; `-` before a field means descending"
    case .properties: "names in program code, each with the field that it maps to"
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
    case .type: "the type of the values: one of the types below; required"
    case .to: "the target schema of a relation; required for relations"
    case .many: "`true`: the relation is an ordered list of ids; if empty `[]`, never null"
    case .onDelete:
      """
      when the target of a relation is deleted: `nullify` clears the reference (the default), \
      `cascade` deletes the record too, `deny` refuses
      """
    case .required: "`true`: every record must have a value; not for to-many relations"
    case .unique: "`true`: no two records have the same value; null is exempt"
    case .default:
      "the value of records that are created without this field; an explicit null is kept"
    case .min: "the minimum value, or the minimum length of a text or an array"
    case .max: "the maximum value, or the maximum length of a text or an array"
    case .oneOf: "the only allowed values, or elements of an array"
    case .pattern: "an I-Regexp (RFC 9485) that must match the whole text"
    case .doc: "a description of the field, for readers of the schema"
    case .was: "the previous name of the field; its values are kept under the new one"
    }
  }
}
