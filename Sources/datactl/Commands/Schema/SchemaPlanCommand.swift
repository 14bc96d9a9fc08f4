import ClientCore
import CommandSyntax
import DataModel
import DataStore

/// `datactl schema plan`: prints the steps that make the store match the schema files.
struct SchemaPlanCommand: DeclaredCommand {
  var paths: [String] = []
  var isNew = false
  var format = PlanFormat.text

  static let declaration = CommandDeclaration(
    SchemaPlanCommand.self, "plan", "Print the steps that `schema apply` would execute.",
    discussion: [
      """
      Prints the steps that would make the store match the schema files, and changes nothing. The \
      lines below a step show what the step requires, and how it affects other commands. For \
      example:
      """,
      .literal(
        """
        drop field todo.note
          requires --allow-loss todo.note if any record has a value
        """),
      """
      The exit status does not show whether there are steps. The command does not check whether \
      existing records satisfy the new schemas: use `schema apply --dry-run` for this.
      """,
      """
      `datactl help schema apply` explains how files and folders are read.
      """,
      .heading("Saving a plan"),
      """
      With `-o json`, the output is a plan that can be saved to a file. `schema apply --plan` \
      executes exactly the steps of this plan. It fails if other changes were made to the schemas \
      of the store after the plan was created.
      """,
    ],
    inputs: [.schemaPaths(\.paths), .newStore(\.isNew), .planFormat(\.format)],
    examples: [
      Example("datactl schema plan", "Print the steps for the schema files of the project."),
      Example("datactl schema plan -o json > plan.json", "Save a plan for review."),
    ],
    exitStatuses: [
      .done, .failed, .usageOfOptions, .schemaNotFound, .forbidden, .schemaConflict, .invalid,
      .store, .brokenPipe,
    ],
    seeAlso: ["schema apply", "schema diff", "schema-files"])
}

extension SchemaPlanCommand {
  func run(with context: CommandContext) async throws {
    let files = try context.declaredFiles(paths)
    let stored = try await context.schemasToCompare(isNew: isNew)
    let plan = try SchemaPlan(from: stored, to: files.schemas, reading: files.reading)
    try Client.checkAccessRules(after: plan, from: stored, to: files.schemas)
    switch format {
    case .json:
      let file = PlanFile(plan, to: files, from: stored)
      try context.console.output.write(file.text)
    case .text:
      if plan.isEmpty { return try context.printMessage(SchemaChangeOptions.nothingToChange) }
      for step in plan.steps {
        let remarks = [step.conditions].compactMap(\.self) + step.consequences
        for line in [step.text] + remarks.map({ "  " + $0 }) {
          try context.console.output.write(Excerpt.escaped(line) + "\n")
        }
      }
      for note in plan.possibleRenames { try context.printMessage(note) }
      if stored.version > 0 {
        for note in plan.notes(on: files.schemas) { try context.printMessage(note) }
      }
    }
  }
}

extension SchemaPlan {
  /// Notes that suggest `schema rename`. If the plan drops exactly one field of a schema and adds
  /// exactly one, the user may have intended to rename the field. The same applies if the plan
  /// drops one schema and creates one.
  fileprivate var possibleRenames: [String] {
    var pairs: [String: (old: [String], new: [String])] = [:]
    for step in steps {
      switch step {
      case .dropField(let schema, let field): pairs[schema, default: ([], [])].old.append(field)
      case .addField(let schema, let field): pairs[schema, default: ([], [])].new.append(field.name)
      case .dropSchema(let schema): pairs["", default: ([], [])].old.append(schema)
      case .createSchema(let schema): pairs["", default: ([], [])].new.append(schema.name)
      case .renameSchema, .renameField, .changeType, .changeRules, .dropIndex, .addIndex,
        .changeProperties, .changeDoc, .changeAccess, .reorderFields:
        break
      }
    }
    return pairs.sorted { $0.key < $1.key }.compactMap { schema, names in
      guard names.old.count == 1, names.new.count == 1,
        schema.isEmpty || canRename(names.old[0], to: names.new[0], in: schema)
      else { return nil }
      let old = schema.isEmpty ? names.old[0] : "\(schema).\(names.old[0])"
      return "If \(names.new[0]) is the new name of \(old), rename it first: "
        + "datactl schema rename \(old) \(names.new[0])"
    }
  }

  /// Whether an added field can keep the values of a dropped field, because both have the same type
  /// or the values can be converted.
  private func canRename(_ old: String, to new: String, in schema: String) -> Bool {
    var types: (old: FieldType?, new: FieldType?)
    for stage in stages {
      switch stage {
      case .dropFields(_, let before, _) where before.name == schema:
        types.old = before.slot(named: old).map(before.type)
      case .change(let alteration) where alteration.to.name == schema:
        types.new = alteration.to.slot(named: new).map(alteration.to.type)
      case .dropFields, .dropSchema, .rename, .create, .change: break
      }
    }
    guard let old = types.old, let new = types.new else { return true }
    return old == new || Conversion(old, new) != nil
  }

  /// Returns a note for each schema or field that is created instead of renamed, because the store
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
        .dropIndex, .addIndex, .changeProperties, .changeDoc, .changeAccess, .reorderFields:
        return nil
      }
    }
  }
}

extension CommandContext {
  /// Returns the schemas of the store.
  ///
  /// - Parameter isNew: Whether to return an empty catalog if the store does not exist yet. If this
  ///   is false, a missing store is an error.
  func schemasToCompare(isNew: Bool) async throws(DataError) -> StoredCatalog {
    do throws(DataError) {
      let client = try await open(for: .reading)
      let stored = try await client.store.catalog()
      guard stored.version > 0 || isNew else { throw .noStore(client.address.description) }
      return stored
    } catch {
      guard error.code == .storeNotFound else { throw error }
      if isNew { return StoredCatalog(Catalog(), version: 0) }
      throw error.modifyingProblems { $0.hint = "pass --new to compare with an empty store" }
    }
  }
}

extension Input {
  /// The option `--new`. With it, a store that does not exist yet is treated like an empty store.
  static func newStore(_ property: @autoclosure @escaping Property<Bool>) -> Input {
    .flag(
      "--new", property(), "If the store does not exist yet, compare the files with an empty store."
    )
  }
}
