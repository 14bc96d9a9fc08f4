package import DataModel

/// Reads from a store, in its current state with each call, or from a snapshot of it.
package protocol StoreReader: Sendable {
  /// Returns the schemas, with their version.
  func catalog() async throws(DataError) -> StoredCatalog

  /// Finds records by id, in the order of the ids.
  func find(_ ids: [String], in schema: Schema, slots: [Int]) async throws(DataError)
    -> FoundRecords

  /// Runs a query on a single snapshot, and returns its rows as a stream.
  func records(_ query: Query) async throws(DataError) -> any RecordStream

  /// Returns the number of records of a query, considering its bound and limit.
  func count(_ query: Query) async throws(DataError) -> Int

  /// Runs a group query, and returns a row for each group, with a cell for each column.
  func groups(_ query: GroupQuery) async throws(DataError) -> any RecordStream

  /// Returns the bytes of a file field; nil if the record or the file does not exist.
  func content(
    of slot: Int, id: String, in schema: Schema
  ) async throws(DataError) -> (any ContentStream)?

  /// Explains how the store executes a query.
  func explain(_ query: Query) async throws(DataError) -> Explanation
}

/// How a store executes a query, as reported by the engine.
package struct Explanation: Hashable, Sendable {
  package enum Ordering: Hashable, Sendable {
    /// Records are read from an index in order, so that the first ones are available immediately.
    case byIndex
    /// All records that meet the condition are read and then sorted.
    case bySorting
  }

  /// The steps of the execution, in order.
  package var steps: [String]
  package var ordering: Ordering

  package init(steps: [String], ordering: Ordering) {
    self.steps = steps
    self.ordering = ordering
  }
}
