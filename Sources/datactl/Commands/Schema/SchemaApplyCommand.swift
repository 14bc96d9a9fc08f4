import CommandSyntax
import DataClient
import DataModel
import DataStore
import DataText

/// `datactl schema apply`: brings the store's schemas to what files say.
struct SchemaApplyCommand: Command {
  let paths: [String]
  let isDryRun: Bool

  static let declaration = CommandDeclaration<any Command>(
    "apply", "Bring the schemas of the store to what files say.",
    discussion: [
      """
      Creates schemas that are new and adds fields. A change that would lose data, or that the \
      records may not fit, is refused and named; then nothing is changed. If the store is not \
      there yet, it is created.
      """,
      """
      Without a path, the files are those in the folder that `schemas` in `datactl.json` names, \
      else in `./schemas`.
      """,
    ],
    inputs:
      .operands(
        "PATH", kind: .file, "Schema files, or folders of them; `-` is standard input."),
    .flag("--dry-run", letter: "n", "Print what would be done, and do nothing."),
    examples: [
      Example("datactl schema apply", "Apply the files of the project."),
      Example("datactl schema apply schemas/todo.json --dry-run", "Show what a file would change."),
    ],
    exitStatuses: [.done, .usage, .notFound, .forbidden, .conflict, .invalid, .store],
    seeAlso: ["schema create", "schema-files"]
  ) { paths, isDryRun in
    SchemaApplyCommand(paths: paths, isDryRun: isDryRun)
  }
}

extension SchemaApplyCommand {
  func run(with invocation: Invocation) async throws {
    let (schemas, reading) = try schemas(with: invocation)
    let client = try await invocation.open(for: .writing)
    let stored = try await client.store.catalog()
    let plan = try SchemaPlan(from: stored, to: schemas, reading: reading)
    try await SchemaChange(plan, isDryRun: isDryRun).carryOut(on: client, with: invocation)
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
        let bytes = try invocation.input(path, for: "a schema").readAll(atMost: 16 << 20)
        schemas.append(try Schema(checking: try SchemaFile.read(bytes, file: path)))
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
