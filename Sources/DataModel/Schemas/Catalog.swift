/// The schemas of a store, or of a directory of schema files.
public struct Catalog: Hashable, Sendable {
  /// The declared schemas, sorted by name.
  public let schemas: [Schema]
  /// The hint for a schema name that is unknown, in place of a similar name: the advice to log in,
  /// because the schema may be hidden from the caller. Nil if there is no such hint.
  private let hintForMissing: String?
  /// The relations of the schemas, sorted by the name of the schema that they reference.
  private let relations: [RelationField]

  /// A field of a schema that references another schema.
  struct RelationField: Hashable, Sendable {
    var target: String
    /// The index of the schema with this field in `schemas`.
    var schema: Int
    var slot: Int
  }

  /// Creates a catalog without declared schemas.
  package init() {
    schemas = []
    hintForMissing = nil
    relations = []
  }

  /// Creates a catalog of the schemas that are visible to a caller, sorted by name. The visible
  /// schemas may refer to schemas that are hidden from the caller.
  package init(known schemas: [Schema], hintForMissing: String?) {
    self.schemas = schemas
    self.hintForMissing = hintForMissing
    relations = Self.relations(of: schemas)
  }

  /// Creates a catalog. Throws an error if the schemas are inconsistent with each other, such as
  /// when a relation refers to a missing schema. The schemas of an existing store need not be
  /// checked again, because they were checked when they were applied.
  package init(checking schemas: [Schema]) throws(DataError) {
    self.schemas = schemas.sorted { $0.name < $1.name }
    hintForMissing = nil
    relations = Self.relations(of: self.schemas)
    if let error = DataError(Self.problems(of: self.schemas)) { throw error }
  }

  /// The declared schemas, followed by the built-in schema of stored functions.
  package var all: [Schema] { schemas + [.function] }

  /// The declared or built-in schema with the given name, or nil if it does not exist.
  public subscript(name: String) -> Schema? {
    index(of: name).map { schemas[$0] } ?? (name == Schema.functionName ? .function : nil)
  }

  /// Returns the index in `schemas` of the schema with the given name, or nil if none is declared.
  package func index(of name: String) -> Int? { Self.index(of: name, in: schemas) }

  private static func index(of name: String, in schemas: [Schema]) -> Int? {
    var range = schemas.indices
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      if schemas[middle].name == name { return middle }
      range =
        schemas[middle].name < name
        ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return nil
  }

  private static func relations(of schemas: [Schema]) -> [RelationField] {
    var relations: [RelationField] = []
    for (index, schema) in schemas.enumerated() {
      for (slot, field) in schema.fields.enumerated() {
        guard let target = field.type.relation?.target else { continue }
        relations.append(RelationField(target: target, schema: index, slot: slot))
      }
    }
    return relations.sorted { ($0.target, $0.schema, $0.slot) < ($1.target, $1.schema, $1.slot) }
  }

  /// The relations that reference a schema, in the order of the schemas and fields.
  func relations(to target: String) -> ArraySlice<RelationField> {
    var (low, high) = (0, relations.count)
    while low < high {
      let middle = (low + high) / 2
      if relations[middle].target < target { low = middle + 1 } else { high = middle }
    }
    return relations[low...].prefix { $0.target == target }
  }

  /// The schema whose records are the users, or nil if none is declared.
  public var userSchema: Schema? { schemas.first { $0.kind == .user } }

  /// Returns the declared or built-in schema with the given name. If it does not exist, throws an
  /// error that suggests the most similar name.
  public func schema(_ name: String) throws(DataError) -> Schema {
    if let schema = self[name] { return schema }
    let nearest =
      self[Names.suggested(for: name) ?? ""]?.name
      ?? DataModel.nearest(name, among: schemas.map(\.name))
    throw DataError(
      Problem(
        .schemaNotFound, "no schema \(name)",
        hint: hintForMissing ?? nearest.map { "did you mean \($0)?" }, schema: name))
  }

  /// Returns the schema, followed by the schemas that it references directly or through other
  /// schemas.
  package func referenced(from schema: Schema) -> [Schema] {
    var found = [schema]
    var next = 0
    while next < found.count {
      for field in found[next].fields {
        guard let target = field.type.relation?.target,
          !found.contains(where: { $0.name == target }),
          let schema = self[target]
        else { continue }
        found.append(schema)
      }
      next += 1
    }
    return found
  }

