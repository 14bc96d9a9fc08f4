package import DataModel

/// The parameters of a write, which executes the operations of an `OperationSource` in one or more
/// transactions.
package struct WriteRequest: Sendable {
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
    /// Like `skip`, but for trees of records: a tree is saved or skipped as a whole.
    case skipTrees
  }

  /// The schemas of the records that the operations save, delete or read. They are protected
  /// against schema changes until the transaction ends.
  package var schemas: [Schema]
  /// The schemas whose records cannot be changed by other transactions until this transaction ends.
  /// They are also contained in `schemas`.
  package var lockedSchemas: [Schema] = []
  /// The records to lock before the first operation. If all writes lock the same records in the
  /// same order, they cannot deadlock, no matter in which order their operations use the records.
  package var recordLocks: [RecordLock] = []
  /// The versions of the schemas that the operations were validated against. If one of them is no
  /// longer current, the write fails.
  package var versions: SchemaVersions
  /// A plan that changes schemas, to be executed in the same transaction before the first
  /// operation; nil if no schemas change. The property `schemas` contains the schemas after the
  /// plan. If the store does not exist, the plan creates it.
  package var plan: PlanRequest?
  /// The caller on whose behalf the operations are executed.
  package var caller = Caller.administrator
  /// What the caller may do; nil for administrators.
  package var scope: Scope?
  /// The receipt to store together with the changes, so that the store recognizes a repetition of
  /// the request; nil if no repetition has to be recognized.
  package var receipt: Receipt?
  /// The limit on the users that the caller creates, and the caller's address; nil if there is no
  /// limit.
  package var signUps: (limit: SignUpLimit, address: String)?
  package var stamp: Stamp
  package var wait: WriteWait
  package var end: End
  package var onInvalid: OnInvalid
  /// Whether a record may be saved before the records that it refers to.
  package var allowsForwardReferences: Bool { onInvalid != .skip }
  /// Whether parts of the transaction may be rolled back to a savepoint: invalid trees, or chunks
  /// with records that the access rules do not allow.
  package var usesSavepoints: Bool {
    switch onInvalid {
    case .refuseAll: false
    case .skip: scope != nil
    case .skipTrees: true
    }
  }
  /// The number of records after which to commit, or nil to commit everything at the end. The
  /// nested records of trees are not counted.
  ///
  /// The store also commits after one second, and when no further input is available yet. It
  /// commits only after whole chunks, so smaller chunks allow more frequent commits. References are
  /// checked before each commit. If the write fails, only the changes since the last commit are
  /// rolled back.
  package var commitEvery: Int?
  /// The copy of a whole store to which the write belongs; nil if it is not a part of one.
  package var copy: CopyStage?
  /// The SHA-256 of the token of a session that stays valid when the write changes passwords; nil
  /// for none. All other sessions of a user end when the password of the user changes.
  package var keptSession: [UInt8]?

  package init(
    to schemas: [Schema], versions: SchemaVersions, plan: PlanRequest? = nil, stamp: Stamp,
    wait: WriteWait = WriteWait(), end: End = .commit, onInvalid: OnInvalid = .refuseAll,
    commitEvery: Int? = nil
  ) {
    self.schemas = schemas
    self.versions = versions
    self.plan = plan
    self.stamp = stamp
    self.wait = wait
    self.end = end
    self.onInvalid = onInvalid
    self.commitEvery = commitEvery
  }
}

/// What a write to the copy of a store finds there.
///
/// The references of the records are not checked before `Store.endCopy`, because the records are
/// committed in parts, and owners get no new revisions.
package struct CopyStage: Sendable {
  /// The number of the run that writes, which the mark of the store names.
  package let run: String
  /// Whether an earlier run was interrupted, so that the store may contain some of the contents of
  /// files.
  package let isContinued: Bool

  package init(run: String, isContinued: Bool) {
    self.run = run
    self.isContinued = isContinued
  }
}

/// Records of a schema that a write locks before its first operation.
package struct RecordLock: Sendable {
  /// The reason why a record is locked. While a record is locked for a change, other transactions
  /// can still add references to it. While it is locked for deletion, they cannot.
  package enum Purpose: Sendable {
    case change
    case deletion
  }

  package let schema: Schema
  package let purpose: Purpose
  /// The ids of the records to lock. Ids that do not exist are ignored.
  package private(set) var ids: [String]

  /// Returns locks for the given records, by id in the order of the schemas. Writes that lock records
  /// in the same order cannot deadlock. Consecutive ids of a schema are combined into one lock if they
  /// have the same purpose.
  package static func sorted(
    _ purposes: [String: [[UInt8]: Purpose]], in schemas: [Schema]
  ) -> [RecordLock] {
    var locks: [RecordLock] = []
    for schema in schemas {
      let records = (purposes[schema.name] ?? [:]).sorted {
        $0.key.lexicographicallyPrecedes($1.key)
      }
      for (bytes, purpose) in records {
        let id = String(decoding: bytes, as: UTF8.self)
        if let last = locks.last, last.schema.name == schema.name, last.purpose == purpose {
          locks[locks.count - 1].ids.append(id)
        } else {
          locks.append(RecordLock(schema: schema, purpose: purpose, ids: [id]))
        }
      }
    }
    return locks
  }
}

