/// The table of field types and their equivalents in other systems and languages.
package struct TypeTable {
  /// The titles of the columns of the table.
  package static let columns = [
    "type", "JSON", "Swift", "SQLite", "PostgreSQL", "Telerik", "StackMob", "Backendless",
    "Core Data",
  ]

  /// Groups of terms that have the same meaning in datactl and in other systems, such as schema,
  /// entity and table.
  package static let synonyms = [
    ["schema", "entity", "table"], ["field", "attribute", "column"],
    ["relation", "relationship", "reference column"],
  ]

  /// The cells of the table, line by line. All arrays have one line.
  package static let lines: [[String]] =
    FieldType.samples.filter { !$0.isArray }.map { line($0.name, $0.descriptor.equivalents) }
    + [line("relation, many", TypeDescriptor.relations.equivalents), arrays]

  private static var arrays: [String] {
    let names = ElementType.allCases.map { FieldType.array($0).name }
    var line = line(names.joined(separator: ", "), TypeDescriptor.texts.equivalents)
    line[2] = "[T]"
    return line
  }

  private static func line(_ type: String, _ other: TypeDescriptor.Equivalents) -> [String] {
    [
      type, other.json, other.swift, other.sqlite, other.postgres, other.telerik, other.stackMob,
      other.backendless, other.coreData,
    ]
  }
}
