internal import DataAPI
package import DataModel
internal import Platform
package import ServerClient

/// A client of a store on a datactl server. It logs users in and out over the HTTP API.
package struct RemoteClient: LogInService {
  private let choice: StoreChoice
  private let server: ServerAddress
  private let environment: Environment
  /// A file descriptor that becomes readable when the program must stop.
  private let alarm: Int32?

  /// Creates a client. Returns nil if the store is not on a server.
  package init?(_ choice: StoreChoice, in environment: Environment, alarm: Int32?) {
    guard let server = choice.address.server else { return nil }
    self.choice = choice
    self.server = server
    self.environment = environment
    self.alarm = alarm
  }

  package var address: StoreAddress { choice.address }

  private var savedSession: SavedSession {
    SavedSession(choice, location: server.canonical, in: environment)
  }

  package var ignoredTokenNote: String? { savedSession.ignoredTokenNote }

  /// Returns the server, prepared to send the token of the saved session with each request.
  package func connect() throws(DataError) -> RemoteServer {
    try connect(with: try savedSession.token())
  }

  private func connect(with token: Token?) throws(DataError) -> RemoteServer {
    try RemoteServer(
      at: server, shownAs: address.description, token: token?.text, alarm: alarm,
      variable: environment.environment)
  }

  /// Returns a copy of an error from the server, with a better hint. The hint says how to log in to
  /// this store or, if the server does not know the session, how to log in again.
  package func error(_ error: DataError) -> DataError {
    guard error.code == .notLoggedIn, (try? savedSession.token()) != nil else {
      return error.modifyingProblems { problem in
        if problem.hint == Problem.logInHint { problem.hint = savedSession.logInHint }
      }
    }
    return savedSession.expired()
  }

  /// Sends a request with the token of the session, and returns the body of the response.
  private func send(
    _ method: String, _ path: String, json: [UInt8]? = nil,
    repeating repetition: RemoteServer.Repetition
  ) throws(DataError) -> [UInt8] {
    do throws(DataError) {
      return try connect().send(method, path, json: json, repeating: repetition)
    } catch {
      throw self.error(error)
    }
  }

  /// Calls a closure that parses a response. If parsing fails, throws an error about the server's
  /// response, because the error of the parser would seem to be about the user's input.
  private func parse<Document>(
    _ response: [UInt8], _ body: (Span<UInt8>) throws(DataError) -> Document
  ) throws(DataError) -> Document {
    do throws(DataError) {
      return try body(response.span)
    } catch {
      throw invalidResponse(error.problems[0].message)
    }
  }

  private func invalidResponse(_ reason: String) -> DataError {
    DataError(
      .storeUnreachable, "the response of \(address) is invalid: \(reason)",
      hint: "use the same version of datactl as the server")
  }
}

extension RemoteClient {
  /// Does nothing, because the store of a server always exists.
  package func checkExists() {}

  package func openSession(
    _ name: String, password: consuming [UInt8], days: Int, sessionName: String?,
    storage: SessionStorage
  ) async throws(DataError) -> (logIn: LogIn, token: String) {
    var password = password
    defer { SecureBytes.wipe(&password) }
    var json = LogInDocument(
      user: name, password: String(decoding: password, as: UTF8.self), days: days,
      name: sessionName
    ).json
    defer { SecureBytes.wipe(&json) }
    func logIn() throws(DataError) -> Credentials.Entry {
      let response: [UInt8]
      do throws(DataError) {
        response = try connect(with: nil).send("POST", "/login", json: json, repeating: .never)
      } catch {
        // A session whose token was lost does no harm, so there is nothing to check.
        throw error.code == .storeUnreachable ? error.modifyingProblems { $0.hint = nil } : error
      }
      let session = try parse(response) { (text) throws(DataError) in
        try SessionDocument(parsing: text)
      }
      guard let token = Token(session.token) else {
        throw invalidResponse("it contains a token that is not valid")
      }
      return Credentials.Entry(
        store: server.canonical, user: session.user, token: token, expires: session.expires)
    }
    var opened: Credentials.Entry?
    switch storage {
    case .transient: opened = try logIn()
    case .persistent:
      try await savedSession.save {
        () async throws(DataError) in
        let entry = try logIn()
        opened = entry
        return entry
      } orEnd: { entry, error in
        let isEnded =
          (try? connect(with: entry.token).send(
            "POST", "/logout", repeating: .reading)) != nil
        if isEnded { return error }
        return error.modifyingProblems {
          $0.hint =
            "the session stays in the store until \(entry.expires), but its token is not saved"
        }
      }
    }
    guard let opened else { throw DataError(.failed, "the session was not created") }
    let session = LogIn(user: opened.user, expires: opened.expires, store: address)
    return (session, opened.token.text)
  }

  package func loggedInUser() async throws(DataError) -> LogIn {
    guard try savedSession.token() != nil else {
      throw DataError(
        .notLoggedIn, "not logged in to \(address)", hint: savedSession.logInHint)
    }
    let response = try send("GET", "/whoami", repeating: .reading)
    let document = try parse(response) { (text) throws(DataError) in
      try UserDocument(parsing: text)
    }
    return LogIn(user: document.user, expires: document.expires, store: address)
  }

  package func logOut() async throws -> Bool {
    guard try savedSession.token() != nil else { return false }
    try await savedSession.end { () async throws(DataError) in
      do throws(DataError) {
        _ = try send("POST", "/logout", repeating: .reading)
      } catch {
        // The session has already ended.
        guard error.code == .notLoggedIn else { throw error }
      }
    }
    return true
  }

  package func logOutEverywhere() async throws {
    let user = try await loggedInUser().user
    try await savedSession.end(allOf: user) { () async throws(DataError) in
      _ = try send("POST", "/logout?all=true", repeating: .reading)
    }
  }

  package func endNamedSessions(
    of user: String, _ name: String?
  ) async throws(DataError) -> Int {
    let parameters = [("user", user)] + (name.map { [("name", $0)] } ?? [])
    let query = parameters.map { "\($0)=\(PercentEncoding.encode($1))" }.joined(separator: "&")
    var ended = 0
    try await savedSession.end(of: user, named: name) { () async throws(DataError) in
      let response = try send("POST", "/logout?\(query)", repeating: .never)
      ended = try parse(response) { (text) throws(DataError) in
        try EndedSessionsDocument(parsing: text)
      }.ended
    }
    return ended
  }

  package func changePassword(
    from old: consuming [UInt8], to new: consuming [UInt8]
  ) async throws(DataError) {
    try changePassword(
      PasswordDocument(
        old: String(decoding: old, as: UTF8.self), new: String(decoding: new, as: UTF8.self)))
  }

  package func setPassword(
    of name: String, to password: consuming [UInt8]
  ) async throws(DataError) {
    try changePassword(
      PasswordDocument(new: String(decoding: password, as: UTF8.self), user: name))
  }

  private func changePassword(_ document: PasswordDocument) throws(DataError) {
    var json = document.json
    defer { SecureBytes.wipe(&json) }
    _ = try send("POST", "/password", json: json, repeating: .never)
  }
}
