package import DataModel
package import DataStore
import Synchronization

/// A store in a database of a PostgreSQL server, which any number of programs may read and write at
/// the same time.
///
/// Its tables stand in a namespace of their own, `datactl`, so that others may live beside them.
package actor PostgresStore: DataStore {
  /// Where the tables stand, unless somebody wants it otherwise.
  package static let standardNamespace = "datactl"

  /// What the store is opened for.
  package enum Access: Hashable, Sendable {
    /// Nothing is changed, and nothing is made.
    case reading
    /// Records and schemas are changed; the first plan makes the tables if they are not there.
    case writing
  }

  /// Hears what the store says to the server, before it becomes text.
  package typealias Listener = @Sendable (SQL) -> Void

  package nonisolated let address: String
  package nonisolated var files: [String] { [] }
  let place: ServerAddress
  let namespace: String
  let access: Access
  let coding: SchemaCoding
  let executor: StoreExecutor
  let alarm: Int32?
  /// Who hears of its commits.
  let committing: CommitListener?
  private let listener: Listener?
  /// The one form of all addresses that lead to this database.
  package private(set) var identity = ""
  /// Connections that nobody uses at the moment.
  private var idle: [Connection] = []
  /// Transactions that are being read from, by their numbers.
  var readings: [Int: Reading] = [:]
  var readingCount = 0
  /// The numbers of those that nobody can read from any more.
  nonisolated let abandoned = Mutex<[Int]>([])
  /// The schemas as they were read last.
  var known: StoredCatalog?
  /// Which engine answers, once that is known.
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

  /// Connects to the server of an address, which messages show without its secrets.
  ///
  /// A descriptor that can be read as soon as the program is to stop lets it stop the server, too.
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

  /// What is to be known of the store before it is used.
  package var remark: String? {
    engine?.untriedName.map { name in
      "not tested with \(name); treating it like PostgreSQL"
    }
  }

  package func close() {
    idle = []
    readings = [:]
  }

  /// A connection that nobody else uses until it is released.
  func connection() throws(DataError) -> Connection {
    endAbandoned()
    while let connection = idle.popLast() {
      if connection.isHeld { return connection }
    }
    return try Connection.opened(
      place, namespace: namespace, for: access, engine: engine, alarm: alarm, listener: listener)
  }

  /// Gives a connection back, which is in no transaction.
  func release(_ connection: Connection) {
    engine = connection.recognised ?? engine
    connection.stake = access.stake
    if connection.isSound { idle.append(connection) }
  }

  /// Asks something by a connection outside a transaction.
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

  /// What an error means for which others may be the reason: there may be no store at all, or one
  /// that somebody has changed.
  func explained(
    _ error: DataError, _ failure: Failure?
  ) throws(DataError) -> DataError {
    switch failure {
    case .missingTable, .mistyped, .outOfRange:
      switch try look({ (connection) throws(DataError) in try connection.ground(coding) }) {
      case .bare: .noStore(address)
      case .foreign: .notAStore(address, namespace)
      // A column of another type does not make something else go away.
      case .store,
        .mistyped where failure == .missingTable:
        error
      case .damaged(let what): .damaged(address, what)
      case .mistyped(let schema, let slot): .mistyped(slot, of: schema)
      }
    case .collision:
      // Not every engine knows what it hides.
      (try? look { (connection) throws(DataError) in try connection.tableWithHiddenRows() })
        .map { DataError.recordsHidden(address, $0) } ?? error
    case nil, .conflict, .lost, .partLost, .cancelled, .locked, .forbidden, .refused, .tooWide,
      .other:
      error
    }
  }

  /// Looks at something by a connection outside a transaction; what is wrong then is thrown as it is.
  func look<Result>(
    _ body: (Connection) throws(DataError) -> Result
  ) throws(DataError) -> Result {
    let connection = try connection()
    defer { release(connection) }
    return try body(connection)
  }
}
