/// Whom a client acts as.
enum ActingUser: Sendable {
  /// Nobody has looked yet.
  case unknown
  /// Nobody in particular.
  case nobody
  case user(LogIn)
}

/// A user's standing with a store.
public struct LogIn: Hashable, Sendable {
  /// The user's id.
  public let user: String
  /// When the session ends.
  public let expires: Timestamp
  /// Where the store is.
  public let store: StoreAddress
}
