import CommandSyntax
import DataClient
import DataModel
import DataText

/// `datactl schema export`: writes the schemas of the store in a form that others read.
struct SchemaExportCommand: Command {
  let folder: String
  let format: SchemaFormat

  static let declaration = CommandDeclaration<any Command>(
    "export", "Write the schemas of the store to files.",
    discussion: [
      """
      Writes a file for each schema into a folder, which is made if it is not there; files of \
      these names are replaced, others stay. Without a folder, or with `-`, everything goes to \
      standard output, one after the other.
      """
    ],
    inputs:
      .optionalOperand("FOLDER", kind: .folder, "Where the files go; `-` is standard output."),
    .choice(
      "--format", value: "FORMAT", of: SchemaFormat.allCases, default: .json,
      "What the schemas are written as."),
    examples: [
      Example("datactl schema export schemas", "Write the schema files into a folder."),
      Example("datactl schema export | jq -r .schema", "Print the names of all schemas."),
    ],
    exitStatuses: [.done, .failed, .usage, .forbidden, .store, .readerGone],
    seeAlso: ["schema apply", "schema-files"]
  ) { folder, format in
    SchemaExportCommand(folder: folder ?? "-", format: format)
  }
}

/// The forms in which schemas are written for others.
enum SchemaFormat: String, CaseIterable, Sendable {
  /// Schema files, as `schema apply` reads them.
  case json
}

extension SchemaExportCommand {
  func run(with invocation: Invocation) async throws {
    let client = try await invocation.open(for: .reading)
    let schemas = try await client.schemas()
    if folder == "-" {
      for schema in schemas { try invocation.console.output.write(format.text(of: schema)) }
      return
    }
    try invocation.makeFolder(folder)
    for schema in schemas {
      let output = try invocation.output("\(folder)/\(format.fileName(of: schema))")
      try output.write(format.text(of: schema))
      try output.flush()
    }
    try invocation.say("\(schemas.count.counted("file")) written to \(folder)")
  }
}

extension SchemaFormat {
  /// The schema in this form, with a newline at its end.
  func text(of schema: Schema) -> String {
    switch self {
    case .json: SchemaFile.text(schema)
    }
  }

  /// The name of the schema's file.
  fileprivate func fileName(of schema: Schema) -> String {
    switch self {
    case .json: "\(schema.name).json"
    }
  }
}
