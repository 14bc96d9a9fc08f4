import ClientCore
import CommandSyntax
import SchemaText

/// `datactl schema show`: prints a schema as a schema file.
struct SchemaShowCommand: DeclaredCommand {
  var schemaName = ""

  static let declaration = CommandDeclaration(
    SchemaShowCommand.self, "show", "Print a schema in the format of schema files.",
    discussion: [
      """
      Prints a schema of the store as a schema file. `datactl help schema-files` describes the \
      format.
      """,
      """
      A server omits access rules, and fields that the user may not read, unless the user is an \
      administrator.
      """,
    ],
    inputs: [.operand("SCHEMA", \.schemaName, kind: .schema, "The name of the schema.")],
    examples: [
      Example("datactl schema show todo", "Print a schema."),
      Example("datactl schema show todo > schemas/todo.json", "Save a schema as a file."),
    ],
    exitStatuses: [
      .done, .failed, .usageOfOptions, .schemaNotFound, .forbidden, .store, .brokenPipe,
    ],
    seeAlso: ["schema export", "schema-files"])
}

extension SchemaShowCommand {
  func run(with context: CommandContext) async throws {
    let client = try await context.open(for: .reading)
    let schema = try await client.schema(schemaName)
    try context.console.output.write(SchemaFile.text(schema))
  }
}
