internal import DataStore
internal import DataText

/// A sequence of records, which are fetched from the store in chunks during iteration.
public struct RecordSequence: AsyncSequence, Sendable {
  /// The type of the elements.
  public typealias Element = Record

  let client: Client
  /// The model type to check against the schema; nil for plain records.
  let type: (any (Codable & Sendable).Type)?
  let input: QueryInput

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

    init(sequence: RecordSequence) {
      self.sequence = sequence
    }

    /// Fetches the next record.
    ///
    /// - Returns: The record, or nil at the end.
    /// - Throws: A ``DataError`` if the query is invalid or the store cannot be read.
    public mutating func next() async throws -> Record? {
      if stream == nil { try await begin() }
      guard let stream, let schema, var check else { return nil }
      while true {
        if let rows, row < rows.count {
          defer { row += 1 }
          return try Record(schema, rows, row, checkedBy: &check)
        }
        let memory = rows.take() ?? Rows(width: schema.width)
        guard let chunk = try await stream.next(reusing: memory) else { return nil }
        rows = chunk
        row = 0
      }
    }

    private mutating func begin() async throws {
      let client = sequence.client
      var input = sequence.input
      if let type = sequence.type {
        input.schema = try await client.checkedSchema(of: type).name
      }
      let checked = try await client.check(input, from: client.store)
      schema = checked.schema
      check = StoredValueCheck(of: checked.schema)
      stream = try await client.store.records(checked.query())
    }
  }
}

/// A sequence of values of a model type. They are decoded from records, which are fetched from the
/// store in chunks during iteration.
public struct ModelSequence<Model: Codable & Sendable>: AsyncSequence, Sendable {
  /// The type of the elements.
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
      try await records.next()?.decode(Model.self)
    }
  }
}
