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
      every one of them. Standard error gets a line for each key: the type, the number of nulls, \
      of records without it and of values of other types with the line of the first, and an \
      example. Notes follow below it. No store is opened.
      """,
      """
      A field gets the narrowest type that holds all its values without loss. An integer field \
      with one fraction is a number; texts are a datetime only if all of them are valid; `{"lat": \
      …, "lon": …}` is a geopoint; an array of scalars of one kind is an array of that type. \
      Objects, and values of several kinds, become json; in CSV, cells of several kinds become \
      text. A number that would lose digits becomes json, and text with leading zeros, such as \
      `007`, stays text. Rules, such as `required`, are left to you.
      """,
      """
      A camelCase key becomes the field given by the naming rule, and gets an entry in \
      `properties` if the rule does not lead back to it. A key named `id`, `_id` or after the \
      schema becomes the primary key if its values are unique ids; if there is none, a primary key \
      is added. A key that cannot be a field, such as one with a space, is an error that says how \
      to rename it. A key with nothing but null gives no field.
      """,
      """
      With `--split` each object within the records becomes a schema of its own, referenced by a \
      relation. `save` does not split such objects: save them first, each by itself, and use their \
      ids.
      """,
    ],
    inputs:
      .optionalOperand("SCHEMA", "The name of the schema; by default, the name of the file."),
    .optionalOperand("FILE", kind: .file, "The file of the records."),
    .option(
      "--file", letter: "f", value: "FILE", kind: .file,
      "The file of the records; `-` is standard input, which is the default."),
    .choice(
      "--input", value: "FORMAT", of: InputFormat.allCases,
      "The format of the records, if it cannot be detected."),
    .flag("--split", "Make separate schemas of the objects within the records."),
    rules: [.atMostOne(["FILE", "--file"])],
    examples: [
      Example("datactl schema infer todos.ndjson", "Show what a file contains."),
      Example(
        "datactl schema infer todo --file todos.ndjson > schemas/todo.json",
        "Make a schema file, to be read and edited."),
      Example(
        "datactl schema infer item < todos.ndjson | datactl schema apply -",
        "Apply the inferred schema directly."),
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
