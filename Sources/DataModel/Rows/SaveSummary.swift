/// The numbers of records that a save created, changed, left the same, and rejected.
public struct SaveSummary: Hashable, Sendable {
  /// The number of records created.
  public package(set) var created: Int
  /// The number of records changed.
  public package(set) var changed: Int
  /// The number of existing records that already had the same values.
  public package(set) var same: Int
  /// The number of records that were skipped because they were invalid.
  public package(set) var rejected: Int

  package init(created: Int = 0, changed: Int = 0, same: Int = 0, rejected: Int = 0) {
    self.created = created
    self.changed = changed
    self.same = same
    self.rejected = rejected
  }

  /// The number of records saved, including existing ones that already had the same values.
  public var saved: Int { created + changed + same }
}
