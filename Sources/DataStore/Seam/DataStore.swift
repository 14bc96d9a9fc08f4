package import DataModel

/// What every place that keeps records promises: a file, a cluster, a server.
///
/// It speaks in whole values: a catalog, a batch of rows, a query, a plan. What reaches it has been
/// checked against the schema; it answers for what only the data can tell: that an id is new, a
/// value unique, a revision current, a reference's target there. All that a call changes it
/// changes at once, or not at all, and it is durable when the call returns.
package protocol DataStore: StoreReader {
  /// Where it is, as messages name it; a password in it is shown as `***`.
  var address: String { get }

  /// The paths that belong to it on this machine, whether something stands there now or not.
  var files: [String] { get }

  /// The store as it is now, and stays for whoever reads from it.
  func snapshot() async throws(DataError) -> any StoreReader

  /// The schema of this name, if there is one; what the other schemas cost does not matter to it.
  func schema(named name: String) async throws(DataError) -> Schema?

  /// The schema of this name with records of it, as `find` gives them: where a server is asked, in one
  /// journey.
  func find(
    _ ids: [String], inSchemaNamed name: String
  ) async throws(DataError) -> (schema: Schema, found: Found)?

  /// Carries out a plan of schema changes in one transaction, and writes it into the log; or refuses
  /// it with all that is in its way, and nothing is changed.
  ///
  /// Values are lost only under a name that was agreed to, records fit what becomes of their schema,
  /// and no revision moves. On a store that is not there, a plan that is taken back makes nothing.
  func carryOut(_ request: PlanRequest) async throws(DataError)

  /// The plans that were carried out, the first one first.
  func log() async throws(DataError) -> [AppliedPlan]

  /// Saves all the batches that an exchange gives, in their order, as separate saves would.
  func save<Exchange: SaveExchange>(
    _ request: SaveRequest, through exchange: inout Exchange
  ) async throws(DataError)

  /// Deletes records, and what cascades from them.
  func delete(_ request: DeleteRequest) async throws(DataError) -> DeleteSummary

  /// The bytes of a file field; nil if the record or the file is not there.
  func content(
    of slot: Int, id: String, in schema: Schema
  ) async throws(DataError) -> (any ContentStream)?

  /// Opens a session for a user whose password is right.
  func logIn(_ request: LogInRequest) async throws(DataError)

  /// The session that a token's hash stands for, unless it has ended.
  func session(_ tokenHash: [UInt8], at time: Timestamp) async throws(DataError) -> Session?

  /// Ends a session; one that is not there has ended already.
  func logOut(_ tokenHash: [UInt8]) async throws(DataError)

  /// Lets go of the store.
  func close() async
}

extension DataStore {
  package func find(
    _ ids: [String], inSchemaNamed name: String
  ) async throws(DataError) -> (schema: Schema, found: Found)? {
    guard let schema = try await schema(named: name) else { return nil }
    return (schema, try await find(ids, in: schema, slots: Array(0..<schema.width)))
  }
}

/// The schemas of a store as it had them at a moment.
package struct StoredCatalog: Sendable {
  package var catalog: Catalog
  /// Another number whenever a schema has changed.
  package var version: Int64

  package init(_ catalog: Catalog, version: Int64) {
    self.catalog = catalog
    self.version = version
  }
}

/// How long to wait for another writer.
package struct WriteWait: Hashable, Sendable {
  package var seconds: Double

  package init(seconds: Double = 30) {
    self.seconds = seconds
  }
}

/// What `find` found.
package struct Found: Sendable {
  /// The records that are there, in the order of the ids.
  package var rows: Rows
  /// The places, among the ids, of those that are not there.
  package var missing: [Int]

  package init(rows: Rows, missing: [Int]) {
    self.rows = rows
    self.missing = missing
  }
}

/// Gives the answer to a query batch by batch.
package protocol RecordStream: Sendable {
  /// The next rows, in the memory of a batch that is no longer needed; nil behind the last.
  func next(reusing rows: consuming Rows) async throws(DataError) -> Rows?
}

/// Gives a file's bytes piece by piece.
package protocol ContentStream: Sendable {
  /// The next piece; nil behind the last.
  func next() async throws(DataError) -> [UInt8]?
}
