import ClientCore
import CommandSyntax
import DataModel
import DataOutput
import DataStore
import RecordText

/// `datactl batch`: executes operations on several schemas in one transaction.
struct BatchCommand: DeclaredCommand {
  var file: String?
  var isDryRun = false
  var numbers = RecordWriter.NumberStyle.number
  var wait = WriteWait.standard

  static let declaration = CommandDeclaration(
    BatchCommand.self, "batch", "Execute operations on several schemas in one transaction.",
    discussion: [
      """
      Executes operations in order, in one transaction. The operations are read as NDJSON: each \
      line is a JSON object.
      """,
      """
      Each operation sees the changes of the previous ones. If an operation fails, all changes are \
      rolled back, and the error shows the line and the number of the operation.
      """,
      .heading("Input and output"),
      """
      For example, the following batch saves an order and an order line (a record of the schema \
      `line`), and reduces the stock of the product. It fails if the stock is too low. \
      The first operation gives the new order the name `o`. `{"$ref":"o"}` is the id of this \
      order:
      """,
      .literal(
        """
        {"save":"order","as":"o","record":{"title":"Tea","customer":"ann"}}
        {"save":"line","record":{"order":{"$ref":"o"},"product":"tea"}}
        {"save":"product","id":"tea","record":{"stock":{"$add":-1}}}
        {"check":"product","id":"tea","where":"stock >= 0"}
        """),
      """
      After the commit, the command prints one JSON object for each operation. In this example, \
      the last two are:
      """,
      .literal(
        """
        {"operation":3,"did":"change","record":{"product_id":"tea","stock":4,…}}
        {"operation":4,"did":"check"}
        """),
      .definitions([
        Definition("operation", "the number of the operation"),
        Definition(
          "did",
          """
          what the operation did: `create`, `change`, `delete`, `check` or `get`; `none` if the \
          record already had these values. With `where`, it is always `change`, even if no record \
          matches.
          """),
        Definition("record", "the record that was saved or read, if it is a single one"),
        Definition(
          "count",
          """
          for `delete`, the number of deleted records; for `save` with `where`, the number of \
          matching records
          """),
        Definition(
          "cascaded",
          """
          for each schema, the number of records that were also deleted, because they referred to \
          a deleted record; omitted if there are none
          """),
        Definition(
          "nullified",
          """
          the number of records whose references to a deleted record were cleared; omitted if \
          there are none
          """),
      ]),
      .heading("Saving records"),
      .literal("{\"save\": SCHEMA, \"record\": {…}}"),
      """
      Saves a record. The value of a field can also be `{"$add": N}`, `{"$append": [...]}` or \
      `{"$remove": [...]}`, as in the command `save`. These keys are optional:
      """,
      .definitions([
        Definition("id", "the id of the record"),
        Definition(
          "mode",
          """
          `create`, `update` or `replace`, like the options `--create`, `--update` and `--replace` \
          of the command `save`
          """),
        Definition(
          "any_revision",
          """
          if `true`, the `revision` in the record is ignored. By default, the batch fails if the \
          stored record has another revision
          """),
        Definition(
          "deep",
          """
          if `true`, the record can contain records in place of ids, and the lists of inverses, \
          which are saved too, like the option `--deep` of the command `save`
          """),
        Definition(
          "where",
          "a condition in place of `id` and `mode`. All records that match the condition are changed"
        ),
      ]),
      .heading("Deleting records"),
      .literal("{\"delete\": SCHEMA, \"id\": ID}"),
      "Deletes a record. These keys are optional:",
      .definitions([
        Definition(
          "if_exists",
          "if `true`, it is not an error if the record does not exist"),
        Definition("revision", "the batch fails if the record has another revision"),
      ]),
      """
      To delete several records, write `"where": CONDITION` or `"all": true` instead of `"id"` and \
      these keys.
      """,
      .heading("Checking records"),
      .literal("{\"check\": SCHEMA, \"id\": ID, \"where\": CONDITION}"),
      """
      The batch fails unless the record exists and matches the condition. `where` can be omitted. \
      Until the end of the batch, no other program can change the record.
      """,
      .literal("{\"check\": SCHEMA, \"where\": CONDITION, \"count\": N}"),
      """
      The batch fails unless exactly N records match the condition. Until the end of the batch, no \
      other program can change records of the schema.
      """,
      .heading("Reading records"),
      .literal("{\"get\": SCHEMA, \"id\": ID}"),
      "Prints a record. These keys are optional:",
      .definitions([
        Definition("fields", "the names of the fields to print, separated by commas"),
        Definition(
          "expand",
          "the relations to print as records instead of ids, as in `get --expand`"),
      ]),
      .heading("Parameters"),
      "If a condition has parameters, the object `param` contains their values:",
      .literal(
        """
        {"check":"product","where":"stock < :least","param":{"least":1},"count":0}
        """),
      .heading("References"),
      """
      With `"as": NAME`, the operations `save` and `get` give their record a name. Later \
      operations can refer to the record, as in the example under Input and output:
      """,
      .definitions([
        Definition("{\"$ref\": NAME}", "the id of the record"),
        Definition("{\"$ref\": NAME, \"field\": FIELD}", "the value of a field of the record"),
      ]),
      """
      Such an object can be the value of a field, of `id` or of a parameter. In a `json` field, it \
      is not replaced.
      """,
      """
      A relation can also contain the id of a record that a later operation creates. The batch \
      fails if the record does not exist after the last operation.
      """,
    ],
    inputs: [
      .optionalOperand(
        "FILE", \.file, kind: .file,
        "The file that contains the operations, or `-` for standard input, which is the default."),
      .flag("--dry-run", letter: "n", \.isDryRun, "Print the results without changing anything."),
      .wait(\.wait),
      .numbers(\.numbers),
    ],
    examples: [
      Example(
        "datactl batch changes.ndjson", "Execute the operations from a file."),
      Example(
        """
        echo '{"check":"todo","id":"milk","where":"not done"}' | datactl batch
        """,
        "Check that a record exists and matches a condition."),
    ],
    exitStatuses: [
      .done, .failed, .usage, .notFound, .forbidden, .conflictOrCheck, .invalid, .store,
      .interrupted, .brokenPipe, .terminated,
    ],
    seeAlso: ["save", "delete", "get", "conditions"])
}

