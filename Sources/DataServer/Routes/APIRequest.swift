internal import ClientCore
internal import DataAPI
internal import DataModel
internal import Platform

/// A request for a route, with its decoded parameters.
struct APIRequest: Sendable {
  let service: APIService
  let exchange: Exchange
  var head: RequestHead
  let values: PathValues
  /// The address of the client.
  let address: String
  /// The token of the caller's session, or nil for an anonymous caller.
  let token: String?
  var parameters: Parameters
  /// The body, after decompression if the request has `Content-Encoding`.
  var body: ByteStore

  /// Calls a closure with a client whose requests are restricted by the access rules of the caller.
  func withClient<Result: Sendable>(
    for access: StoreAccess, _ body: (Client) async throws -> Result
  ) async throws -> Result {
    try await service.clients.withClient(for: access, exchange) { client in
      try await body(try await caller(of: client))
    }
  }

  /// Returns a client with the rights of the caller, or of the user for whom an administrator sends
  /// the request. The client looks up the caller's session when it first uses the store.
  private func caller(of client: Client) async throws -> Client {
    guard let token else {
      if head[ActingUser.headerName.lowercased()] != nil {
        throw DataError(
          .notLoggedIn, "only administrators may act for another user",
          hint: "log in: POST /v1/login")
      }
      return client.acting(as: nil).limiting(
        service.signUps, of: ConnectionSocket.network(of: address))
    }
    let caller = try client.acting(withToken: token) { [exchange] user in exchange.user = user }
    guard let header = head[ActingUser.headerName.lowercased()] else { return caller }
    let user = try ActingUser.decode(header)
    try await caller.checkIsAdministrator("act for another user")
    exchange.administrator = exchange.user
    exchange.user = user.isEmpty ? nil : user
    return client.acting(as: exchange.user)
  }

  /// Throws an error if the request has the token of a session that has ended.
  func checkSession() async throws {
    guard token != nil else { return }
    try await withClient(for: .reading) { client in try await noteUser(of: client) }
  }

  /// Looks up the user of the session, if the user is not known yet. Throws an error if the session
  /// has ended.
  func noteUser(of client: Client) async throws {
    guard token != nil, exchange.user == nil, exchange.administrator == nil else { return }
    exchange.user = try await client.loggedInUser().user
  }

  /// Throws an error if the route is for administrators only, and the caller is not an
  /// administrator.
  func checkAdministrator(for route: Route) async throws {
    guard let action = route.administratorAction else { return }
    try await withClient(for: .reading) { client in
      try await client.checkIsAdministrator(action)
    }
  }

  /// Whether the request deletes records. The path does not tell: `delete` can also be an id.
  var deletes: Bool { exchange.match?.route.command?.command == ["delete"] }

  /// Throws an error if the access rules cannot allow the request, whatever its body contains. The
  /// request can then be refused before its body is sent.
  ///
  /// - Parameter id: The id of the record that the request changes. If it is nil, checks whether
  ///   there can be records of the schema that the caller may change.
  func checkPermission(id: String? = nil) async throws {
    let schema: String
    let verbs: [AccessVerb]
    switch (head.method, head.path) {
    case ("POST", "/v1/commands/save"):
      (schema, verbs) = (parameters["schema"].first ?? "", [.create, .update])
    case (_, let path) where !path.hasPrefix("/v1/records/"): return
    case ("DELETE", _): (schema, verbs) = (values.schema, [.delete])
    case _ where deletes: (schema, verbs) = (values.schema, [.delete])
    case ("PATCH", _): (schema, verbs) = (values.schema, [.update])
    default: (schema, verbs) = (values.schema, id == nil ? [.create, .update] : [.update])
    }
    guard !schema.isEmpty else { return }
    try await withClient(for: .reading) { client in
      try await client.checkAccess(to: verbs, schema, id: id)
    }
  }

  /// Returns the body of the request. Throws an error if it is longer than `limit`.
  func body(atMost limit: Int) throws(DataError) -> [UInt8] {
    guard body.count <= limit else {
      throw DataError(.invalid, "the body is longer than \(limit) bytes")
    }
    return try body.bytes()
  }

  /// Throws an error unless the request has only parameters with the given names.
  func checkParameters(_ names: [String]) throws(DataError) {
    for parameter in parameters.list where !names.contains(parameter.name) {
      let hint =
        nearest(parameter.name, among: names).map { "did you mean \($0)?" }
        ?? (names.isEmpty ? nil : "the parameters are \(names.sorted().joined(separator: ", "))")
      throw DataError(
        .usage, "unknown parameter \(Excerpt.quoted(parameter.name))", hint: hint)
    }
  }

  /// Throws an error if there cannot be a record with the id in the path, because it contains NUL.
  func checkID() throws(DataError) {
    if values.id.utf8.contains(0) {
      throw DataError(
        Problem(.notFound, "there is no such record", schema: values.schema, id: values.id))
    }
  }

  /// Returns the value of a parameter that can be given only once, or nil if it is not given.
  /// Removes the parameter.
  mutating func take(_ name: String) throws(DataError) -> String? {
    let values = parameters.remove(name)
    guard values.count < 2 else {
      throw DataError(.usage, "\(name) is given \(values.count) times")
    }
    return values.first
  }

  /// Returns the value of a parameter that is `true` or `false`, and removes it.
  mutating func takeFlag(_ name: String) throws(DataError) -> Bool {
    switch try take(name) {
    case nil, "false": return false
    case "true", "": return true
    case let value?:
      throw DataError(
        .usage, "\(name): expected true or false, found \(Excerpt.quoted(value))")
    }
  }
}
