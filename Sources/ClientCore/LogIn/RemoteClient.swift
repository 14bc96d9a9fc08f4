internal import DataAPI
package import DataModel
internal import JSONText
internal import Platform
package import ServerClient

/// A client of a store on a datactl server. It logs users in and out over the HTTP API.
package struct RemoteClient: LogInService {
  private let choice: StoreChoice
  private let server: ServerAddress
  private let environment: Environment
  /// A file descriptor that becomes readable when the program must stop.
  private let alarm: Int32?
  /// The connections that the requests use, and a function that returns the token of the session.
  /// If it is nil, each request has a connection of its own, and the session is the saved one.
  private let open: (executor: ServerExecutor, token: @Sendable () throws(DataError) -> Token?)?

  /// Creates a client. Returns nil if the store is not on a server.
  package init?(_ choice: StoreChoice, in environment: Environment, alarm: Int32?) {
    guard let server = choice.address.server else { return nil }
    self.choice = choice
    self.server = server
    self.environment = environment
    self.alarm = alarm
    open = nil
  }

  /// Creates a client that shares the connections of an open client.
  ///
  /// - Parameter token: Returns the token of the session of the open client.
  init(
    _ choice: StoreChoice, at server: ServerAddress, _ executor: ServerExecutor,
    token: @escaping @Sendable () throws(DataError) -> Token?, in environment: Environment
  ) {
    self.choice = choice
    self.server = server
    self.environment = environment
    alarm = nil
    open = (executor, token)
  }

  package var address: StoreAddress { choice.address }

  private var savedSession: SavedSession {
    SavedSession(choice, location: server.canonical, in: environment)
  }

  package var ignoredTokenNote: String? { savedSession.ignoredTokenNote }

  private func token() throws(DataError) -> Token? {
    if let open { return try open.token() }
    return try savedSession.token()
  }

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
    if open != nil { return error }
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
  ) async throws(DataError) -> [UInt8] {
    do throws(DataError) {
      return try await send(method, path, json: json, with: try token(), repeating: repetition)
    } catch {
      throw self.error(error)
    }
  }

  private func send(
    _ method: String, _ path: String, json: [UInt8]? = nil, with token: Token?,
    repeating repetition: RemoteServer.Repetition
  ) async throws(DataError) -> [UInt8] {
    guard let open else {
      return try connect(with: token).send(method, path, json: json, repeating: repetition)
    }
    var request = ServerRequest(method, path)
    if let json { try request.append(json.span, as: ResponseFormat.json.contentType) }
    let response = try await open.executor.send(request, token: token, repeating: repetition)
    return response.body
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
    func logIn() async throws(DataError) -> Credentials.Entry {
      let response: [UInt8]
      do throws(DataError) {
        response = try await send("POST", "/login", json: json, with: nil, repeating: .never)
      } catch {
        // A session whose token was lost does no harm, so there is nothing to check.
        guard error.code == .outcomeUnknown else { throw error }
        throw error.modifyingProblems { problem in
          problem.code = .storeUnreachable
          problem.hint = nil
        }
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
    case .transient: opened = try await logIn()
    case .persistent:
      try await savedSession.save {
        () async throws(DataError) in
        let entry = try await logIn()
        opened = entry
        return entry
      } orEnd: { entry, error in
        let isEnded =
          (try? await send("POST", "/logout", with: entry.token, repeating: .reading)) != nil
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
    guard try token() != nil else {
      throw DataError(
        .notLoggedIn, "not logged in to \(address)", hint: savedSession.logInHint)
    }
    let response = try await send("GET", "/whoami", repeating: .reading)
    let document = try parse(response) { (text) throws(DataError) in
      try UserDocument(parsing: text)
    }
    return LogIn(user: document.user, expires: document.expires, store: address)
  }

  package func logOut() async throws -> Bool {
    guard try token() != nil else { return false }
    try await savedSession.end(try token()) { () async throws(DataError) in
      do throws(DataError) {
        _ = try await send("POST", "/logout", repeating: .reading)
      } catch {
        // The session has already ended.
        guard error.code == .notLoggedIn else { throw error }
      }
    }
    return true
  }

  package func logOutEverywhere() async throws {
    let user = try await loggedInUser().user
    try await savedSession.end(try token(), allOf: user) { () async throws(DataError) in
      _ = try await send("POST", "/logout?all=true", repeating: .reading)
    }
  }

  /// Returns the sessions of a user, or of the user who is logged in if `user` is nil.
  func sessions(of user: String?) async throws(DataError) -> [LogInSession] {
    let query = user.map { "?user=\(PercentEncoding.encode($0))" } ?? ""
    let text = try await send("GET", "/sessions\(query)", repeating: .reading)
    return try parse(text) { _ throws(DataError) in
      try JSONNode.document(text).elements.map { node throws(DataError) in
        guard case .text(let begun)? = node["begun"]?.content,
          case .text(let expires)? = node["until"]?.content,
          case .boolean(let isCurrent)? = node["current"]?.content,
          let begun = try? Timestamp(parsing: begun.utf8.span),
          let expires = try? Timestamp(parsing: expires.utf8.span)
        else { throw DataError(.syntax, "expected a session, found \(node.kind)") }
        var name: String?
        if case .text(let text)? = node["name"]?.content { name = text }
        return LogInSession(begun: begun, expires: expires, name: name, isCurrent: isCurrent)
      }
    }
  }

  package func endNamedSessions(
    of user: String, _ name: String?
  ) async throws(DataError) -> Int {
    let parameters = [("user", user)] + (name.map { [("name", $0)] } ?? [])
    let query = parameters.map { "\($0)=\(PercentEncoding.encode($1))" }.joined(separator: "&")
    var ended = 0
    try await savedSession.end(try token(), of: user, named: name) { () async throws(DataError) in
      let response = try await send("POST", "/logout?\(query)", repeating: .never)
      ended = try parse(response) { (text) throws(DataError) in
        try EndedSessionsDocument(parsing: text)
      }.ended
    }
    return ended
  }

  package func changePassword(
    from old: consuming [UInt8], to new: consuming [UInt8]
  ) async throws(DataError) {
    try await changePassword(
      PasswordDocument(
        old: String(decoding: old, as: UTF8.self), new: String(decoding: new, as: UTF8.self)))
  }

  package func setPassword(
    of name: String, to password: consuming [UInt8]
  ) async throws(DataError) {
    try await changePassword(
      PasswordDocument(new: String(decoding: password, as: UTF8.self), user: name))
  }

  private func changePassword(_ document: PasswordDocument) async throws(DataError) {
    var json = document.json
    defer { SecureBytes.wipe(&json) }
    _ = try await send("POST", "/password", json: json, repeating: .never)
  }
}
