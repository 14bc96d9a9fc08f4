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
    executor: StoreExecutor, alarm: Int32?, listener: Listener?
  ) {
    address = place.shown
    self.place = place
    self.namespace = namespace
    self.access = access
    self.coding = coding
    self.executor = executor
    self.alarm = alarm
    self.listener = listener
  }

  /// Connects to the server of an address, which messages show without its secrets.
  ///
  /// A descriptor that can be read as soon as the program is to stop lets it stop the server, too.
  package static func open(
    _ address: String, shown: String, namespace: String = standardNamespace, for access: Access,
    coding: SchemaCoding, executor: StoreExecutor = .ownLine(), alarm: Int32? = nil,
    listener: Listener? = nil
  ) async throws(DataError) -> PostgresStore {
    let store = PostgresStore(
      place: ServerAddress(address, shown: shown), namespace: namespace, access: access,
      coding: coding, executor: executor, alarm: alarm, listener: listener)
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
      "datactl has not been run on \(name); it does there what it does on PostgreSQL"
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
      place, namespace: namespace, engine: engine, alarm: alarm, listener: listener)
  }

  /// Gives a connection back, which is in no transaction.
  func release(_ connection: Connection) {
    engine = connection.recognised ?? engine
    if connection.isSound { idle.append(connection) }
  }

  /// Asks something by a connection outside a transaction.
  func ask<Result>(
    _ body: (Connection) throws(DataError) -> Result
  ) throws(DataError) -> Result {
    let connection = try connection()
    do throws(DataError) {
      let result = try body(connection)
      release(connection)
      return result
    } catch {
      release(connection)
      // Somebody may be the first to look into a database.
      throw connection.failure == .missingTable
        ? try explained(error, connection) : error.ofReading(connection.failure)
    }
  }

  /// What it means that a table or a column is not there: there may be no store at all.
  func explained(
    _ error: DataError, _ connection: Connection
  ) throws(DataError) -> DataError {
    switch try connection.ground(coding) {
    case .bare: .noStore(address)
    case .foreign: .notAStore(address, namespace)
    case .store: error
    case .damaged(let what): .damaged(address, what)
    }
  }
}

extension DataError {
  /// The same error where nothing was to be changed.
  func ofReading(_ failure: Failure?) -> DataError {
    guard failure == .forbidden else { return self }
    return changing { $0.code = .storeUnreachable }
  }

  /// Somebody else has the name that a store needs.
  static func notAStore(_ address: String, _ namespace: String) -> DataError {
    DataError(
      .notAStore, "\(address): has a namespace \(namespace) that datactl did not make",
      hint: "to make room for a store: alter schema \(namespace) rename to NAME, with psql")
  }

  /// A part of the store is not there.
  static func damaged(_ address: String, _ what: String) -> DataError {
    DataError(
      .storeDamaged, "\(address): \(what), as datactl made it",
      hint: "put it back with psql, or restore the store from a copy")
  }
}
