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
      the path to the records. Without this key, the document is a list of records, a sequence of \
      JSON objects, or a single object
      """
    case .fields:
      """
      the fields, each with a path or an object (see below). `$key` means the primary key, and \
      `$place` means the only geopoint of the schema
      """
    case .names:
      """
      the rule for the names of the fields that are not in `fields` (see below), or an object with \
      the keys `rule` and `in`, where `in` is the path of the object that contains these fields. \
      Without a rule, these fields are left out
      """
    case .types:
      """
      the notation for all fields of a type, such as `{"datetime": {"as": "milliseconds"}}`
      """
    case .system:
      """
      the paths of system fields, such as `{"created_at": "created"}`. Other system fields are \
      left out. Without this key, the rule for names also applies to the system fields
      """
    case .unknown:
      """
      the effect of values in the input that belong to no field: `error` (the default) or `ignore`
      """
    case .missing:
      """
      `null` means that a missing value is read as null. By default, a field whose value is \
      missing is not changed
      """
    case .nulls:
      "`omit` means that null values are not written. By default, they are written to JSON and CSV"
    case .extra:
      """
      constant values in each record, by path, such as `{"type": "Feature"}`. They are written \
      unless they are null, and ignored when records are read
      """
    case .frame:
      """
      constant values outside the records, by path from the root of the document. They are \
      written, and ignored when a document is read
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
      another path, or a list of paths, from which the value is read if it is missing at the first \
      path
      """
    case .as: "the notation of the value (see below)"
    case .constant: "the value that the field gets when a record is read. The value is not written"
    case .fields: "the fields of the related records, if the field is a relation"
    case .names: "the rule for the names of the other fields of the related records"
    case .schema: "the name of the schema of the related records, for `schema infer`"
    case .unknown, .missing, .nulls, .extra:
      "the same as the key of a map with this name, but for the related records"
    }
  }
}
