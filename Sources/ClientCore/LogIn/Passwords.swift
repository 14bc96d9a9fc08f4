package import DataModel

/// Hashes and verifies passwords with argon2id and libsodium's limits for interactive use.
package enum Passwords {
  /// A hash that no password matches. For an unknown user, the password is verified against this
  /// hash, so that the login takes as long as for a known user with a wrong password.
  private static let dummyHash =
    "$argon2id$v=19$m=65536,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA"
    + "$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"

  /// Returns the hash of a password. `library` is the file name of libsodium.
  package static func hash(
    _ password: Span<UInt8>, library: String = Sodium.fileName
  ) throws(DataError) -> String {
    try Sodium(fileName: library).hash(password)
  }

  /// Returns whether a password matches a stored hash. For an unknown user, pass nil as the hash:
  /// the result is then false.
  package static func verify(_ hash: String?, _ password: [UInt8]) throws(DataError) -> Bool {
    let matches = try Sodium().verify(password.span, against: hash ?? dummyHash)
    return hash != nil && matches
  }
}

extension RowChanges {
  /// Replaces the passwords in `firstRow` and all later rows with their hashes, and overwrites the
  /// passwords with zeros.
  ///
  /// Call this before the store acquires its lock, because computing a hash takes 50 ms by design.
  package mutating func hashPasswords(from firstRow: Int = 0) throws(DataError) {
    guard let slot = schema.passwordSlot else { return }
    for row in firstRow..<count where rows[row, slot].hasValue {
      let hash = try rows.withBytes(of: rows[row, slot]) { password throws(DataError) in
        try Passwords.hash(password)
      }
      replacePassword(row, by: hash)
    }
  }
}
