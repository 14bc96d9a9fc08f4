package import DataModel

/// The caller on whose behalf a request is executed.
package enum Caller: Hashable, Sendable {
  /// A caller to whom no access rules apply, such as a user who can open the file or the database
  /// directly.
  case administrator
  /// A caller who is not logged in.
  case anonymous
  /// The user with the given id.
  case user(String)
  /// The user of a session, given by the SHA-256 hash of the session's token. The session is looked
  /// up for each request, so it can end at any time.
  case session(tokenHash: [UInt8])
}

extension StoreReader {
  /// Returns the scope of a caller, which says what the caller may do, or nil if the caller is an
  /// administrator. If this method is called on a snapshot, it reads the session, the user, the
  /// roles and the rules from the same state of the store.
  ///
  /// - Parameter note: Called with the id of the user, if there is one.
  /// - Throws: An error if the user does not exist or is disabled, or if the session has ended.
  package func scope(
    of caller: Caller, at time: Timestamp, rules: Scope.RuleParser,
    noting note: (String) -> Void = { _ in }
  ) async throws(DataError) -> Scope? {
    let user: String?
    switch caller {
    case .administrator: return nil
    case .anonymous: user = nil
    case .user(let id): user = id
    case .session(let tokenHash):
      guard let session = try await session(tokenHash, at: time) else { throw .sessionEnded }
      user = session.user
    }
    let stored = try await catalog()
    var roles: [String] = []
    if let user {
      let schema = try stored.catalog.usersOfRules()
      let found = try await find([user], in: schema, slots: schema.slotsOfRoles)
      guard found.missing.isEmpty else { throw DataError(.noSuchUser(user, in: schema)) }
      if schema.isDisabled(in: found.rows, 0) { throw .userDisabled(.notLoggedIn) }
      roles = schema.roles(in: found.rows, 0)
      note(user)
    }
    if roles.contains(Scope.administratorRole) { return nil }
    return try Scope(
      user: user, roles: roles, catalog: stored.catalog, version: stored.version, rules: rules)
  }
}

extension StoreReader {
  /// Returns the session whose token has the given hash, or nil if it has ended. Throws an error if
  /// its user is disabled. A save that disables a user ends the sessions, but another program may
  /// have changed the record.
  package func openSession(
    _ tokenHash: [UInt8], at time: Timestamp
  ) async throws(DataError) -> Session? {
    guard let session = try await session(tokenHash, at: time) else { return nil }
    let schema = try await catalog().catalog.userSchema
    if let schema, let slot = schema.disabledSlot {
      let found = try await find([session.user], in: schema, slots: [schema.keySlot, slot])
      if found.rows.count > 0, schema.isDisabled(in: found.rows, 0) {
        throw .userDisabled(.notLoggedIn)
      }
    }
    return session
  }
}

extension Catalog {
  /// Returns the user schema, which contains the users and roles that access rules refer to. Throws
  /// an error if there is none.
  func usersOfRules() throws(DataError) -> Schema {
    if let schema = userSchema { return schema }
    throw DataError(
      .usage, "the store has no user schema, so no user can be logged in",
      hint: "create a user schema: datactl schema create user --user")
  }
}

extension Schema {
  /// The slots that a query must read so that `roles(in:_:)` and `isDisabled(in:_:)` can be called
  /// with its rows: the primary key, and the fields that contain the roles and disable a user.
  var slotsOfRoles: [Int] { [keySlot] + [rolesSlot, disabledSlot].compactMap(\.self) }

  /// Returns whether the user in the given row is disabled.
  package func isDisabled(in rows: Rows, _ row: Int) -> Bool {
    disabledSlot.map { rows.value(rows[row, $0], of: .boolean) == .boolean(true) } == true
  }

  /// Returns the roles of the user in the given row. Returns an empty array if the user has no
  /// roles or the schema does not declare roles.
  func roles(in rows: Rows, _ row: Int) -> [String] {
    guard let slot = rolesSlot,
      case .list(let roles) = rows.value(rows[row, slot], of: type(of: slot))
    else { return [] }
    return roles.compactMap { role in if case .text(let role) = role { role } else { nil } }
  }
}

extension RowChanges {
  /// Returns whether a resolved row, which changes the fields in `slots`, disables a user.
  package func disables(_ row: Int, changing slots: [Int]) -> Bool {
    schema.disabledSlot.map(slots.contains) == true && schema.isDisabled(in: rows, row)
  }
}

extension DataError {
  /// The error for a user who is disabled: `notLoggedIn` for a session, and `forbidden` for a login.
  package static func userDisabled(_ code: ErrorCode) -> DataError {
    DataError(code, "the user is disabled")
  }

  /// The error for a session that has expired or ended.
  package static var sessionEnded: DataError {
    DataError(
      .notLoggedIn, "the session has ended or is unknown", hint: "log in again: datactl login")
  }
}

extension Problem {
  package static func noSuchUser(_ id: String, in schema: Schema) -> Problem {
    Problem(.notFound, "there is no such user", schema: schema.name, id: id)
  }

  /// Returns the problem for a request that is reserved for administrators.
  ///
  /// - Parameter action: The action that the message names, such as `change schemas`.
  static func administratorsOnly(_ action: String) -> Problem {
    Problem(.forbidden, "only administrators may \(action)")
  }
}
