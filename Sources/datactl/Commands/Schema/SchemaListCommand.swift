package import CommandSyntax
import DataModel

/// `datactl schema list`: prints the names of the schemas that the store has.
struct SchemaListCommand: Command {
  let format: ListingFormat?

  static let declaration = CommandDeclaration<any Command>(
    "list", "Print the schemas of the store.",
    discussion: [
      "On a terminal they are a table, otherwise NDJSON: one schema a line."
    ],
    inputs:
      .choice(
        "--output", letter: "o", value: "FORMAT", of: ListingFormat.allCases,
        "How to print, on a terminal or not."),
    examples: [
      Example("datactl schema list", "Print the schemas."),
      Example("datactl schema list -o ids", "Print their names alone, one a line."),
    ],
    exitStatuses: [.done, .failed, .usage, .forbidden, .store],
    seeAlso: ["schema show"]
  ) { format in
    SchemaListCommand(format: format)
  }
}
