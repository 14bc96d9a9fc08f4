package import DataModel

extension SchemaPlan {
  /// What a set of schemas says of the others in the store.
  package enum Reading: Sendable {
    /// Nothing: each speaks for itself, as files do.
    case ofSchemas
    /// That there are none, as a folder does.
    case ofStore
  }

  /// Plans the way to other schemas, or says what would not fit the data or would lose some.
  package init(
    from stored: StoredCatalog, to schemas: [Schema], reading: Reading
  ) throws(DataError) {
    let old = stored.catalog
    let unnamed = old.schemas.filter { schema in !schemas.contains { $0.name == schema.name } }
    var problems: [Problem] = []
    // What a schema refers to may be in the store alone: that it is not among the files is then the
    // one thing to say of it.
    _ = try Catalog(checking: schemas + unnamed)
    switch reading {
    case .ofSchemas: break
    case .ofStore:
      problems = unnamed.map { schema in
        Problem(
          .loss, "the store has this schema, and no file of the folder declares it",
          hint: """
            to keep it: datactl schema show \(schema.name) > FOLDER/\(schema.name).json
            to take it away with its records: datactl schema drop \(schema.name)
            """, schema: schema.name)
      }
    }
    var creations: [Step] = []
    var changes: [Step] = []
    for schema in schemas.sorted(by: { $0.name < $1.name }) {
      guard let before = old[schema.name] else {
        creations.append(.create(schema))
        continue
      }
      let refusals = before.obstacles(to: schema)
      problems += refusals
      if refusals.isEmpty { changes += try Self.steps(from: before, to: schema) }
    }
    if let error = DataError(problems) { throw error }
    self.init(creations + changes, catalogVersion: stored.version)
  }

  /// Plans that schemas go; one that others refer to cannot.
  package init(dropping names: [String], from stored: StoredCatalog) throws(DataError) {
    var dropped: [Schema] = []
    for name in names {
      let schema = try stored.catalog.schema(name)
      guard !schema.isBuiltIn else {
        throw DataError(
          Problem(.usage, "\(name) is in every store, and cannot be dropped", schema: name))
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
              hint: "drop \(other.name) too, or first", schema: schema.name))
        }
      }
    }
    if let error = DataError(problems) { throw error }
    self.init(Self.inOrder(dropped).map(Step.drop), catalogVersion: stored.version)
  }

  /// Puts a schema behind those that refer to it, as far as they do not refer to each other.
  private static func inOrder(_ schemas: [Schema]) -> [Schema] {
    var rest = schemas
    var ordered: [Schema] = []
    while !rest.isEmpty {
      let free = rest.firstIndex { schema in
        !rest.contains { $0.name != schema.name && $0.refers(to: schema.name) }
      }
      ordered.append(rest.remove(at: free ?? 0))
    }
    return ordered
  }

  /// The steps between two versions of a schema whose records fit both.
  private static func steps(from old: Schema, to new: Schema) throws(DataError) -> [Step] {
    guard old != new else { return [] }
    var steps: [Step] = []
    var present = old
    let added = new.fields.indices.filter { slot in
      !old.fields.contains { $0.name == new.fields[slot].name }
    }
    if !added.isEmpty {
      present = try old.adding(fieldsOf: new)
      steps.append(.addFields(added, to: present))
    }
    if present.hasOtherIndexes(than: new) {
      steps.append(.changeIndexes(from: present, to: new))
    } else if present != new {
      steps.append(.describe(new))
    }
    return steps
  }
}

extension Schema {
  fileprivate func refers(to name: String) -> Bool {
    fields.contains { $0.type.relation?.target == name }
  }

  fileprivate func hasOtherIndexes(than other: Schema) -> Bool {
    let unique = Set(fields.filter(\.isUnique).map(\.name))
    let otherUnique = Set(other.fields.filter(\.isUnique).map(\.name))
    return unique != otherUnique || Set(indexes) != Set(other.indexes)
  }

  /// The schema with the fields that a newer version has beyond its own, in their places there.
  fileprivate func adding(fieldsOf new: Schema) throws(DataError) -> Schema {
    var draft = SchemaDraft(name: name)
    draft.doc = new.doc
    draft.kind = kind
    draft.fields = new.fields.map { field in
      .init(fields.first { $0.name == field.name } ?? field)
    }
    draft.indexes = indexes.map { .init($0.terms) }
    draft.properties = new.properties.map { .init($0.name, field: $0.field) }
    return try Schema(checking: draft)
  }
}
