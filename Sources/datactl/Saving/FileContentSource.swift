import ClientCore
import DataModel
import RecordText

/// A source with one record for each of the given files. The content of the file is saved in a
/// field of the record. The id of the record is the name of the file without the folder.
struct FileContentSource: ChunkSource {
  private static let maxChunkSize = 64

  private let paths: [String]
  private let schema: Schema
  private let slot: Int
  private let context: CommandContext
  private var count = 0

  let rejected: [Rejection] = []
  private(set) var bytesRead = 0

  /// Creates a source with a record for each of the given files.
  ///
  /// - Parameters:
  ///   - paths: The paths of the files.
  ///   - field: The name of the field, or nil for the only file field of the schema.
  /// - Throws: An error if two files have the same name.
  init(
    _ paths: [String], in field: String?, of schema: Schema, with context: CommandContext
  ) throws(DataError) {
    self.paths = paths
    self.schema = schema
    self.context = context
    slot = try Self.slot(of: field, in: schema)
    var pathsByName: [String: String] = [:]
    for path in paths {
      if let other = pathsByName.updateValue(path, forKey: Self.name(of: path)) {
        throw DataError(
          Problem(
            .invalid, "another file has the same name, so the ids would be equal: \(other)",
            schema: schema.name, file: path))
      }
    }
  }

  private static func slot(of field: String?, in schema: Schema) throws(DataError) -> Int {
    let files = schema.fields.filter { $0.type == .file }.map(\.name)
    guard let name = field ?? (files.count == 1 ? files[0] : nil) else {
      throw DataError(
        .usage,
        files.isEmpty
          ? "--files: \(schema.name) has no field of the type file"
          : "--files: \(schema.name) has several fields of the type file",
        hint: files.isEmpty ? nil : "pass --field with one of \(files.joined(separator: ", "))")
    }
    guard let slot = schema.slot(named: name), schema.type(of: slot) == .file else {
      throw DataError(
        .usage, "--field: \(schema.name) has no field \(Excerpt.truncated(name)) of the type file",
        hint: nearest(name, among: files).map { "did you mean \($0)?" })
    }
    return slot
  }

  private static func name(of path: String) -> String {
    path == "-" ? "stdin" : String(path.split(separator: "/").last ?? "")
  }

  mutating func next(
    reusing memory: consuming RowChanges, _ limit: ChunkLimit
  ) throws(DataError) -> RowChanges? {
    var changes = memory
    changes.removeAll()
    var problems: [Problem] = []
    while changes.count < Self.maxChunkSize, problems.isEmpty, count < paths.count {
      try context.console.checkInterruption()
      let file = try FileArgument(of: paths[count], with: context)
      count += 1
      bytesRead += Int(file.reference.size)
      changes.beginRecord(line: count)
      changes.set(schema.keySlot, text: Self.name(of: paths[count - 1]).utf8.span)
      changes.set(slot, file: file.reference, content: file.content)
      problems = changes.endRecord().map(locator.located)
    }
    if let error = DataError(problems) { throw error }
    return changes.count > 0 ? changes : nil
  }

  var locator: InputLocator {
    InputLocator { [paths] problem in
      var located = problem
      if let line = problem.line, paths.indices.contains(line - 1) {
        located.file = paths[line - 1]
      }
      located.line = nil
      return located
    }
  }
}
