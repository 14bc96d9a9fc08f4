import DataModel

/// A description of how records look in another format, such as an RSS feed. Records are read from
/// this format and written to it with the same map.
///
/// A map is parsed from a JSON file. `datactl help maps` describes the file.
package struct DataMap: Sendable {
  /// The formats of documents that maps describe.
  package enum Format: String, CaseIterable, Sendable {
    /// JSON, or one JSON object per line.
    case json
    /// XML.
    case xml
    /// CSV with a header line.
    case csv
  }

  /// What happens to values that no field takes.
  enum Unknown: String, CaseIterable, Sendable {
    case error
    case ignore
  }

  /// How a value that is null is written.
  enum Nulls: String, CaseIterable, Sendable {
    case write
    case omit
  }

  /// How a value that is missing is read.
  enum Missing: String, CaseIterable, Sendable {
    /// The field is missing in the record, so that a save does not change it.
    case missing
    case null
  }

  /// The name of the map.
  package let name: String
  /// The description of the map.
  package let doc: String?
  /// The format of the documents.
  package let format: Format
  /// The name of the schema of the records, or nil if the map is for any schema.
  package let schemaName: String?
  /// The file from which the map was read, or nil for a built-in map.
  package let file: String?
  /// Whether fields that the schema does not have are ignored, because the map is for any schema.
  let isBuiltIn: Bool
  /// The path to the records. Without steps, the records are the elements of a list, a sequence of
  /// values, or a single value.
  let records: MapPath
  /// The values that are written around the records, by their paths from the root.
  let frame: [(path: MapPath, value: JSONValue)]
  let separator: UInt8
  let fields: FieldMap

  /// The map of the fields of a record.
  struct FieldMap: Sendable {
    var fields: [MappedField] = []
    var names: NameConvention?
    /// The system fields that have places of their own, or nil if the rule for names applies to
    /// them. Without a rule, system fields are left out.
    var systemFields: [MappedField]?
    /// The forms of the fields of a type that have no form of their own.
    var forms: [(type: FieldType, form: ValueForm)] = []
    /// The values that no field takes: they are ignored in the input, and written unless they are
    /// nil.
    var extra: [(path: MapPath, value: JSONValue?, line: Int)] = []
    var unknown = Unknown.error
    var nulls = Nulls.write
    var missing = Missing.missing
    var line = 1
  }

  /// The rule for the names of the fields that a map does not list.
  struct NameConvention: Sendable {
    var rule: NameRule
    /// The path of the object that contains the fields.
    var container: MapPath
  }

  /// A field in a map file.
  struct MappedField: Sendable {
    /// Which field of the schema the entry concerns.
    enum Selector: Hashable, Sendable {
      case name(String)
      /// `$key`: the primary key.
      case key
      /// `$place`: the only field of the type geopoint.
      case place
    }

    var selector: Selector
    /// The path of the value, or nil if the rule for names applies.
    var path: MapPath?
    /// Further paths from which the value is read if it is missing at `path`.
    var alternatives: [MapPath] = []
    var form: ValueForm?
    var constant: JSONValue?
    /// Whether the field keeps all values that no other field takes.
    var isRest = false
    /// The map of the records in a relation.
    var nested: FieldMap?
    /// The name of the schema of the records in the relation, for inferring schemas.
    var nestedSchema: String?
    var line: Int
  }
}

/// A rule that converts the names of fields to names in a document.
package enum NameRule: String, CaseIterable, Sendable {
  case same
  case camel
  case pascal
  case firstUpper = "first_upper"
  case firstLower = "first_lower"
  case upper

  /// Returns the name of a field in a document.
  ///
  /// - Parameters:
  ///   - isKey: Whether the field is the primary key.
  ///   - property: The name that the schema declares for program code, if there is one.
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

  /// The rule whose name for a primary key is also read, because other systems write `todoId`.
  var lenientKeyRule: NameRule? {
    switch self {
    case .camel: .firstLower
    case .pascal: .firstUpper
    case .same, .firstUpper, .firstLower, .upper: nil
    }
  }

  /// Returns the key under which a value is passed to the inference of a schema: the field that is
  /// converted to the name in a document, or the name itself if a property of the field makes it the
  /// name. Returns nil if no field has this name.
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

  /// Returns a name in camel case. The last word of a primary key such as `todo_id` is `ID`.
  private static func camelCase(_ field: String, isKey: Bool) -> String {
    let property = Names.property(for: field)
    return isKey && property.hasSuffix("Id") ? property.dropLast(2) + "ID" : property
  }

  private static func firstLetterUppercased(_ name: String) -> String {
    name.prefix(1).uppercased() + name.dropFirst()
  }
}
