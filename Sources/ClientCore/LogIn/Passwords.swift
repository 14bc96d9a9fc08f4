package import DataModel
internal import Platform
internal import Synchronization

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
    try limitingMemory { () throws(DataError) in try Sodium(fileName: library).hash(password) }
  }

  /// Returns whether a password matches a stored hash. For an unknown user, pass nil as the hash:
  /// the result is then false.
  package static func verify(_ hash: String?, _ password: [UInt8]) throws(DataError) -> Bool {
    let matches = try limitingMemory { () throws(DataError) in
      try Sodium().verify(password.span, against: hash ?? dummyHash)
    }
    return hash != nil && matches
  }

  private final class Lane: Sendable {
    let lock = Mutex(())
  }

  /// A lane for each core. One password at a time is hashed in a lane, because hashing takes 64 MiB,
  /// and more threads than cores are not faster.
  private static let lanes = (0..<Processors.count).map { _ in Lane() }
  private static let nextLane = Atomic<Int>(0)

  /// Calls a closure that hashes a password. If as many passwords are being hashed as there are
  /// cores, waits.
  private static func limitingMemory<Result>(
    _ body: () throws(DataError) -> Result
  ) throws(DataError) -> Result {
    let number = nextLane.wrappingAdd(1, ordering: .relaxed).oldValue
    return try lanes[number % lanes.count].lock.withLock { _ throws(DataError) in try body() }
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
