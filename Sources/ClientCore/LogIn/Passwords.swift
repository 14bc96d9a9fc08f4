package import DataModel
internal import JSONText
internal import Platform
internal import Synchronization

/// Hashes and verifies passwords with argon2id and libsodium's limits for interactive use.
package enum Passwords {
  /// Performs the jobs of the current task; nil to perform them on the current thread.
  @TaskLocal package static var performer: (any PasswordPerformer)?

  /// Performs jobs one after another, and returns their results.
  ///
  /// Other requests may use the store meanwhile, so no transaction of the caller may be open.
  package static func perform(_ jobs: [any PasswordJob]) async throws(DataError) -> [String?] {
    if let performer { return try await performer.perform(jobs) }
    var results: [String?] = []
    for job in jobs { results.append(try job.result()) }
    return results
  }

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

  static func hashes(of passwords: [[UInt8]]) async throws(DataError) -> [String] {
    try await perform(passwords.map { Hashing(password: $0) }).compactMap(\.self)
  }

  /// Returns the stored hash if the password matches it; nil if it does not, or if there is none.
  static func verified(
    _ hash: String?, _ password: [UInt8]
  ) async throws(DataError) -> String? {
    try await perform([Verification(hash: hash, password: password)]).first ?? nil
  }

  private struct Hashing: PasswordJob {
    let password: [UInt8]

    func result() throws(DataError) -> String? { try hash(password.span) }
  }

  private struct Verification: PasswordJob {
    let hash: String?
    let password: [UInt8]

    func result() throws(DataError) -> String? { try verify(hash, password) ? hash : nil }
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

/// The hashing or the verification of a password, which takes long.
package protocol PasswordJob: Sendable {
  func result() throws(DataError) -> String?
}

/// Performs the jobs of `Passwords.perform`.
package protocol PasswordPerformer: Sendable {
  func perform(_ jobs: [any PasswordJob]) async throws(DataError) -> [String?]
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
  mutating func count() -> Bool {
    guard let number = remaining else { return true }
    remaining = max(0, number - 1)
    return number > 0
  }
}

/// A password whose hash was computed before the record was parsed.
struct HashedPassword {
  var password: [UInt8]
  var hash: String
}

extension RowChanges {
  /// The rows that contain passwords.
  private var rowsWithPassword: [Int] {
    guard let slot = schema.passwordSlot else { return [] }
    return (0..<count).filter { rows[$0, slot].hasValue }
  }

  /// Throws an error if there are more passwords than the limit permits.
  func countPasswords(within limit: inout PasswordLimit) throws(DataError) {
    for row in rowsWithPassword where !limit.count() {
      throw DataError(
        Problem(
          .invalid, "only administrators may set several passwords at once",
          hint: "save each user with a request of its own", schema: schema.name,
          field: schema.passwordSlot.map(schema.name(of:)), line: lines[row]))
    }
  }

  /// Replaces the passwords in the chunk with their hashes, and overwrites the passwords with
  /// zeros. Computing the hashes takes time, and the store may be locked meanwhile.
  ///
  /// - Parameter known: The hashes that were computed before, by the lines of their records.
  mutating func hashPasswords(
    _ known: [Int: HashedPassword] = [:]
  ) throws(DataError) {
    guard let slot = schema.passwordSlot else { return }
    for row in rowsWithPassword {
      let known = known[lines[row]]
      let hash = try rows.withBytes(of: rows[row, slot]) { password throws(DataError) in
        if let known, password.isEqual(toBytes: known.password) { return known.hash }
        return try Passwords.hash(password)
      }
      replacePassword(row, by: hash)
    }
  }

  /// Replaces the passwords like `hashPasswords`, before the store acquires its lock.
  mutating func hashPasswordsBeforehand() async throws(DataError) {
    guard let slot = schema.passwordSlot else { return }
    let found = rowsWithPassword
    guard !found.isEmpty else { return }
    let passwords = found.map { row in
      var password: [UInt8] = []
      rows.withBytes(of: rows[row, slot]) { password.append(copying: $0) }
      return password
    }
    for (row, hash) in zip(found, try await Passwords.hashes(of: passwords)) {
      replacePassword(row, by: hash)
    }
  }
}
