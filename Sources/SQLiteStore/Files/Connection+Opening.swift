import CSQLite
import DataModel
import DataStore
import Platform

/// What a connection is used for, which determines how it is opened and configured.
enum ConnectionUse {
  /// Reads the database file without locks and without the WAL: see `LockFreeReader`.
  case lockFree
  /// Reads a database that does not have its final name yet. No other process uses it.
  case unpublished
  case reading
  case writing
}

/// The values in the database header that identify a datactl store.
enum SQLiteFormat {
  /// The application id in the database header of every store: "data" in ASCII.
  static let applicationID: Int32 = 0x6461_7461
  /// The value of the two file format version bytes (18 and 19) in the header of a database in WAL
  /// mode.
  static let walVersion: UInt8 = 2
}

extension Connection {
  /// Opens an existing store. If the path does not lead to a datactl store, throws an error and
  /// leaves the file unchanged.
  ///
  /// - Parameter lockTimeout: How long the connection waits for SQLite's own locks, in seconds.
  static func opened(
    _ path: StorePath, for use: ConnectionUse, lockTimeout: Double, alarm: Int32?
  ) throws(DataError) -> Connection {
    switch try StoreFile.kind(of: path.name) {
    case .absent:
      throw .noStore(path.address)
    case .folder: throw DataError(.notAStore, "\(path.given): a folder, not a store")
    case .danglingLink:
      throw DataError(
        .notAStore, "\(path.given): the target of the symbolic link does not exist",
        hint: "remove the link, or create its target")
    case .other: throw DataError(.notAStore, "\(path.given): not a regular file")
    case .empty:
      throw DataError(
        .notAStore, "\(path.given): empty file, not a datactl store",
        hint: "to create a store here, remove the file first")
    case .regular: break
    }
    var connection = try opened(existing: path, for: use, alarm: alarm)
    try connection.checkHeader(of: path)
    try connection.configure(for: use, lockTimeout: lockTimeout)
    guard use == .reading, !hasIndex(path) else { return connection }
    do throws(DataError) {
      // The first statement creates the index of the WAL.
      _ = try connection.hasRow("select 1 from sqlite_schema limit 1")
      return connection
    } catch {
      guard error.code == .storeFull else { throw error }
      var connection = try withoutIndex(path, alarm: alarm)
      try connection.checkHeader(of: path)
      try connection.configure(for: use, lockTimeout: lockTimeout)
      return connection
    }
  }

  private static func opened(
    existing path: StorePath, for use: ConnectionUse, alarm: Int32?
  ) throws(DataError) -> Connection {
    if use == .unpublished { return try immutable(path, alarm: alarm) }
    let writeError = FileSystem.writeError(path.name) ?? FileSystem.writeError(path.folder)
    if let writeError {
      guard writeError.isNotPermitted else {
        throw DataError(
          .storeUnreachable, "\(path.given): cannot be opened: \(writeError.text)")
      }
      if use == .writing { throw .readOnly(path.given) }
      if !hasIndex(path) { return try withoutIndex(path, alarm: alarm) }
    }
    // The connection is opened for writing even for reads: a read-only connection would not delete
    // the WAL file when it closes.
    var connection = try Connection(
      name: path.name, flags: SQLITE_OPEN_READWRITE, store: path.given, alarm: alarm)
    // If the file cannot be opened for writing, SQLite opens it for reading.
    if use == .writing, unsafe sqlite3_db_readonly(connection.handle, "main") != 0 {
      let reason = connection.openError.map { ": \($0.text)" } ?? ""
      throw DataError(
        .storeUnreachable, "\(path.given): cannot be opened for writing\(reason)")
    }
    connection.isReusable = true
    return connection
  }

  /// The minimum size in bytes of a complete WAL index. The file is smaller if the disk was full
  /// when SQLite created it.
  private static let minimumIndexSize = 32 << 10

  private static func hasIndex(_ path: StorePath) -> Bool {
    StoreFile.status(of: path.walIndex).map { $0.size >= minimumIndexSize } ?? false
  }

  /// Opens a store for reading if the index of the WAL does not exist and cannot be created,
  /// because the folder is read-only or the disk is full. SQLite then keeps the index in its own
  /// memory, where other processes do not see it.
  ///
  /// This is safe for two reasons. Every process that uses the store would have created the index,
  /// so no process uses it at the moment. And the connection holds a shared lock on the lock file
  /// of the store, so no other process of datactl can begin to write.
  private static func withoutIndex(
    _ path: StorePath, alarm: Int32?
  ) throws(DataError) -> Connection {
    let lock = try? OpenFile(path.lock, for: .readingAtOnce)
    _ = lock?.tryShare()
    guard FileSystem.exists(path.wal) else {
      var connection = try immutable(path, alarm: alarm)
      connection.readLock = lock
      return connection
    }
    var connection = try Connection(
      name: path.address("vfs=unix-none"), flags: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI,
      store: path.given, alarm: alarm)
    connection.readLock = lock
    try connection.check(
      unsafe csqlite_configure(connection.handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1))
    try connection.run("pragma locking_mode = exclusive")
    return connection
  }

  /// Opens a database file with `immutable=1`. SQLite then assumes that the file never changes: it
  /// takes no locks and ignores the WAL.
  private static func immutable(
    _ path: StorePath, alarm: Int32?
  ) throws(DataError) -> Connection {
    try Connection(
      name: path.address("immutable=1"), flags: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI,
      store: path.given, alarm: alarm)
  }

