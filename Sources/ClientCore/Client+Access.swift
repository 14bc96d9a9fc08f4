internal import Conditions
package import DataModel
package import DataStore
internal import Synchronization

extension Client {
  /// Returns a client whose requests are restricted by the access rules for a user.
  ///
  /// The returned client uses the same store, so closing it has no effect. If the user is an
  /// administrator, the requests are not restricted.
  ///
  /// ```swift
  /// let count = try await client.acting(as: "ann").records("todo").count()
  /// ```
  ///
  /// - Parameter user: The id of the user, or nil for a caller who is not logged in.
  /// - Returns: The restricted client. Its requests throw a ``DataError`` if the user does not
  ///   exist.
  public func acting(as user: String?) -> Client {
    let client = bound(to: user.map(Caller.user) ?? .anonymous)
    client.state.withLock { state in
      state.user =
        user.map { .user(LogIn(user: $0, expires: .latest, store: address)) } ?? .anonymous
    }
    return client
  }

  /// Returns a client whose requests are restricted by the access rules for the user of a session.
  /// The session is looked up for each request, in the snapshot or transaction that the request
  /// uses.
  ///
  /// ```swift
  /// let todos = try client.acting(withToken: request.token).records("todo")
  /// ```
  ///
  /// - Parameter token: The token of the session, as printed by `datactl login --print-token`.
  /// - Returns: The restricted client. Its requests throw a ``DataError`` if the session has ended.
  /// - Throws: A ``DataError`` if the text is not a token.
  public func acting(withToken token: String) throws -> Client {
    try acting(withToken: token) { _ in }
  }

  /// Returns a client whose requests are restricted by the access rules for the user of a session.
  ///
  /// - Parameter note: A closure that is called with the id of the user each time a request has
  ///   looked up the session.
  package func acting(
    withToken token: String, noting note: @escaping @Sendable (String) -> Void
  ) throws(DataError) -> Client {
    let token = try Token(checking: token)
    return bound(to: .session(tokenHash: token.hash), token: token, noting: note)
  }

  /// Returns a copy of this client that stores a receipt together with its changes.
  ///
  /// If the response to a request is lost and the request is sent again, the store finds the
  /// receipt, and does not execute the request a second time.
  package func recording(_ receipt: Receipt) -> Client {
    guard let boundStore else { return self }
    return copy(.store(boundStore.recording(receipt)))
  }

  /// Returns a copy of this client that limits how many users an anonymous caller creates.
  package func limiting(_ signUps: SignUpLimit, of address: String) -> Client {
    guard let boundStore else { return self }
    return copy(.store(boundStore.limiting(signUps, of: address)))
  }

  /// Returns a copy of this client that shows the given address of the store in its messages.
  package func shown(as address: StoreAddress) -> Client {
    copy(
      choice: StoreChoice(
        address, origin: choice.origin, isFromProjectFile: choice.isFromProjectFile))
  }

  /// The SQL engine of the store, or nil for a store that has no tables, such as one in memory.
  package var engine: TableEngine? { TableEngine(of: (base ?? self).choice.address) }

  /// Throws an error if the caller is not an administrator.
  ///
  /// - Parameter action: The action that only administrators may perform, such as `change schemas`,
  ///   for the error message.
  package func checkIsAdministrator(_ action: String) async throws(DataError) {
    if let bound = boundStore { try await bound.checkIsAdministrator(action) }
  }

  /// Throws an error unless the caller is an administrator, or one of the rules grants access.
  ///
  /// - Parameter action: The action that the rules allow, such as `call the method report`, for the
  ///   error message.
  package func check(_ rules: [AccessRule], _ action: String) async throws(DataError) {
    if let bound = boundStore { try await bound.check(rules, action) }
  }

  /// Throws an error unless the access rules allow the caller to perform at least one of the
  /// operations.
  ///
  /// If `id` is not nil, the operation must be allowed on this record. If `id` is nil, it is enough
  /// that the rules could allow the operation on some records of the schema.
  package func checkAccess(
    to verbs: [AccessVerb], _ name: String, id: String? = nil
  ) async throws(DataError) {
    _ = try await store.catalog().catalog.schema(name)
    let user = try await currentUser()?.user
    let caller = user.map(Caller.user) ?? .anonymous
    for verb in verbs {
      if try await (base ?? self).access(of: caller, to: verb, name, id: id).isAllowed { return }
    }
    throw DataError(
      Problem(
        user == nil ? .notLoggedIn : .forbidden, "the access rules do not allow the request",
        hint: user == nil ? "log in: datactl login" : nil, schema: name))
  }

  /// Returns the number of passwords that a request of this client may set.
  func passwordLimit(of request: WriteRequest) async throws(DataError) -> PasswordLimit {
    guard request.schemas.contains(where: { $0.passwordSlot != nil }) else { return .one }
    // The cast is not made for other schemas, because it takes a tenth of the time of a short save.
    guard let bound = boundStore else { return .none }
    return try await bound.isAdministrator ? .none : .one
  }

  private var boundStore: BoundStore? {
    if case .store(let store) = executor { store as? BoundStore } else { nil }
  }

  private func bound(
    to caller: Caller, token: Token? = nil,
    noting note: @escaping @Sendable (String) -> Void = { _ in }
  ) -> Client {
    let (base, environment) = (base ?? self, environment)
    let executor: Executor =
      switch base.executor {
      case .store(let store):
        .store(
          BoundStore(
            store, for: caller, now: { () throws(DataError) in try environment.now() },
            rules: Self.ruleParser(in: environment), noting: note))
      case .server(let server): .server(server.acting(as: caller))
      }
    return Client(
      executor, choice: choice, identity: identity, base: base, end: end, token: token,
      in: environment)
  }

  /// Throws an error if a migration would make a condition in the access rules invalid. For a
  /// schema that is declared in a schema file, the problem contains the file and the line.
  package static func checkAccessRules(
    after plan: SchemaPlan, from stored: StoredCatalog, to declared: [DeclaredSchema]
  ) throws(DataError) {
    let catalog = try plan.catalog(after: stored.catalog)
    let problems = catalog.schemas.flatMap { schema in
      let draft = declared.first { $0.schema.name == schema.name }?.draft
      return AccessConditions.problems(of: schema, in: catalog, declaredAs: draft)
    }
    if let error = DataError(problems) { throw error }
  }

  /// Returns a function that parses the conditions of access rules.
  package static func ruleParser(in environment: Environment) -> Scope.RuleParser {
    { (text, schema, catalog, user) throws(DataError) in
      try AccessConditions.condition(
        text, of: schema, in: catalog, user: user, now: try environment.now())
    }
  }
}
