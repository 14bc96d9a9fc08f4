internal import ClientCore
internal import DataStore
internal import RecordText

/// A sequence of records, which are fetched from the store in chunks during iteration.
public struct RecordSequence<Element: Sendable>: AsyncSequence, Sendable {
  let records: Records<Element>
  let input: Result<QueryInput, DataError>
  /// The relations to expand; empty for model types, whose properties determine them.
  let relations: String

  /// Returns an iterator, which runs the query when the first record is requested.
  public func makeAsyncIterator() -> Iterator {
    Iterator(sequence: self)
  }

  /// An iterator over the records of a query.
  public struct Iterator: AsyncIteratorProtocol {
    private let sequence: RecordSequence
    private var trees: TreeIterator?

    init(sequence: RecordSequence) {
      self.sequence = sequence
    }

    /// Fetches the next record.
    ///
    /// - Returns: The record, or nil at the end.
    /// - Throws: A ``DataError`` if the query is invalid, if the store cannot be read, or if the
    ///   record cannot be decoded.
    public mutating func next() async throws -> Element? {
      do {
        return try await nextElement()
      } catch let error as DataError {
        throw error.inWordsOfLibrary
      }
    }

    private mutating func nextElement() async throws -> Element? {
      if Task.isCancelled { throw DataError.interrupted }
      var trees: TreeIterator
      if let current = self.trees {
        trees = current
      } else {
        trees = try await sequence.records.trees(sequence.input.get(), sequence.relations)
      }
      // The rows of the iterator must not be copied.
      self.trees = nil
      // After an error too: a further call must not run the query again.
      defer { self.trees = trees }
      guard let next = try await trees.next() else {
        trees.end()
        return nil
      }
      return try sequence.records.decode(next)
    }
  }
}

extension Records {
  /// Runs a query, and returns an iterator over its records.
  func trees(_ input: QueryInput, _ relations: String) async throws(DataError) -> TreeIterator {
    switch client.executor {
    case .store(let store):
      guard let shared = client.pooledStore else {
        return try await trees(input, relations, from: store)
      }
      // The caller reads the records as slowly as it likes.
      let reserved = try await shared.reserving { () throws(DataError) in
        try await trees(input, relations, from: store)
      }
      if let reserved { return reserved }
      return try await copiedTrees(input, relations, from: store)
    case .server(let server): return try await trees(input, relations, from: server)
    }
  }

  /// Returns an iterator over a copy of the records. The levels of a tree that are deeper than a
  /// request can expand are not read from the same snapshot.
  private func copiedTrees(
    _ input: QueryInput, _ relations: String, from store: any Store
  ) async throws(DataError) -> TreeIterator {
    let stored = try await store.catalog()
    let model = try self.model(in: stored)
    let paths = model.paths(with: relations)
    let request = ReadRequest(
      .records(input, RecordOptions(expansion: paths.isEmpty ? nil : paths)))
    if paths.isEmpty {
      return TreeIterator(model.schema, client.copiedRecords(of: request, model.schema))
    }
    let expansion = try Expansion(expanding: paths, of: model.schema, in: stored.catalog)
    var trees = TreeIterator(
      NestedRecords(
        client.copiedLines(of: request), of: model.schema, expansion, from: .ownStore))
    if model.isTree {
      trees.related = TreeIterator.Related(model: model) { records throws(DataError) in
        try await RelatedRecords(of: records, model, from: store)
      }
    }
    return trees
  }

  private func trees(
    _ input: QueryInput, _ relations: String, from store: any Store
  ) async throws(DataError) -> TreeIterator {
    let source = try await source(from: store, isSnapshot: !relations.isEmpty)
    let relations = source.model?.expansion(relations) ?? relations
    let checked = try await client.check(input, from: source.reader)
    var trees = TreeIterator(checked.schema)
    var query = checked.query()
    if !relations.isEmpty {
      let expansion = try Expansion(
        expanding: relations, of: checked.schema, in: checked.stored.catalog)
      try await source.reader.prepare(toRead: [checked.schema] + expansion.schemas)
      query.computed = expansion.inverses.map(\.expression)
      trees.expansion = (expansion, source.reader)
    }
    if let model = source.model, model.isTree {
      trees.related = TreeIterator.Related(model: model) { records throws(DataError) in
        try await RelatedRecords(of: records, model, from: source.reader)
      }
    }
    trees.stream = try await source.reader.records(query)
    return trees
  }

