import ClientCore
import CommandSyntax
import DataModel
import DataStore

/// `datactl schema plan`: prints the steps that make the store match the schema files.
struct SchemaPlanCommand: Command {
  let paths: [String]
  let format: PlanFormat

  static let declaration = CommandDeclaration<any Command>(
    "plan", "Print the steps that `schema apply` would execute.",
    discussion: [
      """
      Compares the store with the schema files and prints, in order, the steps that would make the \
      store match the files. Nothing is changed. Each step is followed by its requirements and by \
      its effects on the output of other commands. The exit status is 0, whether or not there are \
      steps. To check whether existing records satisfy the new schemas, use `schema apply \
      --dry-run`.
      """,
      """
      With `-o json`, the output is a plan that can be saved to a file. `schema apply --plan` \
      executes exactly the steps of this plan, and fails if the schemas of the store have changed \
      since the plan was created.
      """,
      "`datactl help schema apply` explains how files and folders are read.",
    ],
    inputs: .schemaPaths, .planFormat,
    examples: [
      Example("datactl schema plan", "Print the steps for the schema files of the project."),
      Example("datactl schema plan -o json > plan.json", "Save a plan for review."),
    ],
    exitStatuses: [
      .done, .failed, .usage, .notFound, .forbidden, .conflict, .invalid, .store, .brokenPipe,
    ],
    seeAlso: ["schema apply", "schema diff", "schema-files"]
  ) { paths, format in
    SchemaPlanCommand(paths: paths, format: format)
  }
}

extension SchemaPlanCommand {
  func run(with context: CommandContext) async throws {
    let files = try context.declaredFiles(paths)
    let stored = try await context.schemasToCompare()
    let plan = try SchemaPlan(from: stored, to: files.schemas, reading: files.reading)
    switch format {
    case .json:
      let file = PlanFile(plan, to: files, from: stored)
      try context.console.output.write(file.text)
    case .text:
      if plan.isEmpty { return try context.reportNothingToChange() }
      for step in plan.steps {
        let remarks = [step.conditions].compactMap(\.self) + step.consequences
        for line in [step.text] + remarks.map({ "  " + $0 }) {
          try context.console.output.write(Excerpt.escaped(line) + "\n")
        }
      }
      if stored.version > 0 {
        for note in plan.notes(on: files.schemas) { try context.printMessage(note) }
      }
    }
  }
}

extension SchemaPlan {
  /// Returns a note for each schema or field that is created and not renamed, because the store
  /// does not contain its former name.
  fileprivate func notes(on files: [DeclaredSchema]) -> [String] {
    steps.compactMap { step in
      switch step {
      case .createSchema(let schema):
        let was = files.first { $0.schema.name == schema.name }?.was
        return was.map { "\(schema.name) is new: the store has no \($0), its previous name" }
      case .addField(let name, let field):
        let was = files.first { $0.schema.name == name }?.was(ofField: field.name)
        return was.map { "\(name).\(field.name) is new: the store has no \($0), its previous name" }
      case .dropField, .dropSchema, .renameSchema, .renameField, .changeType, .changeRules,
        .dropIndex, .addIndex, .changeProperties, .changeDoc, .reorderFields:
        return nil
      }
    }
  }
}

extension CommandContext {
  /// Returns the schemas of the store, or an empty catalog if the store does not exist.
  func schemasToCompare() async throws(DataError) -> StoredCatalog {
    do throws(DataError) {
      return try await open(for: .reading).store.catalog()
    } catch {
      guard error.code == .storeNotFound else { throw error }
      return StoredCatalog(Catalog(), version: 0)
    }
  }
}
