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
  case roles
  case disabled
  case access

  package var meaning: String {
    switch self {
    case .schema: "the name of the schema; by convention, also the name of the file"
    case .was:
      "the previous name of the schema; `schema apply` renames the schema and keeps its records"
    case .kind:
      """
      `records` (the default), or `user` for the schema of the users who can log in; a store has \
      at most one user schema
      """
    case .doc: "a description of the records"
    case .fields:
      """
      the fields by name, in the order in which they are printed (the primary key is always \
      first); at most 500, including the primary key
      """
    case .indexes: "the indexes, each a list of fields; `-` before a field means descending order"
    case .properties:
      "other names of fields for use in program code, such as `{\"assignee\": \"owner\"}`"
    case .roles: "in a user schema, the `[text]` field with the roles of a user"
    case .disabled:
      """
      in a user schema, the `boolean` field that is `true` for users who cannot log in; only \
      administrators can write it
      """
    case .access:
      """
      the access rules of the records, such as `{"read": "users"}`; see `datactl help access-rules`
      """
    }
  }
}

/// The keys of a field in a schema file, in the order in which they are written.
package enum FieldKey: String, CaseIterable, Sendable {
  case type
  case digits
  case scale
  case to
  case many
  case onDelete = "on_delete"
  case inverse
  case owned
  case position
  case required
  case unique
  case `default`
  case min
  case max
  case oneOf = "one_of"
  case pattern
  case access
  case doc
  case was

  /// Returns the key with a name. The initializer with the raw value would create a dictionary,
  /// which is a twentieth of the instructions of `get`.
  static func named(_ name: String) -> FieldKey? { allCases.first { $0.rawValue == name } }

  /// The name of the type whose fields alone can have the key; nil if fields of other types can too.
  var owner: String? {
    switch self {
    case .digits, .scale: "decimal"
    case .to, .many, .onDelete, .inverse, .owned, .position: "relation"
    case .type, .required, .unique, .default, .min, .max, .oneOf, .pattern, .access, .doc, .was: nil
    }
  }

  package var meaning: String {
    switch self {
    case .type: "the type of the values; required"
    case .digits: "the maximum number of digits of a decimal, from 1 to 18; required for decimals"
    case .scale:
      "the number of digits after the point of a decimal, from 0 to `digits`; required for decimals"
    case .to: "the schema of the related records (the target schema); required for relations"
    case .many:
      """
      if `true`, the relation is an ordered list of ids (a to-many relation); an empty list is \
      `[]`, not null
      """
    case .onDelete:
      """
      what happens when the related record is deleted: `nullify` (the default), `cascade` or \
      `deny` (see Relations)
      """
    case .inverse:
      """
      a name for the opposite direction of a relation, such as `subdivisions` for the relation \
      `country` (see Relations)
      """
    case .owned:
      """
      if `true`, the record is a part of the related record, such as the line of an order (see \
      Owned records)
      """
    case .position:
      "in an owned relation, the integer field that orders the parts, such as `place`"
    case .required: "if `true`, every record must have a value; not allowed for to-many relations"
    case .unique:
      "if `true`, no two records can have the same value; any number of records can have null"
    case .default:
      """
      the value that a new record gets if it does not contain the field; an explicit null is not \
      replaced; `:user` in a text or a relation is the acting user (see Defaults)
      """
    case .min: "the minimum value, or the minimum length of a string or an array"
    case .max: "the maximum value, or the maximum length of a string or an array"
    case .oneOf: "the only allowed values; for an array, the only allowed elements"
    case .pattern:
      """
      a regular expression (I-Regexp, RFC 9485) that must match the whole string; `^` and `$` have \
      no special meaning
      """
    case .access:
      """
      the access rules of the field, such as `{"read": "users"}`; see `datactl help access-rules`
      """
    case .doc: "a description of the field"
    case .was:
      "the previous name of the field; `schema apply` renames the field and keeps its values"
    }
  }
}
