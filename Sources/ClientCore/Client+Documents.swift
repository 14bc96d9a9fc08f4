package import DataAPI
package import DataModel
internal import DataOutput
package import DataStore
package import Maps
import RecordText

/// Methods that read and write documents in the format that a map describes.
extension Client {
  /// Saves the records in a document, and passes the outcome of each record to a listener. Returns
  /// the listener.
  package func save<Listener: SaveListener>(
    _ document: [UInt8], in name: String, by map: DataMap, _ policy: SavePolicy,
    listener: Listener
  ) async throws(DataError) -> Listener {
    let stored = try await store.catalog()
    let schema = try stored.catalog.schema(name)
    let layout = try MapLayout(map, for: schema, in: stored.catalog)
    let locations = MapLocations(layout, file: "")
    let records = try MappedSource(BytesInMemory(document), by: layout, locations)
    let stamp = try await stamp()
    let ids = IDGenerator(clock: { stamp.time.microseconds })
    let schemas = layout.isDeep ? schema.treeSchemas(in: stored.catalog) : [schema]
    func save(_ source: some ChunkSource) async throws(DataError) -> Listener {
      var save = RecordSave(
        source, of: schema, by: policy,
        WriteRequest(
          to: schemas, versions: stored.versions(concerning: schemas), stamp: stamp, end: end),
        in: stored.catalog, listener: listener)
      try await run(&save)
      return save.listener
    }
    do throws(DataError) {
      guard layout.isDeep else {
        let reader = RecordReader(
          records, for: schema, TextForm(map.convertedFormat), file: "", ids: ids)
        return try await save(ReaderSource(reader, file: "", locations: locations))
      }
      let reader = TreeReader(
        records, for: schema, in: stored.catalog, file: "", ids: ids, layout: layout.tree)
      return try await save(TreeSource(reader, locations: locations))
    } catch {
      // A document in memory has no file name.
      throw error.modifyingProblems { $0.file = nil }
    }
  }

  /// Returns a document with the records that a query selects.
  package func document(of query: QueryInput, by map: DataMap) async throws(DataError) -> [UInt8] {
    let sink = BufferSink()
    try await answer(
      ReadRequest(.records(query, RecordOptions()), map: map), to: AnswerOutput(sink))
    return sink.bytes
  }

  /// Returns a document that contains a single record, and not a list of records.
  ///
  /// - Parameters:
  ///   - query: A query that selects only this record.
  ///   - map: The map.
  ///   - reader: The snapshot to read from.
  package func document(
    ofOnlyRecordOf query: CheckedQuery, by map: DataMap, from reader: any StoreReader
  ) async throws(DataError) -> [UInt8] {
    let catalog = query.stored.catalog
    let output = try MapOutput(
      map, of: query.schema, in: catalog, format: nil, cardinality: .one)
    let expansion = try output.expansion(of: query.schema, in: catalog)
    let fields = try FieldChoice(
      nil, of: query.schema, in: catalog, expanding: expansion, by: query.reader)
    let listing = RecordListing(
      query.query(), in: catalog, at: nil, fields: fields, expansion: expansion, format: nil,
      includesFiles: output.layout.includesFiles, map: output, numbers: .number, token: query.token)
    let sink = BufferSink()
    _ = try await listing.print(from: reader, to: AnswerOutput(sink))
    return sink.bytes
  }
}

extension ResponseFormat {
  /// Creates the format of the documents that a map writes.
  init(ofDocumentsOf map: DataMap) {
    self =
      switch map.format {
      case .json: map.hasPath ? .json : .ndjson
      case .xml: .xml
      case .csv: .csv
      }
  }

  /// Returns the value of `Content-Type` for documents of a map, or nil if there is no map.
  ///
  /// - Parameter argument: The value of `--map`, or nil.
  package static func contentType(ofMap argument: String?) throws(DataError) -> String? {
    guard let argument, let map = try DataMap(argument: argument) else { return nil }
    return ResponseFormat(ofDocumentsOf: map).contentType
  }
}
