package import DataModel
internal import DataStore
internal import JSONText
internal import Platform
internal import Synchronization

/// Where the token of a session is stored.
public enum SessionStorage: Hashable, Sendable {
  /// The token is stored in the user's `credentials.json`, so that later clients and commands can
  /// use it.
  case persistent
  /// The token is kept only by this client, in memory.
  case transient
}

extension Client {
  /// Logs a user in. Changes that this client makes afterwards are attributed to the user.
  ///
  /// An unknown name and a wrong password cause the same error and take the same time, so that a
  /// failed login does not reveal whether the user exists.
  ///
  /// ```swift
  /// try await client.logIn("ann", password: password, sessionName: "laptop")
  /// ```
  ///
  /// - Parameters:
  ///   - name: The id of the user.
  ///   - password: The user's password.
  ///   - days: The number of days until the session expires, from 1 to 3650.
  ///   - sessionName: A name for the session, of 1 to 100 characters, or nil. Several sessions can
  ///     have the same name.
  ///   - storage: Where the session's token is stored.
  /// - Returns: The user and the time at which the session expires.
  /// - Throws: A ``DataError`` if the store has no user schema, the user is disabled, or the login
  ///   fails.
  @discardableResult
  public func logIn(
    _ name: String, password: String, days: Int = LogIn.defaultDays, sessionName: String? = nil,
    storage: SessionStorage = .transient
  ) async throws -> LogIn {
    try await openSession(
      name, password: Array(password.utf8), days: days, sessionName: sessionName, storage: storage
    ).logIn
  }

  /// Logs a user in. Also returns the session token, for callers that store it themselves.
  package func openSession(
    _ name: String, password: consuming [UInt8], days: Int, sessionName: String? = nil,
    storage: SessionStorage
  ) async throws(DataError) -> (logIn: LogIn, token: String) {
    var password = password
    defer { SecureBytes.wipe(&password) }
    guard base == nil else {
      throw DataError(
        .usage, "a client that was created with acting(as:) cannot log in a user",
        hint: "log in with the client from which it was created")
    }
    if let sessions = serverSessions {
      let (logIn, text) = try await sessions.openSession(
        name, password: password, days: days, sessionName: sessionName, storage: storage)
      state.withLock { state in
        state = State(user: .user(logIn), token: Token(text))
      }
      return (logIn, text)
    }
    let opening = try SessionOpening(for: days, named: sessionName, at: environment.now())
    let (token, expires) = (opening.token, opening.expires)
    let logIn = LogIn(user: name, expires: expires, store: address)
    switch storage {
    case .persistent:
      let entry = Credentials.Entry(
        store: location, user: name, token: token, expires: expires)
      let change = try Credentials.Change(to: entry, for: location, in: environment)
      try await open(opening, of: name, password: password)
      do throws(DataError) {
        try change.publish()
      } catch {
        throw await discarding(token, until: expires, after: error)
      }
    case .transient: try await open(opening, of: name, password: password)
    }
    state.withLock { state in
      state.user = .user(logIn)
      state.token = token
    }
    return (logIn, token.text)
  }

  /// Creates a session for a user, and returns it with its token. The client itself does not act as
  /// the user.
  ///
  /// - Parameter address: The address of the program that sent the password. The number of wrong
  ///   passwords is limited for each name and address.
  package func openSession(
    _ name: String, password: consuming [UInt8], days: Int, sessionName: String? = nil,
    from address: String
  ) async throws(DataError) -> (logIn: LogIn, token: String) {
    var password = password
    defer { SecureBytes.wipe(&password) }
    let opening = try SessionOpening(for: days, named: sessionName, at: environment.now())
    try await open(opening, of: name, password: password, from: address)
    let logIn = LogIn(user: name, expires: opening.expires, store: self.address)
    return (logIn, opening.token.text)
  }

  /// Returns the schema whose records are the users. Throws an error if the store has none.
  func userSchema(in catalog: Catalog) throws(DataError) -> Schema {
    guard let userSchema = catalog.userSchema else {
      throw DataError(
        .schemaNotFound, "the store has no user schema",
        hint: "create a user schema: datactl schema create user --user")
    }
    return userSchema
  }

