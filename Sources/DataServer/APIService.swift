internal import DataAPI
package import DataModel
internal import DataStore
internal import Platform
internal import Synchronization

/// Answers the requests for the API of one store.
package final class APIService: HTTPService {
  let clients: ClientPool
  let program: any CommandProgram
  let options: ServerOptions
  let throttle = AddressThrottle(clock: SystemClock.elapsed)
  let signUps: SignUpLimit
  let metrics = Metrics()
  /// The address of the store. Error messages in responses do not show it.
  let store: String
  private let now: @Sendable () throws(DataError) -> Timestamp
  /// Writes text to the log.
  private let log: @Sendable (String) -> Void
  private let origin: RequestOrigin
  /// The maximum size of a body that is read before the token of the request is checked.
  private static let maxUncheckedBodySize = 64 << 10
  /// The schemas for which a request has succeeded.
  private let knownSchemas = Mutex<Set<String>>([])
  /// The space for responses that wait for their readers.
  private let spool: SpoolBudget
  /// The part of `spool` for responses to requests without a token.
  private let anonymousSpool: SpoolBudget
  private let isStopping = Atomic<Bool>(false)
  /// Whether a request reads the whole store. There is at most one such request at a time.
  let isWalking = Atomic<Bool>(false)
  /// The number of requests in progress for each address in `X-Forwarded-For`.
  private let forwarded = Mutex<[String: Int]>([:])

  package init(
    _ clients: ClientPool, _ program: any CommandProgram, _ options: ServerOptions,
    store: String,
    now: @escaping @Sendable () throws(DataError) -> Timestamp,
    log: @escaping @Sendable (String) -> Void
  ) {
    self.clients = clients
    self.program = program
    self.options = options
    signUps = SignUpLimit(options.maxSignUps, clock: SystemClock.elapsed)
    self.store = store
    self.now = now
    self.log = log
    origin = RequestOrigin(options)
    spool = SpoolBudget(options.maxSpoolSize)
    anonymousSpool = SpoolBudget(options.maxSpoolSize / 2, of: spool)
  }

  /// Returns the space for the response to a request with or without a token.
  func spool(for token: String?) -> SpoolBudget { token == nil ? anonymousSpool : spool }

  /// Refuses all further requests, because the server is stopping.
  package func refuseRequests() { isStopping.store(true, ordering: .relaxed) }
}

/// The checks of a request that are made before its body is read.
extension APIService {
  package func admit(_ exchange: Exchange) -> HTTPResponse? {
    let head = exchange.head
    do throws(HTTPError) {
      let match = Result { () throws(HTTPError) in try route(of: head) }
      exchange.match = try? match.get()
      try count(exchange)
      return try admission(of: head, match)
    } catch {
      var response = failure(error, head)
      response.closesConnection =
        head.hasBody || head.ambiguity != nil || isStopping.load(ordering: .relaxed)
      return response
    }
  }

  /// Counts a request of a proxy for the address of its client. A proxy uses its connections for
  /// all of its clients, so the connections of each client cannot be counted.
  private func count(_ exchange: Exchange) throws(HTTPError) {
    let head = exchange.head
    guard options.trustsProxy, head["x-forwarded-for"] != nil else { return }
    let address = ConnectionSocket.network(of: origin.address(of: head))
    let limit = options.limits.connectionsPerForwardedAddress
    let isCounted = forwarded.withLock { forwarded in
      guard forwarded[address, default: 0] < limit else { return false }
      forwarded[address, default: 0] += 1
      return true
    }
    guard isCounted else {
      throw HTTPError(
        429, .throttled, "too many requests of one address are in progress",
        headers: [("Retry-After", "1")])
    }
    exchange.countedAddress = address
  }

