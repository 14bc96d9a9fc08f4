package import DataModel

/// Hashes passwords and checks them: argon2id with libsodium's interactive limits.
package enum Passwords {
  /// The hash that stands for a user who is not there, so that a wrong name takes as long as a
  /// wrong password. No password fits it.
  private static let nobody =
    "$argon2id$v=19$m=65536,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA"
    + "$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"

  /// Makes the hash that a store keeps, with the library of this name.
  package static func hash(
    _ password: Span<UInt8>, library: String = Sodium.fileName
  ) throws(DataError) -> String {
    try Sodium(fileName: library).hash(password)
  }

  /// Tells whether a password fits a stored hash; nil stands for a user who is not there.
  package static func verify(_ hash: String?, _ password: [UInt8]) throws(DataError) -> Bool {
    let fits = try Sodium().verify(password.span, against: hash ?? nobody)
    return hash != nil && fits
  }
}

extension Changes {
  /// Puts hashes in the place of passwords, and zeros in the place of what was read.
  ///
  /// It is called before the store takes its lock: a hash takes 50 ms on purpose.
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
