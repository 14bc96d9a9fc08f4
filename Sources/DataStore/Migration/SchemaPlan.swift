package import DataModel

/// A migration of a store from its current schemas to other ones.
///
/// A plan is a list of stages, which an engine executes in order and in one transaction; `steps`
/// describes the stages for display. Fields and schemas are dropped first, so that their names can
/// be used again. Then all renamings are executed together, so that names can be exchanged.
package struct SchemaPlan: Hashable, Sendable {
  /// One stage of a plan. It contains complete schemas, so that an engine can execute it without
  /// any other information.
  ///
  /// The fields of these schemas are in the order in which records are printed. The columns of a
  /// table can have another order, so engines find columns by name.
  package enum Stage: Hashable, Sendable {
    /// Drops the fields in the given slots, and the indexes that contain them. `leaving` is the
    /// schema without these fields.
    case dropFields([Int], of: Schema, leaving: Schema)
    /// Drops a schema and its records; no remaining field refers to it.
    case dropSchema(Schema)
    /// Renames schemas and fields, all at once, without any other change.
    case rename([Renaming])
    /// Creates a schema. Schemas that it refers to may be created later in the plan.
    case create(Schema)
    /// Adds fields, converts and validates values, creates and drops indexes, and changes
    /// constraints and access rules.
    case change(Alteration)
  }

  /// A schema before and after a renaming. Each field keeps its slot.
  ///
  /// A schema also changes if one of its relations refers to a renamed schema. It can then keep its
  /// own name and field names.
  package struct Renaming: Hashable, Sendable {
    package var before: Schema
    package var after: Schema

    package init(before: Schema, after: Schema) {
      self.before = before
      self.after = after
    }
  }

  package var stages: [Stage]
  /// The version of the catalog that the plan starts from; 0 if the store does not exist yet.
  package var catalogVersion: Int64

  package init(_ stages: [Stage], catalogVersion: Int64) {
    self.stages = stages
    self.catalogVersion = catalogVersion
  }

  package var isEmpty: Bool { stages.isEmpty }

  /// Returns the schemas of a store after the plan.
  package func catalog(after stored: Catalog) throws(DataError) -> Catalog {
    var schemas: [String: Schema] = [:]
    for schema in stored.schemas { schemas[schema.name] = schema }
    for stage in stages {
      switch stage {
      case .dropFields(_, _, let rest): schemas[rest.name] = rest
      case .dropSchema(let schema): schemas[schema.name] = nil
      case .rename(let renamings):
        for renaming in renamings { schemas[renaming.before.name] = nil }
        for renaming in renamings { schemas[renaming.after.name] = renaming.after }
      case .create(let schema): schemas[schema.name] = schema
      case .change(let alteration): schemas[alteration.to.name] = alteration.to
      }
    }
    return try Catalog(checking: Array(schemas.values))
  }

  /// The steps of the plan, in the order of execution.
  package var steps: [Step] { stages.flatMap(\.steps) }
}

extension SchemaPlan {
  /// Whether a plan keeps or drops stored schemas that are not among the declared schemas.
  package enum Coverage: String, CaseIterable, Sendable {
    /// Undeclared schemas are kept, for example because only some of the schema files are applied.
    case partial = "schemas"
    /// Undeclared schemas are dropped, for example because all schema files of a folder are
    /// applied.
    case complete = "store"
  }

  /// Creates a plan that changes the schemas of a store to the declared ones, or throws an error
  /// with all problems that prevent the change.
  package init(
    from stored: StoredCatalog, to schemas: [DeclaredSchema], reading: Coverage
  ) throws(DataError) {
    let reserved = schemas.map(\.schema.name).filter { name in
      Schema.isReservedForNewSchemas(name) && stored.catalog[name] == nil
    }
    let problems = reserved.map { name in
      Problem(.invalidSchema, "\(name) is a reserved name", schema: name)
    }
    if let error = DataError(problems) { throw error }
    let planner = try SchemaPlanner(from: stored.catalog, to: schemas, reading: reading)
    self.init(try planner.stages(), catalogVersion: stored.version)
  }

  /// Returns the steps that would change the schemas of a store to the declared ones, including
  /// steps that cannot be executed.
  package static func differences(
    from stored: Catalog, to schemas: [DeclaredSchema], reading: Coverage
  ) throws(DataError) -> [Step] {
    try SchemaPlanner(from: stored, to: schemas, reading: reading, for: .comparison)
      .stages().flatMap(\.steps)
  }