  /// Creates the session in the store.
  private func open(
    _ opening: SessionOpening, of name: String, password: [UInt8], from address: String? = nil
  ) async throws(DataError) {
    let userSchema = try userSchema(in: try await store.catalog().catalog)
    var check = PasswordCheck(of: name, in: userSchema, at: opening.begun, from: address)
    check.verifiedHash = try await Passwords.verified(store.passwordHash(for: check), password)
    try await store.logIn(
      LogInRequest(
        check, tokenHash: opening.token.hash, expires: opening.expires, sessionName: opening.name))
  }

  /// Ends a session whose token could not be saved. Returns the given error, for the caller to
  /// throw. If the session cannot be ended either, the hint of the returned error says so.
  private func discarding(
    _ token: Token, until expires: Timestamp, after error: DataError
  ) async -> DataError {
    do throws(DataError) {
      try await store.logOut(token.hash)
      return error
    } catch {
      return error.modifyingProblems {
        $0.hint = "the session stays in the store until \(expires), but its token is not saved"
      }
    }
  }

  /// Ends the session in the store and deletes its token.
  ///
  /// ```swift
  /// try await client.logOut()
  /// ```
  ///
  /// - Returns: Whether a user was logged in before the call.
  /// - Throws: A ``DataError`` if the store or `credentials.json` cannot be written.
  @discardableResult
  public func logOut() async throws -> Bool {
    let token = try sessionToken()
    try await endSession(
      with: { sessions in _ = try await sessions.logOut() },
      in: { store throws(DataError) in if let token { try await store.logOut(token.hash) } })
    return token != nil
  }

  /// Ends all sessions of the user who is logged in, on this and other computers.
  ///
  /// ```swift
  /// try await client.logOutEverywhere()
  /// ```
  ///
  /// - Throws: A ``DataError`` if no user is logged in, or if the store or `credentials.json`
  ///   cannot be written.
  public func logOutEverywhere() async throws {
    let user = try await loggedInUser().user
    try await endSession(
      allOf: user, with: { sessions in try await sessions.logOutEverywhere() },
      in: { store throws(DataError) in
        _ = try await store.endSessions(of: user, named: nil, at: try environment.now())
      })
  }

  /// Ends the sessions of a user, on all computers. Only administrators may end the sessions of
  /// other users.
  ///
  /// ```swift
  /// try await client.endSessions(of: "ann", named: "ci")
  /// ```
  ///
  /// - Parameters:
  ///   - user: The id of the user.
  ///   - name: The name of the sessions to end, or nil to end all sessions of the user.
  /// - Returns: The number of sessions that were ended.
  /// - Throws: A ``DataError`` if the user does not exist or has no session with the name, or if the
  ///   client may not end the sessions.
  @discardableResult
  public func endSessions(of user: String, named name: String? = nil) async throws -> Int {
    try await endNamedSessions(of: user, name)
  }

  package func endNamedSessions(
    of user: String, _ name: String?
  ) async throws(DataError) -> Int {
    if let sessions = serverSessions {
      let ended = try await sessions.endNamedSessions(of: user, name)
      try await forgetSession(of: user, named: name)
      return ended
    }
    var ended = 0
    if IDs.isValid(user.utf8.span) {
      try await savedSession.end(
        try sessionToken(), of: user, named: name
      ) { () async throws(DataError) in
        ended = try await store.endSessions(of: user, named: name, at: try environment.now())
      }
      if base == nil { try await forgetSession(of: user, named: name) }
    }
    if ended == 0 {
      let schema = try await checkExists(user)
      if let name {
        let message = "there is no session named \(Excerpt.quoted(name))"
        throw DataError(Problem(.notFound, message, schema: schema.name, id: user))
      }
    }
    return ended
  }

