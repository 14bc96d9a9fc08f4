import DataModel
import JSONText

/// A declarative mapping between the records of a schema and documents in another format, such as
/// RSS feeds. The same map is used for reading and for writing.
///
/// A map is parsed from a JSON file, or is one of the built-in maps. `datactl help maps` describes
/// the file and lists the built-in maps.
public struct DataMap: Sendable {
  /// The formats of documents for which a map can be written.
  package enum Format: String, CaseIterable, Sendable {
    /// A JSON document, or NDJSON (one JSON object per line).
    case json
    /// An XML document.
    case xml
    /// CSV with a header line, which contains the names of the columns.
    case csv
  }

  /// What happens when a document contains a value that the map does not assign to a field.
  enum Unknown: String, CaseIterable, Sendable {
    case error
    case ignore
  }

  /// How fields that are null are written: as null, or not at all.
  enum Nulls: String, CaseIterable, Sendable {
    case write
    case omit
  }

  /// How a field is read if its value is missing from the document.
  enum Missing: String, CaseIterable, Sendable {
    /// The field is missing from the record, so a save does not change it.
    case missing
    case null
  }

  /// The name of the map, such as `camel` for a built-in map.
  public let name: String
  /// The description of the map for its users; nil if the map file has none.
  package let doc: String?
  /// The format of the documents that the map reads and writes.
  package let format: Format
  /// The name of the records' schema, or nil if the map can be used with any schema.
  package let schemaName: String?
  /// The file from which the map was read, or nil for a built-in map.
  package let file: String?
  /// The JSON of the map, in UTF-8.
  let text: [UInt8]
  /// Whether the map is built in. A built-in map can be used with any schema, so fields that the
  /// schema does not have are ignored.
  let isBuiltIn: Bool
  /// The namespaces that have a prefix in the paths of the map and in the documents that it writes,
  /// in the order of the map file.
  package let namespaces: [(prefix: String, uri: String)]
  /// The path to the records. If it has no steps, the document itself contains the records: as an
  /// array, as a sequence of values, or as a single value.
  let records: MapPath
  /// Whether the map specifies that the document is an array of records (`[]`).
  let isRootList: Bool
  /// The constants that are written outside the records, such as the version of a feed, with their
  /// paths from the root of the document.
  let frame: [(path: MapPath, value: JSONValue)]
  let separator: UInt8
  let fields: FieldMap

  /// What a map specifies for the fields of a record, or for the fields of the nested records in a
  /// relation: entries for single fields, and rules for all other fields.
  struct FieldMap: Sendable {
    var fields: [MappedField] = []
    var names: NameConvention?
    /// The entries for system fields, or nil if the map file has none. With such entries, the
    /// naming rule does not apply to system fields.
    var systemFields: [MappedField]?
    /// The notations, such as times in seconds, that the map specifies for all fields of a type. A
    /// notation that it specifies for a single field takes precedence.
    var forms: [(type: FieldType, form: ValueForm)] = []
    /// Paths that the map does not assign to a field. The values at these paths are ignored when a
    /// record is read. If `value` is not nil, this constant is written with each record.
    var extra: [(path: MapPath, value: JSONValue?, line: Int)] = []
    var unknown = Unknown.error
    var nulls = Nulls.write
    var missing = Missing.missing
    var line = 1
  }

  /// The naming rule for the fields that a map does not list.
  struct NameConvention: Sendable {
    var rule: NameRule
    /// The path of the object with the fields that the map does not list.
    var container: MapPath
  }

  /// The entry for one field in a map file, such as `"title": "headline"`.
  struct MappedField: Sendable {
    /// How an entry of a map file refers to its field.
    enum Selector: Hashable, Sendable {
      case name(String)
      /// `$key`: the primary key.
      case key
      /// `$place`: the only geopoint field of the schema.
      case place
    }

    var selector: Selector
    /// The path of the value. It is nil if the naming rule determines the path, if the field has a
    /// constant value, or if the field stores all unmapped values.
    var path: MapPath?
    /// The path of the second number of a geopoint whose numbers are two values of the record. The
    /// first number is at `path`.
    var second: MapPath?
    /// Further paths from which the value is read if it is missing at `path`.
    var alternatives: [MapPath] = []
    var form: ValueForm?
    var constant: JSONValue?
    /// Whether the entry has `"*"` in place of a path. The field then stores all values that the
    /// map does not assign to another field.
    var isRest = false
    /// How nested records are mapped, if the field is a relation that contains them. Nil for other
    /// fields.
    var nested: FieldMap?
    /// The name for the schema of the nested records in the relation, if this schema is inferred.
    var nestedSchema: String?
    var line: Int

    /// The paths to which the value is written.
    var paths: [MapPath] { [path, second].compactMap(\.self) }
  }
}

/// A naming rule, such as camel case, by which field names are converted to names in a document.
package enum NameRule: String, CaseIterable, Sendable {
  case same
  case camel
  case pascal
  case firstUpper = "first_upper"
  case firstLower = "first_lower"
  case upper

  /// Returns the name that a field has in a document.
  ///
  /// - Parameters:
  ///   - isKey: Whether the field is the primary key.
  ///   - property: The property name that the schema declares for the field, if there is one.
  package func name(of field: String, isKey: Bool, property: String? = nil) -> String {
    switch self {
    case .same: field
    case .camel: property ?? Self.camelCase(field, isKey: isKey)
    case .pascal: Self.firstLetterUppercased(Self.camelCase(field, isKey: isKey))
    case .firstUpper: Self.firstLetterUppercased(property ?? Names.property(for: field))
    case .firstLower: property ?? Names.property(for: field)
    case .upper: field.uppercased()
    }
  }

  /// A second rule for the name of the primary key. When a document is read, names by this rule are
  /// also accepted, because other systems write `todoId` instead of `todoID`.
  var lenientKeyRule: NameRule? {
    switch self {
    case .camel: .firstLower
    case .pascal: .firstUpper
    case .same, .firstUpper, .firstLower, .upper: nil
    }
  }

  /// Returns the field name that schema inference uses for the member `name`, or nil if the naming
  /// rule never results in `name`.
  ///
  /// Usually, this is the field name that the rule converts to `name`, such as `due_date` for
  /// `dueDate`. Some names result only from the property name that a schema declares for a field.
  /// For such a name, the result is `name` itself.
  func inferredField(of name: String, keyName: String) -> String? {
    guard let field = Names.suggested(for: name) else { return nil }
    func isConverted(property: String? = nil) -> Bool {
      self.name(of: field, isKey: field == keyName, property: property).utf8
        .elementsEqual(name.utf8)
    }
    let isKey = field == keyName && lenientKeyRule?.name(of: field, isKey: true) == name
    if isKey || isConverted() { return field }
    return isConverted(property: name) ? name : nil
  }

  /// Returns a field name in camel case. The primary key `todo_id` becomes `todoID`.
  private static func camelCase(_ field: String, isKey: Bool) -> String {
    let property = Names.property(for: field)
    return isKey && property.hasSuffix("Id") ? property.dropLast(2) + "ID" : property
  }

  private static func firstLetterUppercased(_ name: String) -> String {
    name.prefix(1).uppercased() + name.dropFirst()
  }
}
