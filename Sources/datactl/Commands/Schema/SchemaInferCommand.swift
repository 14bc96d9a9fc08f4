import CommandSyntax
import DataModel
import DataText

/// `datactl schema infer`: infers a schema file from records.
struct SchemaInferCommand: Command {
  let name: String?
  let file: String?
  let input: InputFormat?
  let splits: Bool

  static let declaration = CommandDeclaration<any Command>(
    "infer", "Make a schema file of records.",
    discussion: [
      """
      Reads records to their end, as `save` reads them, and prints the file of a schema that takes \
      every one of them. Standard error gets a line for each key: the type, how many nulls, how \
      many records without it, how many values of other types and where the first of them stands, \
      and an example. Below it stands what else there is to know. No store is looked at.
      """,
      """
      A field gets the narrowest type that holds all its values without loss. An integer field \
      with one fraction is a number; texts are a datetime only if all of them are; \
      `{"lat": …, "lon": …}` is a geopoint; an array of scalars of one kind is an array of that \
      type. Objects, and values of several kinds, are kept as json; in CSV, cells of several kinds \
      are text. A number that would lose digits is kept as json, and text with leading zeros, such \
      as `007`, as text. Rules, such as `required`, are left to you.
      """,
      """
      A key in camelCase leads to the field that the rule of names gives, and gets an entry in \
      `properties` where the rule does not lead back. A key called `id`, `_id` or after the schema \
      is the primary key if it names each record; else one is added. A key that no field can be \
      reached by, as one with a space, is an error that says how to rename it. Where there is \
      nothing but null, there is no field.
      """,
      """
      With `--split` each object within the records becomes a schema of its own, and a relation \
      leads to it. `save` does not take such objects apart: save them first, each by itself, and \
      give their ids.
      """,
    ],
    inputs:
      .optionalOperand("SCHEMA", "The schema's name; without it, that of the file."),
    .optionalOperand("FILE", kind: .file, "The file of the records."),
    .option(
      "--file", letter: "f", value: "FILE", kind: .file,
      "The same; `-` is standard input, and so is nothing."),
    .choice(
      "--input", value: "FORMAT", of: InputFormat.allCases,
      "What the records are written in, where their beginning does not tell."),
    .flag("--split", "Make schemas of their own of the objects within the records."),
    rules: [.atMostOne(["FILE", "--file"])],
    examples: [
      Example("datactl schema infer todos.ndjson", "Look what is in a file."),
      Example(
        "datactl schema infer todo --file todos.ndjson > schemas/todo.json",
        "Make a schema file, to be read and edited."),
      Example(
        "datactl schema infer item < todos.ndjson | datactl schema apply -",
        "Bring the schema to the store as it is."),
    ],
    exitStatuses: [.done, .failed, .usage, .notFound, .invalid, .interrupted, .readerGone],
    seeAlso: ["save", "schema apply", "schema-files"]
  ) { name, operand, file, input, splits in
    let isFile = operand == nil && file == nil && (name.map(Self.isPath) ?? false)
    return SchemaInferCommand(
      name: isFile ? nil : name, file: isFile ? name : operand ?? file, input: input,
      splits: splits)
  }

  /// Returns whether an operand is a file path, because it cannot be a schema name.
  private static func isPath(_ word: String) -> Bool {
    word == "-" || word.utf8.contains(UInt8(ascii: ".")) || word.utf8.contains(UInt8(ascii: "/"))
  }
}

extension SchemaInferCommand {
  func run(with invocation: Invocation) async throws {
    let name = try schemaName()
    // Check the name before reading any input.
    _ = try Schema(checking: FieldShorthand.draft(schema: name, []))
    let input = try invocation.input(file ?? "-", for: "records")
    let inference = try SchemaInference(
      input, schema: name, format: self.input?.recordFormat, file: input.file, splits: splits)
    let schemas = try inference.schemas()
    let report = InferenceReport(inference, schemas)
    try invocation.say(report, emptyKeysAre: .refused)
    for inferred in schemas {
      try invocation.console.output.write(SchemaFile.text(inferred.schema))
    }
  }

  private func schemaName() throws(DataError) -> String {
    if let name { return name }
    guard let file, file != "-" else {
      throw DataError(
        .usage, "the schema has no name", hint: "say it: datactl schema infer NAME < FILE")
    }
    let fileName = file.split(separator: "/").last ?? ""
    let base = fileName.prefix { $0 != "." }
    guard let name = Names.suggested(for: String(base), as: .schema) else {
      throw DataError(
        .usage, "\(Excerpt.quoted(String(base))) gives no name for a schema",
        hint: "say it: datactl schema infer NAME --file FILE")
    }
    return name
  }
}
