package import DataModel
package import DataStore
import Synchronization

/// A store in a database of a PostgreSQL server, which any number of programs can read and write
/// concurrently.
///
/// Its tables are in a namespace of their own, `datactl`, so that they can share a database with
/// other tables.
package actor PostgresStore: TransactionalStore {
  /// The default namespace of the tables.
  package static let standardNamespace = "datactl"

  /// The purpose for which a store is opened.
  package enum Access: Hashable, Sendable {
    /// Reads only: nothing is changed or created.
    case reading
    /// Reads and writes records and schemas. The first plan creates the tables if they do not
    /// exist.
    case writing
  }

  /// A callback that receives each statement before it is rendered.
  package typealias Listener = @Sendable (SQL) -> Void

  package nonisolated let address: String
  package nonisolated var files: [String] { [] }
  let serverAddress: ServerAddress
  let namespace: String
  let access: Access
  let coding: SchemaCoding
  let executor: StoreExecutor
  let alarm: Int32?
  /// A callback that is notified of commits.
  let commitListener: CommitListener?
  private let listener: Listener?
  /// The canonical form of the addresses of this database.
  package private(set) var identity = ""
  /// Open connections that are not in use.
  private var idle: [Connection] = []
  /// Read transactions in progress, by their numbers.
  var readTransactions: [Int: ReadTransaction] = [:]
  var readTransactionCount = 0
  /// The numbers of read transactions whose tokens were released.
  nonisolated let abandoned = Mutex<[Int]>([])
  /// The schemas as last read.
  var cachedCatalog: StoredCatalog?
  /// The engine, once it is known.
  private var engine: Engine?

  private init(
    serverAddress: ServerAddress, namespace: String, access: Access, coding: SchemaCoding,
    executor: StoreExecutor, alarm: Int32?, commitListener: CommitListener?, listener: Listener?
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
  }

  /// Connects to the server at an address.
  ///
  /// - Parameters:
  ///   - address: The address, including any password.
  ///   - shown: The address without secrets, for messages.
  ///   - alarm: A file descriptor that becomes readable when the program is to stop; running
  ///     statements are then canceled on the server.
  package static func open(
    _ address: String, shown: String, namespace: String = standardNamespace, for access: Access,
    coding: SchemaCoding, executor: StoreExecutor = .serialQueue(), alarm: Int32? = nil,
    commitListener: CommitListener? = nil, listener: Listener? = nil
  ) async throws(DataError) -> PostgresStore {
    let store = PostgresStore(
      serverAddress: ServerAddress(address, shown: shown), namespace: namespace, access: access,
      coding: coding, executor: executor, alarm: alarm, commitListener: commitListener,
      listener: listener)
    try await store.connect()
    return store
  }

  package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.unowned }

  private func connect() throws(DataError) {
    let connection = try connection()
    identity = connection.identity
    release(connection)
  }

  /// A note for the user about the engine, if there is one.
  package var remark: String? {
    engine?.untestedName.map { name in
      "not tested with \(name); treating it like PostgreSQL"
    }
  }

  package func close() {
    idle = []
    readTransactions = [:]
  }

  /// Returns an idle or a new connection, for exclusive use until it is released.
  func connection() throws(DataError) -> Connection {
    endAbandoned()
    while let connection = idle.popLast() {
      if connection.isAlive { return connection }
    }
    return try Connection.opened(
      serverAddress, namespace: namespace, for: access, engine: engine, alarm: alarm,
      listener: listener)
  }

  /// Returns a connection that is in no transaction to the pool.
  func release(_ connection: Connection) {
    engine = connection.detectedEngine ?? engine
    connection.failureContext = access.failureContext
    if connection.isConnected { idle.append(connection) }
  }

  /// Runs a closure with a connection, outside a transaction.
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

  /// Returns the actual reason for an error that may have been caused by other programs: the store
  /// may not exist, or its tables may have been changed.
  func diagnosed(
    _ error: DataError, _ failure: Failure?
  ) throws(DataError) -> DataError {
    switch failure {
    case .missingTable, .wrongColumnType, .outOfRange:
      switch try probe({ (connection) throws(DataError) in try connection.namespaceState(coding) })
      {
      case .empty: .noStore(address)
      case .foreign: .notAStore(address, namespace)
      // A changed column type is not the reason why a table or a column is missing.
      case .store,
        .wrongColumnType where failure == .missingTable:
        error
      case .damaged(let what): .damaged(address, what)
      case .wrongColumnType(let schema, let slot): .wrongColumnType(slot, of: schema)
      }
    case .collision:
      // Not every engine can report which rows it hides.
      (try? probe { (connection) throws(DataError) in try connection.tableWithHiddenRows() })
        .map { DataError.recordsHidden(address, $0) } ?? error
    case nil, .conflict, .lost, .nodeUnreachable, .canceled, .locked, .insufficientPrivilege,
      .rejectedByForeignObject, .tooWide,
      .other:
      error
    }
  }

  /// Runs a closure with a connection, outside a transaction, without a further diagnosis of
  /// errors.
  func probe<Result>(
    _ body: (Connection) throws(DataError) -> Result
  ) throws(DataError) -> Result {
    let connection = try connection()
    defer { release(connection) }
    return try body(connection)
  }
}

extension PostgresStore {
  package func logIn(_ request: LogInRequest) async throws(DataError) {
    let schema = request.userSchema
    guard let slot = schema.passwordSlot else { throw .wrongLogIn }
    let layout = TableLayout(schema)
    // Verifying the password is slow, so it is done outside any transaction.
    let hash = try withConnection { (connection) throws(DataError) -> String? in
      let resultSet = try connection.run(
        """
        select \(layout.column(slot)) from \(layout.table) \
        where \(layout.key) = \(.text(request.name))
        """)
      return resultSet.count > 0 ? resultSet.text(0, 0) : nil
    }
    guard try request.verify(hash, request.password), let hash else { throw .wrongLogIn }
    try await write(wait: WriteWait()) { (connection) throws(DataError) in
      let isStillValid =
        try connection.run(
          """
          select 1 from \(layout.table) where \(layout.key) = \(.text(request.name)) \
          and \(layout.column(slot)) = \(.text(hash)) for update
          """
        ).count > 0
      guard isStillValid else { throw .wrongLogIn }
      connection.enqueue(
        "delete from \(table: "_session") where expires <= \(.datetime(request.created))")
      try connection.run(
        """
        insert into \(table: "_session") (token_hash, \(name: "user"), created, expires) values \
        (\(SQL.parameter), \(.text(request.name)), \(.datetime(request.created)), \
        \(.datetime(request.expires)))
        """, binding: [WireValue(.bytes, request.tokenHash)])
    }
  }

  package func session(
    _ tokenHash: [UInt8], at time: Timestamp
  ) throws(DataError) -> Session? {
    try withConnection { (connection) throws(DataError) in
      let resultSet = try connection.run(
        """
        select \(name: "user"), expires from \(table: "_session") where token_hash = \(SQL.parameter) \
        and expires > \(.datetime(time))
        """, binding: [WireValue(.bytes, tokenHash)])
      guard resultSet.count > 0, let user = resultSet.text(0, 0),
        let expires = resultSet.time(0, 1)
      else { return nil }
      return Session(user: user, expires: expires)
    }
  }

  package func logOut(_ tokenHash: [UInt8]) async throws(DataError) {
    try await write(wait: WriteWait()) { (connection) throws(DataError) in
      _ = try connection.run(
        "delete from \(table: "_session") where token_hash = \(SQL.parameter)",
        binding: [WireValue(.bytes, tokenHash)])
    }
  }
}
