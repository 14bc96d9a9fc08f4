package import DataModel
package import DataStore

/// A store in one file, which any number of processes may read and write at the same time.
package actor SQLiteStore: DataStore {
  /// What the store is opened for.
  package enum Access: Hashable, Sendable {
    /// Nothing is changed, and nothing is made.
    case reading
    /// Records and schemas are changed; the first plan makes the file if it is not there.
    case writing(creates: Bool)
  }

  package nonisolated let address: String
  package nonisolated var files: [String] { path.all }
  nonisolated let path: StorePath
  let access: Access
  let coding: SchemaCoding
  let executor: StoreExecutor
  /// Who hears of its commits.
  let committing: CommitListener?
  /// The connection for everything that is over when a call returns; none before the file is made.
  private var opened: SharedConnection?
  /// The store as long as it does not change, for short looks.
  private var quiet: QuietStore?
  /// The schemas as they were read last.
  var known: StoredCatalog?

  private init(
    path: StorePath, access: Access, coding: SchemaCoding, executor: StoreExecutor,
    committing: CommitListener?, opened: SharedConnection?, quiet: QuietStore? = nil
  ) {
    address = path.given
    self.path = path
    self.access = access
    self.coding = coding
    self.executor = executor
    self.committing = committing
    self.opened = opened
    self.quiet = quiet
  }

  /// Opens a store, or says what else it is that stands under the path.
  package static func open(
    path: String, for access: Access, coding: SchemaCoding,
    executor: StoreExecutor = .ownLine(), committing: CommitListener? = nil
  ) throws(DataError) -> SQLiteStore {
    let path = try StorePath(path)
    if access == .writing(creates: true), try Platform.kind(of: path.name) == .absent {
      return SQLiteStore(
        path: path, access: access, coding: coding, executor: executor, committing: committing,
        opened: nil)
    }
    if access == .reading, let quiet = try QuietStore(path) {
      return SQLiteStore(
        path: path, access: access, coding: coding, executor: executor, committing: committing,
        opened: nil, quiet: quiet)
    }
    return SQLiteStore(
      path: path, access: access, coding: coding, executor: executor, committing: committing,
      opened: try connection(to: path, for: access, telling: committing))
  }

  private static func connection(
    to path: StorePath, for access: Access, telling committing: CommitListener?
  ) throws(DataError) -> SharedConnection {
    var connection = try Connection.opened(path, for: access.use)
    connection.committing = committing
    return SharedConnection(connection)
  }

  package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.unowned }

  package func close() {
    opened = nil
    quiet = nil
  }

  /// The connection; another process may have made the store by now.
  func connection() throws(DataError) -> SharedConnection {
    if let opened { return opened }
    let connection = try Self.connection(to: path, for: access, telling: committing)
    opened = connection
    return connection
  }

  /// Reads something that is over when this returns.
  func look<Result>(
    _ body: (borrowing Connection) throws(DataError) -> Result
  ) throws(DataError) -> Result {
    if let quiet {
      if let result = try quiet.look(body) { return result }
      self.quiet = nil
    }
    return try body(connection().value)
  }

  /// Whether there is a store yet.
  func isThere() throws(DataError) -> Bool {
    if opened != nil { return true }
    return try Platform.kind(of: path.name) != .absent
  }

  package func catalog() throws(DataError) -> StoredCatalog {
    guard try isThere() || access != .writing(creates: true) else {
      return StoredCatalog(Catalog(), version: 0)
    }
    let stored = try look { (connection) throws(DataError) in try connection.catalog(coding) }
    known = stored
    return stored
  }

  package func schema(named name: String) throws(DataError) -> Schema? {
    guard try isThere() || access != .writing(creates: true) else { return nil }
    return try look { (connection) throws(DataError) in
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

/// A connection that stays open while a call that was interrupted by a wait still needs it.
final class SharedConnection {
  let value: Connection

  init(_ value: consuming Connection) {
    self.value = value
  }
}
