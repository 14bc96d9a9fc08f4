package import CommandSyntax
import DataModel

/// `datactl schema apply`: brings the store's schemas to what files say.
struct SchemaApplyCommand: Command {
  let paths: [String]
  let isDryRun: Bool

  static let declaration = CommandDeclaration<any Command>(
    "apply", "Bring the schemas of the store to what files say.",
    discussion: [
      """
      Creates schemas that are new and adds fields. A change that would lose data, or that the \
      records may not fit, is refused and named; then nothing is changed. If the store is not \
      there yet, it is created.
      """,
      """
      Without a path, the files are those in the folder that `schemas` in `datactl.json` names, \
      else in `./schemas`.
      """,
    ],
    inputs:
      .operands(
        "PATH", kind: .file, "Schema files, or folders of them; `-` is standard input."),
    .flag("--dry-run", letter: "n", "Print what would be done, and do nothing."),
    examples: [
      Example("datactl schema apply", "Apply the files of the project."),
      Example("datactl schema apply schemas/todo.json --dry-run", "Show what a file would change."),
    ],
    exitStatuses: [.done, .usage, .notFound, .forbidden, .conflict, .invalid, .store],
    seeAlso: ["schema create", "schema-files"]
  ) { paths, isDryRun in
    SchemaApplyCommand(paths: paths, isDryRun: isDryRun)
  }
}
