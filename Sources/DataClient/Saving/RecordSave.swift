package import DataModel
package import DataStore
private import DataText

/// One save, from the records' source to the listener that hears what became of them.
///
/// It reads ahead before the store takes its lock, hashes passwords there too, collects every
/// problem, and has the last word on whether the save stands.
package struct RecordSave<Source: ChangesSource, Listener: SaveListener>: SaveExchange {
  /// How many batches are read before the store takes its lock: 4 MB of text and cells. More of
  /// them would be most of what a save holds at once.
  package static var readAhead: Int { 8 }

  /// Who hears of the records; a listener that collects is read here afterwards.
  package var listener: Listener
  /// What the save did, so far.
  package private(set) var summary = SaveSummary()
  /// What is odd about functions that are saved.
  package private(set) var warnings: [String] = []

  /// A batch that was read, with what the reader refused of it.
  private struct Batch {
    var changes: Changes
    var rejected: [Rejection]
  }

  private let schema: Schema
  private let functions: FunctionCheck?
  private let onInvalid: SaveRequest.OnInvalid
  /// After how many records the store commits, if it does so on the way.
  private let commitEvery: Int?
  /// How many records the store has that it has not committed.
  private var uncommitted = 0
  private var source: Source
  private var waiting: [Batch] = []
  /// What the reader refused of the batch that the store has now.
  private var rejected: [Rejection] = []
  private var spare: Changes?
  private var isAtEnd = false
  /// Whether a function that the store has taken asks nothing: all is taken back then.
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

  /// How many records there were, good and bad.
  package var count: Int { summary.saved + summary.rejected }

  /// Reads what is to be read before the store is locked: some batches, or everything.
  package mutating func prepare() throws(DataError) {
    while !isAtEnd, waiting.count < Self.readAhead {
      if let batch = try read() { waiting.append(batch) }
    }
    waiting.reverse()
  }

  /// Everything has been read; no bytes of a file come from a stream that has gone by, and nothing
  /// was written that cannot be taken back.
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

  /// The problems of the records that were left out, if there are any.
  package var leftOut: DataError? { problems }

  /// Counts and reports the records of a batch that are not saved, in their order.
  private mutating func leaveOut(of batch: borrowing Changes) throws(DataError) {
    for rejection in rejected.sorted(by: { ($0.line, $0.row ?? -1) < ($1.line, $1.row ?? -1) }) {
      summary.rejected += 1
      note(rejection.problems)
      try listener.rejected(rejection, of: batch)
    }
    rejected = []
    if let problems, stopsAtProblems { throw problems }
  }

  /// Whether nothing may follow a batch with a problem: a save in parts has no end at which it could
  /// take everything back.
  private var stopsAtProblems: Bool { commitEvery != nil && onInvalid == .refuseAll }

  /// What the next batch is to be: it ends where the store is to commit, and while records wait for
  /// that, it comes within a second.
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
