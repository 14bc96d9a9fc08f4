import ClientCore
import CommandSyntax
import DataModel
import DataOutput
import DataStore
import RecordText

/// `datactl get`: prints the records with the given ids, or with the given values of other fields.
struct GetCommand: DeclaredCommand {
  var schemaName = ""
  var ids: [String] = []
  /// The fields whose values are given as operands (`--by`), or nil if the operands are ids.
  var identifying: String?
  var options = RecordOptions()
  /// The time zone in which computed columns interpret datetimes (`--zone`).
  var zone: TimeZoneRules?
  var content: String?
  /// The folder to which the contents of files are written (`--into`).
  var folder: String?
  /// The name of the map that describes the output (`--map`).
  var map: String?
  var format: OutputFormat?
  var numbers = RecordWriter.NumberStyle.number

  private static let introduction: [Block] = [
    """
    Prints the records with the given ids, in the order of the ids. If an id does not exist, an \
    error is printed, the exit status is 3, and the other records are still printed.
    """,
    """
    On a terminal, records are printed as indented JSON. In a pipe or a file, they are printed as \
    NDJSON, one record per line. With `-o json`, one ID prints an object. Several IDs, or `-`, \
    print an array.
    """,
  ]

  static let declaration = CommandDeclaration(
    GetCommand.self, "get", "Print records by their ids.",
    discussion: introduction + ListInputs.columns + ListInputs.expansions,
    inputs: [
      .operand("SCHEMA", \.schemaName, kind: .schema, "The schema of the records."),
      .operands(
        "ID", \.ids, kind: .id, atLeast: 1,
        "The ids of the records, or `-` to read ids from standard input, one per line."),
      .option(
        "--by", \.identifying, value: "FIELDS", kind: .fieldsFor(.identifying),
        """
        Look up records by these comma-separated fields instead of by their ids. Each field must \
        be unique or the primary key. A record is printed if one of these fields has the value ID. \
        If ID matches several records in different fields, the command fails and lists the records.
        """),
      .group(\.options, ListInputs.columnOptions),
      .timeZone(
        "--zone", \.zone,
        """
        The time zone, such as `Europe/Zurich`, for the functions `date`, `year`, `month`, `day`, \
        `hour` and `weekday` in `--fields`. By default, it is UTC.
        """),
      .group(\.options, ListInputs.relationOptions),
      .map(
        \.map,
        """
        Print records in the form that a map describes, with other names and another structure. \
        MAP is a file, the name of a built-in map, or the JSON of a map (see `datactl help maps`).
        """),
      .option(
        "--content", \.content, value: "FIELD", kind: .field,
        """
        Print only the content of this file field, to a pipe or a file. Requires exactly one ID, \
        or `--into`.
        """),
      .option(
        "--into", \.folder, value: "FOLDER", kind: .folder,
        """
        Write the content of each record to a file in FOLDER. A missing FOLDER is created, but not \
        the folder that contains it. The name of the file is the id of the record. In the name, \
        characters other than ASCII letters, digits, `-`, `_` and dots are percent-encoded: `t/1` \
        becomes `t%2F1`. A dot at the beginning is also encoded.
        """),
      .choice(
        "--output", letter: "o", \.format, value: "FORMAT", of: OutputFormat.ofRecords,
        "The output format."),
      .numbers(\.numbers),
    ],
    rules: [
      .needs("--into", "--content"), .atMostOne(["--content", "--by"]),
      .atMostOne(["--content", "--output"]),
      .atMostOne(["--content", "--map", "--numbers"]), .atMostOne(["--map", "--expand"]),
      .atMostOne(["--content", "--fields", "--system"]), .needs("--zone", "--fields"),
      .atMostOne(["--content", "--expand"]), .needs("--flatten", "--expand"),
    ],
    examples: [
      Example("datactl get todo tea", "Print one record."),
      Example(
        "datactl get todo tea milk -o json | jq length",
        "Print two records as an array, and count them."),
      Example(
        "datactl list todo done=true -o ids | datactl get todo -",
        "Print the records whose ids another command prints."),
      Example(
        "datactl list photo -o ids | datactl get photo - --content data --into photos",
        "Write the contents of a file field to files."),
    ],
    exitStatuses: [
      .done, .failed, .usageOfOptions, .notFound, .forbidden, .conflict, .invalid, .store,
      .interrupted, .brokenPipe, .terminated,
    ],
    seeAlso: ["list", "formats"])
}

