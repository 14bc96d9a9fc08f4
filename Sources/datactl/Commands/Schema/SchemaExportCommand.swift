import ClientCore
import CommandSyntax
import DataModel
import DataOutput
import DataStore
import SchemaText

/// `datactl schema export`: prints schemas as schema files or in the formats of other tools, or
/// writes schema files to a folder.
struct SchemaExportCommand: DeclaredCommand {
  var folder: String?
  var format = SchemaFormat.json
  var engine: TableEngine?
  var sourcePath: String?
  var checkedPath: String?

  static let declaration = CommandDeclaration(
    SchemaExportCommand.self, "export", "Export schemas for other tools.",
    discussion: [
      """
      Writes the schemas of the store as schema files, or in a format for other tools. The output \
      is written to standard output or, if FOLDER is given, to files in this folder.
      """,
      "With `--from`, the schemas are read from files instead of the store.",
      """
      If the store is on a server, only the schemas that the access rules allow you to use are \
      exported.
      """,
      .heading("Formats"),
      .definitions(
        SchemaFormat.allCases.map { Definition("--format \($0.rawValue)", $0.summary) }),
      .heading("Writing to a folder"),
      """
      If FOLDER is given, each schema is written to a file in this folder, such as `todo.json`. \
      Files of the same names are replaced, and all other files are kept. A missing folder is \
      created, but not the folder that contains it.
      """,
      "Only the format `json` can be written to a folder.",
      .heading("Checking files"),
      """
      `--check FILE` compares a file with the output of the command, and writes nothing. If they \
      differ, the exit status is 1. With the format `json`, FILE can also be a folder of schema \
      files, and only their content is compared, not how they are formatted.
      """,
    ],
    inputs: [
      .optionalOperand(
        "FOLDER", \.folder, kind: .folder,
        "The output folder, or `-` for standard output, which is the default."),
      .choice("--format", \.format, value: "FORMAT", "The output format."),
      .choice(
        "--engine", \.engine, value: "ENGINE",
        "The database engine for `--format sql`. By default, the engine of the store is used."),
      .option(
        "--from", \.sourcePath, value: "PATH", kind: .schemaFiles,
        """
        Read the schemas from a file or a folder instead of the store, or from standard input if \
        PATH is `-`.
        """),
      .option(
        "--check", \.checkedPath, value: "FILE", kind: .schemaFiles,
        "Check whether a file or a folder is up to date, without writing to it."),
    ],
    rules: [.atMostOne(["FOLDER", "--check"])],
    examples: [
      Example("datactl schema export schemas", "Write the schema files to a folder."),
      Example(
        "datactl schema export --format typescript > types.ts", "Write TypeScript types."),
      Example(
        "datactl schema export --format dot --from schemas > model.dot",
        """
        Write a Graphviz diagram of the schema files in a folder. To render it, run `dot -Tsvg \
        model.dot`.
        """),
      Example("datactl schema export --check schemas", "Check whether the files are up to date."),
    ],
    exitStatuses: [
      .done, ExitStatus(1, "`--check` found differences, or output could not be written"),
      .usageOfOptions, .schemaNotFound, .forbidden, .invalid, .store, .brokenPipe,
    ],
    seeAlso: ["schema apply", "schema lint", "schema-files"])
}

extension SchemaExportCommand {
  var storeUse: StoreUse {
    let needsEngine = format == .sql && engine == nil
    return format == .meta || sourcePath != nil && !needsEngine ? .none : .selected
  }

  func run(with context: CommandContext) async throws {
    if engine != nil && format != .sql {
      throw DataError(.usage, "--engine can be used only with --format sql")
    }
    if let checkedPath {
      return try await context.check { try await compare(with: checkedPath, context) }
    }
    guard let folder, folder != "-" else {
      let schemas = try await schemas(with: context)
      return try context.console.output.write(try text(of: schemas, with: context))
    }
    guard format == .json else {
      throw DataError(
        .usage, "\(format.rawValue) is a single document, which cannot be written to a folder",
        hint: """
          write the document to a file: datactl schema export --format \(format.rawValue) > FILE
          """)
    }
    let schemas = try await schemas(with: context)
    try context.files.makeFolder(folder)
    let paths = try context.schemaPaths(folder)
    let files = SchemaFormat.files(
      of: schemas.keepingFormerNames(of: try context.declared(in: paths)))
    for file in files {
      let output = try PublishedOutput(to: "\(folder)/\(file.name)", with: context)
      try output.stream.write(file.text)
      try output.publish()
    }
    try context.printMessage("\(files.count.counted("file")) written to \(folder)")
    for path in paths where !files.contains(where: { path.hasSuffix("/" + $0.name) }) {
      try context.printMessage(
        "\(path) is kept, but its schema no longer exists: remove the file if it is not needed")
    }
  }

