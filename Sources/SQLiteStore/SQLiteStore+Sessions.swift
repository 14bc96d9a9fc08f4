package import DataModel
package import DataStore

extension SQLiteStore {
  package func verify(_ check: PasswordCheck) async throws(DataError) {
    _ = try verifiedHash(check)
  }

  package func logIn(_ request: LogInRequest) async throws(DataError) {
    let check = request.check
    let layout = TableLayout(check.userSchema)
    // The password is verified before the write lock is acquired, because hashing is slow.
    let hash = try verifiedHash(check)
    try await write(wait: WriteWait()) { (connection) throws(DataError) in
      guard let slot = check.userSchema.passwordSlot,
        try connection.hasRow(
          """
          select 1 from \(layout.table) where \(layout.key) = \(.text(check.name)) \
          and \(layout.column(slot)) = \(.text(hash))
          """)
      else { throw .wrongLogIn }
      try connection.run(
        "delete from _session where expires <= \(.integer(check.time.microseconds))")
      let statement = try Statement(
        """
        insert into _session (token_hash, user, created, expires) values \
        (\(SQL.parameter), \(.text(check.name)), \(.datetime(check.time)), \
        \(.datetime(request.expires)))
        """, on: connection)
      try statement.bind(blob: request.tokenHash, at: 1)
      try statement.run()
    }
  }

  /// Verifies a password, and returns its stored hash.
  private func verifiedHash(_ check: PasswordCheck) throws(DataError) -> String {
    guard let slot = check.userSchema.passwordSlot else { throw .wrongLogIn }
    let hash = try storedHash(of: check.name, slot: slot, TableLayout(check.userSchema))
    guard try check.verify(hash, check.password), let hash else { throw .wrongLogIn }
    return hash
  }

  private func storedHash(
    of name: String, slot: Int, _ layout: TableLayout
  ) throws(DataError) -> String? {
    let statement = try Statement(
      """
      select \(layout.column(slot)) from \(layout.table) \
      where \(layout.key) = \(.text(name))
      """, on: connection().value)
    return try statement.step() ? statement.text(0) : nil
  }

  package func session(
    _ tokenHash: [UInt8], at time: Timestamp
  ) throws(DataError) -> Session? {
    let statement = try Statement(
      """
      select user, created, expires from _session where token_hash = \(SQL.parameter) \
      and expires > \(.datetime(time))
      """, on: connection().value)
    try statement.bind(blob: tokenHash, at: 1)
    guard try statement.step(), let user = statement.text(0),
      let created = Timestamp(microseconds: statement.integer(1)),
      let expires = Timestamp(microseconds: statement.integer(2))
    else { return nil }
    return Session(user: user, created: created, expires: expires)
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
      try statement.bind(blob: tokenHash, at: 1)
      try statement.run()
    }
  }
}
