package import DataModel
package import DataStore
package import RecordText
import SQLiteStore
import SchemaText

extension Client {
  /// The maximum length of a schema file in a dump.
  private static let maxSchemaLength = 16 << 20

  /// Restores a dump in a store that does not exist or has no schemas, in one transaction.
  ///
  /// - Parameters:
  ///   - source: The bytes of the dump.
  ///   - file: The name of the dump in error messages.
  /// - Throws: An error that names the member if the dump is not exactly as it was written. Nothing
  ///   is changed then.
  package func restore(
    _ source: some ByteSource, file: String, wait: WriteWait = WriteWait(),
    monitor: @escaping StoreWalk.Monitor
  ) async throws(DataError) -> WholeStoreSummary {
    _ = try await catalogWithoutSchemas(to: "restore")
    let reader = DumpReader(try GzipSource(source, file: file), file: file)
    let schemas = try Self.schemas(in: reader)
    return try await write(
      RestoredRecords(
        reader, of: schemas, passwords: .omitted, chunkSize: await store.preferredChunkSize,
        monitor: monitor), of: schemas, to: "restore", wait: wait)
  }

  /// Returns the catalog of a store without schemas.
  ///
  /// - Throws: An error if the caller is not an administrator, or if the store has schemas.
  private func catalogWithoutSchemas(to action: String) async throws(DataError) -> StoredCatalog {
    try await checkIsAdministrator("\(action) a whole store")
    let stored = try await store.catalog()
    try checkHasNoSchemas(stored, to: action)
    return stored
  }

  func checkHasNoSchemas(_ stored: StoredCatalog, to action: String) throws(DataError) {
    guard stored.catalog.schemas.isEmpty else {
      throw DataError(
        .exists, "\(address): the store already has schemas",
        hint: "\(action) to a store that does not exist yet")
    }
  }

  /// Creates schemas and saves the records of a dump in one transaction. The store must have no
  /// schemas.
  func write(
    _ records: RestoredRecords, of schemas: [Schema], to action: String, wait: WriteWait
  ) async throws(DataError) -> WholeStoreSummary {
    let stored = try await catalogWithoutSchemas(to: action)
    // The dry run of a new store uses a temporary file, so that memory does not limit its size.
    let isTrial = end == .rollBack && stored.version == 0 && engine == .sqlite
    let plan = SchemaPlan(schemas.map(SchemaPlan.Stage.create), catalogVersion: stored.version)
    let all = schemas + [.function]
    let planRequest = try await request(for: plan, end: isTrial ? .commit : end, wait: wait)
    let request = WriteRequest(
      to: all, versions: stored.versions(concerning: all), plan: planRequest,
      stamp: planRequest.stamp, wait: wait, end: planRequest.end)
    var records = records
    if isTrial {
      let trial = try SQLiteStore.openTemporary(
        shown: "\(address)", coding: .schemaFile, executor: .ownThread())
      try await trial.write(request, from: &records)
      await trial.close()
    } else {
      if end == .commit { try makeFolder() }
      try await store.write(request, from: &records)
    }
    return records.summary
  }

  /// Reads the schemas of a dump or a copied store, which precede the records.
  static func schemas(in reader: some MemberReader) throws(DataError) -> [Schema] {
    var schemas: [Schema] = []
    var last = ""
    while true {
      let name = try reader.nextName()
      guard name.hasPrefix("schemas/") else { break }
      guard name > last else { throw reader.error("\(name): the member is not in order") }
      try reader.begin(name)
      let text = try reader.contents(atMost: maxSchemaLength)
      let schema = try Schema(checking: SchemaFile.read(text, file: "\(reader.file): \(name)"))
      guard name == "schemas/\(schema.name).json" else {
        throw reader.error("\(name): the schema has another name: \(schema.name)")
      }
      schemas.append(schema)
      last = name
    }
    _ = try Catalog(checking: schemas)
    return schemas
  }
}
