package import DataModel

/// The parameters of a save.
package struct SaveRequest: Sendable {
  package enum End: Sendable {
    case commit
    /// The changes are made and validated, and then rolled back.
    case rollBack
  }

  /// What happens to the valid records if other records are invalid.
  package enum OnInvalid: Sendable {
    /// If any record is invalid, nothing is saved.
    case refuseAll
    /// The valid records are saved, independently of each other.
    case skip
  }

  /// The schema that the changes were validated against.
  package var schema: Schema
  /// The versions of the schemas that the changes were validated against. If one of them is no
  /// longer current, the save fails.
  package var versions: SchemaVersions
  /// A plan to apply in the same transaction before the first record is saved. The plan creates the
  /// store if it does not exist. `schema` is the schema after the plan.
  package var plan: PlanRequest?
  package var policy: SavePolicy
  package var stamp: Stamp
  package var wait: WriteWait
  package var end: End
  package var onInvalid: OnInvalid
  /// The number of records after which to commit; nil to commit everything at the end.
  ///
  /// Each commit ends a part of the save. A part also ends after one second, or when no further
  /// input is available at present. It always ends with a whole chunk, so smaller chunks allow more
  /// frequent commits. Each part is like a separate save: its references are checked when it ends.
  /// If a part fails, it is rolled back and no other part follows.
  package var commitEvery: Int?

  package init(
    schema: Schema, versions: SchemaVersions, plan: PlanRequest? = nil,
    policy: SavePolicy = SavePolicy(), stamp: Stamp, wait: WriteWait = WriteWait(),
    end: End = .commit, onInvalid: OnInvalid = .refuseAll,
    commitEvery: Int? = nil
  ) {
    self.schema = schema
    self.versions = versions
    self.plan = plan
    self.policy = policy
    self.stamp = stamp
    self.wait = wait
    self.end = end
    self.onInvalid = onInvalid
    self.commitEvery = commitEvery
  }
}

/// The interface between a store and the caller of a save. The caller provides the changes,
/// receives their results, and decides whether they are committed.
///
/// A store calls `next` until it returns nil. It passes the results to `applied`, in the order of
/// the rows. The results may come after further calls of `next`, and may be divided into chunks
/// differently. (A store in this process returns the results of each chunk before it requests the
/// next one. A remote store sends several chunks before it receives the first results.) Some
/// problems can only be found after all results of a part. Before each commit, the store calls
/// `refused` for each of these problems, and then calls `finish`.
///
/// The exchange collects the problems. The methods are synchronous, so that no other work of the
/// store can run during a call.
package protocol SaveExchange: Sendable {
  /// Whether a copy of the exchange that is made before the save can provide the same changes
  /// again. If so, a store uses a copy to retry the save after a conflict with another writer.
  var canRestart: Bool { get }

  /// Returns the next changes, in order; nil at the end. If this method throws an error, the
  /// current part is rolled back.
  ///
  /// An empty chunk means that no further input is available at present. The store then commits the
  /// current part if `commitEvery` is set.
  mutating func next() throws(DataError) -> RowChanges?

  /// Receives the outcomes of the next rows. The rows of the chunk are the complete records that
  /// will be committed. If this method throws an error, the current part is rolled back.
  mutating func applied(_ chunk: consuming RowChanges, outcomes: [Outcome]) throws(DataError)

  /// Receives a problem that was found only after the row was applied, such as a dangling
  /// reference. The problem prevents the commit: `finish` must throw an error that contains it.
  mutating func refused(_ problem: Problem)

  /// Throws an error that contains all problems, if there are any. The store calls this method at
  /// the end of each part, before its commit. If this method throws an error, the part is rolled
  /// back, and no other part follows.
  ///
  /// Without `commitEvery`, the save has one part. The method is also called at the end of a save
  /// that had no chunk.
  mutating func finish() throws(DataError)

  /// Receives the input line of the last record whose changes are now durable. The store calls this
  /// method after the commit of each part. A save without records commits nothing.
  mutating func committed(throughLine line: Int) throws(DataError)
}
