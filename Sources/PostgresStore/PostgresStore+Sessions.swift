package import DataModel
package import DataStore

extension PostgresStore {
  package func passwordHash(for check: PasswordCheck) throws(DataError) -> String? {
    try withConnection { (connection) throws(DataError) in
      try connection.passwordHash(for: check)
    }
  }

  package func verify(_ check: PasswordCheck) async throws(DataError) {
    let error = try await write(wait: WriteWait()) { (connection) throws(DataError) in
      try connection.verify(check)
    }
    if let error { throw error }
  }

  package func logIn(_ request: LogInRequest) async throws(DataError) {
    let error = try await write(wait: WriteWait()) { (connection) throws(DataError) in
      try connection.verify(request.check, toLogIn: request)
    }
    if let error { throw error }
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
      try connection.sessions(of: user, at: time)
    }
  }

  package func endSessions(
    of user: String, named name: String?, at time: Timestamp
  ) async throws(DataError) -> Int {
    try await write(wait: WriteWait()) { (connection) throws(DataError) in
      try connection.endSessions(of: user, named: name, at: time)
    }
  }

  package func logOut(_ tokenHash: [UInt8]) async throws(DataError) {
    try await write(wait: WriteWait()) { (connection) throws(DataError) in
      try connection.endSession(tokenHash)
    }
  }
}
