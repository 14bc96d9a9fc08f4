/// A sort term with its resolved path.
package struct ResolvedOrder: Hashable, Sendable {
  package var path: String
  package var resolvedPath: ResolvedPath
  package var isDescending: Bool
}

extension Query {
  /// Resolves the terms of the full order. Each must have a single value of a sortable type.
  package func resolvedOrder(in catalog: Catalog) throws(DataError) -> [ResolvedOrder] {
    var resolvedPaths: [ResolvedOrder] = []
    for term in fullOrder {
      let resolvedPath = try catalog.resolvedPath(
        toOne: FieldPath(dotted: term.field), from: schema)
      guard resolvedPath.type.isOrdered else {
        throw .cannot("order by", term.field, resolvedPath.type, of: schema)
      }
      resolvedPaths.append(
        ResolvedOrder(path: term.field, resolvedPath: resolvedPath, isDescending: term.isDescending)
      )
    }
    if let cursor = bound?.cursor, !cursor.matches(resolvedPaths) {
      throw DataError(
        Problem(.usage, "the cursor does not belong to this order", schema: schema.name))
    }
    return resolvedPaths
  }

  /// Resolves the paths of the joined fields. Each must be a field, or a part of a geographic point
  /// or a file.
  package func joinedPaths(in catalog: Catalog) throws(DataError) -> [ResolvedPath] {
    var resolvedPaths: [ResolvedPath] = []
    for path in joinedFields {
      let resolvedPath = try catalog.resolvedPath(toOne: path, from: schema)
      if case .keys = resolvedPath.part {
        throw .cannot("show", path.description, resolvedPath.type, of: schema)
      }
      resolvedPaths.append(resolvedPath)
    }
    return resolvedPaths
  }
}

extension Query.Bound {
  /// The cursor at which the page begins or ends.
  package var cursor: Query.Cursor {
    switch self {
    case .after(let cursor), .before(let cursor): cursor
    }
  }
}

extension Query.Cursor {
  fileprivate func matches(_ resolvedPaths: [ResolvedOrder]) -> Bool {
    guard values.count == resolvedPaths.count, values.last != .null else { return false }
    return zip(values, resolvedPaths).allSatisfy { value, term in
      value.isNullOrValue(of: term.resolvedPath.type)
    }
  }
}

extension Value {
  /// Returns whether the value is null or a value of the given sortable type.
  fileprivate func isNullOrValue(of type: FieldType) -> Bool {
    switch self {
    case .null: true
    case .text: type == .id || type == .text || type.relation != nil
    case .integer: type == .integer
    case .number: type == .number
    case .boolean: type == .boolean
    case .datetime: type == .datetime
    case .geopoint, .file, .json, .list: false
    }
  }
}

extension Catalog {
  /// Resolves a path that may only contain to-one relations.
  func resolvedPath(toOne path: FieldPath, from schema: Schema) throws(DataError) -> ResolvedPath {
    let resolvedPath: ResolvedPath
    do throws(PathError) {
      resolvedPath = try self.resolvedPath(path, from: schema)
    } catch {
      throw DataError(error)
    }
    guard !resolvedPath.hops.contains(where: \.isMany) else {
      throw DataError(
        Problem(
          .usage, "\(path) follows a to-many relation, so it may have several values",
          schema: schema.name, field: path.description))
    }
    return resolvedPath
  }
}

extension DataError {
  static func cannot(
    _ verb: String, _ path: String, _ type: FieldType, of schema: Schema
  ) -> DataError {
    DataError(
      Problem(
        .usage, "cannot \(verb) \(Excerpt.escaped(path)), which is \(type.nameWithArticle)",
        schema: schema.name,
        field: Excerpt.escaped(path)))
  }
}
