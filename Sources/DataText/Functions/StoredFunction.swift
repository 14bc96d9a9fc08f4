package import DataModel

/// What a stored function asks, as its record says it.
///
/// Its text is read again whenever it is asked, by the schemas as they are then.
package struct StoredFunction: Sendable {
  package let id: String
  /// The schema of the records that it gives, as it was written.
  let itemType: String
  /// What stands under the keys of the object.
  let selectCore: String
  let tableAlias: String?
  let containsWhere: Bool?
  /// The fields that order the records, with commas between them.
  package let orderedBy: String
  /// The fields that make sections.
  package let segmentedBy: [String]
  /// Whether to-many relations are expanded.
  package let faultBlocks: Bool
  /// What is wrong with the form of the record, whatever the schemas are.
  let problems: [Problem]

  /// Takes the record of a function apart; what is wrong with it is reported when it is read.
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

  /// `SQLiteQuery` and `RDSQuery`, and what other systems wrap around them.
  private static func isKnown(_ type: String) -> Bool {
    var name = type.lowercased()
    let wrapping = "/function/functiontype["
    if name.hasPrefix(wrapping), name.hasSuffix("]") {
      name = String(name.dropFirst(wrapping.count).dropLast())
    }
    return name == "sqlitequery" || name == "rdsquery"
  }
}
