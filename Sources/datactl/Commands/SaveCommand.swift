import ClientCore
import CommandSyntax
import DataAPI
import DataModel
import DataOutput
import DataStore
import DataXML
import Inference
import Maps
import RecordText

/// `datactl save`: creates and changes records.
struct SaveCommand: DeclaredCommand {
  /// The schema and, if `--where` was given, the conditions that select the records to change.
  var query = QueryInput("")
  var id: String?
  var assignments: [String] = []
  var yes = false
  /// The condition that `--prune` specifies. Records that match it are deleted if the input does
  /// not contain them.
  var prune: String?
  /// The files that contain the records (`--file`). If there are none, records are read from stdin.
  var files: [String] = []
  /// The files whose contents are saved (`--files`).
  var contents: [String] = []
  /// The field that stores the contents of files, if `--field` was given.
  var contentField: String?
  var reading = ReadingOptions()
  /// The name of the map that describes the input (`--map`).
  var map: String?
  var options = SaveOptions()
  var format: OutputFormat?

  static let declaration = CommandDeclaration(
    SaveCommand.self, "save", "Create and change records.",
    discussion: SaveOptions.discussion,
    inputs: [
      .operand("SCHEMA", \.query.schema, kind: .schema, "The schema of the records."),
      .optionalOperand("ID", \.id, kind: .id, "The id of the record to create or change."),
      .operands(
        "FIELD=VALUE", \.assignments, kind: .assignment, "The fields to set, and their values."),
      .group(\.query, ConditionInputs.all),
      .flag("--yes", letter: "y", \.yes, "Do not ask for confirmation."),
      .repeatedOption(
        "--file", letter: "f", \.files, value: "FILE", kind: .file,
        """
        Read records from FILE, or from standard input if FILE is `-`. FILE can be a pattern with \
        `*` and `?`, such as `'todos*.csv'`. The files can have different formats, except with \
        `--infer`.
        """),
      .repeatedOption(
        "--files", \.contents, value: "FILE", kind: .file,
        """
        Save the content of FILE in a record whose id is the name of the file without the folder. \
        FILE can be a pattern.
        """),
      .option(
        "--field", \.contentField, value: "FIELD", kind: .field,
        """
        The field for the contents of `--files`. By default, it is the only file field of the \
        schema.
        """),
      .group(
        \.reading,
        ReadingOptions.format(
          unnamed: .fields,
          """
          Read the first line of CSV as a record. If fields are inferred, the columns are called \
          `column_1`, `column_2` and so on. If not, the columns are the fields of the schema in \
          their order, with the primary key first.
          """)),
      .map(
        \.map,
        """
        Read records in the form that a map describes. MAP is a file, the name of a built-in map, \
        or the JSON of a map \
        (see `datactl help maps`).
        """),
      .flag(
        "--deep", \.options.isDeep,
        "Accept nested records in relations and in the lists of inverses, and save them too."),
      .flag(
        "--infer", \.options.infers,
        """
        Infer a missing schema or missing fields from the first records, and create them. With \
        `--deep`, the schemas of nested records are inferred too.
        """),
      .flag(
        "--create", \.options.policy.mode, sets: .create,
        "Create records, and reject records whose ids already exist."),
      .flag(
        "--update", \.options.policy.mode, sets: .update,
        "Change records, and reject records whose ids do not exist."),
      .flag(
        "--replace", \.options.policy.mode, sets: .replace,
        """
        Set all fields that are not given to their defaults or to null, except passwords and files.
        """),
      .flag(
        "--any-revision", \.options.policy.revisions, sets: .ignored,
        "Save a record even if its `revision` differs from that of the stored record."),
      .flag(
        "--same-record", \.options.policy.revisions, sets: .checkedWithCreation,
        """
        Reject a record whose `created_at` differs from that of the stored record, which was then \
        deleted and created again.
        """),
      .flag(
        "--keep-system-fields", \.options.policy.systemFields, sets: .given,
        """
        Save `created_at` and the other system fields with the given values, for example when \
        importing or restoring records.
        """),
      .flag(
        "--round-times", \.options.conversions.roundsTimes,
        "Round times to microseconds instead of rejecting times with higher precision."),
      .flag(
        "--round-decimals", \.options.conversions.roundsDecimals,
        """
        Round decimals with too many digits after the point, instead of rejecting them. A half is \
        rounded away from zero.
        """),
      .group(\.reading, ReadingOptions.notations),
      .flag(
        "--skip-invalid", \.options.skipsInvalid,
        """
        Skip invalid records and save the others. If any record is skipped, the exit status is 6.
        """),
      .option(
        "--rejects", \.options.rejects, value: "FILE", kind: .outputFile,
        "Write the skipped records to FILE, each with its errors."),
      .wait(\.options.wait),
      .integer(
        "--commit-every", \.options.commitEvery, value: "N", in: 1...Int.max,
        "Commit after every N records, and when one second has passed since the last commit."),
      .option(
        "--prune", \.prune, value: "CONDITION", kind: .condition,
        "After saving, delete the records that match the condition and are not in the input."),
      .system(\.options.showsSystemFields),
      .flag(
        "--changed", \.options.printsOnlyChanged, "Print only records that were created or changed."
      ),
      .flag(
        "--dry-run", letter: "n", \.options.isDryRun, "Print the result without saving anything."),
      .choice(
        "--output", letter: "o", \.format, value: "FORMAT", of: OutputFormat.ofSaves,
        "The output format of the saved records. `diff` prints what changes."),
      .numbers(\.options.numbers),
    ],
    rules: [
      .atMostOne(["FIELD=VALUE", "--file"]), .atMostOne(["FIELD=VALUE", "--input"]),
      .atMostOne(["--same-record", "--any-revision"]),
      .atMostOne(["--same-record", "--keep-system-fields"]),
      .atMostOne(["ID", "--where"]), .needs("--where", "FIELD=VALUE"),
      .atMostOne(["--prune", "FIELD=VALUE"]),
      .atMostOne(["--prune", "--commit-every"]), .atMostOne(["--prune", "--infer"]),
      .atMostOne(["--where", "--create", "--update", "--replace"]),
      .atMostOne(["--where", "--keep-system-fields"]), .atMostOne(["--where", "--commit-every"]),
      .atMostOne(["FIELD=VALUE", "--skip-invalid"]),
      .atMostOne(["--map", "FIELD=VALUE"]), .atMostOne(["--map", "--where"]),
      .atMostOne(["FIELD=VALUE", "--infer"]), .atMostOne(["--infer", "--commit-every"]),
      .needs("--rejects", "--skip-invalid"), .atMostOne(["--commit-every", "--dry-run"]),
      .atMostOne(["--header", "--no-header"]), .atMostOne(["--skip", "--only"]),
      .atMostOne(["ID", "--key"]), .atMostOne(["--file", "--files"]), .needs("--field", "--files"),
      .excludes("--deep", ReadingOptions.columnOptions),
      .excludes("FIELD=VALUE", ReadingOptions.columnOptions + ["--encoding"]),
      .excludes(
        "--files",
        ReadingOptions.columnOptions + [
          "--encoding", "FIELD=VALUE", "ID", "--input", "--map", "--deep", "--infer",
          "--skip-invalid", "--commit-every",
        ]),
      ReadingOptions.mapRule,
    ],
    examples: [
      Example(
        "datactl save todo tea title='Buy tea' due=2026-12-24",
        "Create a record, or set two fields if the record exists."),
      Example(
        "datactl save todo tea priority-=3 tags+=urgent",
        "Subtract 3 from a number, and append to an array."),
      Example(
        "datactl save todo --where \"tags contains 'urgent'\" tags-=urgent --yes",
        "Change all records that match a condition."),
      Example(
        "datactl save todo --file todos.ndjson -o none",
        "Save the records from a file, and print only the summary."),
      Example(
        "datactl save todo --file todos.csv --key code --rename Name=title --skip note",
        "Save a CSV file whose column names differ from the field names."),
      Example(
        "datactl save photo --files 'img/*.jpg' --field data",
        "Save the content of each file in a record."),
      Example(
        "datactl save todo --file todos.ndjson --prune true -o diff --dry-run",
        "Show what would change if the file replaced all records."),
      Example(
        "datactl save todo --infer --file todos.ndjson",
        "Infer the schema from the records, create it, and save the records."),
      Example(
        "datactl list todo --expand steps -o json | datactl save todo --deep",
        "Print todos with their steps, and save both."),
      Example(
        "datactl list todo --map camel | datactl save todo --map camel",
        "Print records with names in camelCase, and save them."),
      Example(
        "datactl list todo | jq -c '.done = true' | datactl save todo",
        "Change records with jq, without overwriting concurrent changes."),
    ],
    exitStatuses: [
      .done, .failedOrDeclined, .usage, .notFound, .forbidden, .conflict, .invalid, .store,
      .interrupted, .brokenPipe, .terminated,
    ],
    seeAlso: ["delete", "list", "schema infer", "schema types", "formats", "graphs", "maps"])
}

