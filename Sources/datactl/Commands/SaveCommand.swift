import ClientCore
import CommandSyntax
import DataModel
import DataOutput
import DataStore
import DataText
import DataXML

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
  /// The name of the map that describes the input (`--map`).
  let map: String?
  let options: SaveOptions
  let format: OutputFormat?

  static let declaration = CommandDeclaration<any Command>(
    "save", "Create and change records.",
    discussion: SaveOptions.discussion,
    inputs:
      .operand("SCHEMA", kind: .schema, "The schema of the records."),
    .optionalOperand("ID", kind: .id, "The id of the record to create or change."),
    .operands("FIELD=VALUE", kind: .assignment, "The fields to set, and their values."),
    ConditionInputs.conditions, ConditionInputs.parameters,
    .flag("--yes", letter: "y", "Do not ask for confirmation."),
    .option(
      "--file", letter: "f", value: "FILE", kind: .file,
      "Read records from FILE, or from standard input if FILE is `-`."),
    .choice(
      "--input", value: "FORMAT", of: InputFormat.allCases,
      "The format of the input. By default, the format is detected."),
    .map(
      """
      Read records in the form that a map describes. MAP is a file or the name of a built-in map \
      (see `datactl help maps`).
      """),
    .flag("--deep", "Accept records in place of the ids of relations, and save them too."),
    .flag("--infer", "Infer the schema or missing fields from the first records, and create them."),
    .flag("--create", "Only create records; reject records whose ids already exist."),
    .flag("--update", "Only change records; reject records whose ids do not exist."),
    .flag("--replace", "Clear all fields that are not given, except passwords and files."),
    .flag(
      "--any-revision", "Save records even if their `revision` differs from the stored revision."),
    .flag(
      "--keep-system-fields",
      """
      Save `created_at` and the other system fields with the given values, for example when \
      importing or restoring records.
      """),
    .flag(
      "--round-times",
      "Round times to microseconds instead of rejecting times with higher precision."),
    .flag(
      "--skip-invalid",
      "Skip invalid records and save the others; exit with 6 if any record is skipped."),
    .option(
      "--rejects", value: "FILE", kind: .file,
      "Write the skipped records to FILE, each with its errors."),
    .integer(
      "--wait", value: "SECONDS", in: 0...86_400, default: 30,
      "The maximum number of seconds to wait for other commands that are writing."),
    .integer(
      "--commit-every", value: "N", in: 1...Int.max,
      """
      Commit after every N records. Also commit when one second has passed since the last commit. \
      After each commit, report the last committed line.
      """),
    .flag("--dry-run", letter: "n", "Print the result without saving anything."),
    .choice(
      "--output", letter: "o", value: "FORMAT", of: OutputFormat.ofRecords,
      "The output format of the saved records."),
    rules: SaveOptions.rules,
    examples: [
      Example(
        "datactl save todo tea title='Buy tea' due=2026-12-24",
        "Create a record, or set two fields if the record exists."),
      Example(
        "datactl save todo tea priority-=3 tags+=urgent",
        "Subtract from a number and add to an array."),
      Example(
        "datactl save todo --where \"tags contains 'urgent'\" tags-=urgent --yes",
        "Change all records that match a condition."),
      Example(
        "datactl save todo --file todos.ndjson -o none",
        "Save the records in a file, and print only the summary."),
      Example(
        "datactl save todo --infer --file todos.ndjson",
        "Infer the schema from the records, create it, and save the records."),
      Example(
        "datactl list todo --expand steps -o json | datactl save todo --deep",
        "Save records together with their expanded related records."),
      Example(
        "datactl list todo --map camel | datactl save todo --map camel",
        "Save records with names in camelCase."),
      Example(
        "datactl list todo | jq -c '.done = true' | datactl save todo",
        "Change records with jq, without overwriting concurrent changes."),
    ],
    exitStatuses: [
      .done, .failedOrDeclined, .usage, .notFound, .forbidden, .conflict, .invalid, .store,
      .interrupted, .brokenPipe, .terminated,
    ],
    seeAlso: ["list", "schema infer", "schema types", "formats", "graphs", "maps"]
  ) {
    schema, id, assignments, conditions, parameters, yes, file, input, map, deep, infer, create,
    update,
    replace, anyRevision, keepSystemFields, roundTimes, skipInvalid, rejects, wait, commitEvery,
    dryRun,
    format throws(UsageError) in
    if rejects == "-", format != OutputFormat.none {
      throw UsageError(
        "--rejects - and saved records would both be written to standard output",
        hint: "pass --output none to print only the rejects")
    }
    if deep, input == .csv {
      throw UsageError("--deep reads JSON and XML, because CSV cannot contain nested records")
    }
    return SaveCommand(
      schemaName: schema, id: id,
      selection: conditions.isEmpty
        ? nil : QueryInput(schema, conditions: conditions, parameters: parameters),
      isConfirmed: yes || dryRun, assignments: assignments, file: file, input: input,
      map: map,
      options: SaveOptions(
        policy: SavePolicy(
          mode: create ? .create : update ? .update : replace ? .replace : .createOrChange,
          revisions: anyRevision ? .ignored : .checked,
          systemFields: keepSystemFields ? .given : .kept),
        roundsTimes: roundTimes, skipsInvalid: skipInvalid, rejects: rejects, wait: wait,
        commitEvery: commitEvery, isDryRun: dryRun, infers: infer, isDeep: deep),
      format: format)
  }
}

