internal import DataStore

/// Records of a store, one after another, in flat memory.
public struct RecordSequence: AsyncSequence, Sendable {
  /// What the sequence gives.
  public typealias Element = Record

  let client: Client
  /// The program's own type, which is compared with the schema.
  let type: (any (Codable & Sendable).Type)?
  let question: Question

  /// Begins to find the records; nothing has been asked of the store before.
  public func makeAsyncIterator() -> Iterator {
    Iterator(sequence: self)
  }

  /// Gives the records one by one.
  public struct Iterator: AsyncIteratorProtocol {
    private let sequence: RecordSequence
    private var stream: (any RecordStream)?
    private var schema: Schema?
    private var rows: Rows?
    private var row = 0

    init(sequence: RecordSequence) {
      self.sequence = sequence
    }

    /// The next record; nil behind the last.
    public mutating func next() async throws -> Record? {
      if stream == nil { try await begin() }
      guard let stream, let schema else { return nil }
      while true {
        if let rows, row < rows.count {
          defer { row += 1 }
          return Record(schema, rows, row)
        }
        let memory = rows.take() ?? Rows(width: schema.width)
        guard let batch = try await stream.next(reusing: memory) else { return nil }
        rows = batch
        row = 0
      }
    }

    private mutating func begin() async throws {
      let client = sequence.client
      var question = sequence.question
      if let type = sequence.type {
        question.schema = try await client.checkedSchema(of: type).name
      }
      let checked = try await client.check(question, from: client.store)
      schema = checked.schema
      stream = try await client.store.records(checked.query())
    }
  }
}

/// Values of a program's own type, one after another, in flat memory.
public struct ModelSequence<Model: Codable & Sendable>: AsyncSequence, Sendable {
  /// What the sequence gives.
  public typealias Element = Model

  let records: RecordSequence

  /// Begins to find the records; nothing has been asked of the store before.
  public func makeAsyncIterator() -> Iterator {
    Iterator(records: records.makeAsyncIterator())
  }

  /// Gives the values one by one.
  public struct Iterator: AsyncIteratorProtocol {
    private var records: RecordSequence.Iterator

    init(records: RecordSequence.Iterator) {
      self.records = records
    }

    /// The next value; nil behind the last.
    public mutating func next() async throws -> Model? {
      try await records.next()?.decode(Model.self)
    }
  }
}