extension SaveCommand {
  private var schemaName: String { query.schema }
  private var isConfirmed: Bool { yes || options.isDryRun }

  mutating func validate() throws(UsageError) {
    if query.conditions.isEmpty, prune == nil {
      for (name, isGiven) in [
        ("--param", !query.parameters.isEmpty), ("--yes", yes), ("--zone", query.zone != nil),
      ] where isGiven {
        throw UsageError("\(name) needs --where or --prune")
      }
    }
    if prune != nil, !isConfirmed, files.isEmpty || files.contains("-"), contents.isEmpty {
      throw UsageError(
        "--prune needs --yes if the records are read from standard input")
    }
    if options.rejects == "-", format != OutputFormat.none {
      throw UsageError(
        "--rejects - and saved records would both be written to standard output",
        hint: "pass --output none to print only the rejects")
    }
    if options.isDeep, let input = reading.form.format, input.isTable {
      throw UsageError("--deep requires JSON or XML, because CSV cannot contain nested records")
    }
    try reading.validate()
    if options.infers, reading.form.header == .fields { reading.form.header = .numbers }
    if options.policy.systemFields == .given { options.policy.revisions = .ignored }
    options.conversions.lenience = reading.form.lenience
    options.conversions.zone = reading.zone
  }

  func run(with context: CommandContext) async throws {
    if let id, context.readsIDs([id]) {
      throw DataError(
        .usage,
        #"ID: "-" is not accepted as an id, because it means standard input in other places"#,
        hint: """
          omit it to read records from standard input, or write --file -; to save a record with \
          this id, assign it to the primary key
          """)
    }
    // Open the input before the store. If stdin is a terminal, the error is then reported
    // immediately.
    let files = try context.expand(files.isEmpty && contents.isEmpty ? ["-"] : files)
    if map == "-", files.contains("-") {
      throw DataError(
        .usage, "--map - and the records would both be read from standard input")
    }
    let map = try context.map(map)
    let input = try input(files, with: context)
    let client = try await context.open(for: .writing, wait: options.wait)
    if options.infers {
      return try await saveInferred(input, client, by: map, with: context)
    }
    // Do not retry a save that commits in parts, because some parts may be committed. Do not retry
    // a save whose file content comes from stdin, because this content is not kept.
    let readsContent = assignments.contains { $0.hasSuffix("@=-") }
    let canRetry = options.commitEvery == nil && !readsContent
    try await context.retryingSchemaChanges(if: canRetry && input.canRestart) {
      var confirmed: DeleteSummary?
      if prune != nil, !isConfirmed {
        let counts = try await save(input, client, by: map, isPreview: true, with: context)
        confirmed = try confirm(counts, of: input, in: client, with: context)
      }
      try await save(input, client, by: map, confirmed: confirmed, with: context)
    }
  }

