package import DataModel

/// The parameters of a save.
package struct SaveRequest: Sendable {
  package enum End: Sendable {
    case commit
    /// The changes are made and validated, and then rolled back.
    case rollBack
  }

  /// What happens to valid records if others are invalid.
  package enum OnInvalid: Sendable {
    /// Nothing is saved.
    case refuseAll
    /// The valid records are saved, independently of each other.
    case skip
  }

  /// The schema that the changes were validated against.
  package var schema: Schema
  /// The version of the catalog at that time; the save fails if the store's differs.
  package var catalogVersion: Int64
  /// A plan to apply in the same transaction before the first record; `schema` is its result. It
  /// creates the store if that does not exist.
  package var plan: PlanRequest?
  package var policy: SavePolicy
  package var stamp: Stamp
  package var wait: WriteWait
  package var end: End
  package var onInvalid: OnInvalid
  /// The number of records after which to commit; a part is also committed after a second, or when
  /// the input stalls. If nil, everything is committed at the end.
  ///
  /// A part ends at the end of a chunk, so smaller chunks give a finer division. Each part is like
  /// a separate save: its references are checked when it ends. A part that fails is rolled back,
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

/// The caller's side of a save: it provides the changes, receives their results, and decides
/// whether they are committed.
///
/// A store calls `next` until it returns nil. It calls `applied` for the results, in the order of
/// the rows, but they may come late: after further calls of `next`, and divided into other chunks.
/// (A store in this process returns the results of each chunk before it requests the next one; a
/// remote store sends several chunks before the first results arrive.) Before each commit, after
/// the results of all rows that it commits, the store reports the problems that it can only find
/// then, and calls `finish`.
///
/// The exchange collects the problems. The methods are synchronous, so that no other work of the
/// store can run between them.
package protocol SaveExchange: Sendable {
  /// Whether a copy of the exchange provides the same changes again. A store uses a copy to retry
  /// after a conflict with another writer.
  var canRestart: Bool { get }

  /// Returns the next changes, in order; an error rolls the part back.
  ///
  /// An empty chunk means that the input stalls: the store commits the pending part if
  /// `commitEvery` is set.
  mutating func next() throws(DataError) -> RowChanges?

  /// Receives the outcomes of the next rows; the rows of the chunk are the records as they will be
  /// committed. An error rolls the part back.
  mutating func applied(_ chunk: consuming RowChanges, outcomes: [Outcome]) throws(DataError)

  /// Receives a problem that was found only after the row was applied, such as a dangling
  /// reference. It prevents the commit: `finish` must throw it.
  mutating func refused(_ problem: Problem)

  /// Ends a part, before its commit. An error, which contains all problems, rolls the part back,
  /// and no other part follows. Without `commitEvery` there is one part. It is also called at the
  /// end if there was no chunk.
  mutating func finish() throws(DataError)

  /// Called after each commit of a part, with the line of the last record that is now durable. A
  /// save without records commits nothing.
  mutating func committed(throughLine line: Int) throws(DataError)
}
