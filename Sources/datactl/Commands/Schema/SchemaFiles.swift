import ClientCore
import CommandSyntax
import DataModel
import DataStore
import SchemaText

/// The schemas that files declare. If all files of a folder were read, `reading` is `complete`, and
/// the store should contain no other schemas. If only single files were read, it is `partial`.
struct DeclaredFiles: Sendable {
  var schemas: [DeclaredSchema]
  var reading: SchemaPlan.Coverage
}

/// The result of reading schema files: the valid schemas, and the problems of the invalid ones.
struct SchemaFiles {
  private(set) var schemas: [DeclaredSchema] = []
  private(set) var problems: [Problem] = []
  let reading: SchemaPlan.Coverage
  /// For each name in `schemas`, its index.
  private var indexes: [String: Int] = [:]
  private var userSchema: DeclaredSchema?

  init(reading: SchemaPlan.Coverage) {
    self.reading = reading
  }

  /// Returns the schemas. If there are problems, throws an error that contains all of them.
  func checked() throws(DataError) -> DeclaredFiles {
    if let error = DataError(problems) { throw error }
    return DeclaredFiles(schemas: schemas, reading: reading)
  }

  /// The names of all schemas that may be invalid: the schemas that a problem mentions, and the
  /// schema of each file with a problem. The file name gives its schema: `todo` for `todo.json`.
  var invalidSchemaNames: [String] {
    problems.flatMap { problem in
      let file = problem.file?.split(separator: "/").last.map(String.init)
      let name = file.flatMap { $0.hasSuffix(".json") ? String($0.dropLast(5)) : nil }
      return [problem.schema, name].compactMap(\.self)
    }
  }
}

extension CommandContext {
  /// Reads the schemas from files and folders. Throws an error if any of them is invalid.
  func declaredFiles(_ paths: [String]) throws(DataError) -> DeclaredFiles {
    try schemaFiles(paths).checked()
  }

  /// Reads schemas from files and folders, or from the project's schema folder if `paths` is empty.
  func schemaFiles(_ paths: [String]) throws(DataError) -> SchemaFiles {
    let locations = paths.isEmpty ? [try schemaFolder()] : paths
    let folders = Set(locations.map(\.trimmedFolder))
    var names: [String] = []
    var areFolders = true
    for location in locations {
      try console.checkInterruption()
      if try !isFolder(location) { areFolders = false }
      try checkSubfolders(of: location, except: folders)
      names += try schemaPaths(location)
    }
    guard !names.isEmpty else {
      throw DataError(
        Problem(
          .fileNotFound, "no schema files in this folder",
          hint: "write the schemas of a store to it: datactl schema export FOLDER",
          file: locations[0]))
    }
    var files = SchemaFiles(reading: areFolders ? .complete : .partial)
    for name in names {
      try console.checkInterruption()
      files.add(try input(name, for: "schemas").readAll(atMost: 16 << 20), file: name)
    }
    return files
  }

  /// Throws an error if a subfolder contains schema files. Files in subfolders are not read, so
  /// their schemas would be dropped when the folder is applied.
  private func checkSubfolders(
    of location: String, except folders: Set<String>
  ) throws(DataError) {
    for folder in try subfolders(of: location) where !folders.contains(folder) {
      guard try !schemaPaths(folder).isEmpty else { continue }
      throw DataError(
        Problem(
          .invalidSchema, "contains schema files, but subfolders are not read",
          hint: "move the files to \(location.trimmedFolder), or also pass \(folder)",
          file: folder))
    }
  }

  /// Returns the schema folder that `datactl.json` specifies, or `schemas` if it specifies none.
  func schemaFolder() throws(DataError) -> String {
    guard let folder = try ProjectFile.nearest(in: environment)?.schemaFolder else {
      return "schemas"
    }
    // Messages show paths in the working folder as relative paths.
    let prefix = console.folder + "/"
    return folder.hasPrefix(prefix) ? String(folder.dropFirst(prefix.count)) : folder
  }
}

extension String {
  fileprivate var trimmedFolder: String {
    count > 1 && hasSuffix("/") ? String(dropLast()).trimmedFolder : self
  }
}

extension SchemaFiles {
  fileprivate mutating func add(_ bytes: [UInt8], file: String) {
    do throws(DataError) {
      for draft in try SchemaFile.readAll(bytes, file: file) { try add(draft) }
    } catch {
      problems += error.problems
    }
  }

  private mutating func add(_ draft: SchemaDraft) throws(DataError) {
    if let index = indexes[draft.name] {
      report(
        "declared twice",
        hint: schemas[index].draft.file.map { "the schema is also declared in \($0)" },
        in: draft)
    } else if draft.kind == .user, let other = userSchema {
      report(
        "a store can have at most one user schema",
        hint: "the user schema is already declared: \(other.schema.name)", in: draft)
    } else {
      let schema = try DeclaredSchema(checking: draft)
      if draft.kind == .user { userSchema = schema }
      indexes[draft.name] = schemas.count
      schemas.append(schema)
    }
  }

  private mutating func report(_ message: String, hint: String?, in draft: SchemaDraft) {
    problems.append(
      Problem(
        .invalidSchema, message, hint: hint, schema: draft.name, file: draft.file, line: draft.line)
    )
  }
}

extension Input {
  /// The operands for the paths of schema files and folders.
  static func schemaPaths(_ property: @autoclosure @escaping Property<[String]>) -> Input {
    .operands(
      "PATH", property(), kind: .schemaFiles,
      "Schema files, or folders that contain schema files; `-` is standard input.")
  }
}
