import ClientCore
import CommandSyntax
import DataModel
import Inference
import Maps
import RecordText
import SchemaText

/// `datactl schema infer`: infers schemas from records, and prints them as schema files.
struct SchemaInferCommand: DeclaredCommand {
  var name: String?
  var file: String?
  /// The files that contain the records. If there are none, records are read from stdin.
  var files: [String] = []
  var reading = ReadingOptions()
  var splits = false
  /// The name of the map that describes the input (`--map`).
  var map: String?

  static let declaration = CommandDeclaration(
    SchemaInferCommand.self, "infer", "Infer a schema file from records.",
    discussion: [
      """
      Reads records in any format that `save` reads, and prints a schema file for them. The \
      command does not open a store. To infer a schema and save the records in one step, use \
      `save --infer`.
      """,
      .heading("Output"),
      "For example, if the input is this record:",
      .literal(
        """
        {"id": 1, "title": "Buy tea", "dueDate": "2026-12-24", "price": 4.5}
        """),
      "then `datactl schema infer todo` prints this schema:",
      .literal(
        """
        {
          "schema": "todo",
          "fields": {
            "todo_id": {"type": "id"},
            "title": {"type": "text"},
            "due_date": {"type": "date"},
            "price": {"type": "number"}
          },
          "properties": {"id": "todo_id"}
        }
        """),
      """
      On standard error, the command prints a table with a line for each key: the field, its type, \
      the number of nulls, the number of records without the key, an example value, and values of \
      other types. Notes below the table explain how the schema was inferred.
      """,
      .heading("Types"),
      "Each field gets a type that accepts all of its values:",
      .list([
        """
        Numbers become `integer` or, if some of them have a fraction or an exponent, `number`. In \
        CSV and TSV, a column whose values all have two digits after the point, or all three, or \
        all four, becomes `decimal`.
        """,
        "`true` and `false` become `boolean`.",
        """
        Strings become `date` if all of them are dates, such as `2026-11-20`. If all of them are \
        dates or datetimes, such as `2026-11-20T03:05:00Z`, they become `datetime`. Other strings \
        become `text`.
        """,
        "Objects `{\"lat\": …, \"lon\": …}` become `geopoint`. Other objects become `json`.",
        """
        Two keys or columns whose names end in `.lat` and `.lon`, such as `place.lat` and \
        `place.lon`, become one field of type `geopoint`. Columns named `lat` and `lon` remain two \
        numbers.
        """,
        """
        Arrays of strings, numbers or booleans become arrays of the type of their elements, such \
        as `[text]`. Other arrays become `json`.
        """,
        """
        Values of different types become `json` or, in CSV and XML, `text`. So do numbers with \
        more digits than `integer` or `number` can keep.
        """,
      ]),
      """
      In CSV and XML, `42` and `4.5` are numbers. A column becomes `text` if it may contain codes \
      or version numbers, such as `007`, `+5`, `1E3`, or `1.9` and `1.10`. In JSON, strings of \
      digits are always text.
      """,
      "Rules such as `required` are not inferred.",
      .heading("Names"),
      .list([
        """
        Uppercase letters are replaced: `dueDate` becomes `due_date`, and `URL` becomes `url`. \
        `save` accepts the field name in camelCase, such as `dueDate`, without further settings. \
        Other keys of letters, digits and underscores, such as `URL`, are listed under \
        `"properties"` with the names of their fields. In CSV and TSV, `save` also converts other \
        names of columns, such as `Due Date`. For other keys of JSON, pass `--rename` or `--skip`.
        """,
        "A key named after the schema, such as `todo_id`, becomes the primary key.",
        """
        If there is no such key, `_id` or `id` becomes the primary key, provided that each record \
        has a different value. If there is no primary key, one is added.
        """,
        """
        In JSON and XML, a key whose values are all null gets no field. `save` rejects records \
        with such a key, but `save --infer` accepts them. In CSV, an empty column becomes a `text` \
        field.
        """,
        """
        In records that contain all five system fields (`created_at`, `created_by`, `modified_at`, \
        `modified_by` and `revision`), as in the output of `list`, these keys are ignored.
        """,
        """
        In any other record, a key with the name of a system field becomes a field with another \
        name: `created_at` becomes `original_created_at`. To fill this field, save the records \
        with `save --infer`, or with `save --rename created_at=original_created_at`.
        """,
      ]),
      .heading("Nested objects"),
      """
      With `--split`, nested objects in JSON are inferred as records of a separate schema. A key \
      with an object becomes a relation. A list of objects becomes the inverse of an owned relation \
      with a `position`: the objects are parts of the record (see `datactl help graphs`).
      """,
      .list([
        """
        Objects with a key of their own belong to the schema of this name: `customer` if the key is \
        `customer` and the objects have `customer_id` or `id`, and `line` if the list is `lines` and \
        the objects have `line_id`.
        """,
        """
        Other objects belong to a schema whose name also contains that of the outer one: those in \
        `owner` of a `todo` become records of `todo_owner`.
        """,
        """
        A key in a list becomes the primary key only if no value occurs twice in the whole input. \
        If values occur twice, the key is a field.
        """,
      ]),
      """
      To save such records, use `save --deep`. `save --infer --deep` infers the schemas and saves \
      the records. It gives a record without an id one that follows from the outer record, such as \
      `o1.lines.0` for the first line of the order `o1`, or `o1.lines.7` if the line has the `id` 7. \
      So a document that is read twice results in the same records, and parts that are no longer in \
      it are deleted.
      """,
    ],
    inputs: [
      .optionalOperand(
        "SCHEMA", \.name,
        """
        The name of the schema. The default is the schema of the map or, if a single file is \
        given, a name derived from the name of the file, such as `todos` for `todos.ndjson`. If \
        there is only one argument, and it contains a period or a slash, it is FILE.
        """),
      .optionalOperand("FILE", \.file, kind: .file, "The file that contains the records."),
      .repeatedOption(
        "--file", letter: "f", \.files, value: "FILE", kind: .file,
        """
        Read records from FILE. By default, or if FILE is `-`, read standard input. FILE can be a \
        pattern, such as `'todos*.ndjson'`. One schema is inferred from the records of all files.
        """),
      .group(
        \.reading,
        ReadingOptions.format(
          unnamed: .numbers,
          """
          Read the first line of CSV as a record. The columns are called `column_1`, `column_2` \
          and so on.
          """)),
      .group(\.reading, ReadingOptions.notations),
      .flag("--split", \.splits, "Infer separate schemas for nested objects, and owned relations."),
      .map(
        \.map,
        """
        Read records in the form that a map describes. If the map has relations, their schemas are \
        inferred too. MAP is a file, the name of a built-in map, or the JSON of a map \
        (see `datactl help maps`).
        """),
    ],
    rules: [
      .atMostOne(["FILE", "--file"]), .atMostOne(["--split", "--map"]),
      .atMostOne(["--no-header", "--header"]), .atMostOne(["--skip", "--only"]),
      ReadingOptions.mapRule,
    ],
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
    exitStatuses: [
      .done, .failed, .usageOfOptions, .schemaNotFound, .invalid, .store, .interrupted, .brokenPipe,
      .terminated,
    ],
    seeAlso: ["save", "schema apply", "schema-files"])

