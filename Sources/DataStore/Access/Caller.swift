package import DataModel

/// For whom a request runs.
package enum Caller: Hashable, Sendable {
  /// Someone who may do everything, such as everyone who can open the file or the database.
  case administrator
  /// Someone who is not logged in.
  case anonymous
  case user(String)
}

extension StoreReader {
  /// Returns what a caller may do, or nil if the caller is an administrator. Throws an error if the
  /// user does not exist.
  package func scope(
    of caller: Caller, rules: Scope.RuleParser
  ) async throws(DataError) -> Scope? {
    let user: String?
    switch caller {
    case .administrator: return nil
    case .anonymous: user = nil
    case .user(let id): user = id
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
      .usage, "the store has no user schema, so nobody can be logged in",
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

extension Problem {
  static func noSuchUser(_ id: String, in schema: Schema) -> Problem {
    Problem(.notFound, "there is no such user", schema: schema.name, id: id)
  }

  /// The problem of a request that only administrators may make.
  static func administratorsOnly(_ action: String) -> Problem {
    Problem(.forbidden, "only administrators may \(action)")
  }
}
