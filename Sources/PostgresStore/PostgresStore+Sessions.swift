package import DataModel
package import DataStore

extension PostgresStore {
  package func verify(_ check: PasswordCheck) async throws(DataError) {
    try await verify(check) { _ throws(DataError) in }
  }

  package func logIn(_ request: LogInRequest) async throws(DataError) {
    let check = request.check
    try await verify(check) { (connection) throws(DataError) in
      try connection.run(
        """
        insert into \(table: "_session") (token_hash, \(name: "user"), created, expires) values \
        (\(SQL.parameter), \(.text(check.name)), \(.datetime(check.time)), \
        \(.datetime(request.expires)))
        """, binding: [WireValue(.bytes, request.tokenHash)])
    }
  }

  package func passwordHash(for check: PasswordCheck) throws(DataError) -> String? {
    guard let slot = check.userSchema.passwordSlot else { throw .wrongLogIn }
    let layout = TableLayout(check.userSchema)
    return try withConnection { (connection) throws(DataError) -> String? in
      let throttle = try connection.run(
        "select expires from \(table: "_session") where token_hash = \(SQL.parameter)",
        binding: [WireValue(.bytes, check.throttleKey)])
      try LogInThrottle(
        throttle.count > 0 ? throttle.time(0, 0) : nil, at: check.time
      ).check()
      let resultSet = try connection.run(
        """
        select \(layout.column(slot)) from \(layout.table) \
        where \(layout.key) = \(.text(check.name))
        """)
      return resultSet.count > 0 ? resultSet.text(0, 0) : nil
    }
  }

  /// Ends the check of a password. If it is correct, calls a closure in the same transaction, in
  /// which the limit on wrong passwords is locked.
  private func verify(
    _ check: PasswordCheck, _ body: (Connection) throws(DataError) -> Void
  ) async throws(DataError) {
    guard let slot = check.userSchema.passwordSlot else { throw .wrongLogIn }
    let layout = TableLayout(check.userSchema)
    let key = WireValue(.bytes, check.throttleKey)
    let isVerified = try await write(wait: WriteWait()) { (connection) throws(DataError) -> Bool in
      connection.enqueue(
        "delete from \(table: "_session") where expires <= \(.datetime(check.time))")
      var throttle = try connection.lockedThrottle(of: key, at: check.time)
      try throttle.check()
      guard let hash = check.verifiedHash,
        try connection.run(
          """
          select 1 from \(layout.table) where \(layout.key) = \(.text(check.name)) \
          and \(layout.column(slot)) = \(.text(hash)) for update
          """
        ).count > 0
      else {
        throttle.countFailure()
        try connection.run(
          """
          update \(table: "_session") set expires = \(.datetime(throttle.expires)) \
          where token_hash = \(SQL.parameter)
          """, binding: [key])
        return false
      }
      connection.enqueue(
        "delete from \(table: "_session") where token_hash = \(SQL.parameter)", binding: [key])
      try body(connection)
      return true
    }
    guard isVerified else { throw .wrongLogIn }
  }

  package func session(
    _ tokenHash: [UInt8], at time: Timestamp
  ) throws(DataError) -> Session? {
    try withConnection { (connection) throws(DataError) in
      try connection.session(tokenHash, at: time)
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

extension Connection {
  /// Returns the session whose token has the given hash, if it is valid at the given time.
  func session(_ tokenHash: [UInt8], at time: Timestamp) throws(DataError) -> Session? {
    let resultSet = try run(
      """
      select \(name: "user"), created, expires from \(table: "_session") \
      where token_hash = \(SQL.parameter) and expires > \(.datetime(time))
      """, binding: [WireValue(.bytes, tokenHash)])
    guard resultSet.count > 0, let user = resultSet.text(0, 0),
      let created = resultSet.time(0, 1), let expires = resultSet.time(0, 2)
    else { return nil }
    return Session(user: user, created: created, expires: expires)
  }

  /// Returns the limit on wrong passwords that is stored under the given key, and locks its row
  /// until the transaction ends. If the row does not exist, creates it, because a missing row
  /// cannot be locked.
  fileprivate func lockedThrottle(
    of key: WireValue, at time: Timestamp
  ) throws(DataError) -> LogInThrottle {
    let resultSet = try run(
      """
      insert into \(table: "_session") (token_hash, \(name: "user"), created, expires) values \
      (\(SQL.parameter), '', \(.datetime(time)), \(.datetime(time))) \
      on conflict (token_hash) do update set created = excluded.created returning expires
      """, binding: [key])
    return LogInThrottle(resultSet.count > 0 ? resultSet.time(0, 0) : nil, at: time)
  }
}