  private func admission(
    of head: RequestHead, _ match: Result<Route.Match, HTTPError>
  ) throws(HTTPError) -> HTTPResponse? {
    if isStopping.load(ordering: .relaxed) {
      throw HTTPError(503, .interrupted, "the server is stopping")
    }
    guard head.size <= options.limits.header else {
      throw HTTPError(431, .invalid, "the header is longer than \(options.limits.header) bytes")
    }
    if let ambiguity = head.ambiguity { throw HTTPError(400, .usage, ambiguity) }
    if head.hasBody, let coding = head["content-encoding"]?.lowercased(),
      !["gzip", "x-gzip", "identity"].contains(coding)
    {
      throw HTTPError(415, .usage, "the content encoding must be gzip")
    }
    if origin.hasForeignHost(head) {
      throw HTTPError(
        400, .usage, "the header Host is not a name of this server",
        hint: "use the address at which the server listens, or localhost")
    }
    if origin.isRefused(head) {
      throw HTTPError(
        403, .forbidden, "requests from pages of this origin are not permitted",
        hint: "start the server with \"--cors ORIGIN\"; a proxy must pass on the header Host")
    }
    if head.method == "OPTIONS" {
      let methods = try matches(head).map(\.route.method)
      var response = origin.preflight(
        head, allowing: methods + (methods.contains("GET") ? ["HEAD"] : []))
      complete(&response, head)
      return response
    }
    let route = try match.get().route
    _ = try token(of: head)
    try route.checkConditions(of: head)
    if options.isReadOnly {
      switch route.effect {
      case .writes: throw HTTPError(403, .forbidden, "the server is read-only")
      case .none, .reads, .session: break
      }
    }
    let limit = maxBodySize(of: head)
    if let length = head.contentLength, length > limit { throw HTTPError.bodyTooLarge(limit) }
    return nil
  }

  package func maxBodySize(of head: RequestHead) -> Int {
    head["authorization"] == nil
      ? min(options.maxAnonymousBodySize, options.maxBodySize) : options.maxBodySize
  }

  package func checksBeforeBody(_ head: RequestHead) -> Bool {
    guard head.hasBody else { return false }
    // A request with a token is not limited like those of anonymous callers. So the token is checked
    // before a body is read that takes time.
    let isLong = head.contentLength.map { $0 > Self.maxUncheckedBodySize } ?? true
    return head.expectsContinue || isLong && head["authorization"] != nil
  }

  /// Returns the routes that have the path of the request, with the values of their variables. The
  /// routes differ in their methods, such as GET and PUT.
  private func matches(_ head: RequestHead) throws(HTTPError) -> [Route.Match] {
    var segments: [String] = []
    for part in head.path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .dropFirst()
    {
      do throws(Parameters.ParseError) {
        segments.append(try PercentEncoding.decode(part, as: .path))
      } catch {
        throw HTTPError(400, .usage, "the path is not valid percent-encoded UTF-8")
      }
    }
    if segments == [""], var match = Route.home.match([]) {
      match.name = "/"
      return [match]
    }
    guard segments.first == "v1" else { throw .unknownRoute }
    // A proxy can add the slash after `/v1`.
    let rest = segments == ["v1", ""] ? [] : Array(segments.dropFirst())
    let found = Route.byLength[rest.count, default: []].compactMap { $0.match(rest) }
    guard !found.isEmpty else { throw .unknownRoute }
    return found
  }

  private func route(of head: RequestHead) throws(HTTPError) -> Route.Match {
    let found = try matches(head)
    let method = head.method == "HEAD" ? "GET" : head.method
    if let match = found.first(where: { $0.route.method == method }) { return match }
    let methods = found.map(\.route.method)
    throw .wrongMethod(methods + (methods.contains("GET") ? ["HEAD"] : []) + ["OPTIONS"])
  }

  /// Returns the token in the header `Authorization`, or nil if the caller is anonymous.
  private func token(of head: RequestHead) throws(HTTPError) -> String? {
    guard let header = head["authorization"] else { return nil }
    let parts = header.split(separator: " ")
    guard parts.count == 2, parts[0].lowercased() == "bearer" else {
      throw HTTPError(
        401, .notLoggedIn, "expected the header Authorization in the form Bearer TOKEN")
    }
    return String(parts[1])
  }
}

/// Answers the requests whose headers have passed the checks.
extension APIService {
  package func check(_ exchange: Exchange) async -> HTTPResponse? {
    await clients.run(for: exchange.caller) { await checkHeader(of: exchange) }
  }

  private func checkHeader(of exchange: Exchange) async -> HTTPResponse? {
    let head = exchange.head
    do {
      let (route, request) = try request(exchange, head)
      try await request.checkAdministrator(for: route)
      try await request.checkSession()
      if route.effect == .writes { try await request.checkPermission() }
      return nil
    } catch {
      var response = failure(httpError(error, for: head), head)
      response.closesConnection = true
      return response
    }
  }

