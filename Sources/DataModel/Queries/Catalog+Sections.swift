extension Catalog {
  /// Resolves the field by which records are grouped into sections: a single text, optionally
  /// through to-one relations.
  package func section(
    by path: FieldPath, of schema: Schema
  ) throws(DataError) -> (resolvedPath: ResolvedPath, path: FieldPath) {
    let found: (resolvedPath: ResolvedPath, path: FieldPath)
    do throws(PathError) {
      found = try resolvedPath(path.names, from: schema)
    } catch {
      throw DataError(error)
    }
    let type = found.resolvedPath.type
    guard !found.resolvedPath.hops.contains(where: \.isMany), !type.isList else {
      throw DataError(
        .usage, "cannot make sections by \(found.path), which may have several values")
    }
    guard type == .text || type == .id || type.relation != nil else {
      throw DataError(
        .usage, "cannot make sections by \(found.path), which is \(type.nameWithArticle), not text")
    }
    return found
  }
}
