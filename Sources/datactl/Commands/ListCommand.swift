import CommandSyntax
import DataClient
import DataModel
import DataStore

/// `datactl list`: prints the records of a schema, or those whose fields have the values given.
struct ListCommand: Command {
  let schemaName: String
  let equalities: [String]
  let order: String?
  let limit: Int?
  let fields: String?
  let printsCount: Bool
  let includesFiles: Bool
  let format: OutputFormat?

  static let declaration = CommandDeclaration<any Command>(
    "list", "Print the records of a schema.",
    discussion: [
      """
      Prints all records, or those whose fields have the values that `FIELD=VALUE` gives; several \
      must all hold. Over an array or a to-many relation it is enough that one element has the \
      value. Nothing behind the sign stands for null, and in a text field for the empty text.
      """,
      """
      On a terminal the records are a table of at most 100 rows. Otherwise they are NDJSON, one a \
      line, written as they are found. What `list` prints, `save` reads back without a change.
      """,
      """
      jq 1.6 alters integers above 2^53. jq 1.7 keeps them as long as nothing is computed with \
      them.
      """,
    ],
    inputs:
      .operand("SCHEMA", kind: .schema, "The kind of record."),
    .operands("FIELD=VALUE", kind: .assignment, "What the records have in common."),
    .option(
      "--order", value: "FIELDS", kind: .fields,
      """
      Sort by these fields, with commas between them; `-` before a field sorts downwards. The id \
      decides between equals, and alone without this option.
      """),
    .integer("--limit", value: "N", in: 0...Int.max, "Print at most so many records."),
    .option(
      "--fields", value: "FIELDS", kind: .fields,
      "Print only these fields, with commas between them; the primary key always comes along."),
    .flag("--count", "Print how many records there are, and nothing else."),
    .flag(
      "--with-files", "Print the content of files too, in base64, so that `save` can read it."),
    .choice(
      "--output", letter: "o", value: "FORMAT", of: OutputFormat.allCases,
      "How to print, on a terminal or not."),
    rules: [
      .atMostOne(["--count", "--fields"]), .atMostOne(["--count", "--with-files"]),
      .atMostOne(["--count", "--order"]),
    ],
    examples: [
      Example("datactl list todo", "Print all records."),
      Example(
        "datactl list todo done=false --order -due --limit 10",
        "Print ten that are not done, latest first."),
      Example(
        "datactl list todo --fields title,due -o csv > todos.csv",
        "Write a few fields as CSV, for a spreadsheet."),
      Example("datactl list todo | jq -r .title", "Hand the records to jq."),
    ],
    exitStatuses: [
      .done, .failed, .usage, .notFound, .forbidden, .invalid, .store, .interrupted, .readerGone,
      .terminated,
    ],
    seeAlso: ["get", "conditions", "formats"]
  ) { schema, equalities, order, limit, fields, count, files, format throws(UsageError) in
    if count, let format, format != .json {
      throw UsageError("--count prints a number: \(format.rawValue) does not go with it")
    }
    return ListCommand(
      schemaName: schema, equalities: equalities, order: order, limit: limit, fields: fields,
      printsCount: count, includesFiles: files, format: format)
  }
}

extension ListCommand {
  func run(with invocation: Invocation) async throws {
    let client = try await invocation.open(for: .reading)
    let schema = try await client.schema(schemaName)
    let condition = try schema.condition(equalities)
    if printsCount {
      let query = Query(schema, where: condition, limit: limit, slots: [schema.keySlot])
      let count = try await client.store.count(query)
      let text = format == .json ? "{\"count\":\(count)}\n" : "\(count)\n"
      return try invocation.console.output.write(text)
    }
    let query = Query(
      schema, where: condition, order: try order.map(schema.order) ?? [], limit: limit,
      slots: try fields.map(schema.printedSlots(named:)) ?? schema.printedSlots)
    try await RecordListing(query, of: client.store, format: format, includesFiles: includesFiles)
      .print(with: invocation)
  }
}