  package func answer(_ exchange: Exchange) async {
    await clients.run(for: exchange.caller) { await execute(exchange) }
  }

  private func execute(_ exchange: Exchange) async {
    let head = exchange.head
    do {
      let limit = maxBodySize(of: head)
      if exchange.body.count > limit { throw HTTPError.bodyTooLarge(limit) }
      var (route, request) = try request(exchange, head)
      try await request.checkAdministrator(for: route)
      if head.isCompressed { request.body = try await request.body.decompressed(atMost: limit) }
      guard var response = try await route.answer(request) else { return }
      complete(&response, head)
      exchange.reply(response)
    } catch {
      var failure = httpError(error, for: head)
      if failure.status == 400, let ended = await sessionError(exchange) { failure = ended }
      if failure.error.code == .storeBusy, clients.isInline {
        return await clients.leaveInline { [self] in await answer(exchange) }
      }
      if failure.error.code == .interrupted, exchange.cancellation == .timeout {
        failure = HTTPError(
          503, .interrupted, "the request took longer than the server permits",
          headers: failure.headers)
      }
      exchange.reply(self.failure(failure, head))
    }
  }

  /// Returns the error for a request whose session has ended, or nil if the session is valid. This
  /// error takes precedence over other errors of the request, because the client must log in again
  /// first.
  private func sessionError(_ exchange: Exchange) async -> HTTPError? {
    do {
      try await request(exchange, exchange.head).request.checkSession()
      return nil
    } catch {
      let failure = httpError(error, for: exchange.head)
      return failure.status == 401 ? failure : nil
    }
  }

  package func answerInline(_ exchange: Exchange) -> Bool {
    let head = exchange.head
    guard let match = exchange.match, match.route.isShort, !expands(head) else { return false }
    return clients.runInline {
      await self.answer(exchange)
      exchange.replyIfMissing()
    }
  }

  /// Returns whether the request has the parameter `expand`, or a query that cannot be parsed.
  /// There can be many related records, so such a request is not answered on the thread of the
  /// event loop.
  private func expands(_ head: RequestHead) -> Bool {
    guard !head.query.isEmpty else { return false }
    return (try? Parameters(parsing: head.query.utf8))?["expand"].isEmpty != true
  }

  /// Converts an error to an HTTP error. Some statuses depend on the header of the request: for
  /// example, the status is 412 if the condition of `If-Match` is not met.
  private func httpError(_ error: any Error, for head: RequestHead) -> HTTPError {
    var failure = HTTPError(error)
    guard error is DataError else { return failure }
    let code = failure.error.code
    if code == .changed, head["if-match"] != nil { failure.status = 412 }
    if code == .exists, head["if-none-match"] != nil { failure.status = 412 }
    // An anonymous caller may be allowed to do this after logging in.
    if code == .forbidden, head["authorization"] == nil {
      failure.status = 401
      failure.error = failure.error.modifyingProblems { problem in
        guard problem.code == .forbidden else { return }
        problem.code = .notLoggedIn
        problem.hint = problem.hint ?? "log in: POST /v1/login"
      }
    }
    return failure
  }

  private func request(
    _ exchange: Exchange, _ head: RequestHead
  ) throws -> (route: Route, request: APIRequest) {
    guard let match = exchange.match else { throw HTTPError.unknownRoute }
    let parameters: Parameters
    do throws(Parameters.ParseError) {
      parameters = try Parameters(parsing: head.query.utf8)
    } catch {
      throw HTTPError(400, .usage, "the query is not valid percent-encoded UTF-8")
    }
    let request = APIRequest(
      service: self, exchange: exchange, head: head, values: match.values,
      address: origin.address(of: head), token: try token(of: head), parameters: parameters,
      body: exchange.body)
    return (match.route, request)
  }

  /// Adds the headers that every response has.
  func complete(_ response: inout HTTPResponse, _ head: RequestHead) {
    response.set("Datactl-Request", head.id)
    // libmicrohttpd 0.9 accepts a chunk that ends with LF only. A proxy may find another end of the
    // body, and take the rest of it for the next request.
    if head["transfer-encoding"] != nil { response.closesConnection = true }
    if let user = head[ActingUser.headerName.lowercased()] {
      response.set(ActingUser.headerName, ActingUser.confirmation(of: user))
    }
    response.set("X-Content-Type-Options", "nosniff")
    response.set("Vary", "Origin, Accept, Accept-Encoding, Authorization, Datactl-As")
    // A method can have set this header in its output.
    if !response.headers.contains(where: { $0.name == "Cache-Control" }) {
      response.set(
        "Cache-Control", head["authorization"] == nil ? "no-cache" : "private, no-store")
    }
    origin.permit(&response, to: head)
    response.compress(for: head)
  }