  /// Asks the user to confirm the deletion of records that are not in the input. Returns the
  /// deletion that the user has confirmed.
  ///
  /// - Throws: An error if the user declines, or if the input cannot be read a second time for the
  ///   save.
  private func confirm(
    _ summary: DeleteSummary?, of input: SavedInput, in client: Client, with context: CommandContext
  ) throws(DataError) -> DeleteSummary {
    let summary = summary ?? DeleteSummary()
    if summary.deleted > 0 {
      try context.confirm(
        summary.action(on: schemaName), in: client, declined: "nothing was saved or deleted")
    }
    guard input.canRestart else {
      throw DataError(
        .usage, "--prune: the input cannot be read a second time after the confirmation",
        hint: "pass --yes")
    }
    return summary
  }

  /// Opens the input. This is done before the store is opened, so that an error in the input is
  /// reported even if there is also an error in the store.
  private func input(
    _ files: [String], with context: CommandContext
  ) throws(DataError) -> SavedInput {
    if !contents.isEmpty { return .contents(try context.expand(contents)) }
    if !assignments.isEmpty { return .assignments }
    if files.count == 1 {
      return .stream(RewindableInput(try context.input(files[0], for: "records")))
    }
    if files.filter({ $0 == "-" }).count > 1 {
      throw DataError(.usage, "--file: standard input can be read only once")
    }
    if id != nil {
      throw DataError(.usage, "ID can be used with only one file, but --file names several")
    }
    return .files(files)
  }

