package import DataModel
package import DataStore
internal import PostgresStore
internal import SQLiteStore
internal import SchemaText
internal import ServerClient
package import Synchronization

/// An open store, which saves, queries and deletes records and manages their schemas.
///
/// ```swift
/// let client = try await Client.open("sqlite:shop.db")
/// var joe: Draft = ["name": "Joe", "age": 25]
/// joe.assignID(in: "person")
/// try await client.records("person").save(joe)
/// ```
///
/// The methods throw a ``DataError``, which contains all problems of a call.
public final class Client: Sendable {
  struct State {
    /// The user that the client acts as, or `unknown` before the token has been looked up.
    var user: CurrentUser = .unknown
    /// The token of the user's session.
    var token: Token?
    /// The schemas of a store on a server, as the user sees them; nil before they are fetched.
    var serverCatalog: StoredCatalog?
  }

  /// The version of the library and of the `datactl` command.
  package static let version = "0.3.0"

  /// Where the requests of the client are executed.
  package enum Executor: Sendable {
    case store(any Store)
    case server(ServerExecutor)
  }

  package let executor: Executor
  package let choice: StoreChoice
  /// The canonical address of a PostgreSQL database, which does not depend on how the user wrote
  /// the address; nil for other stores.
  let identity: String?
  /// The client from which this client was created with `acting(as:)` or a similar method. No
  /// access rules apply to that client. Nil if this client was opened directly.
  let base: Client?
  /// Whether the changes of this client are committed, or rolled back as a dry run.
  package let end: WriteRequest.End
  let environment: Environment
  let state: Mutex<State>
  /// The model types that `DataClient` has checked against their schemas, with the version of the
  /// catalog that was used for each check.
  package let checkedTypes = Mutex<[(model: CheckedModel, version: Int64)]>([])

  /// Whether the client uses the saved session of the store, or `DATACTL_TOKEN`.
  let usesSavedSession: Bool

  init(
    _ executor: Executor, choice: StoreChoice, identity: String? = nil, base: Client? = nil,
    end: WriteRequest.End = .commit, token: Token? = nil, usesSavedSession: Bool = false,
    in environment: Environment
  ) {
    self.executor = executor
    self.usesSavedSession = usesSavedSession
    self.choice = choice
    self.identity = identity
    self.base = base
    self.end = end
    self.environment = environment
    state = Mutex(State(token: token))
  }

  /// Creates a client of an open store.
  package convenience init(
    _ store: any Store, choice: StoreChoice, usesSavedSession: Bool = false,
    in environment: Environment
  ) {
    self.init(
      .store(store), choice: choice, usesSavedSession: usesSavedSession, in: environment)
  }

  /// The store. Throws an error if it is on a server, which executes the requests itself.
  package var store: any Store {
    get throws(DataError) {
      switch executor {
      case .store(let store): return store
      case .server:
        throw DataError(
          .usage, "this is not possible with a store on a server: \(address)",
          hint: "use the command datactl, or open the file or the database itself")
      }
    }
  }

  /// Opens a store: a file, a database, or a store on a server.
  ///
  /// ```swift
  /// let client = try await Client.open("https://shop.example")
  /// try await client.logIn("ann", password: password)
  /// ```
  ///
  /// Opening a file that does not exist creates no file. The file is created together with the
  /// first schema. Opening a store on a server sends no request.
  ///
  /// - Parameters:
  ///   - address: The address: `sqlite:shop.db`, a path, `postgres://HOST/DATABASE`, `https://HOST`,
  ///     `unix:SOCKET`, a name from `datactl.json`, or `memory:`. If nil, the value of
  ///     `DATACTL_STORE`, the store of the project file, or the user's default store is used, in
  ///     this order of precedence.
  ///   - access: The purpose for which the store is opened: only reading, or also writing.
  ///   - session: The session whose user the client acts as.
  ///   - environment: The environment variables, working directory, user id and clock to use.
  /// - Returns: A client for the store.
  /// - Throws: A ``DataError`` if the address or the token is invalid, or if the store cannot be
  ///   opened.
  public static func open(
    _ address: String? = nil, for access: StoreAccess = .writing, session: SessionUse = .none,
    in environment: Environment = .process
  ) async throws -> Client {
    let choice = try StoreChoice.find(option: address, in: environment)
    let client = try await open(
      choice, for: access, session: session, in: environment, executor: .serialQueue())
    switch client.executor {
    case .store(let store): return client.copy(.store(PooledStore(store)))
    case .server: return client
    }
  }

  /// The address of the store. Its description contains `***` instead of passwords.
  public var address: StoreAddress { choice.address }

  /// The canonical address of the store, which is the key of its session in `credentials.json`.
  var location: String { identity ?? address.canonical }

  /// Closes the store. Later calls, also those of clients that use the same store, throw an error
  /// with the code `usage`.
  ///
  /// ```swift
  /// await client.close()
  /// ```
  public func close() async {
    switch (executor, end) {
    case (.store(let store), .commit): await store.close()
    case (.server(let server), .commit): if base == nil { server.connections.close() }
    // The store belongs to the client that the dry run was created from.
    case (_, .rollBack): break
    }
  }

  /// Throws an error if the client has been closed, or if the current task is canceled.
  package func checkIsUsable() throws(DataError) {
    switch executor {
    case .store: try pooledStore?.check()
    case .server(let server): try server.connections.check()
    }
  }

  /// Ends the reads of a request: its snapshots can be used for the next request.
  package func endIdleReads() async {
    if case .store(let store) = executor { await store.endIdleReads() }
  }

