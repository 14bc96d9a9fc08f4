package import DataModel
package import DataOutput
import DataStore
import SchemaText

/// What a command has read from a store or written to one.
package struct WholeStoreSummary: Hashable, Sendable {
  package var digests: [SchemaDigest] = []
  package var functions: SchemaDigest?
  /// The schemas that were added to the chosen ones, because these need them.
  package var addedSchemas: [String] = []
  /// The functions that were left out, because they use schemas that were not chosen.
  package var omittedFunctions: [String] = []
  /// The number of users who cannot log in until they get a new password.
  package var usersWithoutPassword = 0

  package var records: Int { digests.reduce(0) { $0 + $1.records } }
  package var schemas: Int { digests.count }
}

extension Client {
  /// Writes a dump of the store to a sink: a tar archive, compressed with gzip, that contains the
  /// schemas, the records, the functions and the contents of files. The same store has the same
  /// dump.
  ///
  /// - Parameter names: The schemas to dump; nil for all schemas.
  package func dump(
    only names: [String]? = nil, to sink: any ByteSink, monitor: @escaping StoreWalk.Monitor
  ) async throws(DataError) -> WholeStoreSummary {
    let walk = try await walk(only: names, monitor: monitor)
    let compressed = try GzipSink(sink)
    let summary = try await walk.write(to: DumpWriter(to: compressed))
    try compressed.finish()
    return summary
  }
}

extension StoreWalk {
  /// Writes all of the store as the members of a dump.
  ///
  /// The store is read twice, because a dump contains the size of each member before its content.
  func write(to writer: DumpWriter) async throws(DataError) -> WholeStoreSummary {
    var files: FileIndex? = FileIndex()
    let (summary, functions) = try await digests(files: &files)
    for schema in catalog.schemas {
      try await writer.add("schemas/\(schema.name).json", Array(SchemaFile.text(schema).utf8))
    }
    for (schema, digest) in zip(catalog.schemas, summary.digests) {
      try await add(schema, "records/\(schema.name).ndjson", digest, to: writer)
    }
    try await add(.function, "functions.ndjson", functions, to: writer)
    try await forEachContent(of: files.take()?.reader()) { file throws(DataError) in
      try await writer.add("files/\(file.sha256)", size: file.size) { writer throws(DataError) in
        try await content(of: file) { piece throws(DataError) in try writer.write(piece) }
      }
    }
    try await writer.finish(
      DumpManifest.Head(
        store: try await storeID(),
        newestChange: (summary.digests + [functions]).compactMap(\.newestChange).max()))
    return summary
  }

  /// Writes all of the store to a stream, in one pass.
  func write(
    to writer: WalkStreamWriter, passwords: PasswordHashes
  ) async throws(DataError) -> WholeStoreSummary {
    var files: FileIndex? = FileIndex()
    var summary = try await emptySummary()
    for schema in catalog.schemas {
      try await writer.add("schemas/\(schema.name).json") { writer throws(DataError) in
        let text = Array(SchemaFile.text(schema).utf8)
        try writer.write(text.span)
        var digest = SHA256()
        digest.update(text.span)
        return digest.hexadecimal()
      }
    }
    for schema in catalog.schemas + [.function] {
      let name = schema.isBuiltIn ? "functions.ndjson" : "records/\(schema.name).ndjson"
      try await writer.add(name) { writer throws(DataError) in
        let digest = try await records(of: schema, passwords: passwords, files: &files) {
          text throws(DataError) in try writer.write(text)
        }
        if schema.isBuiltIn { summary.functions = digest } else { summary.digests.append(digest) }
        return digest.sha256
      }
    }
    try await forEachContent(of: files.take()?.reader()) { file throws(DataError) in
      try await writer.add("files/\(file.sha256)") { writer throws(DataError) in
        try await content(of: file) { piece throws(DataError) in try writer.write(piece) }
        return file.sha256
      }
    }
    try writer.finish()
    return summary
  }

  /// Calls a closure with a file for each content, in the order of their SHA-256.
  private func forEachContent(
    of files: FileIndex.Reader?, _ body: (FileIndex.Entry) async throws(DataError) -> Void
  ) async throws(DataError) {
    var reader = files
    while let file = try reader?.next()?.first { try await body(file) }
  }

  private func emptySummary() async throws(DataError) -> WholeStoreSummary {
    var summary = WholeStoreSummary(addedSchemas: addedSchemas)
    summary.omittedFunctions = try await omittedFunctions()
    return summary
  }

  /// Returns the digests of all records and of the functions.
  ///
  /// - Parameter files: If not nil, the files of the records are added to it.
  func digests(
    files: inout FileIndex?
  ) async throws(DataError) -> (summary: WholeStoreSummary, functions: SchemaDigest) {
    var summary = try await emptySummary()
    for schema in catalog.schemas {
      summary.digests.append(try await records(of: schema, files: &files))
    }
    let functions = try await digest(of: .function)
    summary.functions = functions
    return (summary, functions)
  }

  /// Adds the records of a schema, which must have the given digest.
  private func add(
    _ schema: Schema, _ name: String, _ digest: SchemaDigest, to writer: DumpWriter
  ) async throws(DataError) {
    try await writer.add(name, size: digest.bytes, sha256: digest.sha256) {
      writer throws(DataError) in
      var files: FileIndex?
      _ = try await records(of: schema, files: &files) { text throws(DataError) in
        try writer.write(text)
      }
    }
  }
}
