package import DataModel
package import DataStore
private import DataText

/// One save, from the source of the records to the listener that receives the outcomes.
///
/// It reads ahead before the store takes its lock and hashes passwords then, collects all problems,
/// and decides at the end whether the transaction is committed.
package struct RecordSave<Source: ChangesSource, Listener: SaveListener>: SaveExchange {
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
  private struct Batch {
    var changes: Changes
    var rejected: [Rejection]
  }

  private let schema: Schema
  private let functions: FunctionCheck?
  private let onInvalid: SaveRequest.OnInvalid
  /// The number of records after which the store commits; nil if it commits once at the end.
  private let commitEvery: Int?
  /// The number of records passed to the store since its last commit.
  private var uncommitted = 0
  private var source: Source
  private var waiting: [Batch] = []
  /// The records of the current chunk that the reader rejected.
  private var rejected: [Rejection] = []
  private var spare: Changes?
  private var isAtEnd = false
  /// Whether an invalid function was saved, so that the transaction must be rolled back.
  private var hasWrongFunction = false
  private var problems: DataError?
  private var records = 0

  package init(
    _ source: Source, into schema: Schema, of catalog: Catalog = Catalog(),
    onInvalid: SaveRequest.OnInvalid = .refuseAll, commitEvery: Int? = nil, listener: Listener
  ) {
    self.commitEvery = commitEvery
    self.source = source
    self.schema = schema
    functions = schema.isBuiltIn ? FunctionCheck(catalog) : nil
    self.onInvalid = onInvalid
    self.listener = listener
  }

  /// The number of records, valid and invalid.
  package var count: Int { summary.saved + summary.rejected }

  /// Reads ahead before the store is locked: up to `readAhead` chunks.
  package mutating func prepare() throws(DataError) {
    while !isAtEnd, waiting.count < Self.readAhead {
      if let batch = try read() { waiting.append(batch) }
    }
    waiting.reverse()
  }

  /// True if the input has been read completely, no content of a file comes from a stream that can
  /// be read only once, and nothing was reported that could not be rolled back.
  package var canRestart: Bool {
    isAtEnd && onInvalid == .refuseAll
      && waiting.allSatisfy { batch in batch.changes.contents.allSatisfy(\.canRestart) }
  }

  package mutating func next() throws(DataError) -> Changes? {
    while let batch = try nextBatch() {
      rejected = batch.rejected
      if batch.changes.count > 0 || rejected.isEmpty { return batch.changes }
      try leaveOut(of: batch.changes)
      spare = batch.changes
    }
    return nil
  }

  package mutating func settled(
    _ batch: consuming Changes, outcomes: [Outcome]
  ) throws(DataError) {
    if let functions {
      let check = functions.check(batch, outcomes)
      note(check.problems.map(source.placed))
      hasWrongFunction = hasWrongFunction || !check.problems.isEmpty
      warnings += check.warnings
    }
    try listener.settled(batch, outcomes)
    for (row, outcome) in outcomes.enumerated() {
      switch outcome {
      case .created: summary.created += 1
      case .changed: summary.changed += 1
      case .same: summary.same += 1
      case .refused(let problems):
        rejected.append(Rejection(problems: problems.map(source.placed), row: row))
      }
    }
    try leaveOut(of: batch)
    listener.progressed(SaveProgress(records: records, bytes: source.bytesRead))
    if schema.passwordSlot != nil { batch.wipe() }
    spare = batch
  }

  package mutating func refused(_ problem: Problem) {
    note([source.placed(problem)])
  }

  package mutating func finish() throws(DataError) {
    guard let problems else { return }
    switch onInvalid {
    case .refuseAll: throw problems
    case .skip: if hasWrongFunction { throw problems }
    }
  }

  package mutating func committed(throughLine line: Int) throws(DataError) {
    uncommitted = 0
    try listener.committed(throughLine: line)
  }

  /// The problems of the records that were skipped; nil if there are none.
  package var leftOut: DataError? { problems }

  /// Counts and reports the records of a chunk that are not saved, in order.
  private mutating func leaveOut(of batch: borrowing Changes) throws(DataError) {
    for rejection in rejected.sorted(by: { ($0.line, $0.row ?? -1) < ($1.line, $1.row ?? -1) }) {
      summary.rejected += 1
      note(rejection.problems)
      try listener.rejected(rejection, of: batch)
    }
    rejected = []
    if let problems, stopsAtProblems { throw problems }
  }

  /// Whether a problem ends the save at once: a save that commits in parts cannot roll back
  /// everything at its end.
  private var stopsAtProblems: Bool { commitEvery != nil && onInvalid == .refuseAll }

  /// The limits of the next chunk: it ends where the store has to commit, and arrives within a
  /// second while uncommitted records wait.
  private var portion: Portion {
    guard let commitEvery else { return Portion() }
    return Portion(
      rows: max(1, commitEvery - uncommitted), patience: uncommitted > 0 ? 1 : nil)
  }

  private mutating func nextBatch() throws(DataError) -> Batch? {
    if let batch = waiting.popLast() { return batch }
    return try read()
  }

  private mutating func read() throws(DataError) -> Batch? {
    if isAtEnd { return nil }
    guard
      var changes = try source.next(reusing: spare.take() ?? Changes(for: schema), portion)
    else {
      isAtEnd = true
      return nil
    }
    records += changes.count
    uncommitted += changes.count
    try changes.hashPasswords()
    listener.progressed(SaveProgress(records: records, bytes: source.bytesRead))
    return Batch(changes: changes, rejected: source.rejected)
  }

  private mutating func note(_ found: [Problem]) {
    for problem in found {
      if problems == nil { problems = DataError(problem) } else { problems?.add(problem) }
    }
  }
}

extension Rejection {
  fileprivate var line: Int { problems.first?.line ?? 0 }
}