  /// Returns a client whose changes are validated and then rolled back.
  ///
  /// Each of its methods returns the same result and throws the same errors as the method of this
  /// client, but the store does not change.
  ///
  /// ```swift
  /// let deletion = try await client.dryRun().records("todo").deleteAll()
  /// print(deletion.deleted, "records would be deleted")
  /// ```
  ///
  /// Each call is rolled back on its own, so a call does not see the changes of earlier calls. To
  /// try several changes together, use ``batch(_:)``. Logging in and out are not affected.
  ///
  /// - Returns: A client that uses the same store. Closing it has no effect.
  public func dryRun() -> Client {
    copy(end: .rollBack)
  }

  /// Returns a copy of this client. It has the same values as this client, except for the given
  /// ones.
  func copy(
    _ executor: Executor? = nil, choice: StoreChoice? = nil, end: WriteRequest.End? = nil
  ) -> Client {
    let client = Client(
      executor ?? self.executor, choice: choice ?? self.choice, identity: identity, base: base,
      end: end ?? self.end, usesSavedSession: usesSavedSession, in: environment)
    let current = state.withLock { $0 }
    client.state.withLock { $0 = current }
    return client
  }

  /// Returns the current time and the logged-in user, which are stored with every change.
  package func stamp() async throws(DataError) -> Stamp {
    Stamp(time: try environment.now(), user: try await currentUser()?.user)
  }
}

/// The session whose user a client acts as.
public enum SessionUse: Hashable, Sendable {
  /// No session, until the client logs a user in.
  case none
  /// The session that `datactl login` has saved for the store, or that of the token in
  /// `DATACTL_TOKEN`, as the command uses them.
  case saved
  /// The session with this token, as printed by `datactl login --print-token`.
  case token(String)
}

/// Whether a store is opened only to read records, or also to change them.
public enum StoreAccess: Hashable, Sendable {
  /// Only reading. Opening a store that does not exist fails.
  case reading
  /// Reading and writing. A store that does not exist is created together with its first schema.
  case writing
}

extension Client {
  /// Opens the chosen store.
  ///
  /// - Parameters:
  ///   - choice: The store to open.
  ///   - access: The purpose for which the store is opened: only reading, or also writing.
  ///   - session: The session whose user the client acts as.
  ///   - environment: The environment variables, working directory, user id and clock to use.
  ///   - executor: The executor that runs the store's blocking calls.
  ///   - lockTimeout: How long reads wait for SQLite's locks, in seconds; nil means the default.
  ///   - alarm: A file descriptor that becomes readable when the program must stop. Running
  ///     statements, and waits for locks and servers, are then interrupted.
  ///   - commitListener: A callback that is notified before and after each commit.
  ///   - idleReaders: The maximum number of connections to a file that stay open for later
  ///     snapshots. If it is not 0, the caller must call `endIdleReads` at the end of each request.
  ///   - unfinishedCopies: Whether the store can be opened if it is an unfinished copy.
  package static func open(
    _ choice: StoreChoice, for access: StoreAccess, session: SessionUse = .saved,
    in environment: Environment, executor: StoreExecutor, lockTimeout: Double? = nil,
    alarm: Int32? = nil,
    commitListener: CommitListener? = nil, idleReaders: Int = 0,
    unfinishedCopies: UnfinishedCopies = .rejected
  ) async throws(DataError) -> Client {
    var token: Token?
    if case .token(let text) = session { token = try Token(checking: text) }
    func client(_ executor: Executor, identity: String? = nil) -> Client {
      Client(
        executor, choice: choice, identity: identity, token: token,
        usesSavedSession: session == .saved, in: environment)
    }
    switch choice.address.kind {
    case .file(let path):
      let store = try SQLiteStore.open(
        path: path, for: access.forSQLite, coding: .schemaFile, executor: executor,
        lockTimeout: lockTimeout, alarm: alarm, commitListener: commitListener,
        idleReaders: idleReaders, unfinishedCopies: unfinishedCopies)
      return client(.store(store))
    case .memory:
      let store = try SQLiteStore.openTemporary(
        shown: choice.address.description, coding: .schemaFile, executor: executor,
        lockTimeout: lockTimeout, alarm: alarm, commitListener: commitListener,
        idleReaders: idleReaders, unfinishedCopies: unfinishedCopies)
      return client(.store(store))
    case .postgres(let address):
      let store = try await PostgresStore.open(
        address, shown: choice.address.description, for: access.forPostgres, coding: .schemaFile,
        executor: executor, alarm: alarm, commitListener: commitListener,
        unfinishedCopies: unfinishedCopies)
      return client(.store(store), identity: await store.identity)
    case .server(let address):
      return client(
        .server(
          ServerExecutor(
            to: try ServerAddress(address), shownAs: choice.address.description, in: environment)))
    }
  }
}

extension StoreAccess {
  fileprivate var forSQLite: SQLiteStore.Access {
    switch self {
    case .reading: .reading
    case .writing: .writing(creates: true)
    }
  }
}

extension StoreAccess {
  fileprivate var forPostgres: PostgresStore.Access {
    switch self {
    case .reading: .reading
    case .writing: .writing
    }
  }
}

extension SchemaCoding {
  /// A coding that stores each schema as the text of its schema file.
  static var schemaFile: SchemaCoding {
    SchemaCoding(
      encode: { schema in Array(SchemaFile.text(schema).utf8) },
      decode: { text throws(DataError) in
        try Schema(checking: SchemaFile.read(text))
      })
  }
}
