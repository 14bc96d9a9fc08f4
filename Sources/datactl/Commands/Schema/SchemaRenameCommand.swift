import ClientCore
import CommandSyntax
import DataModel
import DataStore

/// `datactl schema rename`: renames a schema or a field.
struct SchemaRenameCommand: Command {
  let schemaName: String
  let field: String?
  let newName: String
  let change: SchemaChangeOptions

  static let declaration = CommandDeclaration<any Command>(
    "rename", "Rename a schema or a field.",
    discussion: [
      """
      Renames a schema or a field of the store. Records keep their values and revisions. If the \
      schema `todo` is renamed to `task`, its primary key is renamed from `todo_id` to `task_id`. \
      The primary key of a user schema keeps its name.
      """,
      """
      Indexes, properties and relations that use the old name are updated. The command fails if an \
      access rule or a stored function uses the old name.
      """,
      .heading("Effects on other commands"),
      """
      The command prints the new names, and how they affect other commands. For example, if the \
      field `due` of `todo` is renamed to `until`, the output is:
      """,
      .literal(
        """
        rename field todo.due to todo.until
          get, list and save of todo print until instead of due, and save reads it
          --where, --order and --fields take until instead of due
        """),
      .heading("Renaming in a schema file"),
      """
      If you use schema files, change the name in the files instead, as the section Renaming of \
      `datactl help schema-files` describes, and run `datactl schema apply`. Access rules can be \
      changed in the same step.
      """,
    ],
    inputs:
      .operand("SCHEMA[.FIELD]", kind: .schemaOrField, "The current name of the schema or field."),
    .operand("NEW", "The new name. For a field, write it without the name of the schema."),
    .writeWait, .schemaDryRun,
    examples: [
      Example("datactl schema rename draft note", "Rename a schema and its primary key."),
      Example(
        "datactl schema rename todo.due deadline --dry-run",
        "Print what would change if a field were renamed."),
    ],
    exitStatuses: [
      .done, .usageOfOptions, .schemaNotFound, .forbidden, .schemaConflict, .invalid, .store,
      .interrupted, .terminated,
    ],
    seeAlso: ["schema apply", "schema plan", "schema-files"]
  ) { name, new, wait, isDryRun throws(UsageError) in
    let parts = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.count <= 2, parts.allSatisfy({ !$0.isEmpty }) else {
      throw UsageError(
        "SCHEMA[.FIELD]: expected a name such as todo or todo.due, found \(EscapedWord(name))")
    }
    return SchemaRenameCommand(
      schemaName: parts[0], field: parts.count > 1 ? parts[1] : nil, newName: new,
      change: SchemaChangeOptions(wait: wait, isDryRun: isDryRun))
  }
}

extension SchemaRenameCommand {
  func run(with context: CommandContext) async throws {
    let client = try await context.open(for: .writing, wait: change.wait)
    _ = try await context.catalog(of: client)
    try await change.apply(on: client, with: context) { stored throws(DataError) in
      guard let field else {
        return try SchemaPlan(renaming: schemaName, to: newName, from: stored)
      }
      return try SchemaPlan(renaming: field, of: schemaName, to: newName, from: stored)
    }
  }
}
