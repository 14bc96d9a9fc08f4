package import DataModel

/// For whom a request runs.
package enum Caller: Hashable, Sendable {
  /// A caller without limits, such as each user who can open the file or the database.
  case administrator
  /// A caller who is not logged in.
  case anonymous
  /// The user with the given id.
  case user(String)
  /// The user of the session whose token has the given SHA-256. The session is looked up for each
  /// request.
  case session(tokenHash: [UInt8])
}

extension StoreReader {
  /// Returns what a caller may do, or nil if the caller is an administrator. The session, the user,
  /// the roles and the rules are those of one state of the store if this is a snapshot.
  ///
  /// - Throws: An error if the user does not exist, or if the session has ended.
  package func scope(
    of caller: Caller, at time: Timestamp, rules: Scope.RuleParser
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
      let slots = [schema.keySlot] + (schema.rolesSlot.map { [$0] } ?? [])
      let found = try await find([user], in: schema, slots: slots)
      guard found.missing.isEmpty else { throw DataError(.noSuchUser(user, in: schema)) }
      roles = schema.roles(in: found.rows, 0)
    }
    if roles.contains(Scope.administratorRole) { return nil }
    return try Scope(
      user: user, roles: roles, catalog: stored.catalog, version: stored.version, rules: rules)
  }
}

extension Catalog {
  /// Returns the user schema. Throws an error if there is none.
  func usersOfRules() throws(DataError) -> Schema {
    if let schema = userSchema { return schema }
    throw DataError(
      .usage, "the store has no user schema, so no user can be logged in",
      hint: "create a user schema: datactl schema create user --user")
  }
}

extension Schema {
  /// Returns the roles of the user in a row; empty if users have no roles.
  func roles(in rows: Rows, _ row: Int) -> [String] {
    guard let slot = rolesSlot,
      case .list(let roles) = rows.value(rows[row, slot], of: type(of: slot))
    else { return [] }
    return roles.compactMap { role in if case .text(let role) = role { role } else { nil } }
  }
}

extension DataError {
  /// The error for a session that has expired or ended.
  package static var sessionEnded: DataError {
    DataError(
      .notLoggedIn, "the session has ended or is unknown", hint: "log in again: datactl login")
  }
}

extension Problem {
  static func noSuchUser(_ id: String, in schema: Schema) -> Problem {
    Problem(.notFound, "there is no such user", schema: schema.name, id: id)
  }

  /// The problem of a request that only administrators may make.
  static func administratorsOnly(_ action: String) -> Problem {
    Problem(.forbidden, "only administrators may \(action)")
  }
}
