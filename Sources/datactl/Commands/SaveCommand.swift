import ClientCore
import CommandSyntax
import DataModel
import DataOutput
import DataStore
import DataText

/// `datactl save`: creates and changes records.
struct SaveCommand: Command {
  let schemaName: String
  let id: String?
  /// The condition that selects the records to change, if `--where` was given.
  let selection: QueryInput?
  let isConfirmed: Bool
  let assignments: [String]
  let file: String?
  let input: InputFormat?
  let options: SaveOptions
  let format: OutputFormat?

  static let declaration = CommandDeclaration<any Command>(
    "save", "Create and change records.",
    discussion: SaveOptions.discussion,
    inputs:
      .operand("SCHEMA", kind: .schema, "The schema of the records."),
    .optionalOperand("ID", kind: .id, "The id of the record to create or change."),
    .operands("FIELD=VALUE", kind: .assignment, "The values to set in the record."),
    ConditionInputs.conditions, ConditionInputs.parameters,
    .flag("--yes", letter: "y", "Do not ask for confirmation."),
    .option(
      "--file", letter: "f", value: "FILE", kind: .file,
      "Read records from a file; `-` is standard input."),
    .choice(
      "--input", value: "FORMAT", of: InputFormat.allCases,
      "The format of the records, if it cannot be detected."),
    .flag("--infer", "Create the schema or missing fields, inferred from the first records."),
    .flag("--create", "Only create records; reject ids that exist."),
    .flag("--update", "Only change records; reject ids that do not exist."),
    .flag("--replace", "Clear fields that are not given, except passwords and files."),
    .flag("--any-revision", "Save records even if their `revision` differs from the stored one."),
    .flag(
      "--keep-system-fields",
      "Save `created_at` and the other system fields as given, for an import or a restore."),
    .flag(
      "--round-times",
      "Round times to microseconds instead of rejecting times with higher precision."),
    .flag("--skip-invalid", "Save the valid records, and exit with 6 if any are invalid."),
    .option(
      "--rejects", value: "FILE", kind: .file,
      "Write skipped records to a file, each with its errors."),
    .integer(
      "--wait", value: "SECONDS", in: 0...86_400, default: 30,
      "Wait at most this many seconds for other commands that write."),
    .integer(
      "--commit-every", value: "N", in: 1...Int.max,
      """
      Commit after N records, or after one second if that is earlier, and report the last \
      committed line.
      """),
    .flag("--dry-run", letter: "n", "Print the result, but do not save anything."),
    .choice(
      "--output", letter: "o", value: "FORMAT", of: OutputFormat.ofRecords,
      "The output format of saved records."),
    rules: SaveOptions.rules,
    examples: [
      Example(
        "datactl save todo tea title='Buy tea' due=2026-12-24",
        "Create a record, or set two fields of an existing one."),
      Example(
        "datactl save todo tea stock-=3 tags+=urgent",
        "Subtract from a number and add to an array."),
      Example(
        "datactl save todo --where \"tags contains 'urgent'\" tags-=urgent --yes",
        "Change all records that match a condition."),
      Example(
        "datactl save todo --file todos.ndjson -o none",
        "Save the records of a file, and print only a summary."),
      Example(
        "datactl save todo --infer --file todos.ndjson",
        "Create the schema from the records, and save them."),
      Example(
        "datactl list todo | jq -c '.done = true' | datactl save todo",
        "Change records with jq, without overwriting concurrent changes."),
    ],
    exitStatuses: [
      .done, .failedOrDeclined, .usage, .notFound, .forbidden, .conflict, .invalid, .store,
      .interrupted, .brokenPipe, .terminated,
    ],
    seeAlso: ["list", "schema infer", "schema types", "formats"]
  ) {
    schema, id, assignments, conditions, parameters, yes, file, input, infer, create, update,
    replace, anyRevision, keepSystemFields, roundTimes, skipInvalid, rejects, wait, commitEvery,
    dryRun,
    format throws(UsageError) in
    if rejects == "-", format != OutputFormat.none {
      throw UsageError(
        "--rejects - and saved records would both be written to standard output",
        hint: "pass --output none to print only the rejects")
    }
    return SaveCommand(
      schemaName: schema, id: id,
      selection: conditions.isEmpty
        ? nil : QueryInput(schema, conditions: conditions, parameters: parameters),
      isConfirmed: yes || dryRun, assignments: assignments, file: file, input: input,
      options: SaveOptions(
        policy: SavePolicy(
          mode: create ? .create : update ? .update : replace ? .replace : .createOrChange,
          revisions: anyRevision ? .ignored : .checked,
          systemFields: keepSystemFields ? .given : .kept),
        roundsTimes: roundTimes, skipsInvalid: skipInvalid, rejects: rejects, wait: wait,
        commitEvery: commitEvery, isDryRun: dryRun, infers: infer),
      format: format)
  }
}