  /// Returns the reader from which the records are read: a snapshot of the store if their model
  /// type contains other records, or if `isSnapshot` is true. For a model type, also returns its
  /// schemas.
  func source(
    from store: any Store, isSnapshot: Bool
  ) async throws(DataError) -> (model: CheckedModel?, reader: any StoreReader) {
    let model = type == nil ? nil : try self.model(in: try await store.catalog())
    guard isSnapshot || model?.isTree == true else { return (model, store) }
    let snapshot = try await store.snapshot()
    guard model?.isTree == true else { return (model, snapshot) }
    // The schemas may have changed before the snapshot was taken.
    let current = try self.model(in: try await snapshot.catalog())
    try await snapshot.prepare(toRead: current.schemas)
    return (current, snapshot)
  }
}

/// An iterator over the records of a query, and the records that they refer to.
struct TreeIterator {
  struct Related {
    let model: CheckedModel
    /// Fetches the records that the given records contain.
    let fetch: ([Record]) async throws(DataError) -> RelatedRecords
  }

  fileprivate(set) var stream: (any RecordStream)?
  let schema: Schema
  private var check: StoredValueCheck
  private var rows: Rows?
  private var row = 0
  /// A function that fetches the records that a record contains. Nil if the model type contains no
  /// records.
  var related: Related?
  /// The next records and the records that they contain.
  private var fetched: (records: ArraySlice<Record>, related: RelatedRecords?) = ([], nil)
  /// The relations to expand, and the snapshot from which related records are read. Nil if no
  /// relation is expanded.
  fileprivate(set) var expansion: (relations: Expansion, snapshot: any StoreReader)?
  /// The rows of the current chunk whose related records have not been fetched yet, divided into
  /// ranges. The related records of one range are fetched together.
  private var ranges: RelatedRanges?
  /// The records of a server's response that contain others; nil for other sources.
  fileprivate var nested: NestedRecords?

  init(_ schema: Schema, _ stream: (any RecordStream)? = nil) {
    self.schema = schema
    self.stream = stream
    check = StoredValueCheck(of: schema)
  }

  /// Creates an iterator over the records of a server's response that contain others.
  init(_ nested: NestedRecords) {
    self.init(nested.schema)
    self.nested = nested
  }

  /// Fetches the next record, and its related records. Returns nil at the end.
  mutating func next() async throws(DataError) -> RecordTree? {
    while true {
      if let record = fetched.records.popFirst() {
        return RecordTree(record, with: fetched.related)
      }
      if expansion == nil, related == nil, let rows, row < rows.count {
        defer { row += 1 }
        return RecordTree(try Record(schema, rows, row, checkedBy: &check))
      }
      guard try await fetch() else { return nil }
    }
  }

  /// Releases what the records were read from.
  mutating func end() { self = TreeIterator(schema) }

  /// Fetches the next records before they are requested.
  mutating func prefetch() async throws(DataError) {
    if fetched.records.isEmpty { _ = try await fetch() }
  }

  /// Fetches the next rows of the stream, or the related records of the next rows. Returns false at
  /// the end.
  private mutating func fetch() async throws(DataError) -> Bool {
    if Task.isCancelled { throw .interrupted }
    let records: [Record]
    if let nested {
      guard let next = try await nested.next() else { return false }
      records = next
    } else if let rows, let snapshot = expansion?.snapshot,
      let element = try await ranges?.next(of: rows, from: snapshot)
    {
      records = try element.records(of: rows, schema, checkedBy: &check)
    } else if let rows, row < rows.count, expansion == nil, let related {
      records = try nextRecords(of: rows, containing: related.model)
    } else {
      let memory = rows.take() ?? Rows(width: schema.width)
      guard let chunk = try await stream?.next(reusing: memory) else { return false }
      ranges = expansion?.relations.ranges(of: chunk, upTo: chunk.count)
      rows = chunk
      row = 0
      return true
    }
    fetched = (records[...], try await related?.fetch(records))
    return true
  }

  /// Returns the next rows in a chunk as records. Their number is limited so that the records that
  /// they contain fit in memory.
  private mutating func nextRecords(
    of rows: Rows, containing model: CheckedModel
  ) throws(DataError) -> [Record] {
    var records: [Record] = []
    var referenceCount = 0
    while row < rows.count, referenceCount < RelatedRecords.maxReferences {
      let record = try Record(schema, rows, row, checkedBy: &check)
      referenceCount += model.referenceCount(of: record)
      records.append(record)
      row += 1
    }
    return records
  }
}
