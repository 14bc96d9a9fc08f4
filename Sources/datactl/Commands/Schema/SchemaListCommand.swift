import ClientCore
import CommandSyntax
import DataModel
import DataOutput

/// `datactl schema list`: prints the schemas of the store.
struct SchemaListCommand: DeclaredCommand {
  var format: ListingFormat?

  static let declaration = CommandDeclaration(
    SchemaListCommand.self, "list", "List the schemas of the store.",
    discussion: [
      """
      Prints the name, the kind, the number of fields and the description (`doc`) of each schema. \
      On a terminal, the output is a table. In a pipe or a file, it is NDJSON, with one schema per \
      line.
      """,
      """
      If the store is on a server, only the schemas that the access rules allow you to use are \
      listed.
      """,
      .heading("Output"),
      "For example, this is the NDJSON for a store with two schemas:",
      .literal(
        """
        {"schema":"todo","kind":"records","fields":7,"doc":"Something to be done."}
        {"schema":"user","kind":"user","fields":3,"doc":null}
        """),
      "There are two kinds of schemas:",
      .definitions([
        Definition("user", "the schema whose records are the users who can log in"),
        Definition("records", "any other schema"),
      ]),
    ],
    inputs: [
      .choice("--output", letter: "o", \.format, value: "FORMAT", "The output format.")
    ],
    examples: [
      Example("datactl schema list", "Print the schemas."),
      Example("datactl schema list -o ids", "Print only the names, one per line."),
    ],
    exitStatuses: [.done, .failed, .usageOfOptions, .forbidden, .invalid, .store, .brokenPipe],
    seeAlso: ["schema show", "schema-files"])
}

extension SchemaListCommand {
  func run(with context: CommandContext) async throws {
    let client = try await context.open(for: .reading)
    let output = context.answerOutput
    var listing = Listing(
      ["schema", "kind", "fields", "doc"], as: format, on: output.terminal)
    for schema in try await client.schemas() {
      listing.add([
        .text(schema.name), .text(schema.kind.rawValue), .integer(Int64(schema.fields.count)),
        schema.doc.map { .text($0) } ?? .null,
      ])
    }
    try listing.print(to: output.sink)
  }
}
