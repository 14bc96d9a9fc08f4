import DataModel

/// Compares declared schemas with those of a store, and returns the stages of a plan that changes
/// the store.
struct SchemaPlanner {
  /// Whether the planned changes will be executed or only listed.
  enum Purpose {
    /// The changes will be executed, so an impossible change is an error.
    case change
    /// The changes are only listed, including changes that cannot be executed.
    case comparison
  }

  private let purpose: Purpose
  private let old: Catalog
  private let desired: [DeclaredSchema]
  /// The new names of the stored schemas that are also declared, keyed by their current names.
  private let successors: [String: String]
  private let origins: [String: String]
  /// The schemas of the store that are not declared but are kept.
  private let keptSchemas: [Schema]
  private let dropped: [Schema]

  init(
    from old: Catalog, to desired: [DeclaredSchema], reading: SchemaPlan.Coverage,
    for purpose: Purpose = .change
  ) throws(DataError) {
    self.purpose = purpose
    self.old = old
    self.desired = desired.sorted { $0.schema.name < $1.schema.name }
    let names = RenameMap(of: self.desired, among: old.schemas)
    let successors = names.successors
    self.successors = successors
    origins = names.origins
    let undeclared = old.schemas.filter { successors[$0.name] == nil }
    switch reading {
    case .partial:
      keptSchemas = undeclared
      dropped = []
    case .complete:
      keptSchemas = []
      dropped = undeclared
    }
    try Self.checkFormerNames(of: self.desired)
    if let error = DataError(
      names.ambiguous.map { Problem.ambiguous($0, was: names.origins[$0] ?? "") })
    {
      throw error
    }
    var resulting = desired.map(\.schema)
    switch purpose {
    case .change: try checkReferences(to: dropped)
    case .comparison:
      // In a comparison, a declared schema may refer to a dropped one, so the catalog that is
      // checked must contain both. Placeholders replace the dropped schemas, because two user
      // schemas would be an error.
      for schema in dropped where !resulting.contains(where: { $0.name == schema.name }) {
        resulting.append(try Schema.placeholder(named: schema.name))
      }
    }
    try checkUserSchema()
    for schema in keptSchemas { resulting.append(try schema.renamed(renamedTargets)) }
    _ = try Catalog(checking: resulting)
  }

  /// Throws an error if a user schema is declared, but the store keeps a user schema that is not
  /// declared.
  private func checkUserSchema() throws(DataError) {
    guard let kept = keptSchemas.first(where: { $0.kind == .user }),
      let declared = desired.first(where: { $0.schema.kind == .user })
    else { return }
    throw DataError(
      Problem(
        .invalidSchema,
        "a store can have at most one user schema, and this store already has \(kept.name)",
        hint: "add the fields to \(kept.name), or declare the schema without \"kind\"",
        schema: declared.schema.name, file: declared.draft.file, line: declared.draft.line))
  }

  private var renamedTargets: Schema.NewNames { Schema.NewNames(targets: successors) }

  /// Throws an error if a declared schema refers to a dropped one. The usual cause is that the file
  /// of the dropped schema is missing.
  private func checkReferences(to dropped: [Schema]) throws(DataError) {
    let problems = dropped.compactMap { schema -> Problem? in
      let isDeclared = desired.contains { $0.schema.name == schema.name }
      let isNamed = desired.contains { declared in
        declared.schema.fields.contains { $0.type.relation?.target == schema.name }
      }
      guard isNamed, !isDeclared else { return nil }
      return Problem(
        .referenced, "other schemas refer to this schema, but no file in the folder declares it",
        hint: "to keep the schema: datactl schema show \(schema.name) > FOLDER/\(schema.name).json",
        schema: schema.name)
    }
    if let error = DataError(problems) { throw error }
  }

  /// Throws an error if two schemas have the same former name, or if former names form a cycle.
  private static func checkFormerNames(of desired: [DeclaredSchema]) throws(DataError) {
    var problems: [Problem] = []
    var taken: Set<String> = []
    let cyclicNames = RenameMap.cyclicNames(of: desired.map { ($0.schema.name, $0.was) })
    for declared in desired {
      guard let was = declared.was else { continue }
      let name = declared.schema.name
      if !taken.insert(was).inserted {
        problems.append(
          Problem(
            .invalidSchema, "was: another schema also has the previous name \(was)", schema: name))
        continue
      }
      if cyclicNames.contains(name) {
        problems.append(
          Problem(
            .invalidSchema, "was: the renames form a cycle",
            hint: "first give one of the schemas a temporary name with datactl schema rename",
            schema: name))
      }
    }
    if let error = DataError(problems) { throw error }
  }

