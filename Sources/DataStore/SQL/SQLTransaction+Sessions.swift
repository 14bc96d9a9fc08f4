package import DataModel

/// The table of sessions, which also contains the limits on wrong passwords (`LogInThrottle`) and
/// the receipts of writes (`Receipt`).
extension SQLTransaction where Self: ~Copyable {
  /// Returns the session whose token has the given hash, if it is valid at the given time.
  package borrowing func session(
    _ tokenHash: [UInt8], at time: Timestamp
  ) throws(DataError) -> Session? {
    var session: Session?
    try forEachRow(
      """
      select \(name: "user"), created, expires from \(table: "_session") \
      where token_hash = \(bytes: tokenHash) and expires > \(.datetime(time))
      """, [.text, .datetime, .datetime]
    ) { session = Session($0[...]) }
    return session
  }

  /// Returns the sessions of a user that are valid at the given time, keyed by the hashes of their
  /// tokens.
  ///
  /// Until the store has the newest format, the table has no column `name`. The query is valid
  /// nevertheless: if the inner table does not have the column, the name is that of the outer query.
  package borrowing func sessions(
    of user: String, at time: Timestamp
  ) throws(DataError) -> [[UInt8]: Session] {
    var sessions: [[UInt8]: Session] = [:]
    try forEachRow(
      """
      select \(dialect.hexadecimal("token_hash")), \(name: "user"), created, expires, \
      (select name from \(table: "_session") as named where named.token_hash = listed.token_hash) \
      from \(table: "_session") as listed cross join (select null as name) as unnamed \
      where \(name: "user") = \(.text(user)) and expires > \(.datetime(time))
      """, [.text, .text, .datetime, .datetime, .text]
    ) { values in
      guard case .text(let text) = values[0] else { return }
      let digits = text.utf8.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
      let tokenHash = stride(from: 1, to: digits.count, by: 2).map {
        UInt8(digits[$0 - 1] << 4 | digits[$0])
      }
      sessions[tokenHash] = Session(values[1...])
    }
    return sessions
  }

  /// Ends the session whose token has the given hash; does nothing if there is no such session.
  package borrowing func endSession(_ tokenHash: [UInt8]) throws(DataError) {
    try enqueue("delete from \(table: "_session") where token_hash = \(bytes: tokenHash)")
  }

  /// Ends the sessions of a user, or only those with the given name; see `Store.endSessions`.
  package borrowing func endSessions(
    of user: String, named name: String?, at time: Timestamp
  ) throws(DataError) -> Int {
    var ended = try sessions(of: user, at: time)
    guard let name else {
      try endSessions(of: [user])
      return ended.count
    }
    ended = ended.filter { $0.value.isNamed(name) }
    for tokenHash in ended.keys { try endSession(tokenHash) }
    return ended.count
  }

  /// Ends all sessions of users, except the one whose token has the hash `kept`.
  package borrowing func endSessions(
    of users: [String], except kept: [UInt8]? = nil
  ) throws(DataError) {
    let isOfUsers = dialect.isOne(
      of: users.map(Value.text), "\(name: "user")", of: .id, ColumnPredicate(.isEmpty, dialect))
    let isOther: SQL = kept.map { " and token_hash <> \(bytes: $0)" } ?? ""
    try enqueue("delete from \(table: "_session") where \(isOfUsers)\(isOther)")
  }

  /// Reserves the key of a receipt; see `WriteTransaction.claim`.
  package borrowing func claim(_ key: [UInt8], at time: Timestamp) throws(DataError) {
    let row = Session(user: "", created: time, expires: time)
    try execute("\(Self.insertion(of: row, for: key)) on conflict (token_hash) do nothing")
  }

  /// Replaces the row with the given key.
  package borrowing func store(_ row: Session, for key: [UInt8]) throws(DataError) {
    try execute(
      """
      update \(table: "_session") set \(name: "user") = \(.text(row.user)), \
      created = \(.datetime(row.created)), expires = \(.datetime(row.expires)) \
      where token_hash = \(bytes: key)
      """)
  }
}

