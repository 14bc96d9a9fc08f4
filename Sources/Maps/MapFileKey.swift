/// The keys of a map file, with a description of each. The parser and the manual use them.
package enum MapFileKey: String, CaseIterable, Sendable {
  case map
  case doc
  case format
  case schema
  case namespaces
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
      "the schema of the records. Without this key, the map can be used with several schemas"
    case .namespaces:
      """
      XML: prefixes for the paths of the map, such as `{"atom": "http://www.w3.org/2005/Atom"}`. \
      The root element of the output declares all of them. The prefix `xml` needs no declaration
      """
    case .records:
      """
      the path to the records; required for XML, and with `frame`. Without it, a JSON document is \
      a list of records, a sequence of objects, or a single object
      """
    case .fields:
      """
      the fields, each with a path or an object (see Keys of a field). `$key` means the primary \
      key, and `$place` the only geopoint field of the schema
      """
    case .names:
      """
      the rule for the names of all other fields, such as `"camel"` (see Rules for names). If \
      these fields are in an object `data`, write `{"rule": "camel", "in": "data"}`. Without \
      `names`, the other fields are left out
      """
    case .types:
      """
      the notation for all fields of a type, such as `{"datetime": {"as": "milliseconds"}}`
      """
    case .system:
      """
      the paths of system fields, such as `{"created_at": "created"}`. The others are left out, \
      so `{}` leaves out all of them. Without this key, they follow the rule in `names`
      """
    case .unknown:
      """
      the effect of values in the input that belong to no field: `error` (the default) or \
      `ignore`. Where a rule for names applies, a null that belongs to no field is ignored
      """
    case .missing:
      """
      with the string `"null"`, a field becomes null if its value is missing in the input. By \
      default, the field is not changed
      """
    case .nulls:
      "with `\"omit\"`, nulls are not written to JSON. They are never written to XML"
    case .extra:
      """
      constant values in each record, by path, such as `{"type": "Feature"}`. They are written, \
      except nulls. `"$class"` is replaced with the name of the schema as a type, such as \
      `BlogPost`. In the input, the values at these paths are ignored. A null at the path of an \
      object with mapped values means that the other values in it are ignored
      """
    case .frame:
      """
      constant values to write outside the records, by path from the root of the document. In the \
      input, all values outside the records are ignored
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
    case .at:
      """
      the path of the value; by default, the path that the rule in `names` gives. A geopoint can \
      have two, if its numbers are separate values: `{"at": ["@lat", "@lon"], "as": "lat,lon"}`
      """
    case .or:
      """
      another path, or a list of paths, from which the value is read if the input has none at the \
      path in `at`
      """
    case .as: "the notation of the value (see Notations)"
    case .constant:
      "a value that the field gets in each record that is read. It is not written"
    case .fields:
      "for a relation: the fields of the related records (see Nested records)"
    case .names: "the rule for the names of the other fields of the related records"
    case .schema: "the name of the schema of the related records, for `schema infer`"
    case .unknown, .missing, .nulls, .extra:
      "like this key of a map, for the related records"
    }
  }
}
