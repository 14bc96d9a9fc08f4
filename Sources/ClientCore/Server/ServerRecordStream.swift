internal import DataModel
internal import DataStore
internal import RecordText

/// The records in a response of a server, which are read while they arrive.
actor ServerRecordStream: RecordStream {
  private let lines: ResponseStream
  private let schema: Schema
  private let source: ResponseSource
  private var reader: RecordReader<BytesInMemory>?

  /// - Parameter first: The records that have already been read.
  init(_ lines: ResponseStream, _ first: [UInt8], of schema: Schema, from source: ResponseSource) {
    self.lines = lines
    self.schema = schema
    self.source = source
    reader = Self.reader(of: first, for: schema)
  }

  private static func reader(
    of text: [UInt8], for schema: Schema
  ) -> RecordReader<BytesInMemory> {
    RecordReader(BytesInMemory(text), for: schema, TextForm(.ndjson), file: "")
  }

  func next(reusing rows: consuming Rows) async throws(DataError) -> Rows? {
    while true {
      if var current = reader {
        let chunk = try current.nextRows(of: schema, from: source)
        reader = chunk == nil ? nil : current
        if let chunk { return chunk }
      }
      guard let text = try await lines.nextLines() else { return nil }
      reader = Self.reader(of: text, for: schema)
    }
  }
}

extension RecordReader {
  /// Returns the next records of a server's response, or nil at the end. Throws an error if one of
  /// them does not conform to the schema.
  mutating func nextRows(
    of schema: Schema, from source: ResponseSource
  ) throws(DataError) -> Rows? {
    let changes = try next(reusing: RowChanges(for: schema))
    let problems = (rejected.first?.problems ?? []) + (changes?.firstProblems ?? [])
    if let problem = problems.first {
      let field = problem.field.map { "\(schema.name).\($0): " } ?? ""
      throw source.invalidResponse(field + problem.message)
    }
    return changes?.rows
  }
}
