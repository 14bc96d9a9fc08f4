import ClientCore
import CommandSyntax
import DataModel
import DataStore

/// `datactl schema rename`: renames a schema or a field.
struct SchemaRenameCommand: DeclaredCommand {
  var name = ""
  var newName = ""
  var change = SchemaChangeOptions()

  static let declaration = CommandDeclaration(
    SchemaRenameCommand.self, "rename", "Rename a schema or a field.",
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
    inputs: [
      .operand(
        "SCHEMA[.FIELD]", \.name, kind: .schemaOrField, "The current name of the schema or field."),
      .operand(
        "NEW", \.newName, "The new name. For a field, write it without the name of the schema."),
      .group(\.change, SchemaChangeOptions.inputs),
    ],
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
    seeAlso: ["schema apply", "schema plan", "schema-files"])
}

extension SchemaRenameCommand {
  /// The name of the schema and, to rename a field, the name of the field.
  private var names: [String] {
    name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
  }

  func validate() throws(UsageError) {
    guard names.count <= 2, names.allSatisfy({ !$0.isEmpty }) else {
      throw UsageError(
        "SCHEMA[.FIELD]: expected a name such as todo or todo.due, found \(EscapedWord(name))")
    }
  }

  func run(with context: CommandContext) async throws {
    let client = try await context.open(for: .writing, wait: change.wait)
    _ = try await context.catalog(of: client)
    try await change.apply(on: client, with: context) { stored throws(DataError) in
      guard names.count > 1 else {
        return try SchemaPlan(renaming: names[0], to: newName, from: stored)
      }
      return try SchemaPlan(renaming: names[1], of: names[0], to: newName, from: stored)
    }
  }
}
