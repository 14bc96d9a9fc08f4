internal import DataModel
internal import DataStore

/// Counts the nested records that a save has saved. A record that occurs several times is counted
/// once.
struct NestedRecordCounts {
  /// The maximum number of records in `counted`. When this limit is reached, further records are
  /// counted each time they occur.
  private static let maxCounted = 1_000_000

  private(set) var summary = SaveSummary()
  /// The time that this save writes to the records that it creates, or nil if the input contains
  /// the times of creation.
  let createdAt: Timestamp?
  let rootSchema: String
  /// The records that have been counted, so that none is counted twice. The value is true if the
  /// record was counted as unchanged.
  ///
  /// To use less memory, two kinds of records are left out. A record without an id in the input
  /// cannot occur again. A record that this save has created is recognized by its time of creation.
  private var counted: [RecordHash: Bool] = [:]

  init(createdAt: Timestamp?, rootSchema: String) {
    self.createdAt = createdAt
    self.rootSchema = rootSchema
  }

  /// Counts parts that were deleted, together with their own parts.
  mutating func count(_ deleted: DeleteSummary) {
    summary.deleted += deleted.deleted + deleted.cascaded.reduce(0) { $0 + $1.count }
  }

  /// Counts a record that was saved, if it has not been counted before. If it was counted as
  /// unchanged, but is changed now, the counts are corrected.
  mutating func count(_ outcome: Outcome, of chunk: borrowing RowChanges, _ row: Int) {
    if chunk.hasAssignedID[row] { return summary.count(outcome) }
    // The time of creation shows that this save created the record, so that its id need not be
    // kept. This saves most of the memory of an import. A record of the schema of the roots may
    // have been created as a root, which is counted separately.
    if let createdAt, chunk.schema.name != rootSchema, chunk.createdAt(row) == createdAt {
      if outcome == .created { summary.count(outcome) }
      return
    }
    let hash = RecordHash(of: chunk, row)
    guard let wasUnchanged = counted[hash] else {
      if counted.count < Self.maxCounted { counted[hash] = outcome == .same }
      return summary.count(outcome)
    }
    if wasUnchanged, outcome != .same {
      counted[hash] = false
      summary.same -= 1
      summary.changed += 1
    }
  }
}

/// A hash of the schema and the id of a record. It takes less memory than the id.
///
/// Two records with equal hashes are treated as the same record. It is practically impossible that
/// different records have equal hashes, because the hash has 128 bits. An input cannot be made to
/// contain such records either, because the hash depends on random numbers of the process.
struct RecordHash: Hashable, BitwiseCopyable {
  private let first: Int
  private let second: Int

  init(of chunk: borrowing RowChanges, _ row: Int) {
    var hasher = Hasher()
    hasher.combine(chunk.schema.name)
    chunk.rows.withBytes(of: chunk.rows[row, chunk.schema.keySlot]) { id in
      unsafe id.withUnsafeBytes { bytes in unsafe hasher.combine(bytes: bytes) }
    }
    var other = hasher
    other.combine(0)
    first = hasher.finalize()
    second = other.finalize()
  }
}
