extension Catalog {
  /// Resolves the field by which records are grouped into sections: a single text, optionally
  /// through to-one relations.
  package func section(
    by path: FieldPath, of schema: Schema
  ) throws(DataError) -> (route: Route, path: FieldPath) {
    let found: (route: Route, path: FieldPath)
    do throws(PathFault) {
      found = try route(path.names, from: schema)
    } catch {
      throw DataError(error)
    }
    let type = found.route.type
    guard !found.route.hops.contains(where: \.isMany), !type.isList else {
      throw DataError(
        .usage, "cannot make sections by \(found.path), which may have several values")
    }
    guard type == .text || type == .id || type.relation != nil else {
      throw DataError(
        .usage, "cannot make sections by \(found.path), which is \(type.phrase), not text")
    }
    return found
  }
}