extension GetCommand {
  func validate() throws(UsageError) {
    try ListInputs.check(flatten: options.isFlattened, format)
    if content != nil, folder == nil, ids.count != 1 || ids == ["-"] {
      throw UsageError(
        "--content needs exactly one ID",
        hint: "pass --into FOLDER to write the contents of several records")
    }
  }

  func run(with context: CommandContext) async throws {
    if let content {
      let input = RewindableInput(context.console.input)
      return try await context.retryingSchemaChanges(
        if: (!ids.contains("-") || input.canRewind) && context.console.output.discardBuffer()
      ) {
        try await printContent(of: content, from: input, with: context)
      }
    }
    let client = try await context.open(for: .reading)
    let records = IdentifiedRecords(
      context.keys(ids, identifying == nil ? .ids : .values), in: schemaName, by: identifying,
      zone: zone)
    let revision = try await client.answer(
      ReadRequest(
        .found(records, options), as: format, map: try context.map(map),
        numbers: numbers),
      to: context.answerOutput)
    context.served?.note(revision: revision)
  }

  /// Prints the content of a file field (`--content`), or writes the contents of several records to
  /// a folder.
  ///
  /// - Parameter input: The input with the ids, if one of the operands is `-`.
  private func printContent(
    of field: String, from input: RewindableInput, with context: CommandContext
  ) async throws {
    let client = try await context.open(for: .reading)
    let schema = try await client.storedSchema(schemaName)
    let slot = try contentSlot(field, schema)
    guard let folder else {
      return try await printContent(of: slot, schema, client.store, on: context.console)
    }
    try await writeContents(
      of: slot, schema, try await client.store.snapshot(),
      to: try ContentFolder(folder, in: context.files),
      from: input, with: context)
  }

  private func contentSlot(_ field: String, _ schema: Schema) throws(DataError) -> Int {
    let slot = try schema.printedSlot(named: field)
    guard schema.type(of: slot) == .file else {
      throw DataError(
        .usage, "--content: \(schema.name).\(field) is \(schema.type(of: slot).name), not file")
    }
    return slot
  }

  private func printContent(
    of slot: Int, _ schema: Schema, _ store: any Store, on console: Console
  ) async throws {
    guard !console.output.isTerminal else {
      throw DataError(
        .usage, "--content: cannot print the content to a terminal, because it may be binary",
        hint: "redirect the output to a file: > FILE")
    }
    let reader = try await store.snapshot()
    guard let stream = try await reader.content(of: slot, id: ids[0], in: schema) else {
      throw DataError(try await missingContent(of: slot, id: ids[0], schema, reader))
    }
    while let piece = try await stream.next() {
      try console.checkInterruption()
      try console.output.write(piece.span)
    }
  }

  /// Returns the problem for a record that has no content: it does not exist, or it has no file.
  private func missingContent(
    of slot: Int, id: String, _ schema: Schema, _ reader: any StoreReader
  ) async throws -> Problem {
    let record = try await reader.find([id], in: schema, slots: [schema.keySlot])
    return Problem(
      .notFound,
      record.rows.count == 0
        ? "there is no such record" : "the record has no file in \(schema.name(of: slot))",
      schema: schema.name, id: id)
  }

  /// Writes the content of each record to a file. At the end, throws an error for the records that
  /// do not exist or have no file.
  private func writeContents(
    of slot: Int, _ schema: Schema, _ reader: any StoreReader, to folder: ContentFolder,
    from input: RewindableInput, with context: CommandContext
  ) async throws {
    var missing: DataError?
    var count = 0
    let nextIDs = context.chunks(of: ids, .ids, from: input)
    while let ids = try nextIDs() {
      for id in ids {
        try context.console.checkInterruption()
        guard let stream = try await reader.content(of: slot, id: id, in: schema) else {
          let problem = try await missingContent(of: slot, id: id, schema, reader)
          if missing == nil { missing = DataError(problem) } else { missing?.add(problem) }
          continue
        }
        let file = try folder.file(ofRecord: id)
        while let piece = try await stream.next() {
          try context.console.checkInterruption()
          try file.stream.write(piece.span)
        }
        try file.publish()
        count += 1
      }
    }
    if count > 0 { try folder.sync() }
    try context.printMessage("\(count.counted("file")) written")
    if let missing { throw missing }
  }
}