extension SaveCommand {
  func run(with context: CommandContext) async throws {
    // Open the input before the store, so that an error is reported at once if stdin is a terminal.
    let input = assignments.isEmpty ? try context.input(file ?? "-", for: "records") : nil
    let client = try await context.open(for: .writing)
    if options.infers, let input { return try await saveInferred(input, client, with: context) }
    let stored = try await context.catalog(of: client)
    let schema = try stored.catalog.schema(schemaName)
    let saver = RecordSaver(
      client: client, stored: stored, schema: schema, options: options, format: format,
      context: context)
    if let selection {
      let matching = MatchingRecords(
        selection: try await client.check(selection, from: client.store), assignments: assignments,
        isConfirmed: isConfirmed)
      return try await matching.save(with: saver)
    }
    guard let input else {
      let record = try CommandLineRecord(id: id, assignments, of: schema, with: context)
      let changes = try record.changes(ids: context.ids, roundsTimes: options.roundsTimes)
      return try await saver.save(SingleChunkSource(changes))
    }
    try await save(input, from: input, with: saver)
  }

  /// Saves records after inferring their schema from the first of them.
  ///
  /// If another writer changes the schemas concurrently, retries the save, provided that the schema
  /// was inferred from the whole input.
  private func saveInferred(
    _ input: InputStream, _ client: Client, with context: CommandContext
  ) async throws {
    let inference = try InferredSave(
      schemaName, from: input, format: self.input?.recordFormat, options: options)
    var attempts = 0
    while true {
      let stored = try await client.store.catalog()
      guard let proposal = try inference.proposal(over: stored) else {
        return try context.printMessage("Nothing to save: no records.")
      }
      let saver = RecordSaver(
        client: client, stored: stored, schema: proposal.schema,
        options: proposal.options(from: options), format: format, context: context,
        change: proposal.change)
      attempts += 1
      do {
        return try await save(
          inference.text, from: input, inferred: proposal, with: saver)
      } catch let error as DataError where inference.isComplete {
        guard error.code == .schemaChanged, attempts < 1_000 else { throw error }
      } catch let error as DataError {
        throw InferredSave.addingHint(error, schema: proposal.schema, file: input.file)
      }
    }
  }

  private func save(
    _ bytes: some ByteSource, from input: InputStream, inferred: InferredSave.Proposal? = nil,
    with saver: RecordSaver
  ) async throws {
    let context = saver.context
    let rejects = try rejects(distinctFrom: input, saver.client.store.files, with: context)
    let progress =
      context.isQuiet ? nil : Progress(on: context.console, total: input.remaining)
    let records = RecordTextSource(
      bytes, of: input.file, for: saver.schema, id: id, format: self.input, options: saver.options,
      ids: context.ids, inferred: inferred, progress: progress, on: context.console)
    // With `--commit-every`, read no more records than the next commit needs.
    guard options.commitEvery == nil else {
      return try await saver.save(records, rejects: rejects, progress: progress)
    }
    try await saver.save(
      ReadAhead(records, into: saver.schema), rejects: rejects, progress: progress)
  }

  /// Opens the rejects file, after checking that the save does not read or write this file for
  /// another purpose. Returns nil if there is no rejects file, or in a dry run.
  private func rejects(
    distinctFrom input: InputStream, _ storeFiles: [String], with context: CommandContext
  ) throws(DataError) -> Rejects? {
    guard let path = options.rejects else { return nil }
    try Rejects.check(path, distinctFrom: input, storeFiles, with: context)
    return options.isDryRun ? nil : try Rejects(to: path, with: context)
  }
}

/// The input formats of records.
enum InputFormat: String, CaseIterable, Sendable {
  case json
  case ndjson
  case csv
}

/// The options of `save`, except those that specify the records to save.
struct SaveOptions: Sendable {
  var policy: SavePolicy
  let roundsTimes: Bool
  let skipsInvalid: Bool
  let rejects: String?
  let wait: Int
  let commitEvery: Int?
  let isDryRun: Bool
  /// Whether to infer the schema, or the fields that it lacks, from the first records.
  let infers: Bool

