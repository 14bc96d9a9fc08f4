import ClientCore
import CommandSyntax
import DataModel
import DataText

/// `datactl schema infer`: infers schemas from records, and prints them as schema files.
struct SchemaInferCommand: Command {
  let name: String?
  /// The files that contain the records. If there are none, records are read from stdin.
  let files: [String]
  let form: TextForm
  let splits: Bool
  /// The name of the map that describes the input (`--map`).
  let map: String?

  static let declaration = CommandDeclaration<any Command>(
    "infer", "Infer a schema file from records.",
    discussion: [
      """
      Reads all records, in the formats that `save` reads, and prints a schema file that accepts \
      all of them. A table on standard error shows, for each key, the type, an example value, and \
      three counts: nulls, records without the key, and values of other types (with the line of \
      the first such value, and also the file if there are several). Notes are printed below the \
      table. The command does not open a store.
      """,
      """
      Each field gets the narrowest type that represents all of its values without loss. If some \
      of the numbers have a fraction, the type is `number`; numbers that would lose digits become \
      `json`. Strings become `date` only if all of them are dates such as `2026-11-20`, and \
      `datetime` only if all of them are valid datetimes or dates. Text with leading zeros, such \
      as `007`, remains `text`. An object `{"lat": …, "lon": …}` becomes `geopoint`, and so do two \
      keys or columns with numbers, such as `place.lat` and `place.lon`. An array of \
      scalars of one type becomes an array of that type. Other objects become `json`. Values of \
      different types become `json`, or `text` if the input is CSV or XML. Rules such as \
      `required` are not inferred.
      """,
      """
      A camelCase key such as `yearBorn` becomes a field such as `year_born`. If the name of the \
      field cannot be converted back to the key, the key is added to `properties`. A key named \
      `id` or `_id`, or with the name of the schema, becomes the primary key if its values are \
      unique ids. If there is no such key, a primary key is added. If a key cannot be a field \
      name, for example because it contains a space, the command fails and explains how to rename \
      the key. Keys whose values are all null are omitted. Keys with the names of system fields, \
      such as `created_at`, become fields such as `original_created_at`. However, if each record \
      has all five system fields, as in the output of `list`, these keys are omitted.
      """,
      """
      With `--split`, a field that contains objects becomes a relation, and a separate schema is \
      inferred for these objects. `save --deep` saves such input: it saves each nested object as a \
      record of its schema, and replaces it with the id. Without `--deep`, `save` accepts only ids \
      in relations.
      """,
    ],
    inputs:
      .optionalOperand("SCHEMA", "The name of the schema; by default, the name of the only file."),
    .optionalOperand("FILE", kind: .file, "The file that contains the records."),
    .repeatedOption(
      "--file", letter: "f", value: "FILE", kind: .file,
      """
      Read records from FILE, or from standard input if FILE is `-`, which is the default. FILE \
      may be a pattern, as in `save`. One schema is inferred from the records of all files.
      """),
    ReadingInputs.format, ReadingInputs.separator, ReadingInputs.header, ReadingInputs.encoding,
    ReadingInputs.key, ReadingInputs.renames, ReadingInputs.skips, ReadingInputs.assumedZone,
    .flag("--split", "Create separate schemas for nested objects."),
    .map(
      """
      Read records in the form that a map describes, and also infer the schemas of the relations \
      in the map. MAP is a file or the name of a built-in map (see `datactl help maps`).
      """),
    rules: [.atMostOne(["FILE", "--file"]), .atMostOne(["--split", "--map"])],
    examples: [
      Example("datactl schema infer todos.ndjson", "Print a schema for the records in a file."),
      Example(
        "datactl schema infer todo --file todos.ndjson > schemas/todo.json",
        "Write the schema to a file, to review and edit it."),
      Example(
        "datactl schema infer todo --file 'todos*.ndjson'",
        "Print one schema for the records in several files."),
      Example(
        "datactl schema infer item < todos.ndjson | datactl schema apply -",
        "Apply the inferred schema to the store."),
    ],
    exitStatuses: [.done, .failed, .usage, .notFound, .invalid, .interrupted, .brokenPipe],
    seeAlso: ["save", "schema apply", "schema-files"]
  ) {
    name, operand, files, input, separator, header, encoding, key, renames, skips, assumedZone,
    splits, map throws(UsageError) in
    let isFile = operand == nil && files.isEmpty && (name.map(Self.isPath) ?? false)
    var form = try ReadingInputs.form(
      input, separator: separator, hasNoHeader: false, header: header, encoding: encoding,
      key: key, renames: renames, skips: skips, map: map)
    form.assumesZone = assumedZone != nil
    return SchemaInferCommand(
      name: isFile ? nil : name, files: (isFile ? name : operand).map { [$0] } ?? files,
      form: form, splits: splits, map: map)
  }

  /// Returns whether an operand is a file path. An operand is a file path if it is `-`, or if it
  /// contains characters that are not allowed in the name of a schema.
  private static func isPath(_ word: String) -> Bool {
    word == "-" || word.utf8.contains(UInt8(ascii: ".")) || word.utf8.contains(UInt8(ascii: "/"))
  }
}

extension SchemaInferCommand {
  func run(with context: CommandContext) async throws {
    let map = try context.map(map)
    let paths = try context.expand(files.isEmpty ? ["-"] : files)
    let name = try self.name ?? map?.schemaName ?? schemaName(of: paths)
    // Check the name before reading any input.
    _ = try Schema(checking: FieldShorthand.draft(schema: name, []))
    let inference = try SchemaInference(
      name, from: paths, form, by: map, extent: .all, splits: splits
    ) {
      index throws(DataError) in try context.input(paths[index], for: "records")
    }
    let schemas = try inference.schemas()
    let report = InferenceReport(inference, schemas)
    try context.printMessage(report, emptyKeysAre: map == nil ? .refused : .leftOut)
    for inferred in schemas {
      try context.console.output.write(SchemaFile.text(inferred.schema))
    }
  }

  /// Returns the schema name that the name of the only file suggests.
  private func schemaName(of paths: [String]) throws(DataError) -> String {
    guard paths.count == 1, paths[0] != "-" else {
      throw DataError(
        .usage, "the schema has no name",
        hint: "pass a name: datactl schema infer NAME \(paths.count == 1 ? "<" : "--file") FILE")
    }
    let fileName = paths[0].split(separator: "/").last ?? ""
    let base = fileName.prefix { $0 != "." }
    guard let name = Names.suggested(for: String(base), as: .schema) else {
      throw DataError(
        .usage, "not usable as a schema name: \(Excerpt.quoted(String(base)))",
        hint: "pass a name: datactl schema infer NAME --file FILE")
    }
    return name
  }
}