  /// Returns the stages of the plan, or throws an error with all problems that prevent the change.
  func stages() throws(DataError) -> [SchemaPlan.Stage] {
    var fieldDrops: [SchemaPlan.Stage] = []
    var replaced: [SchemaPlan.Stage] = []
    var renamings: [SchemaPlan.Renaming] = []
    var creations: [SchemaPlan.Stage] = []
    var changes: [SchemaPlan.Stage] = []
    var problems: [Problem] = []
    for declared in desired {
      guard let origin = origins[declared.schema.name], let before = old[origin] else {
        creations.append(.create(declared.schema))
        continue
      }
      if purpose == .comparison, before.kind != declared.schema.kind {
        replaced.append(.dropSchema(before))
        creations.append(.create(declared.schema))
        continue
      }
      do throws(DataError) {
        let diff = try diff(from: before, to: declared)
        if diff.rest != before {
          fieldDrops.append(.dropFields(diff.dropped, of: before, leaving: diff.rest))
        }
        if diff.renamed != diff.rest {
          renamings.append(SchemaPlan.Renaming(before: diff.rest, after: diff.renamed))
        }
        if !diff.renamed.isSame(as: declared.schema) {
          let alteration = Alteration(from: diff.renamed, to: declared.schema)
          if purpose == .change { try alteration.check() }
          changes.append(.change(alteration))
        }
      } catch {
        problems += error.problems
      }
    }
    for schema in keptSchemas {
      let renamed = try schema.renamed(renamedTargets)
      if renamed != schema {
        renamings.append(SchemaPlan.Renaming(before: schema, after: renamed))
      }
    }
    if let error = DataError(problems) { throw error }
    // If a stored field refers to a dropped schema, the field is changed before the schema is
    // dropped.
    let last = dropped.filter { schema in
      changes.contains { $0.refersBefore(to: schema.name) }
    }
    let first = dropped.filter { schema in !last.contains { $0.name == schema.name } }
    var stages = fieldDrops + replaced + first.referrersFirst.map(SchemaPlan.Stage.dropSchema)
    if !renamings.isEmpty { stages.append(.rename(renamings)) }
    return stages + creations + changes + last.referrersFirst.map(SchemaPlan.Stage.dropSchema)
  }

  /// The fields that a plan drops from a schema, and two intermediate versions of the schema:
  /// `rest` has only the remaining fields, and `renamed` has these fields with their new names.
  private struct SchemaDiff {
    var dropped: [Int]
    var rest: Schema
    var renamed: Schema
  }

  private func diff(from old: Schema, to new: DeclaredSchema) throws(DataError) -> SchemaDiff {
    guard old.kind == new.schema.kind else {
      throw DataError(
        Problem(
          .incompatibleData,
          "a schema of \(old.kind.words) cannot become a schema of \(new.schema.kind.words)",
          schema: new.schema.name))
    }
    let origins = RenameMap(ofFieldsOf: new, among: old)
    let ambiguous = origins.ambiguous.map { name in
      Problem.ambiguous(
        name, was: origins.origins[name] ?? "", schemas: (old.name, new.schema.name))
    }
    if let error = DataError(ambiguous) { throw error }
    let successors = origins.successors
    let dropped = old.fields.indices.filter { successors[old.fields[$0].name] == nil }
    let rest = dropped.isEmpty ? old : try old.withoutFields(dropped)
    if purpose == .change { try checkTargets(of: rest, successors, in: new.schema) }
    var names = Schema.NewNames(schema: new.schema.name, targets: self.successors)
    names.fields = successors
    return SchemaDiff(dropped: dropped, rest: rest, renamed: try rest.renamed(names))
  }

  /// Throws an error if a kept field refers to a dropped schema.
  private func checkTargets(
    of rest: Schema, _ successors: [String: String], in new: Schema
  ) throws(DataError) {
    let problems = rest.fields.compactMap { field -> Problem? in
      guard let target = field.type.relation?.target, isDropped(target) else { return nil }
      let declared = new.fields.first { $0.name == successors[field.name] }
      let isNameTaken = desired.contains { $0.schema.name == target }
      if !isNameTaken, declared?.type.relation?.target != target { return nil }
      return Problem(
        .referenced, "refers to \(target), which would be dropped", hint: "drop the field as well",
        schema: rest.name, field: field.name)
    }
    if let error = DataError(problems) { throw error }
  }

  private func isDropped(_ name: String) -> Bool { dropped.contains { $0.name == name } }
}

extension Problem {
  /// Returns the problem for a schema or field `name` that was renamed from `was` according to its
  /// declaration, although `was` is declared, too. It is then unclear which of the two keeps the
  /// existing values.
  fileprivate static func ambiguous(
    _ name: String, was: String, schemas: (old: String, new: String)? = nil
  ) -> Problem {
    let prefix = schemas.map { $0.old + "." } ?? ""
    return Problem(
      .incompatibleData,
      """
      was \(was), but \(was) is also declared: it is unclear which of them keeps the existing values
      """,
      hint: """
        if \(name) should keep the values: datactl schema rename \(prefix)\(was) \(name); \
        if \(was) should keep the values: remove "was" from \(name)
        """, schema: schemas?.new ?? name, field: schemas == nil ? nil : name)
  }
}

extension Schema {
  /// Returns a schema with the given name and no fields other than its primary key. In a comparison
  /// of schemas, it replaces a dropped schema to which a declared schema may still refer.
  fileprivate static func placeholder(named name: String) throws(DataError) -> Schema {
    var draft = SchemaDraft(name: name)
    draft.fields = [SchemaDraft.FieldDraft(Field(name + "_id", .id))]
    return try Schema(checking: draft)
  }

  /// Returns whether the schemas are equal, ignoring the order of their indexes.
  fileprivate func isSame(as other: Schema) -> Bool {
    guard Set(indexes) == Set(other.indexes) else { return false }
    var draft = SchemaDraft(self)
    draft.indexes = other.indexes.map { .init($0.terms) }
    return (try? Schema(checking: draft)) == other
  }
}

extension SchemaPlan.Stage {
  /// Returns whether the stage changes a schema whose old version refers to the schema `name`.
  fileprivate func refersBefore(to name: String) -> Bool {
    guard case .change(let alteration) = self else { return false }
    return alteration.from.fields.contains { $0.type.relation?.target == name }
  }
}

extension Schema.Kind {
  fileprivate var words: String {
    switch self {
    case .records: "records"
    case .user: "users"
    }
  }
}
