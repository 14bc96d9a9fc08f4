internal import DataModel

/// The user's session with a store. Its token comes from `credentials.json` on this machine, or
/// from the environment variable `DATACTL_TOKEN`.
struct SavedSession: Sendable {
  private let choice: StoreChoice
  /// The canonical address of the store, which is the key of its session in `credentials.json`.
  private let location: String
  private let environment: Environment

  init(_ choice: StoreChoice, location: String, in environment: Environment) {
    self.choice = choice
    self.location = location
    self.environment = environment
  }

  /// Returns the token of the session, or nil if there is none. The token comes from
  /// `DATACTL_TOKEN` if that variable applies to this store, or from `credentials.json`.
  func token() throws(DataError) -> Token? {
    guard let text = environmentToken else {
      return try Credentials.read(in: environment)[location]?.token
    }
    guard let token = Token(text) else {
      throw DataError(
        .notLoggedIn, "DATACTL_TOKEN is not a valid token",
        hint: "create a token: datactl login --print-token")
    }
    return token
  }

  /// The value of `DATACTL_TOKEN`, or nil if the variable is not set. Also nil unless an option or
  /// an environment variable contains the address of the store.
  private var environmentToken: String? {
    if choice.isFromProjectFile || choice.origin == .defaultStore { return nil }
    return environment.variable("DATACTL_TOKEN")
  }

  /// Calls a closure that ends the session in the store, or all sessions of a user. Then deletes
  /// the token in `credentials.json`, if its session was ended. With `DATACTL_TOKEN`, the token in
  /// the file can belong to another session.
  func end(
    _ token: Token?, allOf user: String? = nil, _ end: () async throws(DataError) -> Void
  ) async throws(DataError) {
    guard let saved = try Credentials.read(in: environment)[location],
      saved.token == token || user?.utf8.elementsEqual(saved.user.utf8) == true
    else { return try await end() }
    let change = try Credentials.Change(to: nil, for: location, in: environment)
    try await end()
    try change.publish()
  }

  /// Calls a closure that ends the sessions of a user with a name, or all of them if the name is
  /// nil. Then deletes the token in `credentials.json`, if its session was certainly ended.
  func end(
    _ token: Token?, of user: String, named name: String?, _ end: () async throws(DataError) -> Void
  ) async throws(DataError) {
    let saved = try Credentials.read(in: environment)[location]
    if name == nil, saved?.user.utf8.elementsEqual(user.utf8) == true {
      try await self.end(token, allOf: user, end)
    } else {
      try await end()
    }
  }

  /// Checks that `credentials.json` can be written. Then calls `create`, which creates a session in
  /// the store, and saves the session in the file.
  ///
  /// If the session cannot be saved, calls `end`, which ends the session in the store and returns
  /// the error to throw.
  func save(
    creating create: () async throws(DataError) -> Credentials.Entry,
    orEnd end: (Credentials.Entry, DataError) async -> DataError
  ) async throws(DataError) {
    // A change that is not published has no effect.
    _ = try Credentials.Change(to: nil, for: location, in: environment)
    let entry = try await create()
    do throws(DataError) {
      try Credentials.Change(to: entry, for: location, in: environment).publish()
    } catch {
      throw await end(entry, error)
    }
  }

  /// The option `--store` with the address, for hints. Empty if the user did not pass this option.
  private var storeOption: String {
    choice.origin == .option ? " --store \(choice.address)" : ""
  }

  /// Why `DATACTL_TOKEN` is not used for this store, for hints. Nil if the variable is not set, or
  /// if it is used.
  var ignoredTokenNote: String? {
    guard environmentToken == nil, environment.variable("DATACTL_TOKEN") != nil else { return nil }
    return """
      DATACTL_TOKEN was ignored: --store or DATACTL_STORE must contain the address of the store, \
      not a name
      """
  }

  /// The hint for a caller who is not logged in.
  var logInHint: String {
    let note = ignoredTokenNote.map { "; \($0)" } ?? ""
    return "\(Problem.logInHint)\(storeOption)\(note)"
  }

  /// Returns the error for a session that has ended.
  func expired(of user: String? = nil) -> DataError {
    let note = ignoredTokenNote.map { "\n\($0)" } ?? ""
    let hint =
      if environmentToken != nil {
        """
        create a new token: datactl login --print-token\(storeOption); or unset DATACTL_TOKEN to \
        continue without a user
        """
      } else {
        """
        log in again: datactl login\(storeOption)
        or continue without a user: datactl logout\(storeOption)\(note)
        """
      }
    return DataError(
      .notLoggedIn, "the session\(user.map { " of \($0)" } ?? "") has ended or is unknown",
      hint: hint)
  }
}
