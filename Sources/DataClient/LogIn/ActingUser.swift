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
  /// The id of the user.
  public let user: String
  /// The time at which the session expires.
  public let expires: Timestamp
  /// The address of the store.
  public let store: StoreAddress
}