  /// Opens the database file of a store without locks and without the WAL, for a `LockFreeReader`.
  ///
  /// Such a reader must be able to find out whether another process changes the file while it
  /// reads. In WAL mode it can: a writer creates a WAL before it changes the database file. In
  /// other modes, there may be no such sign.
  ///
  /// - Returns: The connection, or nil if the store is not in WAL mode.
  static func lockFree(at path: StorePath, alarm: Int32?) throws(DataError) -> Connection? {
    var connection = try immutable(path, alarm: alarm)
    guard try connection.checkHeader(of: path) else { return nil }
    try connection.configure(for: .lockFree)
    return connection
  }

  /// Creates the database of a new store under a temporary name, so that other processes never see
  /// an incomplete store.
  static func created(_ path: StorePath, alarm: Int32?) throws(DataError) -> Connection {
    var connection = try Connection(
      name: try path.unfinishedInResolvedFolder(),
      flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOFOLLOW, store: path.given,
      alarm: alarm)
    connection.isUnpublished = true
    // A database that is incomplete because the program was killed is removed, so no journal is
    // needed after a crash.
    try connection.run("pragma journal_mode = memory")
    try connection.run("pragma page_size = 8192")
    try connection.configure(for: .writing)
    try connection.run(SQLiteFormat.setApplicationID)
    try connection.run(SQLiteFormat.setUserVersion)
    return connection
  }

  /// Switches a new database to WAL mode.
  func enableWAL() throws(DataError) {
    let statement = try Statement("pragma journal_mode = wal", on: self)
    let mode = try statement.step() ? statement.text(0) : nil
    // The change is committed at the end of the statement.
    try statement.run()
    guard mode == "wal" else {
      throw DataError(.storeUnreachable, "\(store): cannot be switched to WAL mode")
    }
  }

  /// Creates an in-memory database. The path is used only in error messages.
  static func inMemory(of path: StorePath, alarm: Int32?) throws(DataError) -> Connection {
    var connection = try Connection(
      name: ":memory:", flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, store: path.given,
      alarm: alarm)
    connection.isUnpublished = true
    try connection.configure(for: .writing)
    return connection
  }

  /// Checks the database header, stores the format of the store in `format`, and returns whether
  /// the database is in WAL mode. Throws an error if the file is not a datactl store, or has a
  /// newer format than this version supports.
  @discardableResult
  private mutating func checkHeader(of path: StorePath) throws(DataError) -> Bool {
    var header = [UInt8](repeating: 0, count: 100)
    let code = unsafe header.withUnsafeMutableBytes { bytes in
      unsafe csqlite_read_header(handle, bytes.baseAddress)
    }
    let isDatabase = header.starts(with: "SQLite format 3\0".utf8)
    guard code == SQLITE_OK || code == csqlite_io_short_read else { throw failure(code) }
    guard isDatabase, code == SQLITE_OK else {
      throw DataError(
        .notAStore, "\(path.given): not a database",
        hint: "a store is a file created by datactl")
    }
    guard Self.number(in: header, at: 68) == SQLiteFormat.applicationID else {
      throw DataError(
        .notAStore, "\(path.given): a database not created by datactl; left unchanged")
    }
    format = Int64(Self.number(in: header, at: 60))
    try StoreFormat.check(format, of: path.given, accepting: path.unfinishedCopies) {
      try? copyMark()
    } minimumProgram: {
      let statement = try? Statement("select minimum_program from _meta", on: self)
      return (try? statement?.step()) == true ? statement?.text(0) : nil
    }
    return header[18] == SQLiteFormat.walVersion && header[19] == SQLiteFormat.walVersion
  }

  private static func number(in header: [UInt8], at offset: Int) -> Int32 {
    header[offset..<offset + 4].reduce(0) { $0 << 8 | Int32($1) }
  }

  /// Configures the connection. The file may come from an untrusted source, so triggers, views and
  /// extensions are disabled.
  private func configure(
    for use: ConnectionUse, lockTimeout: Double = Connection.lockTimeout
  ) throws(DataError) {
    try waitForLocks(seconds: lockTimeout)
    for (option, value): (Int32, Int32) in [
      (SQLITE_DBCONFIG_ENABLE_FKEY, use == .writing ? 1 : 0), (SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0),
      (SQLITE_DBCONFIG_DEFENSIVE, 1), (SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0),
      (SQLITE_DBCONFIG_ENABLE_TRIGGER, 0), (SQLITE_DBCONFIG_ENABLE_VIEW, 0),
    ] {
      try check(unsafe csqlite_configure(handle, option, value))
    }
    try run("pragma cell_size_check = on")
    switch use {
    case .lockFree: break
    case .reading, .unpublished:
      try addFunctions()
      try run("pragma query_only = on")
    case .writing:
      try addFunctions()
      try check(unsafe sqlite3_wal_autocheckpoint(handle, 0))
      try run("pragma synchronous = full")
    }
  }
}

extension SQLiteFormat {
  static let setApplicationID: SQL = "pragma application_id = 1684108385"
  static let setUserVersion: SQL = "pragma user_version = \(number: StoreFormat.current)"
}
