package import DataModel

/// A store of records, in a file or on a server.
///
/// Its methods receive and return whole values, such as a catalog, a chunk of rows, a query or a
/// plan. The caller has validated its input against the schema. The store checks what depends on
/// other records: that an id is new, that a unique value is not used by another record, that a
/// revision is current, and that the target of a reference exists. Each call is atomic, and its
/// changes are durable when it returns.
package protocol Store: StoreReader {
  /// The address of the store, as shown in messages; a password in it is shown as `***`.
  var address: String { get }

  /// The paths of the store's files on this machine, whether or not they exist.
  var files: [String] { get }

  /// Returns a consistent snapshot of the store.
  func snapshot() async throws(DataError) -> any StoreReader

  /// Returns the schema with the given name, or nil if it does not exist.
  ///
  /// - Complexity: Independent of the number of schemas in the store.
  func schema(named name: String) async throws(DataError) -> Schema?

  /// Returns the schema with the given name and its records with the given ids, or nil if the
  /// schema does not exist. A store on a server fetches both in one round trip.
  func find(
    _ ids: [String], inSchemaNamed name: String
  ) async throws(DataError) -> (schema: Schema, found: FoundRecords)?

  /// Applies a plan of schema changes in one transaction, and adds the plan to the log. If there
  /// are problems, throws an error that contains all of them, and changes nothing.
  ///
  /// Values are deleted only if the request allows it. The existing records must be valid in the
  /// new schemas. Their revisions do not change. A plan that is rolled back does not create a
  /// store.
  func apply(_ request: PlanRequest) async throws(DataError)

  /// Returns the applied plans, oldest first.
  func log() async throws(DataError) -> [AppliedPlan]

  /// Executes the operations that the source provides, in order. Each operation sees the changes of
  /// the operations before it.
  func write<Source: OperationSource>(
    _ request: WriteRequest, from source: inout Source
  ) async throws(DataError)

  /// Returns the stored hash of a user's password, against which the caller verifies the password.
  /// Returns nil if the user does not exist or has no password.
  ///
  /// - Throws: `throttled` if too many passwords for the user name were wrong; see `LogInThrottle`.
  func passwordHash(for check: PasswordCheck) async throws(DataError) -> String?

  /// Ends the check of a user's password: counts the password if it was wrong.
  ///
  /// - Throws: `wrongLogIn` if the password does not match the hash that the store has now, or
  ///   `throttled` like `passwordHash`, or `forbidden` if the user is disabled. Attempts that run at the same time therefore cannot exceed
  ///   the limit.
  func verify(_ check: PasswordCheck) async throws(DataError)

  /// Creates a session for a user if the password is correct and the user is not disabled. If not,
  /// throws the errors of `verify`.
  func logIn(_ request: LogInRequest) async throws(DataError)

  /// Returns the sessions of a user that are valid at the given time, keyed by the SHA-256 of their
  /// tokens.
  func sessions(of user: String, at time: Timestamp) async throws(DataError) -> [[UInt8]: Session]

  /// Ends the sessions of a user, or only those with the given name. Returns how many of them were
  /// valid at the given time.
  @discardableResult
  func endSessions(
    of user: String, named name: String?, at time: Timestamp
  ) async throws(DataError) -> Int

  /// Ends the session whose token has the given hash; does nothing if there is no such session.
  func logOut(_ tokenHash: [UInt8]) async throws(DataError)

  /// How many bytes of text a chunk of a save should have, or nil for the default.
  var preferredChunkSize: Int? { get async }

  /// Returns the mark of the store if it is an unfinished copy of another one.
  func copyMark() async throws(DataError) -> CopyMark?

  /// Completes an unfinished copy. Throws an error if a record refers to one that does not exist.
  func endCopy(run: String, wait: WriteWait) async throws(DataError)

  /// Closes the open connections of the store, if it has any.
  func close() async

  /// Ends the read transactions of the snapshots that are not in use, but are kept open for later
  /// requests.
  func endIdleReads() async
}

extension Store {
  package var preferredChunkSize: Int? { nil }

  package func content(
    of slot: Int, id: String, in schema: Schema
  ) async throws(DataError) -> (any ContentStream)? {
    try await snapshot().content(of: slot, id: id, in: schema)
  }
}

extension Store {
  package func endIdleReads() async {}

  package func copyMark() async throws(DataError) -> CopyMark? { nil }

  package func endCopy(run: String, wait: WriteWait) async throws(DataError) {}
}

/// How long to wait for the locks of other writers.
package struct WriteWait: Hashable, Sendable {
  /// The number of seconds to wait if the user specifies none.
  package static let standard = 30

  package var seconds: Double

  package init(seconds: Double = Double(standard)) {
    self.seconds = seconds
  }
}

/// The result of `StoreReader.find`: the records that were found, and the ids that were not.
package struct FoundRecords: Sendable {
  /// The records found, in the order of the ids.
  package var rows: Rows
  /// The ids that were not found, given by their indices among the requested ids.
  package var missing: [Int]

  package init(rows: Rows, missing: [Int]) {
    self.rows = rows
    self.missing = missing
  }
}

/// A stream of the rows of a query.
package protocol RecordStream: Sendable {
  /// Returns the next rows, or nil at the end. The result reuses the memory of `rows`.
  func next(reusing rows: consuming Rows) async throws(DataError) -> Rows?
}

/// A stream of the bytes of a file.
package protocol ContentStream: Sendable {
  /// Returns the next bytes, or nil at the end.
  func next() async throws(DataError) -> [UInt8]?
}