/// Log-in. The calls except `passwordHash` need a write transaction.
extension PlanTransaction where Self: ~Copyable {
  /// Returns the stored hash of a user's password; see `Store.passwordHash(for:)`.
  package borrowing func passwordHash(for check: PasswordCheck) throws(DataError) -> String? {
    guard let slot = check.userSchema.passwordSlot else { throw .wrongLogIn }
    try throttle(
      """
      select expires from \(table: "_session") where token_hash = \(bytes: check.throttleKey)
      """, at: check.time
    ).check()
    let layout = TableLayout(check.userSchema)
    var hash: String?
    try forEachRow(
      """
      select \(layout.column(slot)) from \(layout.table) where \(layout.key) = \(.text(check.name))
      """, [.text]
    ) { if case .text(let text) = $0[0] { hash = text } }
    return hash
  }

  /// Ends the check of a password. If it is correct and the user is not disabled, adds the session
  /// of the request, if there is one. If it is wrong, counts it.
  ///
  /// - Returns: The error to throw after the transaction is committed; nil if there is none.
  package borrowing func verify(
    _ check: PasswordCheck, toLogIn request: LogInRequest? = nil
  ) throws(DataError) -> DataError? {
    let key = check.throttleKey
    try enqueue("delete from \(table: "_session") where expires <= \(.datetime(check.time))")
    // A row that does not exist is created, because a missing row cannot be locked.
    let row = Session(user: "", created: check.time, expires: check.time)
    var throttle = try throttle(
      """
      \(Self.insertion(of: row, for: key)) on conflict (token_hash) \
      do update set created = excluded.created returning expires
      """, at: check.time)
    try throttle.check()
    guard let isDisabled = try isDisabled(check) else {
      throttle.countFailure()
      try store(Session(user: "", created: check.time, expires: throttle.expires), for: key)
      return .wrongLogIn
    }
    try endSession(key)
    if isDisabled { return .userDisabled(.forbidden) }
    if let request {
      if request.sessionName != nil { try upgradeToNewestFormat() }
      try execute(Self.insertion(of: request.session, for: request.tokenHash))
    }
    return nil
  }

  /// Returns whether the user is disabled, or nil if the password is wrong or was changed. Locks the
  /// user, so that neither can change until the transaction ends.
  private borrowing func isDisabled(_ check: PasswordCheck) throws(DataError) -> Bool? {
    guard let hash = check.verifiedHash, let slot = check.userSchema.passwordSlot else {
      return nil
    }
    let layout = TableLayout(check.userSchema)
    let disabled: SQL = check.userSchema.disabledSlot.map { "\(layout.column($0))" } ?? "false"
    var isDisabled: Bool?
    try forEachRow(
      """
      select \(disabled) from \(layout.table) where \(layout.key) = \(.text(check.name)) \
      and \(layout.column(slot)) = \(.text(hash))\(dialect.lockClause)
      """, [.boolean]
    ) { isDisabled = $0[0] == .boolean(true) }
    return isDisabled
  }

  private borrowing func throttle(
    _ sql: SQL, at time: Timestamp
  ) throws(DataError) -> LogInThrottle {
    var stored: Timestamp?
    try forEachRow(sql, [.datetime]) { if case .datetime(let expires) = $0[0] { stored = expires } }
    return LogInThrottle(stored, at: time)
  }

}

extension SQLTransaction where Self: ~Copyable {
  fileprivate static func insertion(of row: Session, for key: [UInt8]) -> SQL {
    let (column, name): (SQL, SQL) = row.name.map { (", name", ", \(.text($0))") } ?? ("", "")
    return """
      insert into \(table: "_session") (token_hash, \(name: "user"), created, expires\(column)) \
      values (\(bytes: key), \(.text(row.user)), \(.datetime(row.created)), \
      \(.datetime(row.expires))\(name))
      """
  }
}

extension Session {
  /// Creates a session from the columns `user`, `created` and `expires` of its row, and `name` if it
  /// was read.
  fileprivate init?(_ values: ArraySlice<Value>) {
    guard values.count >= 3, case .text(let user) = values[values.startIndex],
      case .datetime(let created) = values[values.startIndex + 1],
      case .datetime(let expires) = values[values.startIndex + 2]
    else { return nil }
    self.init(user: user, created: created, expires: expires)
    if values.count == 4, case .text(let name)? = values.last { self.name = name }
  }
}
