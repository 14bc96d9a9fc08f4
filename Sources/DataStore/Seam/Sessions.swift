package import DataModel

/// A user's standing with a store.
package struct Session: Hashable, Sendable {
  package var user: String
  package var expires: Timestamp

  package init(user: String, expires: Timestamp) {
    self.user = user
    self.expires = expires
  }
}

/// What opens a session: a name, and the means to check a password where the store cannot.
package struct LogInRequest: Sendable {
  package var userSchema: Schema
  package var name: String
  package var password: [UInt8]
  /// The SHA-256 of the session's token; the token itself stays with the user.
  package var tokenHash: [UInt8]
  package var created: Timestamp
  package var expires: Timestamp
  /// Tells whether the password fits a stored hash; nil stands for a user that is not there, and
  /// takes as long.
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
