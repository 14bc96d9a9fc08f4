package import DataModel

/// A session of a logged-in user.
package struct Session: Hashable, Sendable {
  package var user: String
  package var expires: Timestamp

  package init(user: String, expires: Timestamp) {
    self.user = user
    self.expires = expires
  }
}

/// A request to create a session.
package struct LogInRequest: Sendable {
  package var userSchema: Schema
  package var name: String
  package var password: [UInt8]
  /// The SHA-256 of the session token; the token itself is never stored.
  package var tokenHash: [UInt8]
  package var created: Timestamp
  package var expires: Timestamp
  /// A closure that returns whether the password matches a stored hash. A nil hash means that the
  /// user does not exist or has no password. Verification then takes as much time as with a hash,
  /// so that an attacker cannot find out which user names exist.
  package var verify: @Sendable (_ hash: String?, _ password: [UInt8]) throws(DataError) -> Bool

  package init(
    userSchema: Schema, name: String, password: [UInt8], tokenHash: [UInt8], created: Timestamp,
    expires: Timestamp,
    verify: @escaping @Sendable (_ hash: String?, _ password: [UInt8]) throws(DataError) -> Bool
  ) {
    self.userSchema = userSchema
    self.name = name
    self.password = password
    self.tokenHash = tokenHash
    self.created = created
    self.expires = expires
    self.verify = verify
  }
}