extension SaveCommand {
  func run(with context: CommandContext) async throws {
    // Open the input before the store. If stdin is a terminal, the error is then reported
    // immediately.
    if map == "-", file ?? "-" == "-" {
      throw DataError(
        .usage, "--map - and the records would both be read from standard input")
    }
    let map = try map.map { name throws(DataError) in try context.map(name) }
    let input = assignments.isEmpty ? try context.input(file ?? "-", for: "records") : nil
    let client = try await context.open(for: .writing)
    if options.infers, let input {
      return try await saveInferred(input, client, by: map, with: context)
    }
    let rewindable = input.map { RewindableInput($0) }
    // Do not retry a save that commits in parts, because some parts may be committed. Do not retry
    // a save whose file content comes from stdin, because this content is not kept.
    let readsContent = assignments.contains { $0.hasSuffix("@=-") }
    let canRetry = options.commitEvery == nil && !readsContent
    try await context.retryingSchemaChanges(
      if: canRetry && rewindable?.canRewind != false
    ) {
      try await save(rewindable, client, by: map, with: context)
    }
  }

  private func save(
    _ rewindable: RewindableInput?, _ client: Client, by map: DataMap?,
    with context: CommandContext
  ) async throws {
    let stored = try await context.catalog(of: client)
    let schema = try stored.catalog.schema(schemaName)
    let layout = try map.map { map throws(DataError) in
      try MapLayout(map, for: schema, in: stored.catalog)
    }
    let options = try options(for: layout)
    let saver = RecordSaver(
      client: client, stored: stored, schema: schema, options: options, format: format,
      context: context)
    if let selection {
      let matching = MatchingRecords(
        selection: try await client.check(selection, from: client.store), assignments: assignments,
        isConfirmed: isConfirmed)
      return try await matching.save(with: saver)
    }
    guard let rewindable else {
      let record = try CommandLineRecord(id: id, assignments, of: schema, with: context)
      let changes = try record.changes(ids: context.ids, roundsTimes: options.roundsTimes)
      return try await saver.save(SingleChunkSource(changes))
    }
    try await save(rewindable.bytes, from: rewindable.input, by: layout, with: saver)
  }

  /// Returns the options of a save according to a map. A map with nested records implies `--deep`.
  private func options(for layout: MapLayout?) throws(DataError) -> SaveOptions {
    guard let layout, layout.isDeep else { return options }
    let excluded = [
      ("--infer", options.infers), ("--skip-invalid", options.skipsInvalid),
      ("--commit-every", options.commitEvery != nil), ("ID", id != nil),
    ]
    if let (name, _) = excluded.first(where: \.1) {
      throw DataError(
        .usage,
        "\(name) cannot be used with --map \(layout.map.name), whose records contain records")
    }
    var options = options
    options.isDeep = true
    return options
  }

