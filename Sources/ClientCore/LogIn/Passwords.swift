package import DataModel

/// Hashes and verifies passwords: argon2id with libsodium's interactive limits.
package enum Passwords {
  /// A hash that no password matches. It is verified for unknown users, so that an unknown name
  /// takes as long as a wrong password.
  private static let dummyHash =
    "$argon2id$v=19$m=65536,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA"
    + "$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"

  /// Returns the hash of a password, made with the libsodium at the given path.
  package static func hash(
    _ password: Span<UInt8>, library: String = Sodium.fileName
  ) throws(DataError) -> String {
    try Sodium(fileName: library).hash(password)
  }

  /// Returns whether a password matches a stored hash; pass nil as the hash of an unknown user.
  package static func verify(_ hash: String?, _ password: [UInt8]) throws(DataError) -> Bool {
    let matches = try Sodium().verify(password.span, against: hash ?? dummyHash)
    return hash != nil && matches
  }
}

extension RowChanges {
  /// Replaces the passwords from a row on by their hashes, and overwrites the passwords with zeros.
  ///
  /// It is called before the store takes its lock, because a hash takes 50 ms by design.
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