  /// Returns the response that reports an error. If the response does not contain the message of
  /// the error, logs the message.
  private func failure(_ failure: HTTPError, _ head: RequestHead) -> HTTPResponse {
    let shown = hidingStore(failure.error, of: head).modifyingProblems { problem in
      problem.message.replace(store, with: "the store")
      problem.hint?.replace(store, with: "the store")
    }
    let document = ProblemDocument(shown, status: failure.status, request: head.id)
    if failure.error.code.isInternal { note(failure.error, of: head) }
    var response = HTTPResponse(
      failure.status,
      headers: [("Content-Type", ProblemDocument.contentType)] + failure.headers,
      body: .bytes(document.json))
    if failure.status == 401 { response.set("WWW-Authenticate", "Bearer") }
    complete(&response, head)
    return response
  }

  /// Returns a copy of an error that can be sent to a client. If the database cannot be reached,
  /// the message can contain its address, so the message is logged and replaced.
  func hidingStore(_ error: DataError, of head: RequestHead) -> DataError {
    let isUnknown = error.code == .outcomeUnknown
    guard isUnknown || error.code == .storeUnreachable else { return error }
    note(error, of: head)
    return error.modifyingProblems { problem in
      problem.message = "the store of the server is not available"
      if isUnknown {
        problem.message += ", and it is unknown whether the changes were committed"
      } else {
        problem.hint = "the log of the server has the details of request \(head.id)"
      }
    }
  }

  /// Logs the message of an error, because the response does not contain it.
  func note(_ error: DataError, of head: RequestHead) {
    guard options.log != .none else { return }
    let problem = error.problems[0].printed
    log("request \(head.id): \(Excerpt.escaped(problem.message))\n")
  }

  package func finished(_ exchange: Exchange, _ outcome: ExchangeOutcome) {
    let head = exchange.head
    if let address = exchange.countedAddress {
      forwarded.withLock { forwarded in
        let count = forwarded[address, default: 1] - 1
        forwarded[address] = count == 0 ? nil : count
      }
    }
    metrics.count(head.method, outcome, exchange.command)
    guard options.log != .none, let time = try? now() else { return }
    let line = LogLine(
      time: time, head: head, address: origin.address(of: head), user: exchange.loggedUser,
      route: exchange.match?.name, schema: schema(of: exchange, outcome),
      exitStatus: exchange.command?.exitStatus, outcome: outcome)
    if let text = line.text(as: options.log) { log(text) }
  }

  /// Returns the schema that a request names, for the log. Returns nil unless a request for the
  /// schema has succeeded, because a name without a schema can be anything.
  private func schema(of exchange: Exchange, _ outcome: ExchangeOutcome) -> String? {
    var schema = exchange.match?.values.schema ?? ""
    if exchange.match?.route.path.first == .word("commands") {
      schema = (try? Parameters(parsing: exchange.head.query.utf8))?["schema"].first ?? ""
    }
    guard !schema.isEmpty else { return nil }
    let hasSucceeded = outcome.status.map { $0 < 300 } ?? false
    return knownSchemas.withLock { known in
      if hasSucceeded, exchange.command?.exitStatus ?? 0 == 0 { known.insert(schema) }
      return known.contains(schema) ? schema : nil
    }
  }

  /// Logs the lines that the program of a method has written to stderr.
  func logErrors(_ text: [UInt8], of head: RequestHead) {
    guard options.log != .none else { return }
    for line in text.split(separator: UInt8(ascii: "\n")) {
      log("request \(head.id): \(Excerpt.escaped(String(decoding: line, as: UTF8.self)))\n")
    }
  }

  func currentTime() throws(DataError) -> Timestamp { try now() }
}

extension Exchange {
  /// The user as the log shows it, such as `root as ann` if an administrator acts for the user.
  fileprivate var loggedUser: String? {
    administrator.map { "\($0) as \(user ?? "-")" } ?? user
  }
}
