import CommandSyntax
import DataClient
import DataModel
import DataStore

/// `datactl list`: prints the records of a schema, or those whose fields have the values given.
struct ListCommand: Command {
  /// Where a page begins or ends, by a token.
  enum Bound: Sendable {
    case after(String)
    case before(String)
  }

  let question: Question
  let bound: Bound?
  let fields: String?
  let expansion: String?
  let printsCount: Bool
  let includesFiles: Bool
  let format: OutputFormat?

  static let declaration = CommandDeclaration<any Command>(
    "list", "Print the records of a schema.",
    discussion: [
      """
      Prints all records, or those that meet the conditions: `--where CONDITION`, of which \
      `datactl help conditions` has the language, and `FIELD=VALUE` operands, which are equalities. \
      All of them must hold. Over an array or a to-many relation it is enough that one element has \
      the value. Nothing behind the sign stands for null, and in a text field for the empty text.
      """,
      """
      On a terminal the records are a table of at most 100 rows. Otherwise they are NDJSON, one a \
      line, written as they are found. What `list` prints, `save` reads back without a change.
      """,
      """
      `-o page` prints one object with the records and the tokens of the pages beside them: \
      `{"records": […], "next": TOKEN, "previous": TOKEN}`. The token `next` goes with `--after`, \
      `previous` with `--before`, and both with the same conditions and the same order. A token \
      holds a place, not a record: the record there may be gone, and others may come.
      """,
      """
      jq 1.6 alters integers above 2^53. jq 1.7 keeps them as long as nothing is computed with \
      them.
      """,
    ],
    inputs:
      .operand("SCHEMA", kind: .schema, "The kind of record."),
    .operands("FIELD=VALUE", kind: .assignment, "What the records have in common."),
    ConditionInputs.conditions, ConditionInputs.parameters,
    .option(
      "--order", value: "FIELDS", kind: .fields,
      """
      Sort by these fields, with commas between them; `-` before a field sorts downwards. A field \
      may lie behind relations to one record: `owner.name`. The id decides between equals, and \
      alone without this option.
      """),
    .integer("--limit", value: "N", in: 0...Int.max, "Print at most so many records."),
    .option("--after", value: "TOKEN", "Print the records behind a page, by its token `next`."),
    .option(
      "--before", value: "TOKEN", "Print the records before a page, by its token `previous`."),
    .option(
      "--fields", value: "FIELDS", kind: .fields,
      """
      Print only these fields, with commas between them; the primary key always comes along. \
      Fields behind relations to one record, such as `owner.name`, are printed under that name.
      """),
    .option(
      "--expand", value: "RELATIONS", kind: .fields,
      """
      Print the records that these relations lead to in the place of their ids; \
      `steps.owner` goes on from there, three relations deep at the most.
      """),
    .flag("--count", "Print how many records there are, and nothing else."),
    .flag(
      "--with-files", "Print the content of files too, in base64, so that `save` can read it."),
    .choice(
      "--output", letter: "o", value: "FORMAT", of: OutputFormat.allCases,
      "How to print, on a terminal or not."),
    rules: [
      .atMostOne(["--count", "--fields"]), .atMostOne(["--count", "--with-files"]),
      .atMostOne(["--count", "--order"]), .atMostOne(["--count", "--expand"]),
      .atMostOne(["--after", "--before"]), .atMostOne(["--count", "--after"]),
      .atMostOne(["--count", "--before"]),
    ],
    examples: [
      Example("datactl list todo", "Print all records."),
      Example(
        "datactl list todo done=false --order -due --limit 10",
        "Print ten that are not done, latest first."),
      Example(
        "datactl list todo --where \"title like 'B%' and due < now() + 7d\"",
        "Print those whose title and date meet a condition."),
      Example(
        "datactl list todo --order due --limit 2 -o page",
        "Print a page, with the token of the next one."),
      Example(
        "datactl list todo --fields title,due -o csv > todos.csv",
        "Write a few fields as CSV, for a spreadsheet."),
      Example("datactl list todo | jq -r .title", "Hand the records to jq."),
    ],
    exitStatuses: [.done, .failed, .usage, .notFound, .forbidden, .invalid, .store, .interrupted],
    seeAlso: ["get", "conditions", "formats"]
  ) {
    schema, equalities, conditions, parameters, order, limit, after, before, fields, expansion,
    count, files, format throws(UsageError) in
    if count, let format, format != .json {
      throw UsageError("--count prints a number: \(format.rawValue) does not go with it")
    }
    return ListCommand(
      question: Question(
        schema, equalities: equalities, conditions: conditions, parameters: parameters,
        order: order ?? "", limit: limit),
      bound: after.map(Bound.after) ?? before.map(Bound.before), fields: fields,
      expansion: expansion, printsCount: count, includesFiles: files, format: format)
  }
}

extension ListCommand {
  func run(with invocation: Invocation) async throws {
    let client = try await invocation.open(for: .reading)
    let reader = try await client.store.snapshot()
    let question = try client.check(question, in: try await reader.catalog())
    if printsCount {
      let count = try await reader.count(question.query(slots: [question.schema.keySlot]))
      let text = format == .json ? "{\"count\":\(count)}\n" : "\(count)\n"
      return try invocation.console.output.write(text)
    }
    let catalog = question.stored.catalog
    let expansion =
      try expansion.map { list throws(DataError) in
        try Expansion(list, of: question.schema, in: catalog)
      } ?? Expansion()
    let listing = RecordListing(
      question: question, bound: try bound.map { try $0.place(in: question) },
      fields: try FieldChoice(fields, of: question.schema, in: catalog, expanding: expansion),
      expansion: expansion, format: format, includesFiles: includesFiles, store: client.store,
      reader: reader)
    try await listing.print(with: invocation)
  }
}

extension ListCommand.Bound {
  fileprivate func place(in question: CheckedQuestion) throws(DataError) -> Query.Bound {
    switch self {
    case .after(let token): .after(try question.place(of: token, option: "--after"))
    case .before(let token): .before(try question.place(of: token, option: "--before"))
    }
  }
}
