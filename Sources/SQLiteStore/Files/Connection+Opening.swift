import CSQLite
import DataModel
import DataStore

/// How a database is used.
enum ConnectionUse {
  /// Plain reading while nothing is written: see `QuietStore`.
  case looking
  case reading
  case writing
}

/// The marks in a file's header by which datactl knows its own.
enum StoreFormat {
  /// "data" as four letters.
  static let application: Int32 = 0x6461_7461
  static let version: Int32 = 1
  /// What stands in the header of a database with a write-ahead journal.
  static let journalled: UInt8 = 2
}

extension Connection {
  /// Opens a store that is there; whatever else stands under the path is left as it is.
  static func opened(
    _ path: StorePath, for use: ConnectionUse
  ) throws(DataError) -> Connection {
    switch try Platform.kind(of: path.name) {
    case .absent:
      throw .noStore("sqlite:\(path.given)")
    case .folder: throw DataError(.notAStore, "\(path.given): a folder, not a store")
    case .danglingLink:
      throw DataError(
        .notAStore, "\(path.given): a link to a file that does not exist",
        hint: "remove the link, or create its target")
    case .other: throw DataError(.notAStore, "\(path.given): not a regular file")
    case .empty:
      throw DataError(
        .notAStore, "\(path.given): empty file, not a datactl store",
        hint: "remove it to create a store there")
    case .regular: break
    }
    let connection = try opened(existing: path, for: use)
    try connection.checkHeader(of: path)
    try connection.settle(for: use)
    return connection
  }

  private static func opened(
    existing path: StorePath, for use: ConnectionUse
  ) throws(DataError) -> Connection {
    let isWritable = Platform.isWritable(path.name) && Platform.isWritable(path.folder)
    if !isWritable && use == .writing { throw .readOnly(path.given) }
    if !isWritable && !Platform.exists(path.journal) { return try unchanging(path) }
    // A connection that may only read would leave its journal behind.
    return try Connection(name: path.name, flags: SQLITE_OPEN_READWRITE, store: path.given)
  }

  /// Opens a file that nobody changes.
  private static func unchanging(_ path: StorePath) throws(DataError) -> Connection {
    try Connection(
      name: path.immutableAddress, flags: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI,
      store: path.given)
  }

  /// Opens a store as it stands in its file alone; nil if it is changed without the journal that
  /// keeps changes beside the file.
  static func looking(at path: StorePath) throws(DataError) -> Connection? {
    let connection = try unchanging(path)
    guard try connection.checkHeader(of: path) else { return nil }
    try connection.settle(for: .looking)
    return connection
  }

  /// Makes a database, which nobody may see before it is whole.
  static func created(_ path: StorePath) throws(DataError) -> Connection {
    let connection = try Connection(
      name: path.unfinished,
      flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOFOLLOW, store: path.given)
    try connection.run("pragma page_size = 8192")
    try connection.settle(for: .writing)
    try connection.run(StoreFormat.marksApplication)
    try connection.run(StoreFormat.marksVersion)
    return connection
  }

  /// Makes a database that never reaches the disk.
  static func inMemory(of path: StorePath) throws(DataError) -> Connection {
    let connection = try Connection(
      name: ":memory:", flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, store: path.given)
    try connection.settle(for: .writing)
    return connection
  }

  /// Refuses what is no store, and tells whether its changes are kept beside it first.
  @discardableResult
  private func checkHeader(of path: StorePath) throws(DataError) -> Bool {
    var header = [UInt8](repeating: 0, count: 100)
    let code = unsafe header.withUnsafeMutableBytes { bytes in
      unsafe csqlite_read_header(handle, bytes.baseAddress)
    }
    let isDatabase = header.starts(with: "SQLite format 3\0".utf8)
    guard code == SQLITE_OK || code == csqlite_io_short_read else { throw failure(code) }
    guard isDatabase, code == SQLITE_OK else {
      throw DataError(
        .notAStore, "\(path.given): not a database",
        hint: "a store is a file made by datactl")
    }
    guard Self.number(in: header, at: 68) == StoreFormat.application else {
      throw DataError(
        .notAStore, "\(path.given): a database not made by datactl; left unchanged")
    }
    let version = Self.number(in: header, at: 60)
    guard version <= StoreFormat.version else {
      throw DataError(
        .storeTooNew,
        "\(path.given): made by a newer datactl (format \(version), known: \(StoreFormat.version))",
        hint: "install a newer datactl")
    }
    return header[18] == StoreFormat.journalled && header[19] == StoreFormat.journalled
  }

  private static func number(in header: [UInt8], at offset: Int) -> Int32 {
    header[offset..<offset + 4].reduce(0) { $0 << 8 | Int32($1) }
  }

  /// Settles how the connection behaves; what comes from a file is not trusted.
  private func settle(for use: ConnectionUse) throws(DataError) {
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
    case .looking: break
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

extension StoreFormat {
  static let marksApplication: SQL = "pragma application_id = 1684108385"
  static let marksVersion: SQL = "pragma user_version = 1"
}