  /// Makes the client anonymous if its own session was among those of the user that were ended: all
  /// of them, or those with the name.
  private func forgetSession(of user: String, named name: String?) async throws(DataError) {
    guard case .user(let logIn) = state.withLock({ $0.user }),
      logIn.user.utf8.elementsEqual(user.utf8)
    else { return }
    if name != nil {
      do throws(DataError) {
        if try await lookUpUser() != nil { return }
      } catch {
        guard error.code == .notLoggedIn else { throw error }
      }
    }
    state.withLock { state in
      state.user = .anonymous
      state.token = nil
    }
  }

  /// Throws an error if there is no user with the given id. Call this only for callers who may know
  /// that. Returns the user schema.
  @discardableResult
  private func checkExists(_ user: String) async throws(DataError) -> Schema {
    let store = try (base ?? self).store
    let schema = try userSchema(in: try await store.catalog().catalog)
    guard IDs.isValid(user.utf8.span),
      try await store.find([user], in: schema, slots: [schema.keySlot]).missing.isEmpty
    else { throw DataError(.noSuchUser(user, in: schema)) }
    return schema
  }

  /// Ends the session in the store, or all sessions of a user. Then deletes the token of the
  /// session.
  private func endSession(
    allOf user: String? = nil, with request: (RemoteClient) async throws -> Void,
    in end: (any Store) async throws(DataError) -> Void
  ) async throws {
    if let sessions = serverSessions {
      try await request(sessions)
    } else if base == nil {
      let store = try store
      try await savedSession.end(try sessionToken(), allOf: user) { () async throws(DataError) in
        try await end(store)
      }
    } else {
      try await end(try store)
    }
    state.withLock { state in
      state.user = .anonymous
      state.token = nil
    }
  }

  /// Returns the sessions of a user, oldest first. Only administrators may list the sessions of
  /// other users.
  ///
  /// ```swift
  /// for session in try await client.sessions(of: "ann") { print(session.name ?? "–", session.begun) }
  /// ```
  ///
  /// - Parameter user: The id of the user, or nil for the user who is logged in.
  /// - Throws: A ``DataError`` if no user is logged in, if the user does not exist, or if the client
  ///   may not list the sessions.
  public func sessions(of user: String? = nil) async throws -> [LogInSession] {
    if let sessions = serverSessions { return try await sessions.sessions(of: user) }
    let name = if let user { user } else { try await loggedInUser().user }
    let current = try sessionToken()?.hash
    let sessions =
      IDs.isValid(name.utf8.span)
      ? try await store.sessions(of: name, at: try environment.now()) : [:]
    if sessions.isEmpty, user != nil { try await checkExists(name) }
    return sessions.map { hash, session in
      LogInSession(
        begun: session.created, expires: session.expires, name: session.name,
        isCurrent: hash == current)
    }.sorted { ($0.begun, $0.expires, $0.name ?? "") < ($1.begun, $1.expires, $1.name ?? "") }
  }

  /// Returns the user that this client acts as, or nil if no user is logged in. Each call asks the
  /// store whether the session is still valid.
  ///
  /// ```swift
  /// if let logIn = try await client.whoAmI() { print(logIn.user) }
  /// ```
  ///
  /// - Returns: The user, the time at which the session expires, and the store.
  /// - Throws: A ``DataError`` with the code `notLoggedIn` if the session has expired or was ended,
  ///   or if the user is disabled.
  public func whoAmI() async throws -> LogIn? {
    try checkIsUsable()
    guard case .user(let known) = state.withLock({ $0.user }), try sessionToken() != nil else {
      return try await currentUser()
    }
    do throws(DataError) {
      return try await lookUpUser()
    } catch {
      let ended = DataError.sessionEnded
      guard error.code == .notLoggedIn, error.problems[0].message == ended.problems[0].message
      else { throw error }
      throw sessionExpired(of: known.user)
    }
  }

  /// Returns the user of the session, or nil if no user is logged in. The store validates the
  /// session at the first call; the result is cached.
  func currentUser() async throws(DataError) -> LogIn? {
    switch state.withLock({ $0.user }) {
    case .anonymous: return nil
    case .user(let logIn):
      guard logIn.expires > (try environment.now()) else { throw sessionExpired(of: logIn.user) }
      return logIn
    case .unknown: return try await lookUpUser()
    }
  }

