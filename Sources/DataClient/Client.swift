package import DataStore
internal import Synchronization

/// An open store: saves, finds and deletes records, and keeps their schemas.
///
/// ```swift
/// let client = try await Client.open("sqlite:shop.db")
/// var joe: Draft = ["name": "Joe", "age": 25]
/// joe.assignID(in: "person")
/// try await client.save(joe, in: "person")
/// ```
///
/// What it throws is a ``DataError``, which holds every problem of one call at once.
public final class Client: Sendable {
  struct State {
    /// The user whom the client acts as, once a token has been looked up.
    var user: ActingUser = .unknown
    /// What stands for the user's session.
    var token: Token?
    /// The types that have been compared with their schemas, and at which version of these.
    var checkedTypes: [ObjectIdentifier: Int64] = [:]
  }

  /// The version of the library, and of the command that is made of it.
  package static let version = "0.1.0"

  package let store: any DataStore
  package let choice: StoreChoice
  /// What is to be known of the store before it is used.
  package let remark: String?
  /// What the store's place is, however it was addressed; nil if the address alone tells.
  private let identity: String?
  let surroundings: Surroundings
  let state: Mutex<State>

  package init(
    _ store: any DataStore, choice: StoreChoice, remark: String? = nil, identity: String? = nil,
    in surroundings: Surroundings
  ) {
    self.store = store
    self.choice = choice
    self.remark = remark
    self.identity = identity
    self.surroundings = surroundings
    state = Mutex(State())
  }

  /// Opens a store by its address: `sqlite:shop.db`, a path, a name from `datactl.json`, or `memory:`.
  ///
  /// Without an address it is the store that the command would take: `DATACTL_STORE`, else the
  /// project's, else the user's own. Nothing is created before the first schema is.
  public static func open(
    _ address: String? = nil, for access: StoreAccess = .writing,
    in surroundings: Surroundings = .process
  ) async throws -> Client {
    let choice = try StoreChoice.find(option: address, in: surroundings)
    return try await open(choice, for: access, in: surroundings, executor: .ownLine())
  }

  /// Where the store is; a password in the address is shown as `***`.
  public var address: StoreAddress { choice.address }

  /// The one form of all addresses that lead to the store, under which its session is kept.
  var place: String { identity ?? address.canonical }

  /// Lets go of the store.
  public func close() async {
    await store.close()
  }

  /// Who changes records now.
  package func stamp() async throws(DataError) -> Stamp {
    Stamp(time: surroundings.now(), user: try await actingUser()?.user)
  }
}
