package import CommandSyntax
import DataModel

/// `datactl schema drop`: takes a schema away with its records.
struct SchemaDropCommand: Command {
  let schema: String
  let consent: String?
  let isDryRun: Bool

  static let declaration = CommandDeclaration<any Command>(
    "drop", "Take a schema away, with its records.",
    discussion: [
      """
      A schema that has records goes only with `--allow-loss` and its name. One that another \
      refers to does not go.
      """
    ],
    inputs:
      .operand("SCHEMA", kind: .schema, "The schema's name."),
    .option(
      "--allow-loss", value: "NAME", kind: .schema, "Agree that the records of this schema go."),
    .flag("--dry-run", letter: "n", "Print what would be done, and do nothing."),
    examples: [
      Example("datactl schema drop draft", "Drop a schema without records."),
      Example("datactl schema drop todo --allow-loss todo", "Drop one with all its records."),
    ],
    exitStatuses: [.done, .usage, .notFound, .forbidden, .conflict, .store],
    seeAlso: ["schema list", "delete"]
  ) { schema, consent, isDryRun throws(UsageError) in
    if let consent, consent != schema {
      throw UsageError("--allow-loss names \(Shown(consent)), but SCHEMA is \(Shown(schema))")
    }
    return SchemaDropCommand(schema: schema, consent: consent, isDryRun: isDryRun)
  }
}
