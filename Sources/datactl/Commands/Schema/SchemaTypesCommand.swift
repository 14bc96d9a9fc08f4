import CommandSyntax
import DataModel
import DataOutput

/// `datactl schema types`: prints the field types and their equivalents in other systems.
struct SchemaTypesCommand: DeclaredCommand {
  var format = TypesFormat.table

  static let declaration = CommandDeclaration(
    SchemaTypesCommand.self, "types",
    "Print the field types and their equivalents in other systems.",
    discussion: [
      """
      Prints two tables. The first shows the names that other systems use for schemas, fields and \
      relations. The second shows all field types with their equivalents in JSON, Swift, SQLite, \
      PostgreSQL and other systems.
      """
    ],
    inputs: [
      .choice("--output", letter: "o", \.format, value: "FORMAT", "The output format.")
    ],
    examples: [
      Example(
        "datactl schema types",
        "Print the field types and their equivalents in other systems."),
      Example("datactl schema types -o json | jq -r '.types[].type'", "Print only the type names."),
    ],
    exitStatuses: [.done, .failed, .usageOfOptions, .brokenPipe],
    seeAlso: ["schema create", "schema-files"])
}

extension SchemaTypesCommand {
  var storeUse: StoreUse { .none }

  func run(with context: CommandContext) async throws {
    let console = context.console
    switch format {
    case .json: try console.output.append { output in Self.writeJSON(to: &output) }
    case .table:
      try console.output.append { output in
        for (header, rows) in [
          (["here", "elsewhere", "or"], TypeTable.synonyms),
          (TypeTable.columns, TypeTable.lines),
        ] {
          if !output.isEmpty { output.append(UInt8(ascii: "\n")) }
          var table = TextTable(header.map { TextTable.Column($0) }, on: console.terminal)
          for row in rows { table.add(row, to: &output) }
          table.end(to: &output)
        }
      }
    }
  }

  private static func writeJSON(to output: inout [UInt8]) {
    let synonyms = TypeTable.synonyms.map { synonyms in
      [("here", synonyms[0] as String?), ("elsewhere", synonyms[1]), ("or", synonyms[2])]
    }
    let types = TypeTable.lines.map { line in Array(zip(keys, line.map(Optional.some))) }
    output.append(contentsOf: "{\"words\":[".utf8)
    write(synonyms, to: &output)
    output.append(contentsOf: "],\n\"types\":[\n".utf8)
    write(types, to: &output)
    output.append(contentsOf: "]}\n".utf8)
  }

  private static func write(_ objects: [[(String, String?)]], to output: inout [UInt8]) {
    for (index, facts) in objects.enumerated() {
      if index > 0 { output.append(contentsOf: ",\n".utf8) }
      JSONLine.appendObject(facts, to: &output)
    }
  }

  private static let keys = [
    "type", "json", "swift", "sqlite", "postgresql", "telerik", "stackmob", "backendless",
    "core_data",
  ]
}

/// The formats in which the table of field types is printed.
enum TypesFormat: String, CaseIterable, Sendable {
  case table
  case json
}
