package import DataModel

/// Answers questions: a store as it is at the moment of each, or a snapshot of one.
package protocol StoreReader: Sendable {
  /// The schemas, and a version that changes with them.
  func catalog() async throws(DataError) -> StoredCatalog

  /// Finds records by id, in the order of the ids.
  func find(_ ids: [String], in schema: Schema, slots: [Int]) async throws(DataError) -> Found

  /// Answers a query in batches of rows, out of one snapshot.
  func records(_ query: Query) async throws(DataError) -> any RecordStream

  /// How many records a query has, its bound and its limit included.
  func count(_ query: Query) async throws(DataError) -> Int

  /// Answers a question about groups, a row each, with the cells of the question's columns.
  func groups(_ query: GroupQuery) async throws(DataError) -> any RecordStream

  /// The bytes of a file field; nil if the record or the file is not there.
  func content(
    of slot: Int, id: String, in schema: Schema
  ) async throws(DataError) -> (any ContentStream)?

  /// Says how it answers a query.
  func explain(_ query: Query) async throws(DataError) -> Explanation
}

/// How a store answers a query, in its own words.
package struct Explanation: Hashable, Sendable {
  package enum Ordering: Hashable, Sendable {
    /// Records are found in the order: the first come as soon as they are found.
    case byIndex
    /// All records that meet the condition are found and then sorted.
    case bySorting
  }

  /// The steps, in their order.
  package var steps: [String]
  package var ordering: Ordering

  package init(steps: [String], ordering: Ordering) {
    self.steps = steps
    self.ordering = ordering
  }
}
