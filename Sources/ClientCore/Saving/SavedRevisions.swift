internal import DataModel

/// The revisions of the records that a save has changed, so that later trees can contain the same
/// records. Each tree contains the revision that such a record had before the save.
struct SavedRevisions {
  /// The maximum number of records whose revisions are kept.
  private static let maxSaved = 250_000

  /// The revision of a record that was saved.
  private struct SavedRevision: BitwiseCopyable {
    /// The revision in the input.
    let given: Int64
    /// The revision after the save.
    let saved: Int64
  }

  private var saved: [RecordHash: SavedRevision] = [:]
  /// The revisions in the input of the records that were passed to the store, and whose outcomes are
  /// not known yet.
  private var pending: [RecordHash: Int64] = [:]

  /// Replaces the expected revisions of records that this save has already changed by their current
  /// ones.
  mutating func expect(in chunk: inout RowChanges) {
    for row in 0..<chunk.count {
      guard let given = chunk.revision(row) else { continue }
      let hash = RecordHash(of: chunk, row)
      if let first = pending[hash] {
        // The store checks the revision when it saves the record for the first time.
        if first == given { chunk.expect(nil, in: row) }
        continue
      }
      pending[hash] = given
      if let revision = saved[hash], revision.given == given {
        chunk.expect(revision.saved, in: row)
      }
    }
  }

  /// Keeps the revisions of the records of a chunk that the store has created or changed.
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

  /// Forgets the records whose outcomes were not known, because the store has returned all outcomes.
  mutating func removePending() {
    if !pending.isEmpty { pending.removeAll(keepingCapacity: true) }
  }
}
