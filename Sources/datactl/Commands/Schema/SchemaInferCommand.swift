import CommandSyntax
import DataModel
import DataText

/// `datactl schema infer`: infers schemas from records, and prints them as schema files.
struct SchemaInferCommand: Command {
  let name: String?
  let file: String?
  let input: InputFormat?
  let splits: Bool

  static let declaration = CommandDeclaration<any Command>(
    "infer", "Infer a schema file from records.",
    discussion: [
      """
      Reads all records, in the formats that `save` reads, and prints a schema file that accepts \
      all of them. Standard error gets a table with a line for each key: its type, an example, and \
      the numbers of nulls, of records without the key, and of values of other types (with the \
      line of the first one). Notes follow after the table. No store is opened.
      """,
      """
      Each field gets the narrowest type that represents all its values without loss. If some \
      integers have a fraction, the type is `number`. Texts become `datetime` only if all of them \
      are valid datetimes. `{"lat": …, "lon": …}` becomes `geopoint`, and an array of scalars of \
      one type becomes an array of that type. Other objects, and values of different types, become \
      `json`; in CSV, cells of different types become `text`. Numbers that would lose digits \
      become `json`, and text with leading zeros, such as `007`, remains `text`. Rules such as \
      `required` are not inferred.
      """,
      """
      A camelCase key such as `yearBorn` becomes a field such as `year_born`; if the field cannot \
      be converted back to the key, the key is added to `properties`. A key named `id`, `_id` or \
      after the schema becomes the primary key if its values are unique ids; if there is no such \
      key, a primary key is added. A key that cannot be a field name, such as a key with a space, \
      is an error that says how to rename it. Keys whose values are all null are omitted.
      """,
      """
      With `--split`, nested objects become separate schemas, which the records refer to by \
      relations. `save` does not split nested objects, so save them first as records of their own, \
      and then use their ids.
      """,
    ],
    inputs:
      .optionalOperand("SCHEMA", "The name of the schema; by default, the name of the file."),
    .optionalOperand("FILE", kind: .file, "The file that contains the records."),
    .option(
      "--file", letter: "f", value: "FILE", kind: .file,
      "The file that contains the records; `-`, the default, is standard input."),
    .choice(
      "--input", value: "FORMAT", of: InputFormat.allCases,
      "The format of the records, if it cannot be detected."),
    .flag("--split", "Create separate schemas for nested objects."),
    rules: [.atMostOne(["FILE", "--file"])],
    examples: [
      Example("datactl schema infer todos.ndjson", "Print a schema for the records in a file."),
      Example(
        "datactl schema infer todo --file todos.ndjson > schemas/todo.json",
        "Write a schema file, to review and edit."),
      Example(
        "datactl schema infer item < todos.ndjson | datactl schema apply -",
        "Apply the inferred schema to the store."),
    ],
    exitStatuses: [.done, .failed, .usage, .notFound, .invalid, .interrupted, .brokenPipe],
    seeAlso: ["save", "schema apply", "schema-files"]
  ) { name, operand, file, input, splits in
    let isFile = operand == nil && file == nil && (name.map(Self.isPath) ?? false)
    return SchemaInferCommand(
      name: isFile ? nil : name, file: isFile ? name : operand ?? file, input: input,
      splits: splits)
  }

  /// Returns whether an operand is a file path: it is `-` or contains characters that a schema name
  /// cannot contain.
  private static func isPath(_ word: String) -> Bool {
    word == "-" || word.utf8.contains(UInt8(ascii: ".")) || word.utf8.contains(UInt8(ascii: "/"))
  }
}

extension SchemaInferCommand {
  func run(with context: CommandContext) async throws {
    let name = try schemaName()
    // Check the name before reading any input.
    _ = try Schema(checking: FieldShorthand.draft(schema: name, []))
    let input = try context.input(file ?? "-", for: "records")
    let inference = try SchemaInference(
      input, schema: name, format: self.input?.recordFormat, file: input.file, splits: splits)
    let schemas = try inference.schemas()
    let report = InferenceReport(inference, schemas)
    try context.printMessage(report, emptyKeysAre: .refused)
    for inferred in schemas {
      try context.console.output.write(SchemaFile.text(inferred.schema))
    }
  }

  private func schemaName() throws(DataError) -> String {
    if let name { return name }
    guard let file, file != "-" else {
      throw DataError(
        .usage, "the schema has no name", hint: "pass one: datactl schema infer NAME < FILE")
    }
    let fileName = file.split(separator: "/").last ?? ""
    let base = fileName.prefix { $0 != "." }
    guard let name = Names.suggested(for: String(base), as: .schema) else {
      throw DataError(
        .usage, "not usable as a schema name: \(Excerpt.quoted(String(base)))",
        hint: "pass one: datactl schema infer NAME --file FILE")
    }
    return name
  }
}
