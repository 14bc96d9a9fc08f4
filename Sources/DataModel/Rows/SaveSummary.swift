/// The outcome of a save.
package struct SaveSummary: Hashable, Sendable {
  /// The number of records created.
  package var created: Int
  /// The number of records changed.
  package var changed: Int
  /// The number of records that existed already with the same values.
  package var same: Int
  /// The number of records that were skipped because they are invalid.
  package var rejected: Int

  package init(created: Int = 0, changed: Int = 0, same: Int = 0, rejected: Int = 0) {
    self.created = created
    self.changed = changed
    self.same = same
    self.rejected = rejected
  }

  /// The number of records saved: created, changed, or the same.
  package var saved: Int { created + changed + same }
}