  /// Saves records after inferring their schema from the first of them.
  ///
  /// If another program changes the schemas concurrently, retries the save, but only if the schema
  /// was inferred from the whole input.
  private func saveInferred(
    _ input: InputStream, _ client: Client, by map: DataMap?, with context: CommandContext
  ) async throws {
    let inference = try InferredSave(
      schemaName, from: input, format: self.input, options: options, map: map)
    try await context.retryingSchemaChanges(if: inference.isComplete) {
      let stored = try await client.store.catalog()
      guard let proposal = try inference.proposal(over: stored) else {
        return try context.printMessage("Nothing to save: no records.")
      }
      let layout = try map.map { map throws(DataError) in
        try MapLayout(
          map, for: proposal.schema, in: stored.catalog, emptyKeys: proposal.emptyKeys)
      }
      _ = try options(for: layout)
      let saver = RecordSaver(
        client: client, stored: stored, schema: proposal.schema,
        options: proposal.options(from: options), format: format, context: context,
        change: proposal.change)
      do {
        try await save(
          inference.text, from: input, by: layout, inferred: proposal, with: saver)
      } catch let error as DataError where !inference.isComplete {
        throw InferredSave.addingHint(error, schema: proposal.schema, file: input.file)
      }
    }
  }

  private func save(
    _ bytes: some ByteSource, from input: InputStream, by layout: MapLayout?,
    inferred: InferredSave.Proposal? = nil, with saver: RecordSaver
  ) async throws {
    let context = saver.context
    let rejects = try rejects(distinctFrom: input, saver.client.store.files, with: context)
    let progress =
      context.isQuiet ? nil : Progress(on: context.console, total: input.remaining)
    // If memory is limited, reject a very long record before the process runs out of memory.
    let longestText = min(CurrentProcess.memoryLimit / 8, 96 << 20)
    let locations = layout.map { MapLocations($0, file: input.file) }
    func save<Bytes: ByteSource>(_ bytes: Bytes, _ format: RecordFormat?) async throws {
      if saver.options.isDeep {
        let reader = TreeReader(
          bytes, for: saver.schema, in: saver.stored.catalog, file: input.file, ids: context.ids,
          roundsTimes: saver.options.roundsTimes, longestText: longestText)
        let console = context.console
        let trees = TreeSource(reader, locations: locations) { () throws(DataError) in
          try console.checkInterruption()
        }
        return try await saver.save(
          ReadAhead(trees, into: saver.schema), rejects: rejects, progress: progress)
      }
      let records = RecordTextSource(
        bytes, of: input.file, for: saver.schema, id: id, format: format,
        longestText: longestText, options: saver.options, ids: context.ids, inferred: inferred,
        locations: locations, progress: progress, on: context.console)
      try await self.save(records, rejects: rejects, progress: progress, with: saver)
    }
    if let layout, let locations {
      let source = try MappedSource(
        bytes, by: layout, locations, isLineByLine: try layout.map.checkInput(self.input),
        longestText: longestText)
      return try await save(source, layout.map.convertedFormat)
    }
    let (isXML, text) = try bytes.detectingXML(self.input)
    guard isXML else { return try await save(text, self.input?.recordFormat) }
    let converted = try XMLRecordSource(
      text, for: saver.schema, in: saver.stored.catalog, checksNames: inferred == nil,
      longestText: longestText)
    try await save(converted, .xml)
  }

  private func save(
    _ records: RecordTextSource<some ByteSource>, rejects: Rejects?, progress: Progress?,
    with saver: RecordSaver
  ) async throws {
    // With `--commit-every`, read no more records than the next commit needs.
    guard options.commitEvery == nil else {
      return try await saver.save(records, rejects: rejects, progress: progress)
    }
    try await saver.save(
      ReadAhead(records, into: saver.schema), rejects: rejects, progress: progress)
  }

  /// Opens the rejects file. Throws an error if the save also reads or writes this file for another
  /// purpose. Returns nil if there is no rejects file, or in a dry run.
  private func rejects(
    distinctFrom input: InputStream, _ storeFiles: [String], with context: CommandContext
  ) throws(DataError) -> Rejects? {
    guard let path = options.rejects else { return nil }
    try Rejects.check(path, distinctFrom: input, storeFiles, with: context)
    return options.isDryRun ? nil : try Rejects(to: path, with: context)
  }
}
