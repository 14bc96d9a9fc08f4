package import DataModel
internal import DataStore

/// A store in which users log in: one that this program has opened, or one on a server.
package protocol LogInService: Sendable {
  var address: StoreAddress { get }

  /// Why `DATACTL_TOKEN` is not used for the store, for hints. Nil if the variable is not set, or
  /// if it is used.
  var ignoredTokenNote: String? { get }

  /// Throws an error if the store does not exist.
  func checkExists() async throws(DataError)

  /// Logs a user in, and returns the session with its token.
  func openSession(
    _ name: String, password: consuming [UInt8], days: Int, sessionName: String?,
    storage: SessionStorage
  ) async throws(DataError) -> (logIn: LogIn, token: String)

  /// Returns the user who is logged in, or throws an error if there is none.
  func loggedInUser() async throws(DataError) -> LogIn

  /// Ends the session and deletes its token. Returns whether a user was logged in.
  func logOut() async throws -> Bool

  /// Ends all sessions of the user who is logged in.
  func logOutEverywhere() async throws

  /// Ends the sessions of a user with a name, or all of them if the name is nil. Returns their
  /// number.
  func endNamedSessions(of user: String, _ name: String?) async throws(DataError) -> Int

  /// Changes the password of the user who is logged in.
  func changePassword(
    from old: consuming [UInt8], to new: consuming [UInt8]
  ) async throws(DataError)

  /// Sets the password of a user.
  func setPassword(of name: String, to password: consuming [UInt8]) async throws(DataError)
}

extension Client: LogInService {
  package var ignoredTokenNote: String? { savedSession.ignoredTokenNote }

  package func checkExists() async throws(DataError) {
    guard try await store.catalog().version > 0 else { throw .noStore(address.description) }
  }
}