/// One of the operations of a write, which saves, deletes or reads records.
package enum WriteOperation: Sendable {
  /// Saves the rows of a chunk in order.
  ///
  /// An empty chunk means that no further input is available yet. If `commitEvery` is set, the
  /// store then commits the changes.
  case save(RowChanges, SavePolicy)
  /// Saves the chunks of one or more trees in order, in a single transaction.
  ///
  /// If `onInvalid` is `skipTrees`, the operation contains exactly one tree. If a row is refused,
  /// or a reference is dangling after the last chunk, no row of the tree is saved.
  ///
  /// The lists of inverses in the trees refer to the chunks by their numbers. What an owned list does
  /// not name is deleted before the commit.
  case saveTrees([TreeChunk], [PartList])
  /// Adds a content to file fields whose records were saved without it.
  case content(FileContent, [FileField])
  /// Deletes records, including those to which the deletion cascades.
  case delete(DeleteRequest)
  /// Reads records in the transaction. The records of the query's schema with the given ids are
  /// locked first, so that no other transaction can change them until the end of this one.
  case read(Query, locking: [String])
}

/// Rows of one schema in a save of trees. A tree consists of a record and the records that are
/// nested in it.
package struct TreeChunk: Sendable {
  package var changes: RowChanges
  package var policy: SavePolicy
  /// Whether the records of the chunk are nested in other records. If not, they are the roots of
  /// trees.
  package var isInside: Bool
  /// The number by which lists refer to the chunk.
  package let number: Int

  package init(_ changes: RowChanges, _ policy: SavePolicy, isInside: Bool, number: Int = 0) {
    self.changes = changes
    self.policy = policy
    self.isInside = isInside
    self.number = number
  }
}

/// Provides the operations of a write to a store, receives their results, and decides whether they
/// are committed.
///
/// A store calls `next` until it returns nil. It passes the results to `applied`, `appliedTrees`,
/// `deleted` and `read`, in the order of the operations. A store in this process returns the
/// results of each operation before it requests the next one. A remote store may request several
/// operations before it returns the first results. The chunks in which it returns the results of
/// saves may differ from the chunks of the operations.
///
/// Some problems can be found only after all operations since the last commit have been executed.
/// Before each commit, the store calls `refused` for each of these problems, and then calls
/// `finish`.
///
/// The source collects the problems. The methods are synchronous, so that the store cannot do other
/// work during a call.
package protocol OperationSource: Sendable {
  /// Whether the write can be repeated: a copy of the source, made before the write, provides the
  /// same operations again. A store uses such a copy to retry the write after a conflict with
  /// another writer.
  var canRestart: Bool { get }

  /// The number of records that were not saved, including invalid records that were never passed to
  /// the store.
  var rejectedCount: Int { get }

  /// What the command that makes the changes will print on stdout, or nil if it is not known or
  /// longer than `Receipt.maxOutputSize`. The store reads it before each commit.
  var output: [UInt8]? { get }

  /// Returns the next operation, or nil at the end. If this method throws an error, all changes
  /// since the last commit are rolled back.
  mutating func next() throws(DataError) -> WriteOperation?

  /// Receives the outcomes of the next saved rows. The chunk contains the complete records that
  /// will be committed. If this method throws an error, all changes since the last commit are
  /// rolled back.
  mutating func applied(_ chunk: consuming RowChanges, outcomes: [Outcome]) throws(DataError)

  /// Receives the outcomes of the rows of one or more trees, chunk by chunk. If this method throws
  /// an error, all changes since the last commit are rolled back.
  ///
  /// - Parameter problems: The dangling references, and the violations of access rules that were
  ///   found after the last row. Always empty unless `onInvalid` is `skipTrees`. If there are any
  ///   problems, or if a row was refused, no row of the tree was saved.
  mutating func appliedTrees(
    _ chunks: consuming [TreeChunk], outcomes: [[Outcome]], problems: [Problem]
  ) throws(DataError)

  /// Receives the result of a deletion. If this method throws an error, all changes since the last
  /// commit are rolled back.
  mutating func deleted(_ result: DeleteResult) throws(DataError)

  /// Receives the result of deleting the parts that no owned list of the trees names. If this method
  /// throws an error, all changes since the last commit are rolled back.
  mutating func removed(_ result: DeleteResult, of schema: Schema) throws(DataError)

  /// Whether the source needs the deleted parts themselves.
  var needsRemovedParts: Bool { get }

  /// Receives the chunks of rows that a query selected. If this method throws an error, all changes
  /// since the last commit are rolled back.
  mutating func read(_ chunks: [Rows]) throws(DataError)

  /// Receives a problem that was found only after the row was applied, such as a dangling
  /// reference. The problem prevents the commit: `finish` must throw an error that contains it.
  mutating func refused(_ problem: Problem)

  /// Throws an error that contains all problems, if there are any. The store calls this method
  /// before each commit, and also in a dry run and in a write without operations. If the method
  /// throws an error, all changes since the last commit are rolled back, and the write ends.
  mutating func finish() throws(DataError)

  /// Receives the input line of the last record whose changes are now durable. The store calls this
  /// method after each commit of saved records.
  mutating func committed(throughLine line: Int) throws(DataError)
}

/// Default implementations for sources without rejected records, trees, deletions or queries.
extension OperationSource {
  package var rejectedCount: Int { 0 }

  package var output: [UInt8]? { nil }

  package mutating func appliedTrees(
    _ chunks: consuming [TreeChunk], outcomes: [[Outcome]], problems: [Problem]
  ) throws(DataError) {}

  package mutating func deleted(_ result: DeleteResult) throws(DataError) {}

  package mutating func removed(_ result: DeleteResult, of schema: Schema) throws(DataError) {}

  package var needsRemovedParts: Bool { false }

  package mutating func read(_ chunks: [Rows]) throws(DataError) {}
}
