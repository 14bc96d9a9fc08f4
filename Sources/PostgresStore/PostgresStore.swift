package import DataModel
package import DataStore
import Synchronization

/// A store in a database of a PostgreSQL server, which any number of programs can read and write
/// concurrently.
///
/// Its tables are in a namespace of their own, `datactl`, so that they can share a database with
/// other tables.
package actor PostgresStore: DataStore {
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
  let place: ServerAddress
  let namespace: String
  let access: Access
  let coding: SchemaCoding
  let executor: StoreExecutor
  let alarm: Int32?
  /// A callback that is notified of commits.
  let committing: CommitListener?
  private let listener: Listener?
  /// The canonical form of the addresses of this database.
  package private(set) var identity = ""
  /// Open connections that are not in use.
  private var idle: [Connection] = []
  /// Read transactions in progress, by their numbers.
  var readings: [Int: Reading] = [:]
  var readingCount = 0
  /// The numbers of read transactions whose tokens were released.
  nonisolated let abandoned = Mutex<[Int]>([])
  /// The schemas as last read.
  var known: StoredCatalog?
  /// The engine, once it is known.
  private var engine: Engine?

  private init(
    place: ServerAddress, namespace: String, access: Access, coding: SchemaCoding,
    executor: StoreExecutor, alarm: Int32?, committing: CommitListener?, listener: Listener?
  ) {
    address = place.shown
    self.place = place
    self.namespace = namespace
    self.access = access
    self.coding = coding
    self.executor = executor
    self.alarm = alarm
    self.committing = committing
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
    coding: SchemaCoding, executor: StoreExecutor = .ownLine(), alarm: Int32? = nil,
    committing: CommitListener? = nil, listener: Listener? = nil
  ) async throws(DataError) -> PostgresStore {
    let store = PostgresStore(
      place: ServerAddress(address, shown: shown), namespace: namespace, access: access,
      coding: coding, executor: executor, alarm: alarm, committing: committing,
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
    engine?.untriedName.map { name in
      "not tested with \(name); treating it like PostgreSQL"
    }
  }

  package func close() {
    idle = []
    readings = [:]
  }

  /// Returns an idle or a new connection, for exclusive use until it is released.
  func connection() throws(DataError) -> Connection {
    endAbandoned()
    while let connection = idle.popLast() {
      if connection.isHeld { return connection }
    }
    return try Connection.opened(
      place, namespace: namespace, for: access, engine: engine, alarm: alarm, listener: listener)
  }

  /// Returns a connection that is in no transaction to the pool.
  func release(_ connection: Connection) {
    engine = connection.recognised ?? engine
    connection.stake = access.stake
    if connection.isSound { idle.append(connection) }
  }

  /// Runs a closure with a connection, outside a transaction.
  func ask<Result>(
    _ body: (Connection) throws(DataError) -> Result
  ) throws(DataError) -> Result {
    let connection = try connection()
    do throws(DataError) {
      defer { release(connection) }
      return try body(connection)
    } catch {
      throw try explained(error, connection.failure)
    }
  }

  /// Returns the actual reason for an error that may have been caused by other programs: the store
  /// may not exist, or its tables may have been changed.
  func explained(
    _ error: DataError, _ failure: Failure?
  ) throws(DataError) -> DataError {
    switch failure {
    case .missingTable, .mistyped, .outOfRange:
      switch try look({ (connection) throws(DataError) in try connection.ground(coding) }) {
      case .bare: .noStore(address)
      case .foreign: .notAStore(address, namespace)
      // A changed column type is not the reason why a table or a column is missing.
      case .store,
        .mistyped where failure == .missingTable:
        error
      case .damaged(let what): .damaged(address, what)
      case .mistyped(let schema, let slot): .mistyped(slot, of: schema)
      }
    case .collision:
      // Not every engine can report which rows it hides.
      (try? look { (connection) throws(DataError) in try connection.tableWithHiddenRows() })
        .map { DataError.recordsHidden(address, $0) } ?? error
    case nil, .conflict, .lost, .partLost, .cancelled, .locked, .forbidden, .refused, .tooWide,
      .other:
      error
    }
  }

  /// Runs a closure with a connection, outside a transaction, without a further diagnosis of
  /// errors.
  func look<Result>(
    _ body: (Connection) throws(DataError) -> Result
  ) throws(DataError) -> Result {
    let connection = try connection()
    defer { release(connection) }
    return try body(connection)
  }
}
