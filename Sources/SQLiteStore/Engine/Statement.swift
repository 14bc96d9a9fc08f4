import CSQLite
import DataModel
import DataStore

/// A prepared statement, finalized on deinitialization.
@safe
struct Statement: ~Copyable {
  let handle: OpaquePointer
  private let store: String
  /// The numbers of the parameters that are bound for each row, in order.
  let parameters: [Int32]

  init(_ sql: SQL, on connection: borrowing Connection) throws(DataError) {
    self = try Self.prepared(RenderedSQL(sql), on: connection)
  }

  /// Prepares a definition from `sqlite_schema`, of a table, an index or a trigger.
  init(definition: String, on connection: borrowing Connection) throws(DataError) {
    self = try Self.prepared(RenderedSQL(definition: definition), on: connection)
  }

  private init(handle: OpaquePointer, store: String, parameters: [Int32]) {
    unsafe self.handle = handle
    self.store = store
    self.parameters = parameters
  }

  private static func prepared(
    _ rendered: RenderedSQL, on connection: borrowing Connection
  ) throws(DataError) -> Statement {
    var prepared: OpaquePointer?
    let code = unsafe rendered.bytes.span.withUnsafeBufferPointer { bytes in
      unsafe bytes.withMemoryRebound(to: CChar.self) { characters in
        unsafe sqlite3_prepare_v3(
          connection.handle, characters.baseAddress, Int32(characters.count), 0, &prepared, nil)
      }
    }
    try connection.check(code)
    guard let handle = unsafe prepared else { preconditionFailure("an empty statement") }
    let statement = unsafe Statement(
      handle: handle, store: connection.store, parameters: rendered.parameters)
    for (index, value) in rendered.values { try statement.bind(value, at: index) }
    for (index, test) in rendered.tests { try statement.bind(test, at: index) }
    return statement
  }

  deinit { unsafe sqlite3_finalize(handle) }

  /// Advances to the next row (`sqlite3_step`) and returns whether there is one.
  func step() throws(DataError) -> Bool {
    let code = unsafe sqlite3_step(handle)
    if code == SQLITE_ROW { return true }
    guard code == SQLITE_DONE else { throw failure(code) }
    return false
  }

  /// Steps to completion and resets the statement.
  func run() throws(DataError) {
    let code = stepThrough()
    guard code == SQLITE_OK else { throw failure(code) }
  }

  /// Steps to completion, resets the statement and returns the result code, for callers that handle
  /// constraint violations.
  func stepThrough() -> Int32 {
    var code = unsafe sqlite3_step(handle)
    while code == SQLITE_ROW { code = unsafe sqlite3_step(handle) }
    reset()
    return code == SQLITE_DONE ? SQLITE_OK : code
  }

  /// Resets the statement with `sqlite3_reset`, so that it can be bound and stepped again. The
  /// result code is ignored because it repeats the error of the last step.
  func reset() {
    unsafe sqlite3_reset(handle)
  }

  /// Returns the error for a result code other than `SQLITE_OK`.
  func failure(_ code: Int32) -> DataError {
    guard let database = unsafe sqlite3_db_handle(handle) else {
      return DataError(.failed, "\(store): code \(code)")
    }
    return unsafe DataError(sqlite: code, database: database, store: store)
  }

  /// Throws if a result code is not `SQLITE_OK`.
  func check(_ code: Int32) throws(DataError) {
    guard code == SQLITE_OK else { throw failure(code) }
  }

  /// The error for a stored value that datactl cannot have written.
  var damage: DataError { .damaged(store) }
}

/// A reference to a statement, for structs that must be copyable.
final class SharedStatement {
  let statement: Statement

  init(_ statement: consuming Statement) {
    self.statement = statement
  }
}
