package import DataModel
package import DataStore
import Synchronization

/// A store in a database of a PostgreSQL server, which any number of programs can read and write
/// concurrently.
///
/// Its tables are in their own namespace (a schema in PostgreSQL's sense), `datactl` by default, so
/// that the database can also contain other tables.
package actor PostgresStore: TransactionalStore {
  /// The default namespace of the tables.
  package static let standardNamespace = "datactl"

  /// The purpose for which a store is opened.
  package enum Access: Hashable, Sendable {
    /// The store is only read: nothing is changed or created.
    case reading
    /// Records and schemas are read and written. The first schema plan creates the store's tables
    /// if they do not exist.
    case writing
  }

  /// A callback that receives each statement before it is converted to SQL text.
  package typealias Listener = @Sendable (SQL) -> Void

  package nonisolated let address: String
  package nonisolated var files: [String] { [] }
  let serverAddress: PostgresAddress
  let namespace: String
  let access: Access
  let coding: SchemaCoding
  let executor: StoreExecutor
  let alarm: Int32?
  /// Called when a commit begins, and when it has succeeded or failed.
  let commitListener: CommitListener?
  private let listener: Listener?
  private let unfinishedCopies: UnfinishedCopies
  /// The address of the database in a normalized form, which is the same for all spellings of the
  /// address.
  package private(set) var identity = ""
  /// The open connections that are not in use. They are kept for reuse.
  private var idle: [Connection] = []
  /// The read transactions in progress, keyed by their ids.
  var readTransactions: [Int: ReadTransaction] = [:]
  var readTransactionCount = 0
  /// The ids of the read transactions that must be ended because their `ReadTransactionToken` was
  /// released.
  nonisolated let abandoned = Mutex<[Int]>([])
  /// The catalog that was read most recently. It is used again if its version is still current.
  var cachedCatalog: StoredCatalog?
  /// The database engine, or nil until a connection has detected it.
  private var engine: Engine?

  private init(
    serverAddress: PostgresAddress, namespace: String, access: Access, coding: SchemaCoding,
    executor: StoreExecutor, alarm: Int32?, commitListener: CommitListener?, listener: Listener?,
    unfinishedCopies: UnfinishedCopies
  ) {
    address = serverAddress.shown
    self.serverAddress = serverAddress
    self.namespace = namespace
    self.access = access
    self.coding = coding
    self.executor = executor
    self.alarm = alarm
    self.commitListener = commitListener
    self.listener = listener
    self.unfinishedCopies = unfinishedCopies
  }

  /// Opens a store and connects to its server.
  ///
  /// - Parameters:
  ///   - address: The address, including any password.
  ///   - shown: The address without secrets, for messages.
  ///   - namespace: The namespace of the store's tables.
  ///   - access: The purpose for which the store is opened: only reading, or also writing.
  ///   - alarm: A file descriptor that becomes readable when the program must stop. A running
  ///     statement is then canceled on the server.
  ///   - commitListener: A callback that is notified of the stages of each commit.
  ///   - listener: A callback that receives each statement before it is rendered.
  ///   - unfinishedCopies: Whether the store can be used if it is an unfinished copy.
  package static func open(
    _ address: String, shown: String, namespace: String = standardNamespace, for access: Access,
    coding: SchemaCoding, executor: StoreExecutor = .serialQueue(), alarm: Int32? = nil,
    commitListener: CommitListener? = nil, listener: Listener? = nil,
    unfinishedCopies: UnfinishedCopies = .rejected
  ) async throws(DataError) -> PostgresStore {
    let store = PostgresStore(
      serverAddress: PostgresAddress(address, shown: shown), namespace: namespace, access: access,
      coding: coding, executor: executor, alarm: alarm, commitListener: commitListener,
      listener: listener, unfinishedCopies: unfinishedCopies)
    try await store.connect()
    return store
  }

  package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.unowned }

  private func connect() throws(DataError) {
    let connection = try connection()
    identity = connection.identity
    release(connection)
  }

  package var preferredChunkSize: Int? { engine?.preferredChunkSize }

  package func close() {
    idle = []
    readTransactions = [:]
  }

  /// Returns an idle connection that is still alive, or a new one if there is none. The caller has
  /// exclusive use of it until `release` is called.
  func connection() throws(DataError) -> Connection {
    endAbandoned()
    while let connection = idle.popLast() {
      if connection.isAlive { return connection }
    }
    return try Connection.opened(
      serverAddress, namespace: namespace, for: access, engine: engine,
      unfinishedCopies: unfinishedCopies, alarm: alarm, listener: listener)
  }

  /// Makes a connection available for reuse. The connection must not be in a transaction.
  func release(_ connection: Connection) {
    engine = connection.detectedEngine ?? engine
    connection.failureContext = access.failureContext
    connection.isInterrupted = false
    if connection.isConnected { idle.append(connection) }
  }

  /// Runs a closure with a connection, without a transaction. If a statement fails, throws an error
  /// that names the actual cause, for example that the store does not exist.
  func withConnection<Result>(
    _ body: (Connection) throws(DataError) -> Result
  ) throws(DataError) -> Result {
    let connection = try connection()
    do throws(DataError) {
      defer { release(connection) }
      return try body(connection)
    } catch {
      throw try diagnosed(error, connection.failure)
    }
  }

  /// Returns the error to report for a failure. The failure may be only a consequence of another
  /// problem: the store may not exist, another program may have changed its tables, or row-level
  /// security may hide its rows. If one of these is the case, the returned error names that
  /// problem. If not, it is the given error.
  func diagnosed(
    _ error: DataError, _ failure: EngineFailure?
  ) throws(DataError) -> DataError {
    switch failure {
    case .missingTable, .wrongColumnType, .unsupportedJSON:
      switch try probe({ (connection) throws(DataError) in try connection.namespaceState(coding) })
      {
      case .worker: .isWorker(address)
      case .empty: .noStore(address)
      case .foreign: .notAStore(address, namespace)
      // A changed column type does not explain why a table or a column is missing.
      case .store,
        .wrongColumnType where failure == .missingTable:
        error
      case .damaged(let part): .partMissing(part, in: address, tool: "psql")
      case .wrongColumnType(let schema, let slot): .wrongColumnType(slot, of: schema)
      }
    case .collision, .existingTable:
      // The query may fail: not every engine can report whether rows are hidden.
      (try? probe { (connection) throws(DataError) in try connection.tableWithHiddenRows() })
        .map { DataError.recordsHidden(address, $0) } ?? error
    case nil, .conflict, .connectionLost, .nodeUnreachable, .canceled, .locked, .missingObject,
      .insufficientPrivilege, .userRejected, .wrongPassword, .missingDatabase, .readOnly,
      .rejectedByForeignObject, .dependentObjects, .rowTooWide, .valueTooLong, .statementTooLarge,
      .diskFull, .outOfResources, .cannotOpen, .inputOutput, .damaged, .other:
      error
    }
  }

  /// Runs a closure with a connection, without a transaction. Unlike `withConnection`, throws the
  /// errors of the closure unchanged, and does not look for another cause.
  func probe<Result>(
    _ body: (Connection) throws(DataError) -> Result
  ) throws(DataError) -> Result {
    let connection = try connection()
    defer { release(connection) }
    return try body(connection)
  }
}
