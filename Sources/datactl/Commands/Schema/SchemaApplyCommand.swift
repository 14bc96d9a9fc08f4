import CommandSyntax
import DataClient
import DataModel
import DataStore

/// `datactl schema apply`: changes the schemas of the store to those declared in files.
struct SchemaApplyCommand: Command {
  let paths: [String]
  let planPath: String?
  let consents: Set<String>
  let change: SchemaChange

  static let declaration = CommandDeclaration<any Command>(
    "apply", "Bring the schemas of the store to what files say.",
    discussion: [
      """
      Plans as `schema plan` does, carries the steps out in one transaction, and says them. Applying \
      twice changes nothing. If the store is not there yet, it is created.
      """,
      """
      Steps that need the records to fit, such as a lower `max` or another type, are tried on them: \
      if some do not fit, the exit status is 5, it is said how many and which come first, and nothing \
      is changed. A default fills the records that are there when a field is added, or becomes \
      required. No revision moves.
      """,
      """
      Values are lost only by consent: `--allow-loss todo.note` for a field that goes, or whose new \
      type would round values or keep the first of several; `--allow-loss todo` for a schema with its \
      records. What holds no value goes without.
      """,
      """
      A file speaks for its schemas, and says nothing of the others in the store. A folder speaks \
      for the whole store: schemas that no file of the folder declares go.
      """,
      """
      Without a path, the folder is the one that `schemas` in `datactl.json` names, else \
      `./schemas`. A file, or standard input, may hold several schemas one after the other, as \
      `schema export` prints them.
      """,
    ],
    inputs: .schemaPaths,
    .option(
      "--plan", value: "FILE", kind: .file,
      "Carry out this plan of `schema plan -o json`, or nothing if the store has moved since."),
    .allowedLoss, .writeWait, .schemaDryRun,
    rules: [.atMostOne(["PATH", "--plan"])],
    examples: [
      Example("datactl schema apply", "Apply the files of the project."),
      Example("datactl schema apply schemas/todo.json --dry-run", "Show what a file would change."),
      Example(
        "datactl schema apply --allow-loss todo.note",
        "Apply the files, and agree that a field goes with its values."),
      Example(
        "datactl schema export | datactl schema apply - --store new.db",
        "Give another store the same schemas."),
    ],
    exitStatuses: [
      .done, .usage, .notFound, .forbidden, .conflict, .invalid, .store, .interrupted, .terminated,
    ],
    seeAlso: ["schema plan", "schema diff", "schema-files"]
  ) { paths, plan, consents, wait, isDryRun in
    SchemaApplyCommand(
      paths: paths, planPath: plan, consents: Set(consents),
      change: SchemaChange(wait: wait, isDryRun: isDryRun))
  }
}

extension SchemaApplyCommand {
  func run(with invocation: Invocation) async throws {
    if let planPath {
      let file = try PlanFile(reading: planPath, with: invocation)
      let client = try await invocation.open(for: .writing)
      try await change.carryOut(on: client, with: invocation, consents: consents) {
        stored throws(DataError) in
        let plan = try file.plan(from: stored)
        try plan.check(consents, from: stored, to: file.files)
        return plan
      }
    } else {
      let files = try invocation.declaredFiles(paths)
      let client = try await invocation.open(for: .writing)
      try await change.carryOut(on: client, with: invocation, consents: consents) {
        stored throws(DataError) in
        let plan = try SchemaPlan(from: stored, to: files.schemas, reading: files.reading)
        try plan.check(consents, from: stored, to: files)
        return plan
      }
    }
  }
}

extension SchemaPlan {
  /// Rejects a consent that names no schema or field, since it is probably misspelled. An empty
  /// plan accepts any consent, so that applying twice succeeds.
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
        .usage, "--allow-loss \(Excerpt.quoted(name)): there is no such schema and no such field",
        hint: nearest(name, among: names).map { "did you mean \($0)?" })
    }
  }
}

extension Input where Value == [String] {
  /// The names of the schemas and fields whose data may be lost.
  fileprivate static var allowedLoss: Input {
    .repeatedOption(
      "--allow-loss", value: "NAME", kind: .schema,
      "Agree to lose the values of a field, `todo.note`, or the records of a schema, `todo`.")
  }
}
