package import DataModel
package import DataStore

extension PostgresStore {
  package func passwordHash(for check: PasswordCheck) throws(DataError) -> String? {
    try withConnection { (connection) throws(DataError) in
      try connection.passwordHash(for: check)
    }
  }

  package func verify(_ check: PasswordCheck) async throws(DataError) {
    let isVerified = try await write(wait: WriteWait()) { (connection) throws(DataError) in
      try connection.verify(check)
    }
    guard isVerified else { throw .wrongLogIn }
  }

  package func logIn(_ request: LogInRequest) async throws(DataError) {
    let isVerified = try await write(wait: WriteWait()) { (connection) throws(DataError) in
      try connection.verify(request.check, toLogIn: request)
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
      try connection.sessions(of: user, at: time)
    }
  }

  package func endSessions(of user: String) async throws(DataError) {
    try await write(wait: WriteWait()) { (connection) throws(DataError) in
      try connection.endSessions(of: [user])
    }
  }

  package func logOut(_ tokenHash: [UInt8]) async throws(DataError) {
    try await write(wait: WriteWait()) { (connection) throws(DataError) in
      try connection.endSession(tokenHash)
    }
  }
}