  mutating func validate() throws(UsageError) {
    if file == nil, files.isEmpty, let word = name, Self.isPath(word) {
      (name, file) = (nil, word)
    }
    if let file { files = [file] }
    try reading.validate()
  }

  /// Returns whether an operand is a file path. An operand is a file path if it is `-`, or if it
  /// contains characters that are not allowed in the name of a schema.
  private static func isPath(_ word: String) -> Bool {
    word == "-" || word.utf8.contains(UInt8(ascii: ".")) || word.utf8.contains(UInt8(ascii: "/"))
  }
}

extension SchemaInferCommand {
  var storeUse: StoreUse { .none }

  func run(with context: CommandContext) async throws {
    let map = try context.map(map)
    let paths = try context.expand(files.isEmpty ? ["-"] : files)
    let name = try self.name ?? map?.schemaName ?? schemaName(of: paths)
    // Check the name before reading any input.
    _ = try Schema(checking: FieldShorthand.draft(schema: name, []))
    let inference = try SchemaInference(
      name, from: paths, reading.form, by: map, extent: .all, splits: splits,
      atMost: context.served?.maxDecompressedSize
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

  /// Returns a schema name derived from the name of the input file, such as `todo` for `todo.csv`.
  /// Throws an error if there is more than one file, or if the input is stdin.
  private func schemaName(of paths: [String]) throws(DataError) -> String {
    guard paths.count == 1, paths[0] != "-" else {
      throw DataError(
        .usage, "expected the name of the schema",
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
