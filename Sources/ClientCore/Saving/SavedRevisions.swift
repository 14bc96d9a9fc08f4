internal import DataModel

/// The revisions of the records that a save has changed.
///
/// The same record can occur in several trees of the input, each time with the revision that it had
/// before the save. In the later trees, this revision does not cause a conflict, unless the record
/// would be changed again: the later copy may contain the old values.
struct SavedRevisions {
  /// The maximum number of records whose revisions are stored. This limits the memory for them.
  private static let maxSaved = 250_000

  /// The revisions of a saved record before and after the save.
  private struct SavedRevision: BitwiseCopyable {
    /// The revision before the save, which the input contains.
    let given: Int64
    /// The revision after the save.
    let saved: Int64
  }

  private var saved: [RecordHash: SavedRevision] = [:]
  /// The records that have been passed to the store, but whose outcomes are not known yet. The
  /// value is the revision of the record in the input.
  private var pending: [RecordHash: Int64] = [:]

  /// Prepares a chunk for the store: for records that this save has already changed, replaces the
  /// revision in the input with the current one.
  mutating func expect(in chunk: inout RowChanges) {
    for row in 0..<chunk.count {
      guard let given = chunk.revision(row) else { continue }
      let hash = RecordHash(of: chunk, row)
      if let first = pending[hash] {
        // The store checks the revision when it saves the record for the first time.
        if first == given { chunk.markRepeated(row) }
        continue
      }
      pending[hash] = given
      if let revision = saved[hash], revision.given == given {
        chunk.markRepeated(row)
        chunk.expect(revision.saved, in: row)
      }
    }
  }

  /// Remembers the new revisions of the created and changed records in a chunk.
  mutating func add(_ chunk: borrowing RowChanges, _ outcomes: [Outcome]) {
    guard !pending.isEmpty else { return }
    for (row, outcome) in outcomes.enumerated() {
      switch outcome {
      case .created, .changed: break
      case .same, .refused: continue
      }
      let hash = RecordHash(of: chunk, row)
      guard let given = pending[hash], let revision = chunk.revision(row),
        saved.count < Self.maxSaved || saved[hash] != nil
      else { continue }
      saved[hash] = SavedRevision(given: given, saved: revision)
    }
  }

  /// Forgets which records have been passed to the store. Call this when the store has returned the
  /// outcomes of all of them.
  mutating func removePending() {
    if !pending.isEmpty { pending.removeAll(keepingCapacity: true) }
  }
}
