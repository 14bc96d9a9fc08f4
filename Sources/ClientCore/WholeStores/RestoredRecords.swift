import DataModel
import DataStore
import RecordText

/// The operations that save the records, the functions and the contents of files of a dump or a
/// copied store.
struct RestoredRecords: OperationSource {
  private enum Stage {
    case records(Int)
    case functions
    case files
    case ended
  }

  /// How much of the current member has been read.
  private enum MemberStage {
    case begun
    case reading
    case ended
  }

  /// What a store already contains because an earlier copy was interrupted.
  struct Continuation {
    /// The names of the schemas whose records are compared with the copied ones.
    var schemas: Set<String> = []
    /// The names of those of them whose records are all saved again.
    var replaced: Set<String> = []
  }

  private let reader: any MemberReader
  private let schemas: [Schema]
  private let passwords: PasswordHashes
  private let limit: ChunkLimit
  private let monitor: StoreWalk.Monitor
  private let continuation: Continuation
  private var hasBegun = false
  private var stage = Stage.records(0)
  private var memberStage = MemberStage.begun
  /// The comparison of the current member with the copied records.
  private var copied: CopiedRecords?
  /// The records that the comparison has found to be new or changed.
  private var changed: RecordReader<SpooledText>?
  /// The records of the current member, or nil between two members.
  private var records: RecordReader<MemberSource>?
  private var spare: RowChanges?
  private var digest: SchemaDigest.Builder?
  private var files: FileIndex? = FileIndex()
  private var contents: FileIndex.Reader?
  private var problems: DataError?
  private(set) var summary = WholeStoreSummary()

  init(
    _ reader: any MemberReader, of schemas: [Schema],
    passwords: PasswordHashes, chunkSize: Int?, continuing continuation: Continuation = .init(),
    monitor: @escaping StoreWalk.Monitor
  ) {
    self.continuation = continuation
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
      // The first operation begins the transaction, which a dump without records needs too.
      return .save(RowChanges(for: .function), Self.policy)
    }
    while true {
      switch stage {
      case .records(let index) where index < schemas.count:
        let schema = schemas[index]
        if let operation = try operation(on: "records/\(schema.name).ndjson", schema) {
          return operation
        }
        stage = .records(index + 1)
      case .records: stage = .functions
      case .functions:
        if let operation = try operation(on: "functions.ndjson", .function) { return operation }
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

  /// Returns the next operation on the records of a member, or nil after the last one.
  private mutating func operation(
    on member: String, _ schema: Schema
  ) throws(DataError) -> WriteOperation? {
    if memberStage == .begun {
      memberStage = .reading
      if continuation.schemas.contains(schema.name) {
        copied = CopiedRecords(
          of: schema, replacesAll: continuation.replaced.contains(schema.name))
      }
    }
    while var comparison = copied.take() {
      switch try comparison.next() {
      case .nextChunk:
        comparison.compare(try nextChunk(of: member, schema))
        copied = comparison
      case .read(let query):
        copied = comparison
        return .read(query, locking: [])
      case .delete(let ids):
        copied = comparison
        var request = DeleteRequest(schema, .ids(IDList(ids)), missing: .ignored)
        request.keepsReferences = true
        return .delete(request)
      case .save(let text):
        changed = RecordReader(
          text, for: schema, TextForm(.ndjson), file: "\(reader.file): \(member)",
          longestText: InputLimitError.longestLocalRecord)
      }
    }
    if var reader = changed.take() {
      if let chunk = try reader.next(reusing: RowChanges(for: schema), limit) {
        changed = reader
        return .save(chunk, Self.policy)
      }
    }
    if let chunk = try nextChunk(of: member, schema) { return .save(chunk, Self.policy) }
    memberStage = .begun
    return nil
  }

  /// Returns the next records of a member, or nil if it has ended.
  private mutating func nextChunk(
    of member: String, _ schema: Schema
  ) throws(DataError) -> RowChanges? {
    guard memberStage == .reading else { return nil }
    let chunk = try chunk(of: member, schema)
    if chunk == nil { memberStage = .ended }
    return chunk
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

  mutating func read(_ chunks: [Rows]) throws(DataError) { copied?.receive(chunks) }

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
