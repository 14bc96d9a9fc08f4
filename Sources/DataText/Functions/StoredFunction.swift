package import DataModel

/// The record of a stored function: a saved query.
///
/// Its query is parsed on every use, because the schemas may have changed since it was saved.
package struct StoredFunction: Sendable {
  package let id: String
  /// The schema of the resulting records, as written.
  let itemType: String
  /// The query: `from SCHEMA ALIAS where CONDITION`.
  let selectCore: String
  let tableAlias: String?
  let containsWhere: Bool?
  /// The fields that order the records, separated by commas.
  package let orderedBy: String
  /// The fields by which the records are grouped into sections.
  package let segmentedBy: [String]
  /// Whether to-many relations are expanded.
  package let faultBlocks: Bool
  /// Problems of the record that do not depend on the schemas.
  let problems: [Problem]

  /// Decodes the record of a function. Problems are reported when the query is read.
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

  /// Whether a type is `SQLiteQuery` or `RDSQuery`, alone or in the notation of other systems.
  private static func isKnown(_ type: String) -> Bool {
    var name = type.lowercased()
    let wrapping = "/function/functiontype["
    if name.hasPrefix(wrapping), name.hasSuffix("]") {
      name = String(name.dropFirst(wrapping.count).dropLast())
    }
    return name == "sqlitequery" || name == "rdsquery"
  }
}
