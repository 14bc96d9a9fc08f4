package import DataModel
internal import DataStore
internal import DataText
internal import Synchronization

extension Client {
  /// Returns a client whose requests are bound by the access rules, as those of a user on a server
  /// are.
  ///
  /// The returned client uses the same store, so closing it has no effect. If the user is an
  /// administrator, no rule applies.
  ///
  /// - Parameter user: The id of the user, or nil for someone who is not logged in.
  /// - Returns: The bound client. Its requests throw a ``DataError`` if the user does not exist.
  public func acting(as user: String?) -> Client {
    let bound = Client(
      BoundStore(
        store, for: user.map(Caller.user) ?? .anonymous, rules: Self.ruleParser(in: environment)),
      choice: choice, remark: remark, in: environment)
    let current: CurrentUser =
      user.map { .user(LogIn(user: $0, expires: .latest, store: address)) } ?? .anonymous
    bound.state.withLock { $0.user = current }
    return bound
  }

  /// Returns a function that parses the conditions of access rules.
  package static func ruleParser(in environment: Environment) -> Scope.RuleParser {
    { (text, schema, catalog, user) throws(DataError) in
      try AccessConditions.condition(
        text, of: schema, in: catalog, user: user, now: try environment.now())
    }
  }
}
