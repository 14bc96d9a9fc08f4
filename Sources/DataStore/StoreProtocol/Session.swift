package import DataModel

/// A session of a logged-in user.
package struct Session: Hashable, Sendable {
  package var user: String
  package var created: Timestamp
  package var expires: Timestamp

  package init(user: String, created: Timestamp, expires: Timestamp) {
    self.user = user
    self.created = created
    self.expires = expires
  }
}

/// A request to verify the password of a user.
package struct PasswordCheck: Sendable {
  package var userSchema: Schema
  package var name: String
  package var password: [UInt8]
  /// The time of the password check.
  package var time: Timestamp
  /// The address of the client, or nil if the store is opened directly. Each combination of name
  /// and address has its own limit on wrong passwords.
  package var address: String?
  /// A closure that returns whether the password matches a stored hash. A nil hash means that the
  /// user does not exist or has no password. Verification then takes as much time as with a hash,
  /// so that an attacker cannot find out which user names exist.
  package var verify: @Sendable (_ hash: String?, _ password: [UInt8]) throws(DataError) -> Bool

  package init(
    of name: String, in userSchema: Schema, password: [UInt8], at time: Timestamp,
    from address: String? = nil,
    verify: @escaping @Sendable (_ hash: String?, _ password: [UInt8]) throws(DataError) -> Bool
  ) {
    self.userSchema = userSchema
    self.name = name
    self.password = password
    self.time = time
    self.address = address
    self.verify = verify
  }
}

/// A request to create a session. The session begins at the time of the password check.
package struct LogInRequest: Sendable {
  package var check: PasswordCheck
  /// The SHA-256 of the session token; the token itself is never stored.
  package var tokenHash: [UInt8]
  package var expires: Timestamp

  package init(_ check: PasswordCheck, tokenHash: [UInt8], expires: Timestamp) {
    self.check = check
    self.tokenHash = tokenHash
    self.expires = expires
  }
}
