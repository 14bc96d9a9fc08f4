import DataModel
import JSONText

/// The schema of the records that are edited, as `schema show` prints it.
struct EditedSchema {
  let name: String
  /// The name of the primary key.
  let key: String
  private let fields: [Field]
  /// The schemas of nested records, by name. They include this schema.
  private var others: [String: EditedSchema] = [:]
  /// The names of the schemas to which inverses lead, by inverse.
  private var inverses: [String: String] = [:]

  /// - Parameter exported: The schemas of the store, as `schema export` prints them, if the records
  ///   can contain nested records.
  init(parsing text: [UInt8], among exported: [UInt8] = []) throws(DataError) {
    try self.init(JSONValue(parsing: text.span))
    let files = (try? JSONNode.parseAll(exported.span)) ?? []
    for file in files {
      let schema = try EditedSchema(JSONValue(file, of: exported.span))
      others[schema.name] = schema
    }
    for other in others.values {
      for field in other.fields {
        if case .text(let inverse) = field.declaration["inverse"], let target = field.target {
          others[target]?.inverses[inverse] = other.name
        }
      }
    }
    inverses = others[name]?.inverses ?? [:]
  }

  private init(_ file: JSONValue) throws(DataError) {
    guard case .text(let name) = file["schema"], case .object(let members) = file["fields"],
      let key = members.first(where: { $0.value["type"] == "id" })?.name
    else { throw DataError(.failed, "the schema cannot be read") }
    self.name = name
    self.key = key
    fields = members.map { Field(name: $0.name, declaration: $0.value) }
  }

  /// Returns the names of the fields to edit, beginning with the primary key.
  ///
  /// - Parameter given: The value of `--fields`, or nil for all fields.
  func names(_ given: String?) throws(DataError) -> [String] {
    guard let given else {
      return [key] + fields.filter { !$0.isSecret && $0.name != key }.map(\.name)
    }
    let names = given.split(separator: ",").map(String.init)
    for name in names where !fields.contains(where: { $0.name == name }) {
      if PathError.isExpression(name) {
        throw DataError(
          .usage, "--fields: \(PathError.messageForExpression(name, in: self.name))",
          hint: "name the fields to edit, without expressions")
      }
      let hint = nearest(name, among: fields.map(\.name)).map { "did you mean \($0)?" }
      throw DataError(
        .usage, "--fields: \(self.name) has no field \(Excerpt.quoted(name)) to edit", hint: hint)
    }
    return [key] + names.filter { $0 != key }
  }

  /// Returns the comments at the beginning of the text: a line for the primary key and each of the
  /// fields, with its type and its rules.
  func comments(for names: [String]) -> String {
    let lines = fields.filter { $0.name == key || names.contains($0.name) || $0.isSecret }
      .map { "//   \($0.name): \($0.rules)\n" }
    return """
      // Edit, save and close this file. Lines that begin with // are ignored.
      // null clears a field. A field or a record that is removed is not changed.
      //
      // \(name)
      \(lines.joined())
      """
  }

  /// Returns the id of a record, or an empty text if it has none.
  func id(of record: JSONValue) -> String {
    switch record[key] {
    case .text(let id): id
    case .number(let number): number.text
    case .null, .boolean, .array, .object, nil: ""
    }
  }

  /// Returns the schema of the records that are nested in a member of a record with another schema
  /// of these, or nil if the member contains no records.
  func nested(in member: String, of schema: EditedSchema) -> EditedSchema? {
    let field = schema.fields.first { $0.name == member }
    return (field?.target ?? schema.inverses[member]).flatMap { others[$0] }
  }

  /// Returns whether a member of a record is the list of an inverse.
  func isInverse(_ member: String) -> Bool { inverses[member] != nil }

  /// Returns new records with the given ids, or one without an id, as JSON.
  func templates(ids: [String], _ names: [String]) -> [UInt8] {
    let ids: [String?] = ids.isEmpty ? [nil] : ids
    return Array(ids.map { "\(template(id: $0, names))\n" }.joined().utf8)
  }

  /// Returns whether a record can be one of `templates`.
  func isTemplate(_ record: JSONValue) -> Bool {
    guard case .object(let members) = record else { return false }
    return members.allSatisfy { member in fields.contains { $0.name == member.name } }
  }

  /// Returns a new record: the default of each field, or null. A field that defaults to the user is
  /// left out, because the value is known only when the record is saved.
  private func template(id: String?, _ names: [String]) -> JSONValue {
    var members = id.map { [JSONValue.Member(key, .text($0))] } ?? []
    for field in fields where field.name != key && (names.contains(field.name) || field.isSecret) {
      if field.declaration["default"] == .text(DataModel.Field.userDefault) { continue }
      let empty: JSONValue = field.declaration["many"] == true ? [] : nil
      members.append(JSONValue.Member(field.name, field.declaration["default"] ?? empty))
    }
    return .object(members)
  }
}

/// A field as its schema declares it.
private struct Field {
  let name: String
  let declaration: JSONValue

  /// Whether the value is a password, which is never shown.
  var isSecret: Bool { declaration["type"] == "password" }

  /// The schema to which a relation refers, or nil for other fields.
  var target: String? {
    if case .text(let name) = declaration["to"] { name } else { nil }
  }

  /// The type and the rules in one line, such as `text, required, max 200`.
  var rules: String {
    guard case .object(let members) = declaration else { return "" }
    return members.map { member in
      switch member.value {
      case .boolean(true) where member.name != "default": member.name
      case .text(let type) where member.name == "type": type
      case .null, .boolean, .number, .text, .array, .object: "\(member.name) \(member.value)"
      }
    }.joined(separator: ", ")
  }
}