extension BatchCommand {
  func run(with context: CommandContext) async throws {
    let input = try context.input(file ?? "-", for: "operations")
    let client = try await context.open(for: .writing, wait: wait)
    let text = try BatchText(
      InputText(input, TextForm(), file: input.file), file: input.file)
    try await context.retryingSchemaChanges(if: true) {
      let plan = try BatchPlan(text, in: try await context.catalog(of: client))
      if plan.isEmpty { return try context.printMessage("Nothing to do: no operations.") }
      let stamp = try await client.stamp()
      var batch = BatchRun(
        plan, now: stamp.time, ids: context.ids, listener: BatchOutput(numbers: numbers))
      try await context.change(orSay: "nothing was changed") {
        try await client.run(
          &batch,
          plan.request(
            stamp: stamp, wait: WriteWait(seconds: Double(wait)),
            end: isDryRun ? .rollBack : .commit))
      }
      var output = batch.listener
      let change = isDryRun ? nil : "the operations are committed"
      try context.printResult(of: change) { () throws(DataError) in
        try output.print(to: context.answerOutput)
      }
    }
  }
}

/// Collects the output of a batch, which is printed after the commit.
private struct BatchOutput: BatchListener {
  let numbers: RecordWriter.NumberStyle
  var spool = Spool()
  /// The writers that convert saved records to JSON, keyed by the name of the schema.
  var writers: [String: RecordWriter] = [:]

  mutating func completed(
    _ number: Int, _ result: borrowing BatchOutcome
  ) throws(DataError) {
    switch result {
    case .saved(let outcome, let changes, let row):
      let schema = changes.schema
      var writer =
        writers[schema.name]
        ?? RecordWriter(schema.printedSlots.map { schema.column($0) }, format: .ndjson)
      writer.write(numbersAs: numbers)
      try append(number, outcome.verb) { _ = writer.writeObject(changes.rows, row, to: &$0) }
      writers[schema.name] = writer
    case .changed(let count, _): try append(number, "change", count: count)
    case .deleted(let summary, _):
      try append(number, "delete", count: summary.deleted, summary)
    case .checked: try append(number, "check")
    case .read(let rows, _, var writer):
      writer.write(numbersAs: numbers)
      try append(number, "get") { _ = writer.writeObject(rows, 0, to: &$0) }
    }
  }

  var output: [UInt8]? { spool.bytes(atMost: Receipt.maxOutputSize) }

  mutating func print(to output: AnswerOutput) throws(DataError) { try spool.print(to: output) }

  private mutating func append(
    _ number: Int, _ verb: String, count: Int? = nil, _ summary: DeleteSummary? = nil,
    record: ((inout [UInt8]) -> Void)? = nil
  ) throws(DataError) {
    try spool.append { output in
      output += Array("{\"operation\":\(number),\"did\":\"\(verb)\"".utf8)
      if let count { output += Array(",\"count\":\(count)".utf8) }
      if let summary { output += Array(summary.effectsJSON.utf8) }
      if let record {
        output += Array(",\"record\":".utf8)
        record(&output)
      }
      output += Array("}\n".utf8)
    }
  }
}

extension Outcome {
  fileprivate var verb: String {
    switch self {
    case .created: "create"
    case .changed: "change"
    case .same, .refused: "none"
    }
  }
}
