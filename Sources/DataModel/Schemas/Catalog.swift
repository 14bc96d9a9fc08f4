/// All the schemas of a store, or of a folder of files.
public struct Catalog: Hashable, Sendable {
  /// The schemas that were declared, in the order of their names.
  public let schemas: [Schema]

  /// The catalog of a store that has no schema yet.
  package init() {
    schemas = []
  }

  /// Checks that the schemas fit together; what comes from a store has been checked before.
  package init(checking schemas: [Schema]) throws(DataError) {
    self.schemas = schemas.sorted { $0.name < $1.name }
    if let error = DataError(Self.problems(of: self.schemas)) { throw error }
  }

  /// The schemas that were declared, and behind them the one that every store has.
  package var all: [Schema] { schemas + [.function] }

  /// The schema of this name.
  public subscript(name: String) -> Schema? {
    schemas.first { $0.name == name } ?? (name == Schema.functionName ? .function : nil)
  }

  /// The schema of the store's users, if it has one.
  public var userSchema: Schema? { schemas.first { $0.kind == .user } }

  /// The schema of this name, or an error that suggests the nearest.
  public func schema(_ name: String) throws(DataError) -> Schema {
    if let schema = self[name] { return schema }
    let nearest =
      self[Names.suggested(for: name) ?? ""]?.name
      ?? DataModel.nearest(name, among: schemas.map(\.name))
    throw DataError(
      Problem(
        .schemaNotFound, "no schema \(name)", hint: nearest.map { "did you mean \($0)?" },
        schema: name))
  }

  private static func problems(of schemas: [Schema]) -> [Problem] {
    var problems: [Problem] = []
    let names = schemas.map(\.name)
    for (name, next) in zip(names, names.dropFirst()) where name == next {
      problems.append(Problem(.invalidSchema, "declared twice", schema: name))
    }
    for extra in schemas.filter({ $0.kind == .user }).dropFirst() {
      problems.append(
        Problem(.invalidSchema, "a store has at most one user schema", schema: extra.name))
    }
    for schema in schemas {
      for field in schema.fields {
        guard let relation = field.type.relation, !names.contains(relation.target) else { continue }
        let nearest = nearest(relation.target, among: names)
        problems.append(
          Problem(
            .invalidSchema, "refers to schema \(relation.target), which does not exist",
            hint: nearest.map { "did you mean \($0)?" }, schema: schema.name, field: field.name))
      }
    }
    return problems
  }
}
