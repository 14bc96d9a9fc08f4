/// The numbers of records that a save created, changed, left unchanged, and rejected.
package struct SaveSummary: Hashable, Sendable {
  /// The number of records created.
  package var created: Int
  /// The number of records changed.
  package var changed: Int
  /// The number of existing records that already had the same values.
  package var same: Int
  /// The number of records that were skipped because they were invalid.
  package var rejected: Int
  /// The number of parts deleted, because an owned list did not name them.
  package var deleted = 0

  package init(created: Int = 0, changed: Int = 0, same: Int = 0, rejected: Int = 0) {
    self.created = created
    self.changed = changed
    self.same = same
    self.rejected = rejected
  }

  /// Adds the numbers of another summary.
  package mutating func add(_ other: SaveSummary) {
    created += other.created
    changed += other.changed
    same += other.same
    rejected += other.rejected
    deleted += other.deleted
  }

  /// Counts a record that was created, changed or left unchanged. Does not count a rejected record,
  /// because the save counts it later, when it reports the problems of the record.
  package mutating func count(_ outcome: Outcome) {
    switch outcome {
    case .created: created += 1
    case .changed: changed += 1
    case .same: same += 1
    case .refused: break
    }
  }

  /// The number of records saved, including existing ones that already had the same values.
  package var saved: Int { created + changed + same }
}
