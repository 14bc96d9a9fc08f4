package import DataModel

/// A request to delete records of a schema.
package struct DeleteRequest: Sendable {
  package enum Selection: Sendable {
    /// The records with these ids. `missing` determines whether an id without a record is an error.
    case ids(IDList)
    /// The records that match the condition.
    case matching(Condition)
  }

  package enum Missing: Sendable {
    /// An id without a record is an error, and nothing is deleted.
    case refused
    case ignored
  }

  package var schema: Schema
  package var selection: Selection
  package var missing: Missing
  /// The revision that each record selected by id must have; nil to accept any revision.
  package var revision: Int64?
  /// The expected result of the deletion, which the user has seen and confirmed. If the deletion
  /// would affect other numbers of records, nothing is deleted.
  package var confirmed: DeleteSummary?
  /// The ids of records that are not deleted even if they match the condition.
  package var kept: IDList?
  /// Whether references to the deleted records are kept, because the records are replaced.
  package var keepsReferences = false
  /// Whether the result contains the deleted records that the request selected. All of them are
  /// then in memory at the same time.
  package var returnsRecords = false

  package init(
    _ schema: Schema, _ selection: Selection, missing: Missing = .refused, revision: Int64? = nil
  ) {
    self.schema = schema
    self.selection = selection
    self.missing = missing
    self.revision = revision
  }
}

extension Store {
  /// Executes one deletion as a complete write, and returns the numbers of affected records.
  package func delete(
    _ deletion: DeleteRequest, _ request: WriteRequest
  ) async throws(DataError) -> DeleteSummary {
    var source = SingleDeletion(deletion)
    try await write(request, from: &source)
    return source.summary
  }
}

/// Provides one deletion as the only operation of a write.
private struct SingleDeletion: OperationSource {
  private let deletion: DeleteRequest
  private var isDone = false
  private(set) var summary = DeleteSummary()

  init(_ deletion: DeleteRequest) {
    self.deletion = deletion
  }

  var canRestart: Bool { true }

  mutating func next() throws(DataError) -> WriteOperation? {
    defer { isDone = true }
    return isDone ? nil : .delete(deletion)
  }

  mutating func deleted(_ result: DeleteResult) throws(DataError) { summary = result.summary }

  mutating func applied(_ chunk: consuming RowChanges, outcomes: [Outcome]) throws(DataError) {}

  mutating func refused(_ problem: Problem) {}

  mutating func finish() throws(DataError) {}

  mutating func committed(throughLine line: Int) throws(DataError) {}
}

/// The ids of records to delete. They are read in chunks, so that there can be any number of them.
package struct IDList: Sendable, ExpressibleByArrayLiteral {
  /// Returns the next chunk of ids, or nil after the last one.
  package typealias Reader = () throws(DataError) -> [String]?

  /// The maximum number of ids in a chunk.
  package static let chunkSize = 1_000

  /// Returns a new reader, which begins with the first id. Readers that were returned before must
  /// not be used any more.
  package let reader: @Sendable () throws(DataError) -> Reader
  /// The ids if they are in memory, or nil if they are read from a stream.
  package let array: [String]?

  package init(_ reader: @escaping @Sendable () throws(DataError) -> Reader) {
    self.reader = reader
    array = nil
  }

  package init(_ ids: [String]) {
    array = ids
    reader = { () throws(DataError) in
      var start = 0
      return { () throws(DataError) in
        guard start < ids.count else { return nil }
        defer { start += Self.chunkSize }
        return Array(ids[start..<min(start + Self.chunkSize, ids.count)])
      }
    }
  }

  package init(arrayLiteral ids: String...) { self.init(ids) }
}

extension DeleteRequest {
  /// Throws an error if the summary differs from the confirmed one.
  package func check(_ summary: DeleteSummary) throws(DataError) {
    guard let confirmed, confirmed != summary else { return }
    throw DataError(
      Problem(
        .changed,
        """
        the records have changed: \(summary.deleted) would be deleted now, but \
        \(confirmed.deleted) were confirmed
        """,
        hint: "run the command again", schema: schema.name))
  }
}

/// What a deletion returns: the numbers of affected records and, if requested, the deleted records.
package struct DeleteResult: Sendable {
  package var summary: DeleteSummary
  /// The deleted records that the request selected, sorted by id; empty unless `returnsRecords` is
  /// set in the request.
  package var records: [Rows]
  /// The ids of the remaining records of which parts were deleted or changed, by schema.
  package var owners: [String: [String]] = [:]

  package init(_ summary: DeleteSummary, records: [Rows] = []) {
    self.summary = summary
    self.records = records
  }
}

/// The numbers of records that a deletion affected.
package struct DeleteSummary: Hashable, Sendable {
  /// The number of deleted records that the request selected by id or condition.
  package var deleted: Int
  /// The numbers of records to which the deletion cascaded: one number for each schema, sorted by
  /// schema name.
  package var cascaded: [CascadeCount]
  /// The number of records that changed because a reference was cleared.
  package var nullified: Int

  package struct CascadeCount: Hashable, Sendable {
    package var schema: String
    package var count: Int

    package init(schema: String, count: Int) {
      self.schema = schema
      self.count = count
    }
  }

  package init(deleted: Int = 0, cascaded: [CascadeCount] = [], nullified: Int = 0) {
    self.deleted = deleted
    self.cascaded = cascaded
    self.nullified = nullified
  }
}
