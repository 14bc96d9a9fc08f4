internal import ClientCore
internal import DataAPI
internal import DataModel

extension Route {
  /// The maximum size in bytes of a body that contains a name and passwords.
  private static let maxBodySize = 64 << 10

  private static let sessionList = CommandRoute(
    command: ["whoami"], access: .reading, excluded: ["sessions", "output"],
    contentType: ResponseFormat.json.contentType)

  static let sessions: [Route] = [
    Route(
      "POST", "login", .session, "Begin a session.",
      body: .object(["user", "password", "days", "name"], required: ["user", "password"])
    ) { request in
      try request.checkParameters([])
      let text = try request.body(atMost: maxBodySize)
      let body = try LogInDocument(parsing: text.span)
      let address = ConnectionSocket.network(of: request.address)
      let session: (logIn: LogIn, token: String)
      do {
        session = try await request.service.throttle.limiting(address) {
          try await request.service.clients.withClient(for: .writing, request.exchange) { client in
            try await client.openSession(
              body.user, password: Array(body.password.utf8), days: body.days ?? LogIn.defaultDays,
              sessionName: body.name, from: address)
          }
        }
      } catch let error as DataError where error.code == .forbidden {
        // The user is disabled. The status 401 would mean that the user can log in.
        throw HTTPError(403, error)
      }
      request.exchange.user = session.logIn.user
      var response = HTTPResponse(
        200,
        json: SessionDocument(
          token: session.token, user: session.logIn.user, expires: session.logIn.expires
        ).json)
      response.set("Cache-Control", "private, no-store")
      return response
    },
    Route(
      "POST", "logout", .session, "End the session.",
      parameters: [
        .flag("all", "End all sessions of the user."),
        .parameter("user", "End the sessions of this user (administrators)."),
        .parameter("name", "With `user`: end only the sessions with this name."),
      ]
    ) { request in
      var request = request
      let isEverywhere = try request.takeFlag("all")
      let (user, name) = (try request.take("user"), try request.take("name"))
      try request.checkParameters([])
      guard user == nil ? name == nil : !isEverywhere else {
        throw DataError(
          .usage, isEverywhere ? "user and all exclude each other" : "name requires user")
      }
      if let user {
        let ended = try await request.withClient(for: .writing) { client in
          try await request.noteUser(of: client)
          return try await client.endSessions(of: user, named: name)
        }
        return HTTPResponse(200, json: EndedSessionsDocument(ended: ended).json)
      }
      try await request.withClient(for: .writing) { client in
        try await request.noteUser(of: client)
        if isEverywhere {
          try await client.logOutEverywhere()
        } else if try await !client.logOut() {
          throw DataError(.notLoggedIn, "not logged in")
        }
      }
      return HTTPResponse(200, json: Array("{}\n".utf8))
    },
    Route(
      "POST", "password", .writes, "Change a password.",
      body: .object(["old", "new", "user"], required: ["new"]), conditions: []
    ) { request in
      try request.checkParameters([])
      guard request.token != nil else {
        throw DataError(
          .notLoggedIn, "changing a password requires a session", hint: "log in: POST /v1/login")
      }
      let text = try request.body(atMost: maxBodySize)
      let body = try PasswordDocument(parsing: text.span)
      let address = ConnectionSocket.network(of: request.address)
      do {
        try await request.service.throttle.limiting(address) {
          try await request.withClient(for: .writing) { client in
            try await request.noteUser(of: client)
            if let user = body.user {
              try await client.setPassword(of: user, to: Array(body.new.utf8))
            } else {
              try await client.changePassword(
                from: Array((body.old ?? "").utf8), to: Array(body.new.utf8))
            }
          }
        }
      } catch let error as DataError where error.code == .wrongLogin {
        // The status 401 would mean that the session of the caller is not valid.
        throw HTTPError(403, error)
      } catch let error as DataError
        where error.code == .forbidden && body.user != nil && body.user == request.exchange.user
      {
        throw DataError(
          .forbidden, "only administrators may set a password without the old one",
          hint: "to change your own password, send old instead of user")
      }
      return HTTPResponse(200, json: Array("{}\n".utf8))
    },
    Route("GET", "whoami", .reads, "Name the user of the session.") { request in
      try request.checkParameters([])
      let logIn = try await request.withClient(for: .reading) { client in
        try await request.noteUser(of: client)
        return try await client.loggedInUser()
      }
      return HTTPResponse(200, json: UserDocument(user: logIn.user, expires: logIn.expires).json)
    },
    Route(
      "GET", "sessions", .reads, "List the sessions of the user.", running: sessionList
    ) { request in
      try await request.run(
        sessionList, operands: [], adding: [.init("sessions", ""), .init("output", "json")]
      )?.response
    },
  ]
}
