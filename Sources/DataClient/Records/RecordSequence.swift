internal import DataStore
internal import RecordText

/// A sequence of records, which are fetched from the store in chunks during iteration.
public struct RecordSequence: AsyncSequence, Sendable {
  /// Each element is a record with all its fields.
  public typealias Element = Record

  let client: Client
  /// The model type to check against the schema; nil for plain records.
  let type: (any (Codable & Sendable).Type)?
  let input: QueryInput
  /// The relations to expand; empty for model types, whose properties determine them.
  let relations: String

  /// Returns an iterator, which runs the query when the first record is requested.
  public func makeAsyncIterator() -> Iterator {
    Iterator(sequence: self)
  }

  /// An iterator over the records of a query.
  public struct Iterator: AsyncIteratorProtocol {
    private let sequence: RecordSequence
    private var stream: (any RecordStream)?
    private var schema: Schema?
    private var check: StoredValueCheck?
    private var rows: Rows?
    private var row = 0
    /// The schemas of a model type that contains records, and the snapshot from which related
    /// records are read. Nil if the type contains no records.
    private var source: (model: CheckedModel, snapshot: any StoreReader)?
    /// The next records and the records that they refer to.
    private var fetched: (records: ArraySlice<Record>, related: RelatedRecords)?
    /// The relations to expand, and the snapshot from which related records are read. Nil if no
    /// relation is expanded.
    private var expansion: (relations: Expansion, snapshot: any StoreReader)?
    /// The rows of the current chunk whose related records have not been fetched yet, divided into
    /// ranges. The related records of one range are fetched together.
    private var ranges: RelatedRanges?
    /// The next records with the related records of the expanded relations.
    private var expanded: ArraySlice<Record> = []

    init(sequence: RecordSequence) {
      self.sequence = sequence
    }

    /// Fetches the next record.
    ///
    /// - Returns: The record, or nil at the end.
    /// - Throws: A ``DataError`` if the query is invalid or the store cannot be read.
    public mutating func next() async throws -> Record? {
      try await nextTree()?.record
    }

    /// Fetches the next record, and its related records if the model type contains records.
    mutating func nextTree() async throws -> RecordTree? {
      if stream == nil { try await begin() }
      guard let stream, let schema, var check else { return nil }
      while true {
        if let related = fetched?.related, let record = fetched?.records.popFirst() {
          return RecordTree(record, with: related)
        }
        if let record = expanded.popFirst() { return RecordTree(record) }
        if let rows, let snapshot = expansion?.snapshot,
          let element = try await ranges?.next(of: rows, from: snapshot)
        {
          expanded = try element.records(of: rows, schema, checkedBy: &check)[...]
          continue
        }
        if let rows, row < rows.count, expansion == nil {
          if source != nil {
            try await fetchRelated(rows, of: schema)
            continue
          }
          defer { row += 1 }
          return RecordTree(try Record(schema, rows, row, checkedBy: &check))
        }
        let memory = rows.take() ?? Rows(width: schema.width)
        guard let chunk = try await stream.next(reusing: memory) else { return nil }
        ranges = expansion?.relations.ranges(of: chunk, upTo: chunk.count)
        rows = chunk
        row = 0
      }
    }

    private mutating func begin() async throws {
      let client = sequence.client
      var input = sequence.input
      var reader: any StoreReader = client.store
      if let type = sequence.type {
        source = try await client.treeSource(of: type)
        if let source { reader = source.snapshot }
        input.schema =
          if let source { source.model.schema.name } else {
            try await client.checkedSchema(of: type).name
          }
      }
      if !sequence.relations.isEmpty { reader = try await client.store.snapshot() }
      let checked = try await client.check(input, from: reader)
      schema = checked.schema
      check = StoredValueCheck(of: checked.schema)
      var query = checked.query()
      if !sequence.relations.isEmpty {
        let relations = try Expansion(
          expanding: sequence.relations, of: checked.schema, in: checked.stored.catalog)
        try await reader.prepare(toRead: [checked.schema] + relations.schemas)
        query.computed = relations.inverses.map(\.expression)
        expansion = (relations, reader)
      }
      stream = try await reader.records(query)
    }

    /// Fetches the related records of the next rows in a chunk. The number of rows is limited so
    /// that the related records fit in memory.
    private mutating func fetchRelated(_ rows: Rows, of schema: Schema) async throws {
      guard let source, var check else { return }
      var records: [Record] = []
      var referenceCount = 0
      while row < rows.count, referenceCount < RelatedRecords.maxReferences {
        let record = try Record(schema, rows, row, checkedBy: &check)
        referenceCount += source.model.referenceCount(of: record)
        records.append(record)
        row += 1
      }
      let related = try await RelatedRecords(
        of: records, source.model, from: source.snapshot)
      fetched = (records[...], related)
    }
  }
}

/// A sequence of values of a model type. They are decoded from records, which are fetched from the
/// store in chunks during iteration.
public struct ModelSequence<Model: Codable & Sendable>: AsyncSequence, Sendable {
  /// Each element is a value of the model type, decoded from a record.
  public typealias Element = Model

  let records: RecordSequence

  /// Returns an iterator, which runs the query when the first value is requested.
  public func makeAsyncIterator() -> Iterator {
    Iterator(records: records.makeAsyncIterator())
  }

  /// An iterator over the decoded records of a query.
  public struct Iterator: AsyncIteratorProtocol {
    private var records: RecordSequence.Iterator

    init(records: RecordSequence.Iterator) {
      self.records = records
    }

    /// Fetches the next record and decodes it.
    ///
    /// - Returns: The value, or nil at the end.
    /// - Throws: A ``DataError`` if the query is invalid, or if a record cannot be decoded.
    public mutating func next() async throws -> Model? {
      try await records.nextTree()?.decode(Model.self)
    }
  }
}
