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
    .optionalOperand("ID", kind: .id, "The id of the record."),
    .operands("FIELD=VALUE", kind: .assignment, "The values of the record."),
    ConditionInputs.conditions, ConditionInputs.parameters,
    .flag("--yes", letter: "y", "Do not ask for confirmation of `--where`."),
    .option(
      "--file", letter: "f", value: "FILE", kind: .file,
      "Read records from a file; `-` is standard input."),
    .choice(
      "--input", value: "FORMAT", of: InputFormat.allCases,
      "The format of the records, if it cannot be detected."),
    .flag("--infer", "Create the schema, or its missing fields, from the first records."),
    .flag("--create", "Reject ids that exist."),
    .flag("--update", "Reject ids that do not exist."),
    .flag("--replace", "Clear fields that are not given, except passwords and files."),
    .flag("--any-revision", "Save a record regardless of its `revision`."),
    .flag(
      "--keep-system-fields",
      "Save times, users and revisions as given; for import and restore."),
    .flag("--round-times", "Round times to the microsecond instead of rejecting finer ones."),
    .flag("--skip-invalid", "Save the valid records, and exit with 6 if any are invalid."),
    .option(
      "--rejects", value: "FILE", kind: .file,
      "Write skipped records, each with its errors, to a file."),
    .integer(
      "--wait", value: "SECONDS", in: 0...86_400, default: 30,
      "Wait at most this many seconds for another writer."),
    .integer(
      "--commit-every", value: "N", in: 1...Int.max,
      "Commit after this many records or a second, and report the last committed line."),
    .flag("--dry-run", letter: "n", "Print the result, then roll back."),
    .choice(
      "--output", letter: "o", value: "FORMAT", of: OutputFormat.ofRecords,
      "How to print saved records."),
    rules: SaveOptions.rules,
    examples: [
      Example(
        "datactl save todo tea title='Buy tea' due=2026-12-24",
        "Create a record, or change two of its fields."),
      Example("datactl save todo tea stock-=3 tags+=urgent", "Change values in place."),
      Example(
        "datactl save todo --where \"tags contains 'urgent'\" tags-=urgent --yes",
        "Change all records that match a condition."),
      Example("datactl save todo --file todos.ndjson -o none", "Save the records of a file."),
      Example(
        "datactl save todo --infer --file todos.ndjson", "Save records before the schema exists."),
      Example(
        "datactl list todo | jq -c '.done = true' | datactl save todo",
        "Change records with jq, without overwriting concurrent changes."),
    ],
    exitStatuses: [
      .done, .failed, .usage, .notFound, .forbidden, .conflict, .invalid, .store, .interrupted,
      .brokenPipe, .terminated,
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
      schemaName, from: input, format: self.input?.recordFormat, isDryRun: options.isDryRun)
    var attempts = 0
    while true {
      let stored = try await client.store.catalog()
      guard let proposal = try inference.proposal(over: stored) else {
        return try context.printMessage("Nothing to save: no records.")
      }
      let saver = RecordSaver(
        client: client, stored: stored, schema: proposal.schema, options: options, format: format,
        context: context, change: proposal.change)
      attempts += 1
      do {
        return try await save(
          inference.text, from: input, emptyKeys: proposal.emptyKeys, with: saver)
      } catch let error as DataError where inference.isComplete {
        guard error.code == .schemaChanged, attempts < 1_000 else { throw error }
      } catch let error as DataError {
        throw InferredSave.addingHint(error, schema: proposal.schema, file: input.file)
      }
    }
  }

  private func save(
    _ bytes: some ByteSource, from input: InputStream, emptyKeys: [String] = [],
    with saver: RecordSaver
  ) async throws {
    let context = saver.context
    let rejects = try rejects(distinctFrom: input, saver.client.store.files, with: context)
    let progress =
      context.isQuiet ? nil : Progress(on: context.console, total: input.remaining)
    let records = RecordTextSource(
      bytes, of: input.file, for: saver.schema, id: id, format: self.input, options: options,
      ids: context.ids, emptyKeys: emptyKeys, progress: progress, on: context.console)
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
  let policy: SavePolicy
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
    Creates a record if its id is new; an existing record gets only the given fields changed. A \
    record without an id is assigned one, except in a user schema. A command is one transaction: \
    all records are saved, or none.
    """,
    """
    The record is given on the command line, or records are read from `--file` or standard input: \
    a JSON object, an array, NDJSON, concatenated objects, or CSV, detected by the first bytes. \
    With an ID and no assignment, one object is read from standard input. The second operand is an \
    ID unless it looks like an assignment:
    """,
    .definitions([
      Definition("FIELD=TEXT", "a text, parsed by the field's type; if empty, null or empty text"),
      Definition("FIELD:=JSON", "any JSON value"),
      Definition("FIELD@=PATH", "the content of a file; `@=-` reads standard input"),
      Definition("FIELD+=VALUE", "add to a number; append to an array or a to-many relation"),
      Definition(
        "FIELD-=VALUE",
        "subtract from a number; remove every equal element from an array or a relation"),
    ]),
    """
    A password is never given on the command line, where others could see it: `password@=-` reads \
    it from standard input. System fields, such as `created_at`, cannot be assigned either, except \
    `revision=N` as a condition; in data they are read with `--keep-system-fields`.
    """,
    """
    Saved records are printed as `list` would print them, after the commit. Standard error gets \
    one line: `1,000 saved: 900 new, 90 changed, 10 the same`. All errors are reported together, \
    each with its file, line and field; after 20 the rest are counted, and the first decides the \
    exit status. Checks that need the store, such as uniqueness and references, are reported for \
    records whose own values are valid.
    """,
    """
    Uniqueness is checked record by record, so two records cannot swap values in one save: first \
    set one of them to null or another value. A record can refer to a later one.
    """,
    """
    With `--where` all matching records are changed, and none is created. It asks for \
    confirmation, showing the store and the number of records; if it cannot ask, it needs \
    `--yes`.
    """,
    """
    A record with a `revision` is saved only if the stored one has the same; a different one is a \
    conflict, with exit status 5. A record that does not exist is created regardless of its \
    revision; `--update` rejects it. Other system fields are ignored, so that a record can be \
    read, edited and saved again.
    """,
    """
    With `--infer` the schema need not exist: it is created from the first 1,000 records, or 4 MB, \
    by the rules of `schema infer`, and missing fields are added. An existing field never changes. \
    Schema and records are saved together or not at all, and standard error reports what was \
    created. If the store does not exist, it is created. A later record that does not fit is an \
    error; `schema infer` reads all records.
    """,
    """
    `--commit-every` is for endless input. After each commit, standard error reports up to which \
    line everything is saved. An error rolls back what came after that line and ends the command; \
    with `--skip-invalid` it continues. A record can refer only to records of the same transaction \
    or earlier ones.
    """,
    """
    With `--skip-invalid` each record is checked when it is read, so it can refer only to earlier \
    records: a reference to a later one is rejected.
    """,
    """
    The file of `--rejects` is replaced when the save has ended; `-` is standard output. `datactl \
    help formats` shows how to save its records once they are fixed.
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
