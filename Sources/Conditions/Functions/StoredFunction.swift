package import DataModel
import JSONText

/// A saved query, decoded from its record.
///
/// The query is parsed on every use, because the schemas may have changed since it was saved.
package struct StoredFunction: Sendable {
  package let id: String
  /// The name of the schema of the resulting records, as written in the function's record.
  let itemType: String
  /// The text of the query: `from SCHEMA ALIAS where CONDITION`.
  package let selectCore: String
  let tableAlias: String?
  let containsWhere: Bool?
  /// The fields by which the records are ordered, separated by commas.
  package let orderedBy: String
  /// The fields by which the records are grouped into sections. More than one field is an error.
  package let segmentedBy: [String]
  /// Whether the output contains related records in place of the ids of to-many relations.
  package let faultBlocks: Bool
  /// The problems in the record of the function, such as unknown keys. They do not depend on the
  /// schemas.
  let problems: [Problem]

  /// Decodes the function in the given row. Problems are not thrown here, but when `read` parses
  /// the query.
  package init(_ rows: Rows, _ row: Int) {
    func text(_ slot: Int) -> String? {
      rows[row, slot].hasValue ? rows.text(rows[row, slot]) : nil
    }
    var object = FunctionObject(id: text(0) ?? "", json: text(4) ?? "")
    id = object.id
    itemType = text(3) ?? ""
    if let type = text(2), !Self.isKnown(type) {
      object.report(
        "expected SQLiteQuery or RDSQuery, found \(Excerpt.quoted(type))", field: "function_type")
    }
    selectCore = object.text("selectCore") ?? ""
    if selectCore.isEmpty { object.report("selectCore is missing", hint: Self.form) }
    tableAlias = object.text("tableAlias").flatMap { $0.isEmpty ? nil : $0 }
    containsWhere = object.boolean("containsWhere")
    orderedBy = object.texts("orderedBy").joined(separator: ", ")
    segmentedBy = object.texts("segmentedBy")
    faultBlocks = object.boolean("faultBlocks") ?? false
    object.checkKeys([
      "selectCore", "tableAlias", "containsWhere", "orderedBy", "segmentedBy", "faultBlocks",
    ])
    problems = object.problems
  }

  static let form = "write \"selectCore\": \"from SCHEMA ALIAS where CONDITION\""

  /// Returns whether a type of function is supported: `SQLiteQuery` or `RDSQuery`, in upper or
  /// lower case. The notation of other systems, `/Function/functionType[SQLiteQuery]`, is also
  /// accepted.
  private static func isKnown(_ type: String) -> Bool {
    var name = type.lowercased()
    let wrapping = "/function/functiontype["
    if name.hasPrefix(wrapping), name.hasSuffix("]") {
      name = String(name.dropFirst(wrapping.count).dropLast())
    }
    return name == "sqlitequery" || name == "rdsquery"
  }
}

/// The JSON object in a function's record. The object may be encoded as a JSON string.
struct FunctionObject {
  let id: String
  private(set) var problems: [Problem] = []
  private var members: [JSONValue.Member] = []

  init(id: String, json: String) {
    self.id = id
    do throws(DataError) {
      var value = try JSONValue(parsing: json)
      if case .text(let text) = value { value = try JSONValue(parsing: text) }
      guard case .object(let members) = value else {
        report("expected a JSON object, found \(value.display)")
        return
      }
      self.members = members
    } catch {
      report("expected a JSON object, found \(Excerpt.quoted(json))", hint: StoredFunction.form)
    }
  }

  mutating func report(_ message: String, hint: String? = nil, field: String = "function") {
    problems.append(
      Problem(
        .invalid, message, hint: hint, schema: Schema.function.name, id: id, field: field))
  }

  /// Returns the value of a key, or nil if the key is missing or its value is null.
  private func value(_ key: String) -> JSONValue? {
    let value = members.first { $0.name == key }?.value
    return value == .null ? nil : value
  }

  mutating func text(_ key: String) -> String? {
    guard let value = value(key) else { return nil }
    guard case .text(let text) = value else {
      report("\(key): expected text, found \(value.display)")
      return nil
    }
    return text
  }

  mutating func boolean(_ key: String) -> Bool? {
    guard let value = value(key) else { return nil }
    guard case .boolean(let boolean) = value else {
      report("\(key): expected true or false, found \(value.display)")
      return nil
    }
    return boolean
  }

  /// Returns the value of a key as a list of strings. The value must be a string or a list of
  /// strings. A single string is returned as one element, even if it contains commas.
  mutating func texts(_ key: String) -> [String] {
    switch value(key) {
    case nil: return []
    case .text(let text)?: return text.allSatisfy { $0 == " " } ? [] : [text]
    case .array(let elements)?:
      let texts = elements.compactMap { element in
        if case .text(let text) = element { text } else { nil }
      }
      if texts.count == elements.count { return texts }
    case .null?, .boolean?, .number?, .object?: break
    }
    report("\(key): expected a string or an array of strings")
    return []
  }

  /// Reports each key of the object that is not among the known keys.
  mutating func checkKeys(_ known: [String]) {
    for member in members where !known.contains(member.name) {
      let suggestion = nearest(member.name, among: known)
      report(
        "a function has no key \(Excerpt.truncated(member.name))",
        hint: suggestion.map { "did you mean \($0)?" } ?? "put additional data in extra")
    }
  }
}

extension JSONValue {
  /// The value as shown in error messages. Text is in quotes, without JSON escapes.
  fileprivate var display: String {
    switch self {
    case .text(let text): "text \(Excerpt.quoted(text))"
    case .null, .boolean, .number, .array, .object: Excerpt.truncated(description)
    }
  }
}
