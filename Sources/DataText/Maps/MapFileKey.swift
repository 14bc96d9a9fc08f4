/// The keys of a map file, with a description of each. The parser and the manual use them.
package enum MapFileKey: String, CaseIterable, Sendable {
  case map
  case doc
  case format
  case schema
  case records
  case fields
  case names
  case types
  case system
  case unknown
  case missing
  case nulls
  case extra
  case frame
  case separator

  package var meaning: String {
    switch self {
    case .map: "the name of the map; required"
    case .doc: "a description"
    case .format: "`json` (the default), `xml` or `csv`"
    case .schema:
      "the schema of the records. A map without this key can be used with any schema"
    case .records:
      """
      the path to the records; required for XML, and with `frame`. Without this key, a JSON \
      document is a list of records, a sequence of JSON objects, or a single object
      """
    case .fields:
      """
      the fields, each with a path or an object (see below). `$key` means the primary key, and \
      `$place` means the only geopoint field of the schema
      """
    case .names:
      """
      the rule for the names of all other fields, such as `"camel"` (see below). If these fields \
      are inside another object, write `{"rule": "camel", "in": "data"}`. Without this key, the \
      other fields are left out
      """
    case .types:
      """
      the notation for all fields of a type, such as `{"datetime": {"as": "milliseconds"}}`
      """
    case .system:
      """
      the paths of system fields, such as `{"created_at": "created"}`. System fields that are not \
      listed are left out. Without this key, they follow the rule in `names`, if there is one
      """
    case .unknown:
      """
      the effect of values in the input that belong to no field: `error` (the default) or `ignore`
      """
    case .missing:
      """
      with the string `"null"`, a value that is missing in the input is read as null. By default, \
      the field of a missing value is not changed
      """
    case .nulls:
      "with `\"omit\"`, null values are not written. By default, they are written to JSON and CSV"
    case .extra:
      """
      constant values in each record, by path, such as `{"type": "Feature"}`. They are written, \
      except nulls. In the input, they are ignored
      """
    case .frame:
      """
      constant values outside the records, by path from the root of the document. They are \
      written. In the input, they are ignored
      """
    case .separator: "the character between the cells of CSV; by default, a comma"
    }
  }
}

/// The keys of a field in a map file.
package enum MapFieldKey: String, CaseIterable, Sendable {
  case at
  case or
  case `as`
  case constant
  case fields
  case names
  case schema
  case unknown
  case missing
  case nulls
  case extra

  package var meaning: String {
    switch self {
    case .at: "the path of the value"
    case .or:
      """
      another path, or a list of paths, from which the value is read if the input has none at the \
      path in `at`
      """
    case .as: "the notation of the value (see below)"
    case .constant: "a value that each record gets when it is read. It is not written"
    case .fields: "the fields of the related records, if the field is a relation"
    case .names: "the rule for the names of their other fields"
    case .schema: "the name of their schema, for `schema infer`"
    case .unknown, .missing, .nulls, .extra:
      "like this key of a map, for the related records"
    }
  }
}