  private func schemas(with context: CommandContext) async throws -> [DeclaredSchema] {
    if format == .meta { return [] }
    guard let sourcePath else {
      return try await context.open(for: .reading).schemas().map { DeclaredSchema($0) }
    }
    let files = try context.declaredFiles([sourcePath])
    switch files.reading {
    case .complete: _ = try Catalog(checking: files.schemas.map(\.schema))
    case .partial: break
    }
    return files.schemas.sorted { $0.schema.name < $1.schema.name }
  }

  private func text(of schemas: [DeclaredSchema], with context: CommandContext) throws -> String {
    try format.text(
      of: schemas, engine: format == .sql ? engine ?? context.storeEngine() : nil,
      for: ServedProgram(console: context.console))
  }

  private func compare(with path: String, _ context: CommandContext) async throws {
    let schemas = try await schemas(with: context)
    if try context.isFolder(path) {
      guard format == .json else {
        throw DataError(
          .usage,
          """
          --check compares a folder with schema files, so it cannot be used with --format \
          \(format.rawValue)
          """,
          hint: "pass the file that contains the output: --check FILE")
      }
      try compareFolder(path, with: schemas, context)
    } else {
      var schemas = schemas
      let bytes = try context.input(path, for: "the file to compare").readAll(atMost: 64 << 20)
      var text = String(decoding: bytes, as: UTF8.self)
      if format == .json, let drafts = try? SchemaFile.readAll(bytes),
        case let files = drafts.compactMap({ try? DeclaredSchema(checking: $0) }),
        files.count == drafts.count
      {
        schemas = schemas.keepingFormerNames(of: files)
        text = try self.text(of: files.sorted { $0.schema.name < $1.schema.name }, with: context)
      }
      guard text.utf8.elementsEqual(try self.text(of: schemas, with: context).utf8) else {
        throw DataError(
          stale(
            path,
            remedy:
              "update the file: datactl schema export\(origin) --format \(format.rawValue) > FILE"))
      }
      try context.printMessage("\(path) is up to date.")
    }
  }

  private func compareFolder(
    _ folder: String, with schemas: [DeclaredSchema], _ context: CommandContext
  ) throws(DataError) {
    var problems: [Problem] = []
    let paths = try context.schemaPaths(folder)
    let declared = try context.declared(in: paths)
    let files = SchemaFormat.files(of: schemas.keepingFormerNames(of: declared))
    let prefix = folder.hasSuffix("/") ? folder : folder + "/"
    let remedy = "update the folder: datactl schema export\(origin) \(folder)"
    for file in files {
      let path = prefix + file.name
      guard paths.contains(path) else {
        problems.append(
          Problem(
            .findings, "the file is missing", hint: remedy, file: path))
        continue
      }
      let found = declared.filter { $0.draft.file == path }
      if found.map(SchemaFile.text) != [file.text] {
        problems.append(stale(path, remedy: remedy))
      }
    }
    for path in paths where !files.contains(where: { prefix + $0.name == path }) {
      let known = declared.first { source in
        source.draft.file == path && schemas.contains { $0.schema.name == source.schema.name }
      }
      problems.append(
        Problem(
          .findings,
          known.map {
            "declares \($0.schema.name), which belongs in \(prefix)\($0.schema.name).json"
          }
            ?? "the schema no longer exists", file: path))
    }
    if let error = DataError(problems) { throw error }
    let verb = files.count == 1 ? "is" : "are"
    try context.printMessage("\(files.count.counted("file")) in \(folder) \(verb) up to date.")
  }

  /// The text ` --from PATH` for suggested commands, or an empty text if the option was not given.
  private var origin: String { sourcePath.map { " --from \($0)" } ?? "" }

  private func stale(_ path: String, remedy: String) -> Problem {
    Problem(.findings, "out of date: differs from the current schemas", hint: remedy, file: path)
  }
}

extension CommandContext {
  /// Returns the valid schemas that files declare. Invalid schemas are skipped.
  fileprivate func declared(in paths: [String]) throws(DataError) -> [DeclaredSchema] {
    paths.isEmpty ? [] : try schemaFiles(paths).schemas
  }

  /// Returns the database engine of the selected store, which may not exist yet.
  fileprivate func storeEngine() throws(DataError) -> TableEngine? {
    if let served { return served.engine }
    return TableEngine(of: try storeAddress())
  }
}

extension [DeclaredSchema] {
  /// Returns a copy of the schemas, with the former names (`was`) from the schema files. The
  /// schemas were read from the store, which does not contain former names.
  fileprivate func keepingFormerNames(of files: [DeclaredSchema]) -> [DeclaredSchema] {
    map { entry in
      let schema = entry.schema
      guard let file = files.first(where: { $0.schema.name == schema.name }) else { return entry }
      var names: [String: String] = [:]
      for field in schema.fields {
        names[field.name] = entry.was(ofField: field.name) ?? file.was(ofField: field.name)
      }
      return DeclaredSchema(schema, was: entry.was ?? file.was, fieldsWere: names)
    }
  }
}
