package import DataModel

/// A session of a logged-in user.
package struct Session: Hashable, Sendable {
  package var user: String
  package var created: Timestamp
  package var expires: Timestamp
  /// The name that the session was given at the login, or nil. Several sessions can have the same
  /// name.
  package var name: String?

  package init(user: String, created: Timestamp, expires: Timestamp, name: String? = nil) {
    self.user = user
    self.created = created
    self.expires = expires
    self.name = name
  }

  /// Returns whether the session has the given name. Names are compared byte by byte.
  package func isNamed(_ name: String) -> Bool {
    self.name.map { $0.utf8.elementsEqual(name.utf8) } == true
  }
}

/// A request to check the password of a user.
///
/// Verifying a password takes long by design, so a store does not do it: `Store.passwordHash(for:)`
/// returns the stored hash, and the caller verifies the password against it.
package struct PasswordCheck: Sendable {
  package var userSchema: Schema
  package var name: String
  /// The time of the password check.
  package var time: Timestamp
  /// The address of the client, or nil if the store is opened directly. Each combination of name
  /// and address has its own limit on wrong passwords.
  package var address: String?
  /// The stored hash that the password matches. Nil if the password is wrong, or if the user does
  /// not exist or has no password.
  package var verifiedHash: String?

  package init(
    of name: String, in userSchema: Schema, at time: Timestamp, from address: String? = nil,
    verifiedHash: String? = nil
  ) {
    self.userSchema = userSchema
    self.name = name
    self.time = time
    self.address = address
    self.verifiedHash = verifiedHash
  }
}

/// A request to create a session. The session begins at the time of the password check.
package struct LogInRequest: Sendable {
  package var check: PasswordCheck
  /// The SHA-256 of the session token; the token itself is never stored.
  package var tokenHash: [UInt8]
  package var expires: Timestamp
  /// The name of the session, or nil.
  package var sessionName: String?

  package init(
    _ check: PasswordCheck, tokenHash: [UInt8], expires: Timestamp, sessionName: String? = nil
  ) {
    self.check = check
    self.tokenHash = tokenHash
    self.expires = expires
    self.sessionName = sessionName
  }

  /// The session that the request creates.
  package var session: Session {
    Session(user: check.name, created: check.time, expires: expires, name: sessionName)
  }
}