  /// Saves the records in the input. With `--prune`, also deletes the records that match the
  /// condition of `--prune` but are not in the input, and returns a summary of the deletion.
  ///
  /// - Parameters:
  ///   - confirmed: The deletion that the user has confirmed, or nil.
  ///   - isPreview: Whether only the summary is needed, so that the store is not changed.
  @discardableResult
  private func save(
    _ input: SavedInput, _ client: Client, by map: DataMap?, confirmed: DeleteSummary? = nil,
    isPreview: Bool = false, with context: CommandContext
  ) async throws -> DeleteSummary? {
    let stored = try await context.catalog(of: client)
    let schema = try stored.catalog.schema(schemaName)
    let layout = try map.map { map throws(DataError) in
      try MapLayout(map, for: schema, in: stored.catalog)
    }
    let options = try options(for: layout)
    var saver = RecordSaver(
      client: client, stored: stored, schema: schema, options: options, format: format,
      context: context, isPreview: isPreview)
    if let prune {
      var pruned = query
      pruned.conditions = [prune]
      let condition = try await client.check(pruned, from: client.store).condition
      saver.pruning = DeleteRequest(schema, .matching(condition))
      saver.pruning?.confirmed = confirmed
    }
    if !query.conditions.isEmpty {
      let matching = MatchingRecords(
        selection: try await client.check(context.selecting(query), from: client.store),
        assignments: assignments, isConfirmed: isConfirmed)
      try await matching.save(with: saver)
      return nil
    }
    switch input {
    case .assignments:
      let record = try CommandLineRecord(id: id, assignments, of: schema, with: context)
      let changes = try record.changes(ids: context.ids, conversions: options.conversions)
      return try await saver.save(SingleChunkSource(changes))
    case .stream, .files:
      return try await save(input, by: layout, with: saver)
    case .contents(let paths):
      return try await saver.save(
        try FileContentSource(paths, in: contentField, of: schema, with: context))
    }
  }

  /// Returns the options for a save with the given map, if there is one. A map with nested records
  /// implies `--deep`.
  private func options(for layout: MapLayout?) throws(DataError) -> SaveOptions {
    guard let layout, layout.isDeep else { return options }
    var options = options
    options.isDeep = true
    return options
  }

  /// Infers the schema from the first records, and then saves all records.
  ///
  /// If another program changes the schemas of the store before the save is committed, the save
  /// fails. If all records were read to infer the schema, the inferred schema is then compared with
  /// the changed schemas, and the save is retried. If only the first records were read, the error
  /// of the failed save is thrown.
  private func saveInferred(
    _ input: SavedInput, _ client: Client, by map: DataMap?, with context: CommandContext
  ) async throws {
    let options = try options(
      for: map.map { map throws(DataError) in
        try MapLayout(map, inferring: schemaName)
      })
    let inference = try InferredSave(
      schemaName, from: input.paths, reading.form, options: options, map: map
    ) { index throws(DataError) in
      try input.stream(index, with: context)
    }
    try await context.retryingSchemaChanges(if: inference.isComplete) {
      let stored = try await client.store.catalog()
      guard let proposal = try inference.proposal(over: stored) else {
        return try context.printMessage(
          ["Nothing to save: no records."] + [inference.missingRecords].compactMap(\.self))
      }
      let layout = try map.map { map throws(DataError) in
        try MapLayout(map, for: proposal.schema, in: proposal.catalog ?? stored.catalog)
      }
      let saver = RecordSaver(
        client: client, stored: stored, schema: proposal.schema,
        options: proposal.options(from: options), format: format, context: context,
        change: proposal.change, changedCatalog: proposal.catalog)
      do {
        try await save(
          input, by: layout, readInputs: inference.readInputs, inferred: proposal, with: saver)
      } catch let error as DataError where !inference.isComplete {
        throw inference.addingHint(error, schema: proposal.schema, files: files)
      }
    }
  }

