package import DataModel
package import DataStore

/// A store in one SQLite file, which several processes may read and write at the same time.
package actor SQLiteStore: Store {
  /// The access that a store is opened with.
  package enum Access: Hashable, Sendable {
    /// Read-only.
    case reading
    /// Read and write. With `creates`, the first plan creates the file if it does not exist.
    case writing(creates: Bool)
  }

  package nonisolated let address: String
  package nonisolated var files: [String] { path.all }
  nonisolated let path: StorePath
  let access: Access
  let coding: SchemaCoding
  let executor: StoreExecutor
  /// The listener that is notified of commits.
  let commitListener: CommitListener?
  /// The connection for calls that finish before they return; nil until the file exists and is
  /// needed.
  private var opened: SharedConnection?
  /// The lock-free reader for short reads, as long as the file does not change.
  private var lockFreeReader: LockFreeReader?
  /// The catalog that was read last.
  var cachedCatalog: StoredCatalog?

  private init(
    path: StorePath, access: Access, coding: SchemaCoding, executor: StoreExecutor,
    commitListener: CommitListener?, opened: SharedConnection?,
    lockFreeReader: LockFreeReader? = nil
  ) {
    address = path.given
    self.path = path
    self.access = access
    self.coding = coding
    self.executor = executor
    self.commitListener = commitListener
    self.opened = opened
    self.lockFreeReader = lockFreeReader
  }

  /// Opens a store. Throws if the path is not a store.
  package static func open(
    path: String, for access: Access, coding: SchemaCoding,
    executor: StoreExecutor = .serialQueue(), commitListener: CommitListener? = nil
  ) throws(DataError) -> SQLiteStore {
    let path = try StorePath(path)
    if access == .writing(creates: true), try Platform.kind(of: path.name) == .absent {
      return SQLiteStore(
        path: path, access: access, coding: coding, executor: executor,
        commitListener: commitListener,
        opened: nil)
    }
    if access == .reading, let lockFreeReader = try LockFreeReader(path) {
      return SQLiteStore(
        path: path, access: access, coding: coding, executor: executor,
        commitListener: commitListener,
        opened: nil, lockFreeReader: lockFreeReader)
    }
    return SQLiteStore(
      path: path, access: access, coding: coding, executor: executor,
      commitListener: commitListener,
      opened: try connection(to: path, for: access, notifying: commitListener))
  }

  private static func connection(
    to path: StorePath, for access: Access, notifying commitListener: CommitListener?
  ) throws(DataError) -> SharedConnection {
    var connection = try Connection.opened(path, for: access.use)
    connection.commitListener = commitListener
    return SharedConnection(connection)
  }

  package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.unowned }

  package func close() {
    opened = nil
    lockFreeReader = nil
  }

  /// Returns the connection, and opens it if needed: another process may have created the store.
  func connection() throws(DataError) -> SharedConnection {
    if let opened { return opened }
    let connection = try Self.connection(to: path, for: access, notifying: commitListener)
    opened = connection
    return connection
  }

  /// Runs a read that is complete when the closure returns, without locks if possible.
  func readOnce<Result>(
    _ body: (borrowing Connection) throws(DataError) -> Result
  ) throws(DataError) -> Result {
    if let lockFreeReader {
      if let result = try lockFreeReader.readOnce(body) { return result }
      self.lockFreeReader = nil
    }
    return try body(connection().value)
  }

  /// Whether the store exists.
  func exists() throws(DataError) -> Bool {
    if opened != nil { return true }
    return try Platform.kind(of: path.name) != .absent
  }

  package func catalog() throws(DataError) -> StoredCatalog {
    guard try exists() || access != .writing(creates: true) else {
      return StoredCatalog(Catalog(), version: 0)
    }
    let stored = try readOnce { (connection) throws(DataError) in try connection.catalog(coding) }
    cachedCatalog = stored
    return stored
  }

  package func schema(named name: String) throws(DataError) -> Schema? {
    guard try exists() || access != .writing(creates: true) else { return nil }
    return try readOnce { (connection) throws(DataError) in
      try connection.schema(named: name, coding)
    }
  }
}

extension SQLiteStore.Access {
  var use: ConnectionUse {
    switch self {
    case .reading: .reading
    case .writing: .writing
    }
  }
}

/// A reference to a connection, which keeps it open while a suspended call needs it.
final class SharedConnection {
  let value: Connection

  init(_ value: consuming Connection) {
    self.value = value
  }
}
