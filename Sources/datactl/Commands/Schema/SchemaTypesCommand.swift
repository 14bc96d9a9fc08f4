package import CommandSyntax
import DataModel

/// `datactl schema types`: prints the table of types.
struct SchemaTypesCommand: Command {
  let format: ListingFormat?

  static let declaration = CommandDeclaration<any Command>(
    "types", "Print the types of fields, here and in other systems.",
    discussion: [
      """
      Other systems have other words for the same things: a schema is an entity or a table, a \
      field is an attribute or a column, a relation is a relationship or a reference column.
      """
    ],
    inputs:
      .choice(
        "--output", letter: "o", value: "FORMAT", of: [.table, .json], default: ListingFormat.table,
        "How to print."),
    examples: [
      Example("datactl schema types", "Print the table."),
      Example("datactl schema types -o json | jq '.types[].type'", "Print the names of the types."),
    ],
    exitStatuses: [.done, .failed, .usage],
    seeAlso: ["schema create", "schema-files"]
  ) { format in
    SchemaTypesCommand(format: format)
  }
}
