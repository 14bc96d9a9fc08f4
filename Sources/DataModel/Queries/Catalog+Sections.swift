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
        .usage, "sections are made by one text, and \(found.path) may have many values")
    }
    guard type == .text || type == .id || type.relation != nil else {
      throw DataError(
        .usage, "sections are made by a text, and \(found.path) is \(type.phrase)")
    }
    return found
  }
}
