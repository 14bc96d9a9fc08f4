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

  /// The locks that limit how many passwords are hashed at once, one for each core. Hashing a
  /// password takes 64 MiB of memory, and more threads than cores would not be faster.
  private static let lanes = (0..<Processors.count).map { _ in Lane() }
  private static let nextLane = Atomic<Int>(0)

  /// Calls a closure that hashes a password, and holds one of the locks in `lanes` during the call.
  /// So at most one password for each core is hashed at the same time.
  private static func limitingMemory<Result>(
    _ body: () throws(DataError) -> Result
  ) throws(DataError) -> Result {
    let number = nextLane.wrappingAdd(1, ordering: .relaxed).oldValue
    return try lanes[number % lanes.count].lock.withLock { _ throws(DataError) in try body() }
  }
}

/// The number of passwords that a request may set. Without this limit, a caller who may create
/// users could occupy the machine with one request, because computing the hash of a password takes
/// 50 ms by design.
package struct PasswordLimit: Sendable {
  /// The number of passwords that the request may still set, or nil for any number.
  private var remaining: Int?

  /// The limit for administrators, who may set any number of passwords.
  package static let none = PasswordLimit(remaining: nil)
  /// The limit for callers to whom the access rules apply. A user who signs up sets one password.
  package static let one = PasswordLimit(remaining: 1)

  /// Counts one more password that the request sets. Returns false if this exceeds the limit.
  fileprivate mutating func count() -> Bool {
    guard let number = remaining else { return true }
    remaining = max(0, number - 1)
    return number > 0
  }
}

extension RowChanges {
  /// Replaces the passwords in the chunk with their hashes, and overwrites the passwords with
  /// zeros. Throws an error if there are more passwords than the limit permits.
  ///
  /// Call this before the store acquires its lock, because computing the hashes takes time.
  package mutating func hashPasswords(within limit: inout PasswordLimit) throws(DataError) {
    guard let slot = schema.passwordSlot else { return }
    for row in 0..<count where rows[row, slot].hasValue {
      guard limit.count() else {
        throw DataError(
          Problem(
            .invalid, "only administrators may set several passwords at once",
            hint: "save each user with a request of its own", schema: schema.name,
            field: schema.name(of: slot), line: lines[row]))
      }
      let hash = try rows.withBytes(of: rows[row, slot]) { password throws(DataError) in
        try Passwords.hash(password)
      }
      replacePassword(row, by: hash)
    }
  }
}
