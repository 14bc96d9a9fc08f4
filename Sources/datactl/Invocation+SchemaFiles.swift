import DataClient
import DataModel
import DataText

/// The schemas that files declare, and what is wrong with those that could not be read.
struct SchemaFiles {
  var sources: [SchemaSource] = []
  var problems: [Problem] = []
  /// Whether folders were named and no files: then they speak for a whole store.
  var areWhole: Bool

  /// The schemas, if nothing is wrong with any.
  func checked() throws(DataError) -> [Schema] {
    if let error = DataError(problems) { throw error }
    return sources.map(\.schema)
  }
}

extension SchemaFiles {
  /// What the schemas are called that could not be read, by what is left of their files.
  var namesOfInvalid: [String] {
    problems.flatMap { problem in
      let file = problem.file?.split(separator: "/").last.map(String.init)
      let name = file.flatMap { $0.hasSuffix(".json") ? String($0.dropLast(5)) : nil }
      return [problem.schema, name].compactMap(\.self)
    }
  }
}

extension Invocation {
  /// Reads schema files and folders of them; without any, the folder of the project.
  func schemaFiles(_ paths: [String]) throws(DataError) -> SchemaFiles {
    let places = paths.isEmpty ? [try schemaFolder()] : paths
    var files = SchemaFiles(areWhole: places.allSatisfy(isFolder))
    var names: [String] = []
    for place in places { names += try schemaPaths(place) }
    guard !names.isEmpty else {
      throw DataError(
        Problem(.fileNotFound, "there is no schema file in this folder", file: places[0]))
    }
    for name in names {
      let bytes = try input(name, for: "schemas").readAll(atMost: 16 << 20)
      do throws(DataError) {
        for draft in try SchemaFile.readAll(bytes, file: name) { try files.add(draft) }
      } catch {
        files.problems += error.problems
      }
    }
    return files
  }

  /// The folder of the schema files that `datactl.json` names, else `schemas`.
  private func schemaFolder() throws(DataError) -> String {
    try ProjectFile.nearest(in: surroundings)?.schemaFolder ?? "schemas"
  }
}

extension SchemaFiles {
  fileprivate mutating func add(_ draft: SchemaDraft) throws(DataError) {
    if let other = sources.first(where: { $0.schema.name == draft.name }) {
      problems.append(
        Problem(
          .invalidSchema, "schema \(draft.name) is declared twice",
          hint: other.draft.file.map { "it stands in \($0) too" }, schema: draft.name,
          file: draft.file, line: draft.line))
    } else if draft.kind == .user, let other = sources.first(where: { $0.schema.kind == .user }) {
      problems.append(
        Problem(
          .invalidSchema, "a store has at most one user schema",
          hint: "\(other.schema.name) is one too", schema: draft.name, file: draft.file,
          line: draft.line))
    } else {
      sources.append(try SchemaSource(checking: draft))
    }
  }
}