  /// Saves the records in one or more files.
  ///
  /// - Parameter readInputs: The inputs whose first records were already read to infer the schema,
  ///   keyed by their indices in the list of input files.
  @discardableResult
  private func save(
    _ input: SavedInput, by layout: MapLayout?, readInputs: [Int: InferredSave.ReadInput] = [:],
    inferred: InferredSave.Proposal? = nil, with saver: RecordSaver
  ) async throws -> DeleteSummary? {
    let context = saver.context
    let rejects = try rejects(distinctFrom: input.identities(with: context), layout, saver)
    let progress = context.isQuiet ? nil : Progress(on: context.console, total: input.size)
    let paths = input.paths
    let opener = opener(layout, inferred, progress, saver)
    var idLines: IDLines?
    if case .key = inferred?.ids, !options.isDeep {
      idLines = IDLines(
        hint: reading.form.columns.key.isEmpty ? nil : InferredSave.hintForRepeatedKey)
    }
    let files = FileSequenceSource(
      paths, after: context.served?.part?.lineOffset ?? 0, rejectingRepeated: idLines
    ) { index throws(DataError) in
      let bytes: any ByteSource =
        if let read = readInputs[index] {
          read.bytes
        } else {
          try input.bytes(index, with: context)
        }
      return try opener.open(bytes, of: paths[index])
    }
    var saver = saver
    saver.files = paths
    saver.inputWarnings = opener.warnings
    // With `--commit-every`, read no more records than the next commit needs.
    let summary =
      options.commitEvery == nil
      ? try await saver.save(
        ReadAhead(files, into: saver.schema), rejects: rejects, progress: progress)
      : try await saver.save(files, rejects: rejects, progress: progress)
    if !saver.isPreview { try context.printMessage(opener.warnings.missingRecords) }
    return summary
  }

  /// Returns the opener of the files, with the settings that follow from the options.
  private func opener(
    _ layout: MapLayout?, _ inferred: InferredSave.Proposal?, _ progress: Progress?,
    _ saver: RecordSaver
  ) -> RecordFileOpener {
    let (options, context) = (saver.options, saver.context)
    var opener = RecordFileOpener(
      saver.schema, in: saver.catalog, reading.form, ids: context.ids)
    // An update needs the id of a stored record, so no ids are generated.
    opener.assignsIDs = options.policy.mode != .update
    // If all records that were read to infer the schema have the key of the ids, a later record
    // without this key is an error. So no ids are generated.
    if case .key(isRequired: true) = inferred?.ids { opener.assignsIDs = false }
    opener.id = id
    opener.layout = layout
    opener.conversions = options.conversions
    opener.isDeep = options.isDeep
    opener.derivation = options.isDeep && options.infers && layout == nil ? .fromOuter : .none
    opener.skipsInvalid = options.skipsInvalid
    opener.keepsRejected = options.rejects != nil
    opener.isImmediate = options.commitEvery != nil
    opener.checksNames = inferred == nil
    opener.emptyKeys = inferred?.emptyKeys ?? []
    opener.systemKeys =
      options.infers && options.policy.systemFields != .given ? .original : .system
    opener.monitor = progress?.monitor
    if let served = context.served {
      opener.maxDecompressedSize = served.maxDecompressedSize
    } else {
      opener.longestText = InputLimitError.longestLocalRecord
    }
    let console = context.console
    opener.checkInterruption = { () throws(DataError) in try console.checkInterruption() }
    return opener
  }

  /// Opens the rejects file. Throws an error if the save also reads or writes this file for another
  /// purpose. Returns nil if there is no rejects file, or in a dry run.
  private func rejects(
    distinctFrom inputs: [FileIdentity?], _ layout: MapLayout?, _ saver: RecordSaver
  ) throws(DataError) -> Rejects? {
    guard let path = options.rejects else { return nil }
    try Rejects.check(
      path, distinctFrom: inputs, saver.client.store.files, with: saver.context)
    return options.isDryRun || saver.isPreview
      ? nil : try Rejects(to: path, of: layout?.map, with: saver.context)
  }
}
