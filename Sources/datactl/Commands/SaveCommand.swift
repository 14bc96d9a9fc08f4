import CommandSyntax
import DataClient
import DataModel
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
    // Opening the input first reports a terminal on stdin at once, before the store is opened.
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

  /// Saves records with a schema inferred from the first of them.
  ///
  /// If another writer changes the schemas meanwhile, retries as long as all records are buffered.
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
    // With `--commit-every`, records are not read ahead of what the next commit needs.
    guard options.commitEvery == nil else {
      return try await saver.save(records, rejects: rejects, progress: progress)
    }
    try await saver.save(
      ReadAhead(records, into: saver.schema), rejects: rejects, progress: progress)
  }

  /// Opens the rejects file, which must not be a file that the save reads or writes. Returns nil
  /// for a dry run.
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
