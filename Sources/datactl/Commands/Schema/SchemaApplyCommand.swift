import CommandSyntax
import DataClient
import DataModel
import DataStore
import DataText

/// `datactl schema apply`: brings the store's schemas to what files say.
struct SchemaApplyCommand: Command {
  let paths: [String]
  let change: SchemaChange

  static let declaration = CommandDeclaration<any Command>(
    "apply", "Bring the schemas of the store to what files say.",
    discussion: [
      """
      Creates schemas that are new, and adds fields and indexes. A change that would lose data, or \
      that the records do not fit, is refused and named; then nothing is changed. If the store is \
      not there yet, it is created.
      """,
      """
      A file speaks for its schemas, and says nothing of the others in the store. A folder speaks \
      for the whole store: if the store has a schema that no file of the folder declares, the exit \
      status is 5 and nothing is changed. Schemas go only by `schema drop`.
      """,
      """
      Without a path, the folder is the one that `schemas` in `datactl.json` names, else \
      `./schemas`. A file, or standard input, may hold several schemas one after the other, as \
      `schema export` prints them.
      """,
    ],
    inputs:
      .operands(
        "PATH", kind: .file, "Schema files, or folders of them; `-` is standard input."),
    .writeWait, .schemaDryRun,
    examples: [
      Example("datactl schema apply", "Apply the files of the project."),
      Example("datactl schema apply schemas/todo.json --dry-run", "Show what a file would change."),
      Example(
        "datactl schema export | datactl schema apply - --store new.db",
        "Give another store the same schemas."),
    ],
    exitStatuses: [.done, .usage, .notFound, .forbidden, .conflict, .invalid, .store],
    seeAlso: ["schema create", "schema-files"]
  ) { paths, wait, isDryRun in
    SchemaApplyCommand(paths: paths, change: SchemaChange(wait: wait, isDryRun: isDryRun))
  }
}

extension SchemaApplyCommand {
  func run(with invocation: Invocation) async throws {
    let (schemas, reading) = try schemas(with: invocation)
    let client = try await invocation.open(for: .writing)
    try await change.carryOut(on: client, with: invocation) { stored throws(DataError) in
      try SchemaPlan(from: stored, to: schemas, reading: reading)
    }
  }

  /// The schemas of all files, and whether the files speak for the whole store, as a folder does.
  private func schemas(
    with invocation: Invocation
  ) throws(DataError) -> ([Schema], SchemaPlan.Reading) {
    let places = self.paths.isEmpty ? [try projectFolder(with: invocation)] : self.paths
    var problems: [Problem] = []
    var schemas: [Schema] = []
    var files: [String] = []
    for place in places { files += try invocation.schemaPaths(place) }
    for path in files {
      do throws(DataError) {
        let bytes = try invocation.input(path, for: "schemas").readAll(atMost: 16 << 20)
        for draft in try SchemaFile.readAll(bytes, file: path) {
          if schemas.contains(where: { $0.name == draft.name }) {
            problems.append(
              Problem(
                .invalidSchema, "declared twice", hint: "a schema stands in one file",
                schema: draft.name, file: path, line: draft.line))
          } else {
            schemas.append(try Schema(checking: draft))
          }
        }
      } catch {
        problems += error.problems
      }
    }
    if let error = DataError(problems) { throw error }
    let areFolders = places.allSatisfy(invocation.isFolder)
    if schemas.isEmpty {
      throw DataError(
        Problem(.fileNotFound, "there is no schema file in this folder", file: places[0]))
    }
    return (schemas, areFolders ? .ofStore : .ofSchemas)
  }

  private func projectFolder(with invocation: Invocation) throws(DataError) -> String {
    try ProjectFile.nearest(in: invocation.surroundings)?.schemaFolder ?? "schemas"
  }
}
