package import DataModel
package import DataStore
private import DataText

/// One save, from the source of the records to the listener that receives the outcomes.
///
/// It reads ahead before the store takes its lock and hashes passwords then, collects the problems
/// of the reader and of the store, and decides whether a transaction is committed.
package struct RecordSave<Source: ChunkSource, Listener: SaveListener>: SaveExchange {
  /// The number of chunks read before the store takes its lock: 4 MB of text and cells. With more
  /// of them, they would be most of the memory of a save.
  package static var readAhead: Int { 8 }

  /// The listener. If it collects records, they are read from here after the save.
  package var listener: Listener
  /// The outcome so far.
  package private(set) var summary = SaveSummary()
  /// Warnings about the functions that are saved.
  package private(set) var warnings: [String] = []

  /// A chunk that was read, with the records that the reader rejected.
  private struct Chunk {
    var changes: RowChanges
    var rejected: [Rejection]
  }

  /// A chunk that was passed to the store and whose results have not all arrived.
  private struct PendingChunk {
    /// The number of rows without a result.
    var rows: Int
    var rejected: [Rejection]
  }

  package let request: SaveRequest
  private var schema: Schema { request.schema }
  private let functions: FunctionCheck?
  /// The number of records read since the last commit of the store.
  private var uncommitted = 0
  private var source: Source
  private var readChunks: [Chunk] = []
  /// The chunks whose results may still arrive, oldest first.
  private var pending: [PendingChunk] = []
  private var spare: RowChanges?
  private var isAtEnd = false
  /// Whether an invalid function was saved, so that the transaction must be rolled back.
  private var hasInvalidFunction = false
  private var problems: DataError?
  private var records = 0

  package init(
    _ source: Source, _ request: SaveRequest, of catalog: Catalog = Catalog(), listener: Listener
  ) {
    self.source = source
    self.request = request
    functions = request.schema.isBuiltIn ? FunctionCheck(catalog) : nil
    self.listener = listener
  }

  /// The number of records, valid and invalid.
  package var count: Int { summary.saved + summary.rejected }

  /// Reads ahead before the store is locked: up to `readAhead` chunks.
  package mutating func prepare() throws(DataError) {
    while !isAtEnd, readChunks.count < Self.readAhead {
      if let chunk = try read() { readChunks.append(chunk) }
    }
    readChunks.reverse()
  }

  /// True if the input has been read completely, no content of a file comes from a stream that can
  /// be read only once, and nothing was reported that could not be rolled back.
  package var canRestart: Bool {
    isAtEnd && request.onInvalid == .refuseAll
      && readChunks.allSatisfy { chunk in chunk.changes.contents.allSatisfy(\.canRestart) }
  }

  package mutating func next() throws(DataError) -> RowChanges? {
    while let chunk = try nextChunk() {
      if chunk.changes.count > 0 || chunk.rejected.isEmpty {
        pending.append(PendingChunk(rows: chunk.changes.count, rejected: chunk.rejected))
        return chunk.changes
      }
      if pending.isEmpty {
        try report(chunk.rejected, of: chunk.changes)
      } else {
        pending[pending.count - 1].rejected += chunk.rejected
      }
      spare = chunk.changes
    }
    return nil
  }

  package mutating func applied(
    _ chunk: consuming RowChanges, outcomes: [Outcome]
  ) throws(DataError) {
    if let functions {
      let check = functions.check(chunk, outcomes)
      note(check.problems.map(source.located))
      hasInvalidFunction = hasInvalidFunction || !check.problems.isEmpty
      warnings += check.warnings
    }
    try listener.applied(chunk, outcomes)
    var rejected = takeRejected(rows: chunk.count)
    for (row, outcome) in outcomes.enumerated() {
      switch outcome {
      case .created: summary.created += 1
      case .changed: summary.changed += 1
      case .same: summary.same += 1
      case .refused(let problems):
        rejected.append(Rejection(problems: problems.map(source.located), row: row))
      }
    }
    try report(rejected, of: chunk)
    listener.progressed(SaveProgress(records: records, bytes: source.bytesRead))
    if schema.passwordSlot != nil { chunk.wipe() }
    spare = chunk
  }

  package mutating func refused(_ problem: Problem) {
    note([source.located(problem)])
  }

  package mutating func finish() throws(DataError) {
    guard let problems else { return }
    switch request.onInvalid {
    case .refuseAll: throw problems
    case .skip: if hasInvalidFunction { throw problems }
    }
  }

  package mutating func committed(throughLine line: Int) throws(DataError) {
    // The results of the committed rows have arrived.
    uncommitted = pending.reduce(0) { $0 + $1.rows }
    try listener.committed(throughLine: line)
  }

  /// The problems of the records that were skipped; nil if there are none.
  package var skippedProblems: DataError? { problems }

  /// Notes that the results of the next rows have arrived, and returns the records that the reader
  /// rejected in the chunks that are complete now.
  private mutating func takeRejected(rows: Int) -> [Rejection] {
    var rejected: [Rejection] = []
    var rows = rows
    while let first = pending.first, first.rows <= rows {
      rows -= first.rows
      rejected += first.rejected
      pending.removeFirst()
    }
    if !pending.isEmpty { pending[0].rows -= rows }
    return rejected
  }

  /// Counts and reports records that are not saved, in order.
  private mutating func report(
    _ rejected: [Rejection], of chunk: borrowing RowChanges
  ) throws(DataError) {
    for rejection in rejected.sorted(by: { ($0.line, $0.row ?? -1) < ($1.line, $1.row ?? -1) }) {
      summary.rejected += 1
      note(rejection.problems)
      try listener.rejected(rejection, of: chunk)
    }
    if let problems, stopsAtProblems { throw problems }
  }

  /// Whether a problem ends the save at once: a save that commits in parts cannot roll back
  /// everything at its end.
  private var stopsAtProblems: Bool {
    request.commitEvery != nil && request.onInvalid == .refuseAll
  }

  /// The limits of the next chunk: it ends where the store has to commit, and arrives within a
  /// second while uncommitted records wait.
  private var chunkLimit: ChunkLimit {
    guard let commitEvery = request.commitEvery else { return ChunkLimit() }
    return ChunkLimit(
      rows: max(1, commitEvery - uncommitted), timeout: uncommitted > 0 ? 1 : nil)
  }

  private mutating func nextChunk() throws(DataError) -> Chunk? {
    if let chunk = readChunks.popLast() { return chunk }
    return try read()
  }

  private mutating func read() throws(DataError) -> Chunk? {
    if isAtEnd { return nil }
    guard
      var changes = try source.next(reusing: spare.take() ?? RowChanges(for: schema), chunkLimit)
    else {
      isAtEnd = true
      return nil
    }
    records += changes.count
    uncommitted += changes.count
    try changes.hashPasswords()
    listener.progressed(SaveProgress(records: records, bytes: source.bytesRead))
    return Chunk(changes: changes, rejected: source.rejected)
  }

  private mutating func note(_ found: [Problem]) {
    for problem in found { problems.add(problem) }
  }
}

extension Client {
  /// Executes a save: reads ahead, then passes the records to the store.
  ///
  /// A save with `commitEvery` may have an endless source, so it does not read ahead.
  package func run<Source, Listener>(
    _ save: inout RecordSave<Source, Listener>
  ) async throws(DataError) {
    let request = save.request
    if request.commitEvery == nil { try save.prepare() }
    if let plan = request.plan?.plan, !plan.isEmpty, request.end == .commit { try makeFolder() }
    try await store.save(request, through: &save)
  }
}

extension Rejection {
  fileprivate var line: Int { problems.first?.line ?? 0 }
}