  private static func problems(of schemas: [Schema]) -> [Problem] {
    var problems: [Problem] = []
    let names = schemas.map(\.name)
    let known = Set(names)
    for (name, next) in zip(names, names.dropFirst()) where name == next {
      problems.append(Problem(.invalidSchema, "declared twice", schema: name))
    }
    problems += userProblems(of: schemas)
    for schema in schemas {
      for field in schema.fields {
        guard let relation = field.type.relation, !known.contains(relation.target) else { continue }
        // Only the first problems are shown, and a search among many names takes time.
        let nearest =
          problems.count < DataError.maxProblems ? nearest(relation.target, among: names) : nil
        problems.append(
          Problem(
            .invalidSchema, "refers to schema \(relation.target), which does not exist",
            hint: nearest.map { "did you mean \($0)?" }, schema: schema.name, field: field.name))
      }
    }
    return problems + defaultProblems(of: schemas) + inverseProblems(of: schemas)
      + ownershipProblems(of: schemas)
  }

  /// Returns the problems of schemas that are valid alone, but not together: two user schemas,
  /// defaults that are users in relations to other records, inverse relations whose names are
  /// taken, and schemas that own each other.
  package static func conflicts(among schemas: [Schema]) -> [Problem] {
    userProblems(of: schemas) + defaultProblems(of: schemas) + inverseProblems(of: schemas)
      + ownershipProblems(of: schemas)
  }

  /// Returns a problem for each circle of several schemas that own each other. A schema that owns
  /// itself is a tree.
  private static func ownershipProblems(of schemas: [Schema]) -> [Problem] {
    schemas.compactMap { schema in
      var path = [schema.name]
      var part = schema
      while let target = part.ownership?.target, let index = index(of: target, in: schemas),
        target != part.name, !path.dropFirst().contains(target)
      {
        path.append(target)
        part = schemas[index]
        // Each circle is reported once, at the first of its schemas.
        guard target == schema.name, path.min() == schema.name else { continue }
        return Problem(
          .invalidSchema, "schemas own each other: \(path.joined(separator: ", "))",
          hint: "remove \"owned\" from one of the relations", schema: schema.name,
          field: schema.ownerSlot.map(schema.name(of:)))
      }
      return nil
    }
  }

  private static func userProblems(of schemas: [Schema]) -> [Problem] {
    schemas.filter { $0.kind == .user }.dropFirst().map { extra in
      Problem(.invalidSchema, "a store can have at most one user schema", schema: extra.name)
    }
  }

  /// Returns a problem for each relation that defaults to the acting user, but has records of
  /// another schema.
  private static func defaultProblems(of schemas: [Schema]) -> [Problem] {
    schemas.flatMap { schema in
      schema.fields.compactMap { field in
        guard field.defaultsToUser, let target = field.type.relation?.target,
          let index = index(of: target, in: schemas), schemas[index].kind != .user
        else { return nil }
        return Problem(
          .invalidSchema, "the default \(Field.userDefault) is a user, but \(target) has no users",
          schema: schema.name, field: field.name)
      }
    }
  }

  /// Returns the problems with the inverse names of relations. An inverse name must not be the name
  /// of a field or property of the target schema, or the inverse name of another relation to that
  /// schema.
  private static func inverseProblems(of schemas: [Schema]) -> [Problem] {
    var problems: [Problem] = []
    var users: [[String]: String] = [:]
    for schema in schemas {
      for field in schema.fields {
        guard let relation = field.type.relation, let inverse = relation.inverse,
          let target = index(of: relation.target, in: schemas).map({ schemas[$0] })
        else { continue }
        let relationName = "\(schema.name).\(field.name)"
        let other = users.updateValue(relationName, forKey: [target.name, inverse])
        let isTaken = target.slot(named: inverse) != nil
        guard let user = isTaken ? "a field or property of \(target.name)" : other else { continue }
        problems.append(
          Problem(
            .invalidSchema, "the inverse \(inverse) has the same name as \(user)",
            hint: "choose another name for the inverse", schema: schema.name, field: field.name))
      }
    }
    return problems
  }
}
