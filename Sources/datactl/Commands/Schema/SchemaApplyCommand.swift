import ClientCore
import CommandSyntax
import DataModel
import DataStore

/// `datactl schema apply`: changes the schemas of the store to those declared in files.
struct SchemaApplyCommand: DeclaredCommand {
  var paths: [String] = []
  var planPath: String?
  var consents: Set<String> = []
  var change = SchemaChangeOptions()

  static let declaration = CommandDeclaration(
    SchemaApplyCommand.self, "apply", "Apply schema files to the store.",
    discussion: [
      """
      Changes the schemas of the store so that they match the files, and prints the steps. All \
      steps are executed in one transaction. If the store does not exist, it is created.
      """,
      .heading("Existing records"),
      """
      Changes that make a schema stricter, such as a lower `max`, are first checked against the \
      existing records. If any record violates the new schema, nothing is changed and the exit \
      status is 5. The error shows how many records violate the schema.
      """,
      """
      When a field is added or becomes required, existing records without a value get its default. \
      The revisions of records do not change.
      """,
      .heading("Loss of data"),
      "Changes that would lose data require `--allow-loss` with the name of a field or a schema:",
      .definitions([
        Definition(
          "a field, such as `todo.note`",
          "the field is dropped with its values, or loses values because its type is changed"),
        Definition("a schema, such as `todo`", "the schema is dropped with its records"),
      ]),
      "A field without values and a schema without records can be dropped without this option.",
      .heading("Files and folders"),
      """
      Without PATH, the command reads the folder `schemas`, or the folder in the key `"schemas"` \
      of `datactl.json`.
      """,
      """
      Folders describe the whole store, so schemas that are in none of their files are dropped. If \
      any PATH is a file or `-`, no schemas are dropped.
      """,
      """
      A file or standard input can contain several schemas, one after the other, as in the output \
      of `schema export`.
      """,
    ],
    inputs: [
      .schemaPaths(\.paths),
      .option(
        "--plan", \.planPath, value: "FILE", kind: .file,
        """
        Execute the plan in FILE, which is the output of `schema plan -o json`. The command fails \
        if other changes were made to the schemas of the store after the plan was created.
        """),
      .repeatedOption(
        "--allow-loss", \.consents, value: "NAME", kind: .schema,
        "Allow the values of a field (`todo.note`) or the records of a schema (`todo`) to be lost."
      ) { Set($0) },
      .group(\.change, SchemaChangeOptions.inputs),
    ],
    rules: [.atMostOne(["PATH", "--plan"])],
    examples: [
      Example("datactl schema apply", "Apply the schema files of the project."),
      Example(
        "datactl schema apply schemas/todo.json --dry-run",
        "Print what would change if a file were applied."),
      Example(
        "datactl schema apply --allow-loss todo.note",
        "Apply the files, and allow a field to be dropped with its values."),
      Example(
        "datactl schema export | datactl schema apply - --store new.db",
        "Copy the schemas to another store."),
    ],
    exitStatuses: [
      .done, .usageOfOptions, .schemaNotFound, .forbidden, .schemaConflict, .invalid, .store,
      .interrupted, .terminated,
    ],
    seeAlso: ["schema plan", "schema diff", "schema-files"])
}

extension SchemaApplyCommand {
  func run(with context: CommandContext) async throws {
    if let planPath {
      let file = try PlanFile(reading: planPath, with: context)
      let client = try await context.open(for: .writing, wait: change.wait)
      try await change.apply(
        on: client, with: context, consents: consents,
        reportingNothing: "Nothing to change: the plan has already been applied."
      ) { stored throws(DataError) in
        let plan = try file.plan(from: stored)
        try plan.check(consents, from: stored, to: file.files)
        return plan
      }
    } else {
      let files = try context.declaredFiles(paths)
      for warning in Lint.patternWarnings(of: files.schemas) { try context.printMessage(warning) }
      let client = try await context.open(for: .writing, wait: change.wait)
      try await change.apply(on: client, with: context, consents: consents) {
        stored throws(DataError) in
        let plan = try SchemaPlan(from: stored, to: files.schemas, reading: files.reading)
        try plan.check(consents, from: stored, to: files)
        try Client.checkAccessRules(after: plan, from: stored, to: files.schemas)
        return plan
      }
    }
  }
}

extension SchemaPlan {
  /// Throws an error if a name in `--allow-loss` is not the name of a schema or field, because it
  /// is probably misspelled. If the plan is empty, accepts any name, so that the same command
  /// succeeds when it is run a second time.
  fileprivate func check(
    _ consents: Set<String>, from stored: StoredCatalog, to files: DeclaredFiles
  ) throws(DataError) {
    if isEmpty { return }
    let schemas = stored.catalog.schemas + files.schemas.map(\.schema)
    let names = schemas.flatMap { schema in
      [schema.name] + schema.fields.map { "\(schema.name).\($0.name)" }
    }
    for name in consents.sorted() where !names.contains(name) {
      throw DataError(
        .usage, "--allow-loss \(Excerpt.quoted(name)): there is no such schema or field",
        hint: nearest(name, among: names).map { "did you mean \($0)?" })
    }
  }
}
