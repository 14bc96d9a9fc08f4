import CommandSyntax
import DataClient
import DataModel

/// `datactl schema list`: prints the schemas of the store.
struct SchemaListCommand: Command {
  let format: ListingFormat?

  static let declaration = CommandDeclaration<any Command>(
    "list", "Print the schemas of the store.",
    discussion: [
      """
      Each comes with its kind, `records` or `user`, the number of its fields, and what its file \
      says of it. On a terminal they are a table, otherwise NDJSON: one schema a line.
      """
    ],
    inputs:
      .choice(
        "--output", letter: "o", value: "FORMAT", of: ListingFormat.allCases,
        "How to print, on a terminal or not."),
    examples: [
      Example("datactl schema list", "Print the schemas."),
      Example("datactl schema list -o ids", "Print their names alone, one a line."),
    ],
    exitStatuses: [.done, .failed, .usage, .forbidden, .invalid, .store, .readerGone],
    seeAlso: ["schema show", "schema-files"]
  ) { format in
    SchemaListCommand(format: format)
  }
}

extension SchemaListCommand {
  func run(with invocation: Invocation) async throws {
    let client = try await invocation.open(for: .reading)
    var listing = Listing(
      ["schema", "kind", "fields", "doc"], as: format, on: invocation.console)
    for schema in try await client.schemas() {
      listing.add([
        .text(schema.name), .text(schema.kind.rawValue), .integer(Int64(schema.fields.count)),
        schema.doc.map { .text($0) } ?? .null,
      ])
    }
    try listing.print()
  }
}
