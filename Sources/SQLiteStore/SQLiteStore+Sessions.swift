package import DataModel
package import DataStore

extension SQLiteStore {
  package func verify(_ check: PasswordCheck) async throws(DataError) {
    try await verify(check) { _ throws(DataError) in }
  }

  package func logIn(_ request: LogInRequest) async throws(DataError) {
    let check = request.check
    try await verify(check) { (connection) throws(DataError) in
      let statement = try Statement(
        """
        insert into _session (token_hash, user, created, expires) values \
        (\(SQL.parameter), \(.text(check.name)), \(.datetime(check.time)), \
        \(.datetime(request.expires)))
        """, on: connection)
      try statement.bind(blob: request.tokenHash, at: statement.parameters[0])
      try statement.run()
    }
  }

  package func passwordHash(for check: PasswordCheck) throws(DataError) -> String? {
    guard let slot = check.userSchema.passwordSlot else { throw .wrongLogIn }
    try connection().value.throttle(of: check.throttleKey, at: check.time).check()
    let layout = TableLayout(check.userSchema)
    let statement = try Statement(
      """
      select \(layout.column(slot)) from \(layout.table) \
      where \(layout.key) = \(.text(check.name))
      """, on: connection().value)
    return try statement.step() ? statement.text(0) : nil
  }

  /// Ends the check of a password. If it is correct, calls a closure in the same transaction.
  private func verify(
    _ check: PasswordCheck, _ body: (borrowing Connection) throws(DataError) -> Void
  ) async throws(DataError) {
    guard let slot = check.userSchema.passwordSlot else { throw .wrongLogIn }
    let layout = TableLayout(check.userSchema)
    let key = check.throttleKey
    let isVerified = try await write(wait: WriteWait()) { (connection) throws(DataError) -> Bool in
      try connection.run("delete from _session where expires <= \(.datetime(check.time))")
      var throttle = try connection.throttle(of: key, at: check.time)
      try throttle.check()
      guard let hash = check.verifiedHash,
        try connection.hasRow(
          """
          select 1 from \(layout.table) where \(layout.key) = \(.text(check.name)) \
          and \(layout.column(slot)) = \(.text(hash))
          """)
      else {
        throttle.countFailure()
        try connection.store(throttle, for: key, at: check.time)
        return false
      }
      let statement = try Statement(
        "delete from _session where token_hash = \(SQL.parameter)", on: connection)
      try statement.bind(blob: key, at: statement.parameters[0])
      try statement.run()
      try body(connection)
      return true
    }
    guard isVerified else { throw .wrongLogIn }
  }

  package func session(
    _ tokenHash: [UInt8], at time: Timestamp
  ) throws(DataError) -> Session? {
    try connection().value.session(tokenHash, at: time)
  }

  package func sessions(
    of user: String, at time: Timestamp
  ) throws(DataError) -> [[UInt8]: Session] {
    let statement = try Statement(
      """
      select token_hash, created, expires from _session where user = \(.text(user)) \
      and expires > \(.datetime(time))
      """, on: connection().value)
    var sessions: [[UInt8]: Session] = [:]
    while try statement.step() {
      guard let tokenHash = statement.bytes(0),
        let created = Timestamp(microseconds: statement.integer(1)),
        let expires = Timestamp(microseconds: statement.integer(2))
      else { continue }
      sessions[tokenHash] = Session(user: user, created: created, expires: expires)
    }
    return sessions
  }

  package func endSessions(of user: String) async throws(DataError) {
    try await write(wait: WriteWait()) { (connection) throws(DataError) in
      try connection.run("delete from _session where user = \(.text(user))")
    }
  }

  package func logOut(_ tokenHash: [UInt8]) async throws(DataError) {
    try await write(wait: WriteWait()) { (connection) throws(DataError) in
      let statement = try Statement(
        "delete from _session where token_hash = \(SQL.parameter)", on: connection)
      try statement.bind(blob: tokenHash, at: statement.parameters[0])
      try statement.run()
    }
  }
}

extension Connection {
  /// Returns the session whose token has the given hash, if it is valid at the given time.
  func session(_ tokenHash: [UInt8], at time: Timestamp) throws(DataError) -> Session? {
    let statement = try Statement(
      """
      select user, created, expires from _session where token_hash = \(SQL.parameter) \
      and expires > \(.datetime(time))
      """, on: self)
    try statement.bind(blob: tokenHash, at: statement.parameters[0])
    guard try statement.step(), let user = statement.text(0),
      let created = Timestamp(microseconds: statement.integer(1)),
      let expires = Timestamp(microseconds: statement.integer(2))
    else { return nil }
    return Session(user: user, created: created, expires: expires)
  }

  /// Returns the limit on wrong passwords for a combination of user name and address. The key is
  /// derived from this combination.
  fileprivate func throttle(
    of key: [UInt8], at time: Timestamp
  ) throws(DataError) -> LogInThrottle {
    let statement = try Statement(
      "select expires from _session where token_hash = \(SQL.parameter)", on: self)
    try statement.bind(blob: key, at: statement.parameters[0])
    let expires = try statement.step() ? Timestamp(microseconds: statement.integer(0)) : nil
    return LogInThrottle(expires, at: time)
  }

  fileprivate func store(
    _ throttle: LogInThrottle, for key: [UInt8], at time: Timestamp
  ) throws(DataError) {
    let statement = try Statement(
      """
      insert or replace into _session (token_hash, user, created, expires) values \
      (\(SQL.parameter), '', \(.datetime(time)), \(.datetime(throttle.expires)))
      """, on: self)
    try statement.bind(blob: key, at: statement.parameters[0])
    try statement.run()
  }
}