  /// Creates a plan that changes the schemas of a store to the given ones, without renaming any
  /// schema or field.
  package init(
    from stored: StoredCatalog, to schemas: [Schema], reading: Coverage
  ) throws(DataError) {
    try self.init(from: stored, to: schemas.map { DeclaredSchema($0) }, reading: reading)
  }

  /// Creates a plan that drops schemas. Throws an error if a remaining schema refers to one of
  /// them.
  package init(dropping names: [String], from stored: StoredCatalog) throws(DataError) {
    var dropped: [Schema] = []
    for name in names {
      let schema = try stored.catalog.schema(name)
      guard !schema.isBuiltIn else {
        throw DataError(
          Problem(.usage, "\(name) is built in and cannot be dropped", schema: name))
      }
      dropped.append(schema)
    }
    let staying = stored.catalog.schemas.filter { schema in
      !dropped.contains { $0.name == schema.name }
    }
    var problems: [Problem] = []
    for schema in dropped {
      for other in staying {
        for field in other.fields where field.type.relation?.target == schema.name {
          problems.append(
            Problem(
              .referenced, "cannot be dropped: \(other.name).\(field.name) refers to it",
              hint: """
                drop \(other.name) first, or run schema apply with a folder that contains neither \
                schema
                """,
              schema: schema.name))
        }
      }
    }
    if let error = DataError(problems) { throw error }
    self.init(dropped.referrersFirst.map(Stage.dropSchema), catalogVersion: stored.version)
  }

  /// Creates a plan that renames a schema and its primary key, whose name is derived from the
  /// schema name. The primary key of the user schema keeps its name.
  package init(
    renaming name: String, to new: String, from stored: StoredCatalog
  ) throws(DataError) {
    let schema = try stored.catalog.renamable(name)
    if stored.catalog[new] != nil {
      throw DataError(Problem(.exists, "the schema \(new) already exists", schema: name))
    }
    guard Names.isValid(new, as: .schema) else {
      let near = Names.hint(for: new, as: .schema)
      throw DataError(
        Problem(
          .invalidSchema, "not a valid schema name: \(Excerpt.escaped(new))",
          hint: near.map { "did you mean \($0)?" }
            ?? "use at most 40 lowercase letters, digits and underscores", schema: name))
    }
    var names = Schema.NewNames(schema: new, targets: [name: new])
    if schema.kind == .records { names.fields = [schema.key.name: new + "_id"] }
    let declared = DeclaredSchema(try schema.renamed(names), was: name)
    try self.init(from: stored, to: [declared], reading: .partial)
  }

  /// Creates a plan that renames a field.
  package init(
    renaming field: String, of name: String, to new: String, from stored: StoredCatalog
  ) throws(DataError) {
    let schema = try stored.catalog.renamable(name)
    guard let slot = schema.fields.firstIndex(where: { $0.name == field }) else {
      let near = nearest(field, among: schema.fields.map(\.name))
      throw DataError(
        Problem(
          .usage, "\(name) has no field \(Excerpt.escaped(field))",
          hint: near.map { "did you mean \($0)?" }, schema: name))
    }
    if slot == schema.keySlot && schema.kind == .records {
      throw DataError(
        Problem(
          .usage,
          """
          cannot rename \(name).\(field): the name of a primary key is the name of its schema \
          followed by _id
          """,
          hint: "rename the schema: datactl schema rename \(name) NEW", schema: name))
    }
    if schema.fields.contains(where: { $0.name == new }) {
      throw DataError(
        Problem(.exists, "the field \(new) already exists", schema: name, field: field))
    }
    let renamed = try schema.renamed(Schema.NewNames(fields: [field: new]))
    let declared = DeclaredSchema(renamed, fieldsWere: [new: field])
    try self.init(from: stored, to: [declared], reading: .partial)
  }
}

extension Catalog {
  fileprivate func renamable(_ name: String) throws(DataError) -> Schema {
    let schema = try schema(name)
    if schema.isBuiltIn {
      throw DataError(
        Problem(.usage, "\(name) is built in and cannot be renamed", schema: name))
    }
    return schema
  }
}

extension [Schema] {
  /// The schemas, sorted so that each one comes after all schemas that refer to it. This is not
  /// possible for schemas that refer to each other in a cycle.
  var referrersFirst: [Schema] {
    var rest = self
    var ordered: [Schema] = []
    while !rest.isEmpty {
      let free = rest.firstIndex { schema in
        !rest.contains { $0.name != schema.name && $0.refers(to: schema.name) }
      }
      ordered.append(rest.remove(at: free ?? 0))
    }
    return ordered
  }
}

extension Schema {
  fileprivate func refers(to name: String) -> Bool {
    fields.contains { $0.type.relation?.target == name }
  }
}
