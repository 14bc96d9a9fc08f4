package import DataModel
internal import DataStore
internal import Platform
internal import Synchronization

extension Client {
  /// Changes the password of the logged-in user. All sessions of the user, except the session of
  /// this client, are ended in the same transaction.
  ///
  /// ```swift
  /// try await client.changePassword(from: old, to: new)
  /// ```
  ///
  /// - Parameters:
  ///   - old: The current password.
  ///   - new: The new password, which must be valid according to the user schema.
  /// - Throws: A ``DataError`` if no user is logged in, if the current password is wrong, or if the
  ///   new password is invalid.
  public func changePassword(from old: String, to new: String) async throws {
    try await changePassword(from: Array(old.utf8), to: Array(new.utf8))
  }

  /// Sets the password of a user. All sessions of the user, except the session of this client, are
  /// ended in the same transaction.
  ///
  /// ```swift
  /// try await client.setPassword(of: "ann", to: new)
  /// ```
  ///
  /// - Parameters:
  ///   - name: The id of the user.
  ///   - password: The new password, which must be valid according to the user schema.
  /// - Throws: A ``DataError`` if the user does not exist, or if the password is invalid.
  public func setPassword(of name: String, to password: String) async throws {
    try await setPassword(of: name, to: Array(password.utf8))
  }

  package func changePassword(
    from old: consuming [UInt8], to new: consuming [UInt8]
  ) async throws(DataError) {
    var (old, new) = (old, new)
    defer {
      SecureBytes.wipe(&old)
      SecureBytes.wipe(&new)
    }
    if let sessions = serverSessions {
      return try await sessions.changePassword(from: old, to: new)
    }
    let user = try await loggedInUser().user
    // Users may change their own passwords whatever the access rules say.
    let client = base ?? self
    let stored = try await client.store.catalog()
    let schema = try userSchema(in: stored.catalog)
    // The revision is read before the old password is verified. If another client changes the
    // password after that, the save fails because of the revision.
    let revision = try await client.revision(of: user, in: schema)
    let changes = try Self.changes(to: new, of: user, in: schema, revision: revision)
    do throws(DataError) {
      var check = PasswordCheck(of: user, in: schema, at: try environment.now())
      check.verifiedHash = try await Passwords.verified(
        client.store.passwordHash(for: check), old)
      try await client.store.verify(check)
    } catch {
      throw error == .wrongLogIn ? DataError(.wrongLogin, "the old password is wrong") : error
    }
    try await save(changes, in: stored, by: client)
  }

  package func setPassword(
    of name: String, to password: consuming [UInt8]
  ) async throws(DataError) {
    var password = password
    defer { SecureBytes.wipe(&password) }
    if let sessions = serverSessions {
      return try await sessions.setPassword(of: name, to: password)
    }
    let stored = try await store.catalog()
    let schema = try userSchema(in: stored.catalog)
    try await save(try Self.changes(to: password, of: name, in: schema), in: stored, by: self)
  }

  /// Returns the user who is logged in, or throws an error if there is none.
  package func loggedInUser() async throws(DataError) -> LogIn {
    guard let logIn = try await currentUser() else {
      // If this client acts for a caller, the caller logs in with another program.
      throw DataError(
        .notLoggedIn, "not logged in to \(address)",
        hint: base == nil ? savedSession.logInHint : Problem.logInHint)
    }
    return logIn
  }

  /// Returns the revision of a user's record, or nil if the user does not exist.
  private func revision(of name: String, in schema: Schema) async throws(DataError) -> Int64? {
    guard let slot = schema.slot(named: SystemField.revision.name) else { return nil }
    let rows = try await store.find([name], in: schema, slots: Array(0..<schema.width)).rows
    guard rows.count > 0, case .integer(let revision) = rows.value(rows[0, slot], of: .integer)
    else { return nil }
    return revision
  }

  /// Returns a chunk that sets the password of a user.
  ///
  /// - Parameter revision: The revision that the user's record must have, or nil to accept any
  ///   revision.
  private static func changes(
    to password: [UInt8], of name: String, in schema: Schema, revision: Int64? = nil
  ) throws(DataError) -> RowChanges {
    var changes = RowChanges(for: schema)
    changes.beginRecord(line: 1)
    changes.set(schema.keySlot, text: name.utf8.span)
    if let slot = schema.passwordSlot { changes.set(slot, text: password.span) }
    if let revision, let slot = schema.slot(named: SystemField.revision.name) {
      changes.set(slot, number: "\(revision)".utf8.span)
    }
    let problems = changes.endRecord().map { problem in
      var problem = problem
      problem.line = nil
      return problem
    }
    if let error = DataError(problems) { throw error }
    return changes
  }

  private func save(
    _ changes: RowChanges, in stored: StoredCatalog, by client: Client
  ) async throws(DataError) {
    let schema = changes.schema
    var request = WriteRequest(
      to: [schema], versions: stored.versions(concerning: schema), stamp: try await stamp(),
      end: end)
    request.keptSession = state.withLock { $0.token }?.hash
    var save = RecordSave(
      SingleChunkSource(changes), of: schema, by: SavePolicy(mode: .update), request,
      in: stored.catalog, listener: SilentListener())
    try await client.run(&save)
  }
}

/// Ignores the progress and the outcomes of a save.
package struct SilentListener: SaveListener {
  package init() {}

  package mutating func applied(_ changes: borrowing RowChanges, _ outcomes: [Outcome]) {}

  package mutating func rejected(_ rejection: Rejection, of changes: borrowing RowChanges) {}

  package mutating func progressed(_ progress: SaveProgress) {}

  package mutating func committed(throughLine line: Int) {}
}
