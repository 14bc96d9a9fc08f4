package import DataModel
package import DataOutput
import DataStore
import SchemaText

/// What a command has read from a store or written to one.
package struct WholeStoreSummary: Hashable, Sendable {
  package var digests: [SchemaDigest] = []
  package var functions = 0
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
  /// The store is read twice, because the archive contains the size of each member before its
  /// content.
  ///
  /// - Parameter names: The schemas to dump; nil for all schemas.
  package func dump(
    only names: [String]? = nil, to sink: any ByteSink, monitor: @escaping StoreWalk.Monitor
  ) async throws(DataError) -> WholeStoreSummary {
    let walk = try await walk(only: names, monitor: monitor)
    let writer = try DumpWriter(to: sink)
    var summary = WholeStoreSummary(addedSchemas: walk.addedSchemas)
    summary.omittedFunctions = try await walk.omittedFunctions()
    var files: FileIndex? = FileIndex()
    for schema in walk.catalog.schemas {
      summary.digests.append(try await walk.records(of: schema, files: &files))
    }
    let functions = try await walk.digest(of: .function)
    summary.functions = functions.records
    for schema in walk.catalog.schemas {
      try await writer.add(
        "schemas/\(schema.name).json", Array(SchemaFile.text(schema).utf8))
    }
    for (schema, digest) in zip(walk.catalog.schemas, summary.digests) {
      try await writer.add("records/\(schema.name).ndjson", walk, schema, digest)
    }
    try await writer.add("functions.ndjson", walk, .function, functions)
    var reader = try files.take()?.reader()
    while let file = try reader?.next()?.first {
      try await writer.add("files/\(file.sha256)", size: file.size) { writer throws(DataError) in
        try await walk.content(of: file) { piece throws(DataError) in try writer.write(piece) }
      }
    }
    try await writer.finish(
      DumpManifest.Head(
        newestChange: (summary.digests + [functions]).compactMap(\.newestChange).max()))
    try sink.flush()
    return summary
  }
}

extension DumpWriter {
  /// Adds the records of a schema, which must have the given digest.
  fileprivate func add(
    _ name: String, _ walk: StoreWalk, _ schema: Schema, _ digest: SchemaDigest
  ) async throws(DataError) {
    try await add(name, size: digest.bytes, sha256: digest.sha256) { writer throws(DataError) in
      var files: FileIndex?
      _ = try await walk.records(of: schema, files: &files) { text throws(DataError) in
        try writer.write(text)
      }
    }
  }
}