  static let discussion: [Block] = [
    """
    Creates a record if its id is new. If the id exists, only the given fields are changed. A \
    record without an id is assigned one, except in a user schema. A command is one transaction: \
    it saves all records or none.
    """,
    """
    A single record can be given on the command line. Without assignments, records are read from \
    `--file` or standard input: a JSON object, an array, NDJSON, concatenated objects, or CSV. The \
    format is detected from the first bytes. With an ID and no assignment, one object is read. The \
    second operand is an ID unless it has the form of an assignment:
    """,
    .definitions([
      Definition(
        "FIELD=TEXT",
        """
        sets a value, parsed according to the type of the field; an empty TEXT sets null, or the \
        empty text in a text field
        """),
      Definition("FIELD:=JSON", "sets any JSON value"),
      Definition("FIELD@=PATH", "sets the content of a file; `@=-` reads standard input"),
      Definition("FIELD+=VALUE", "adds to a number, or appends to an array or a to-many relation"),
      Definition(
        "FIELD-=VALUE",
        """
        subtracts from a number, or removes all equal elements from an array or a to-many relation
        """),
    ]),
    """
    A password cannot be given on the command line, where other users could see it; `password@=-` \
    reads it from standard input. System fields, such as `created_at`, cannot be assigned on the \
    command line either; only `revision=N` is allowed, as a condition. In input data, system \
    fields are saved with `--keep-system-fields`. Without it, if the schema has a field \
    `original_created_at`, the key `created_at` refers to that field, except in records with all \
    five system fields, as `list` prints them. The same applies to the other system fields.
    """,
    """
    After the commit, saved records are printed as `list` would print them, but on a terminal \
    only the first five, and standard error \
    gets a summary: `1,000 saved: 900 new, 90 changed, 10 the same`. Errors are reported together, \
    each with its file, line and field. At most 20 errors are printed, followed by the number of \
    the others; the first error determines the exit status. Uniqueness and references are checked \
    only for records whose values are valid.
    """,
    """
    Unique values are checked record by record, so two records cannot swap their values in one \
    command: first set one of them to null or another value. A record can refer to a record that \
    is saved later in the same command.
    """,
    """
    With `--where`, all matching records are changed, and none are created. The command shows the \
    store and the number of records, and asks for confirmation. If it cannot ask, pass `--yes`.
    """,
    """
    A record with a `revision` is saved only if the stored record has the same revision; a \
    different revision is a conflict, with exit status 5. A record that does not exist is created \
    regardless of its `revision`, except with `--update`, which rejects it. Other system fields \
    are ignored, so that a record can be read, edited and saved again.
    """,
    """
    With `--infer`, the schema is created if it does not exist, and missing fields are added. They \
    are inferred from the first 1,000 records, or the first 4 MB, by the rules of `schema infer`. \
    Existing fields are never changed. The schema and the records are saved in one transaction, \
    and standard error reports what was created. If the store does not exist, it is created. A \
    later record that does not match the inferred schema is an error; in that case, use `schema \
    infer`, which reads all records. While the schema is created, an id that occurs twice is an \
    error too.
    """,
    """
    Use `--commit-every` for input that does not end. After each commit, standard error reports \
    the last line that has been saved. An error rolls back the records after that line and ends \
    the command; with `--skip-invalid`, the command continues. A record can refer only to records \
    of the same or an earlier transaction.
    """,
    """
    With `--skip-invalid`, each record is checked when it is read, so it can refer only to earlier \
    records; references to later records are rejected.
    """,
    """
    The file of `--rejects` is replaced when the save has ended; `-` is standard output. For how \
    to save these records after the errors are fixed, see `datactl help formats`.
    """,
  ]

  static let rules: [InputRule] = [
    .atMostOne(["FIELD=VALUE", "--file"]), .atMostOne(["FIELD=VALUE", "--input"]),
    .atMostOne(["ID", "--where"]), .needs("--where", "FIELD=VALUE"),
    .needs("--param", "--where"), .needs("--yes", "--where"),
    .atMostOne(["--where", "--create", "--update", "--replace"]),
    .atMostOne(["--where", "--keep-system-fields"]), .atMostOne(["--where", "--commit-every"]),
    .atMostOne(["FIELD=VALUE", "--skip-invalid"]),
    .atMostOne(["--create", "--update", "--replace"]),
    .atMostOne(["FIELD=VALUE", "--infer"]), .atMostOne(["--infer", "--commit-every"]),
    .needs("--rejects", "--skip-invalid"), .atMostOne(["--commit-every", "--dry-run"]),
  ]
}
