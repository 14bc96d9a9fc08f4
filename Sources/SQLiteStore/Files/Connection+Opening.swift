import CSQLite
import DataModel
import DataStore
import Platform

/// The purpose of a connection.
enum ConnectionUse {
  /// Reads the database file without locks and without the WAL: see `LockFreeReader`.
  case lockFree
  case reading
  case writing
}

/// The values in the database header that identify a datactl store.
enum SQLiteFormat {
  /// The application id: "data" in ASCII.
  static let applicationID: Int32 = 0x6461_7461
  /// The value of the two file format version bytes (18 and 19) in the header of a database in WAL
  /// mode.
  static let walVersion: UInt8 = 2
}

extension Connection {
  /// Opens an existing store. If the path does not lead to a datactl store, throws an error and
  /// leaves the file unchanged.
  static func opened(
    _ path: StorePath, for use: ConnectionUse
  ) throws(DataError) -> Connection {
    switch try StoreFile.kind(of: path.name) {
    case .absent:
      throw .noStore("sqlite:\(path.given)")
    case .folder: throw DataError(.notAStore, "\(path.given): a folder, not a store")
    case .danglingLink:
      throw DataError(
        .notAStore, "\(path.given): the target of the symbolic link does not exist",
        hint: "remove the link, or create its target")
    case .other: throw DataError(.notAStore, "\(path.given): not a regular file")
    case .empty:
      throw DataError(
        .notAStore, "\(path.given): empty file, not a datactl store",
        hint: "remove the file to create a store in its place")
    case .regular: break
    }
    var connection = try opened(existing: path, for: use)
    try connection.checkHeader(of: path)
    try connection.configure(for: use)
    return connection
  }

  private static func opened(
    existing path: StorePath, for use: ConnectionUse
  ) throws(DataError) -> Connection {
    let isWritable = FileSystem.isWritable(path.name) && FileSystem.isWritable(path.folder)
    if !isWritable && use == .writing { throw .readOnly(path.given) }
    if !isWritable && !FileSystem.exists(path.wal) { return try immutable(path) }
    // A read-only connection would not delete the WAL file when it closes.
    return try Connection(name: path.name, flags: SQLITE_OPEN_READWRITE, store: path.given)
  }

  /// Opens a database file with `immutable=1`: SQLite then takes no locks and ignores the WAL.
  private static func immutable(_ path: StorePath) throws(DataError) -> Connection {
    try Connection(
      name: path.immutableAddress, flags: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI,
      store: path.given)
  }

  /// Opens the database file of a store without locks and without the WAL.
  ///
  /// - Returns: The connection, or nil if the store is not in WAL mode. In other modes, a writer
  ///   could change the database file without first creating a WAL.
  static func lockFree(at path: StorePath) throws(DataError) -> Connection? {
    var connection = try immutable(path)
    guard try connection.checkHeader(of: path) else { return nil }
    try connection.configure(for: .lockFree)
    return connection
  }

  /// Creates the database of a new store under a temporary name, so that other processes never see
  /// an incomplete store.
  static func created(_ path: StorePath) throws(DataError) -> Connection {
    let connection = try Connection(
      name: path.unfinished,
      flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOFOLLOW, store: path.given)
    try connection.run("pragma page_size = 8192")
    try connection.configure(for: .writing)
    try connection.run(SQLiteFormat.setApplicationID)
    try connection.run(SQLiteFormat.setUserVersion)
    return connection
  }

  /// Switches a new database to WAL mode.
  func enableWAL() throws(DataError) {
    guard try hasRow("pragma journal_mode = wal") else { throw .readOnly(store) }
  }

  /// Creates an in-memory database. The path is used only in error messages.
  static func inMemory(of path: StorePath) throws(DataError) -> Connection {
    let connection = try Connection(
      name: ":memory:", flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, store: path.given)
    try connection.configure(for: .writing)
    return connection
  }

  /// Reads the format of the store, and returns whether the database is in WAL mode. Throws an
  /// error if the file is not a datactl store, or has a newer format than this version supports.
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
    try StoreFormat.check(format, of: path.given) {
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
  private func configure(for use: ConnectionUse) throws(DataError) {
    try waitForLocks(seconds: 10)
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
    case .reading:
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
