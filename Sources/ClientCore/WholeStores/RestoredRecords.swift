import DataModel
import DataStore
import RecordText

/// The operations that save the records, the functions and the contents of files of a dump.
struct RestoredRecords: OperationSource {
  private enum Stage {
    case records(Int)
    case functions
    case files
    case ended
  }

  private let reader: any MemberReader
  private let schemas: [Schema]
  /// The schemas whose members have not been read, because the caller knows these schemas.
  private let unread: [Schema]
  private let passwords: PasswordHashes
  private let limit: ChunkLimit
  private let monitor: StoreWalk.Monitor
  private var hasBegun = false
  private var stage = Stage.records(0)
  /// The records of the current member, or nil between two members.
  private var records: RecordReader<MemberSource>?
  private var spare: RowChanges?
  private var digest: SchemaDigest.Builder?
  private var files: FileIndex? = FileIndex()
  private var contents: FileIndex.Reader?
  private var problems: DataError?
  private(set) var summary = WholeStoreSummary()

  init(
    _ reader: any MemberReader, of schemas: [Schema], unread: [Schema] = [],
    passwords: PasswordHashes, chunkSize: Int?, monitor: @escaping StoreWalk.Monitor
  ) {
    self.unread = unread
    self.reader = reader
    self.schemas = schemas
    self.passwords = passwords
    self.monitor = monitor
    limit = chunkSize.map { ChunkLimit(bytes: $0) } ?? ChunkLimit()
  }

  /// A dump is read only once.
  var canRestart: Bool { false }

  mutating func next() throws(DataError) -> WriteOperation? {
    if !hasBegun {
      hasBegun = true
      for schema in unread {
        try reader.begin("schemas/\(schema.name).json")
        _ = try reader.contents(atMost: .max)
      }
      // The first operation begins the transaction, which a dump without records needs too.
      return .save(RowChanges(for: .function), Self.policy)
    }
    while true {
      switch stage {
      case .records(let index) where index < schemas.count:
        let schema = schemas[index]
        if let chunk = try chunk(of: "records/\(schema.name).ndjson", schema) {
          return .save(chunk, Self.policy)
        }
        stage = .records(index + 1)
      case .records: stage = .functions
      case .functions:
        if let chunk = try chunk(of: "functions.ndjson", .function) {
          return .save(chunk, Self.policy)
        }
        contents = try files.take()?.reader()
        stage = .files
      case .files:
        if let operation = try content() { return operation }
        try reader.finish()
        stage = .ended
      case .ended: return nil
      }
    }
  }

  private static var policy: SavePolicy {
    var policy = SavePolicy(mode: .create, systemFields: .given)
    policy.attachments = .separate
    return policy
  }

  /// Returns the next records of a member, or nil at its end.
  private mutating func chunk(
    of member: String, _ schema: Schema
  ) throws(DataError) -> RowChanges? {
    if records == nil {
      try reader.begin(member)
      digest = SchemaDigest.Builder(of: schema)
      records = RecordReader(
        MemberSource(reader: reader), for: schema, TextForm(.ndjson),
        file: "\(reader.file): \(member)", longestText: InputLimitError.longestLocalRecord)
    }
    var memory = spare.take() ?? RowChanges(for: schema)
    if memory.schema != schema { memory = RowChanges(for: schema) }
    let chunk = try nextChunk(reusing: memory)
    guard let chunk else {
      records = nil
      let sha256 = try reader.end()
      if let digest = digest.take()?.finish(bytes: 0, sha256: sha256) {
        if schema.isBuiltIn { summary.functions = digest } else { summary.digests.append(digest) }
      }
      return nil
    }
    guard chunk.contents.isEmpty else {
      throw reader.error("\(member): expected no contents of files in the records")
    }
    try monitor(chunk.count)
    for row in 0..<chunk.count { try note(row, of: chunk) }
    return chunk
  }

  private mutating func nextChunk(
    reusing memory: consuming RowChanges
  ) throws(DataError) -> RowChanges? {
    guard var reader = records.take() else { return nil }
    let chunk = try reader.next(reusing: memory, limit)
    if let error = DataError(reader.rejected.flatMap(\.problems)) { throw error }
    records = reader
    return chunk
  }

  /// Counts a record and its files, whose contents follow the records.
  private mutating func note(_ row: Int, of chunk: borrowing RowChanges) throws(DataError) {
    let schema = chunk.schema
    digest?.add(row, of: chunk.rows)
    if let slot = schema.passwordSlot {
      let hasPassword = chunk.rows[row, slot].hasValue
      if !hasPassword { summary.usersWithoutPassword += 1 }
      if hasPassword, passwords == .omitted {
        throw reader.error("records/\(schema.name).ndjson: expected no passwords")
      }
    }
    for slot in schema.fields.indices
    where schema.slots[slot].kind == .file && chunk.rows[row, slot].hasValue {
      try digest?.add(slot, row, of: chunk.rows, to: &files)
    }
  }

  /// Returns the operation that adds the next content of a file, or nil after the last one.
  private mutating func content() throws(DataError) -> WriteOperation? {
    guard let group = try contents?.next() else { return nil }
    let reader = reader
    let name = "files/\(group[0].sha256)"
    let size = try reader.begin(name) ?? group[0].size
    guard group.allSatisfy({ $0.size == size }) else {
      throw reader.error("\(name): the size is not the one that the record names")
    }
    let fields = try group.map { entry throws(DataError) in
      guard let schema = schemas.first(where: { $0.name == entry.schema }) else {
        throw reader.error("\(name): unexpected")
      }
      return FileField(entry.slot, of: entry.id, in: schema)
    }
    let monitor = monitor
    let content = FileContent.stream { () throws(DataError) in
      { () throws(DataError) in
        try monitor(0)
        var piece: [UInt8] = []
        if try reader.read(into: &piece, atMost: 64 << 10) > 0 { return piece }
        guard try reader.end() == group[0].sha256 else {
          throw reader.error("\(name): the content does not have this SHA-256")
        }
        return nil
      }
    }
    return .content(content, fields)
  }

  mutating func applied(
    _ chunk: consuming RowChanges, outcomes: [Outcome]
  ) throws(DataError) {
    for outcome in outcomes {
      guard case .refused(let found) = outcome else { continue }
      for problem in found { refused(problem) }
    }
    spare = chunk
    if let problems { throw problems }
  }

  mutating func refused(_ problem: Problem) {
    var problem = problem
    problem.file = reader.file
    problem.line = nil
    problems.add(problem)
  }

  mutating func finish() throws(DataError) {
    if let problems { throw problems }
  }

  mutating func committed(throughLine line: Int) {}
}
