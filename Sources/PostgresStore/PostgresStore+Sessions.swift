package import DataModel
package import DataStore

extension PostgresStore {
  package func verify(_ check: PasswordCheck) async throws(DataError) {
    _ = try verifiedHash(check)
  }

  package func logIn(_ request: LogInRequest) async throws(DataError) {
    let check = request.check
    let layout = TableLayout(check.userSchema)
    // Verifying the password is slow by design, so it is done outside any transaction.
    let hash = try verifiedHash(check)
    try await write(wait: WriteWait()) { (connection) throws(DataError) in
      guard let slot = check.userSchema.passwordSlot,
        try connection.run(
          """
          select 1 from \(layout.table) where \(layout.key) = \(.text(check.name)) \
          and \(layout.column(slot)) = \(.text(hash)) for update
          """
        ).count > 0
      else { throw .wrongLogIn }
      connection.enqueue(
        "delete from \(table: "_session") where expires <= \(.datetime(check.time))")
      try connection.run(
        """
        insert into \(table: "_session") (token_hash, \(name: "user"), created, expires) values \
        (\(SQL.parameter), \(.text(check.name)), \(.datetime(check.time)), \
        \(.datetime(request.expires)))
        """, binding: [WireValue(.bytes, request.tokenHash)])
    }
  }

  /// Verifies a password, and returns its stored hash.
  private func verifiedHash(_ check: PasswordCheck) throws(DataError) -> String {
    guard let slot = check.userSchema.passwordSlot else { throw .wrongLogIn }
    let layout = TableLayout(check.userSchema)
    let hash = try withConnection { (connection) throws(DataError) -> String? in
      let resultSet = try connection.run(
        """
        select \(layout.column(slot)) from \(layout.table) \
        where \(layout.key) = \(.text(check.name))
        """)
      return resultSet.count > 0 ? resultSet.text(0, 0) : nil
    }
    guard try check.verify(hash, check.password), let hash else { throw .wrongLogIn }
    return hash
  }

  package func session(
    _ tokenHash: [UInt8], at time: Timestamp
  ) throws(DataError) -> Session? {
    try withConnection { (connection) throws(DataError) in
      let resultSet = try connection.run(
        """
        select \(name: "user"), created, expires from \(table: "_session") \
        where token_hash = \(SQL.parameter) and expires > \(.datetime(time))
        """, binding: [WireValue(.bytes, tokenHash)])
      guard resultSet.count > 0, let user = resultSet.text(0, 0),
        let created = resultSet.time(0, 1), let expires = resultSet.time(0, 2)
      else { return nil }
      return Session(user: user, created: created, expires: expires)
    }
  }

  package func sessions(
    of user: String, at time: Timestamp
  ) throws(DataError) -> [[UInt8]: Session] {
    try withConnection { (connection) throws(DataError) in
      let resultSet = try connection.run(
        """
        select token_hash, created, expires from \(table: "_session") \
        where \(name: "user") = \(.text(user)) and expires > \(.datetime(time))
        """)
      var sessions: [[UInt8]: Session] = [:]
      for row in 0..<resultSet.count {
        guard let tokenHash = resultSet.bytes(row, 0), let created = resultSet.time(row, 1),
          let expires = resultSet.time(row, 2)
        else { continue }
        sessions[tokenHash] = Session(user: user, created: created, expires: expires)
      }
      return sessions
    }
  }

  package func endSessions(of user: String) async throws(DataError) {
    try await write(wait: WriteWait()) { (connection) throws(DataError) in
      _ = try connection.run(
        "delete from \(table: "_session") where \(name: "user") = \(.text(user))")
    }
  }

  package func logOut(_ tokenHash: [UInt8]) async throws(DataError) {
    try await write(wait: WriteWait()) { (connection) throws(DataError) in
      _ = try connection.run(
        "delete from \(table: "_session") where token_hash = \(SQL.parameter)",
        binding: [WireValue(.bytes, tokenHash)])
    }
  }
}