  /// Asks the store for the user of the session. Returns nil if there is no session.
  private func lookUpUser() async throws(DataError) -> LogIn? {
    guard let token = try sessionToken() else {
      state.withLock { $0.user = .anonymous }
      return nil
    }
    if let sessions = serverSessions {
      let logIn = try await sessions.loggedInUser()
      state.withLock { $0.user = .user(logIn) }
      return logIn
    }
    let store = try (base ?? self).store
    guard let session = try await store.openSession(token.hash, at: try environment.now()) else {
      throw sessionExpired()
    }
    let logIn = LogIn(user: session.user, expires: session.expires, store: address)
    state.withLock { state in
      state.user = .user(logIn)
      state.token = token
    }
    return logIn
  }

  /// The token of the session of the client, with which another program can act as its user; nil
  /// if no user is logged in.
  ///
  /// ```swift
  /// try await client.logIn("ann", password: password)
  /// let other = try await Client.open("https://shop.example", session: .token(client.token ?? ""))
  /// ```
  public var token: String? { state.withLock { $0.token }?.text }

  /// The session requests of a client whose store is on a server; nil for other clients.
  var serverSessions: RemoteClient? {
    guard case .server(let executor) = executor, let server = address.server else { return nil }
    return RemoteClient(
      choice, at: server, executor, token: { [self] () throws(DataError) in try serverToken() },
      in: environment)
  }

  /// Returns the token of the client's session, or nil if there is none.
  private func sessionToken() throws(DataError) -> Token? {
    if let token = state.withLock({ $0.token }) { return token }
    return try findToken()
  }

  /// Returns the token that the user of the process has for this store. Returns nil if there is
  /// none, or if this client acts as another user (`acting(as:)`).
  func findToken() throws(DataError) -> Token? {
    base == nil && usesSavedSession ? try savedSession.token() : nil
  }

  private func sessionExpired(of user: String? = nil) -> DataError {
    savedSession.expired(of: user)
  }

  var savedSession: SavedSession {
    SavedSession(choice, location: location, in: environment)
  }
}

/// The user that a client acts as.
enum CurrentUser: Sendable {
  /// The token has not been looked up yet.
  case unknown
  /// No user is logged in.
  case anonymous
  case user(LogIn)
}

/// A user's session with a store.
public struct LogIn: Hashable, Sendable {
  /// The number of days until a session expires, unless another number is given.
  public static let defaultDays = 30

  /// The id of the user.
  public let user: String
  /// The time at which the session expires.
  public let expires: Timestamp
  /// The address of the store.
  public let store: StoreAddress
}

/// A session of a user, without its token.
public struct LogInSession: Hashable, Sendable {
  /// The time of the login.
  public let begun: Timestamp
  /// The time at which the session expires.
  public let expires: Timestamp
  /// The name that the session was given at the login, or nil if it has none.
  public let name: String?
  /// Whether this is the session of the client.
  public let isCurrent: Bool
}

/// The token of a session that is to be created, and what it is created with.
private struct SessionOpening {
  /// The maximum number of characters in the name of a session.
  private static let maxNameLength = 100

  let token = Token.new()
  let begun: Timestamp
  let expires: Timestamp
  let name: String?

  /// Creates a token. Throws an error if the number of days or the name of the session is invalid.
  init(for days: Int, named name: String?, at now: Timestamp) throws(DataError) {
    guard (1...3_650).contains(days) else {
      throw DataError(.usage, "the session length must be 1 to 3650 days, found \(days)")
    }
    if let name {
      guard (1...Self.maxNameLength).contains(name.unicodeScalars.count),
        !UTF8Check.hasControl(in: name.utf8.span)
      else {
        throw DataError(
          .usage,
          """
          the name of a session must have 1 to \(Self.maxNameLength) characters, and no control \
          characters, found \(Excerpt.quoted(name))
          """)
      }
    }
    begun = now
    expires = Timestamp(microseconds: now.microseconds + Int64(days) * 86_400_000_000) ?? .latest
    self.name = name
  }
}
