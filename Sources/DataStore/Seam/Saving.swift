package import DataModel

/// What a save is to do, beside the records themselves.
package struct SaveRequest: Sendable {
  package enum End: Sendable {
    case commit
    /// Everything is done and then taken back.
    case rollBack
  }

  /// What happens to the good records if there are bad ones.
  package enum OnInvalid: Sendable {
    /// Nothing is saved.
    case refuseAll
    /// The good ones are saved; each stands by itself.
    case skip
  }

  /// The schema that the changes were checked against.
  package var schema: Schema
  /// The catalog's version then; a store that has moved on refuses.
  package var catalogVersion: Int64
  /// What happens to the schemas before the first record, in the transaction of the records: the
  /// schema is as the plan leaves it. A store that is not there is made.
  package var plan: PlanRequest?
  package var policy: SavePolicy
  package var stamp: Stamp
  package var wait: WriteWait
  package var end: End
  package var onInvalid: OnInvalid
  /// Commits after so many records or a second, instead of once at the end.
  ///
  /// It does so where a batch ends: who wants it finer gives smaller batches. Each part stands for
  /// a command: its references lead somewhere when it ends. A part that is refused is taken back,
  /// and no other follows.
  package var commitEvery: Int?

  package init(
    schema: Schema, catalogVersion: Int64, plan: PlanRequest? = nil,
    policy: SavePolicy = SavePolicy(), stamp: Stamp, wait: WriteWait = WriteWait(),
    end: End = .commit, onInvalid: OnInvalid = .refuseAll,
    commitEvery: Int? = nil
  ) {
    self.schema = schema
    self.catalogVersion = catalogVersion
    self.plan = plan
    self.policy = policy
    self.stamp = stamp
    self.wait = wait
    self.end = end
    self.onInvalid = onInvalid
    self.commitEvery = commitEvery
  }
}

/// The other side of a save: it gives the changes and hears what became of them.
///
/// A store calls `next` until it gives nil, and `settled` for each batch before it asks for the next
/// one. Behind the last it reports what it could tell only then, and calls `finish`, whose error
/// takes everything back. The calls are synchronous, so that nothing else happens in between.
package protocol SaveExchange: Sendable {
  /// Whether a copy of it, as it is now, gives the same changes once more: a store to which others
  /// were in the way begins again with the copy.
  var canRestart: Bool { get }

  /// The next changes, in their order; an error takes everything back.
  ///
  /// An empty batch says that the input stalls: what waits for a commit on the way gets it.
  mutating func next() throws(DataError) -> Changes?

  /// Hears what became of a batch, a row each; its rows are the records as they will stand.
  mutating func settled(_ batch: consuming Changes, outcomes: [Outcome]) throws(DataError)

  /// Hears of a problem that showed itself only behind the row: a target that never came.
  mutating func refused(_ problem: Problem)

  /// Has the last word: its error, which holds all the problems, takes everything back.
  mutating func finish() throws(DataError)

  /// Hears that all up to here is durable, the line of the last record included: after each part,
  /// and so once if there is one. A save without a record commits nothing.
  mutating func committed(throughLine line: Int) throws(DataError)
}
