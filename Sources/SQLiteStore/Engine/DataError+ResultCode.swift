import CSQLite
import DataModel
import DataStore
import Platform

extension DataError {
  /// Converts an SQLite result code to a `DataError`.
  ///
  /// The error contains SQLite's own message only for result codes whose messages contain names but
  /// no values of records.
  init(sqlite code: Int32, database: OpaquePointer, store: String) {
    let number = unsafe sqlite3_system_errno(database)
    let detail = unsafe String(cString: sqlite3_errmsg(database))
    self = DataError(code, number: number, detail: detail, store: store)
  }

  private init(_ code: Int32, number: Int32, detail: String, store: String) {
    let systemError = SystemCallError(number: number)
    let cause = number == 0 ? nil : systemError.text
    switch code & 0xFF {
    case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL: self = .busy(store)
    case SQLITE_READONLY: self = .readOnly(store)
    case SQLITE_CORRUPT, SQLITE_FORMAT, SQLITE_NOTADB: self = .damaged(store)
    case SQLITE_FULL:
      self.init(.storeFull, "\(store): the disk is full", hint: "nothing was changed")
    case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH:
      self.init(.storeUnreachable, "\(store): cannot be opened" + (cause.map { ": \($0)" } ?? ""))
    case SQLITE_IOERR where systemError.isFull:
      self.init(
        .storeFull, "\(store): the disk is full",
        hint: "free some space: even reading requires about 32 KB on the disk of the store")
    case SQLITE_IOERR:
      self.init(
        .storeUnreachable,
        "\(store): reading or writing failed: \(cause ?? "code \(code)")")
    case SQLITE_NOMEM: self.init(.failed, "\(store): out of memory")
    case SQLITE_INTERRUPT: self.init(.interrupted, "\(store): interrupted")
    case SQLITE_TOOBIG: self.init(.invalid, "\(store): a value is too long for the store")
    case SQLITE_ERROR where Self.limits.contains { detail.contains($0) }: self = .queryTooLarge
    case SQLITE_SCHEMA, SQLITE_ERROR:
      self.init(
        .schemaChanged, "the schemas of the store changed concurrently: \(detail)",
        hint: "run the command again")
    default: self.init(.failed, "\(store): \(detail) (code \(code))")
    }
  }

  /// Parts of the messages that SQLite reports when a statement exceeds one of its limits.
  private static let limits = [
    "parser stack overflow", "maximum depth", "too many SQL variables", "too many terms",
    "tables in a join",
  ]

  static func busy(_ store: String) -> DataError {
    DataError(
      .storeBusy, "\(store): another writer did not finish in time",
      hint: "pass --wait SECONDS to wait longer")
  }

  static func readOnly(_ store: String) -> DataError {
    DataError(
      .storeReadOnly, "\(store): cannot be written",
      hint: "check the permissions of the file and its folder")
  }

  static func damaged(_ store: String) -> DataError {
    DataError(
      .storeDamaged, "\(store): the store is damaged",
      hint: "restore it from a backup; sqlite3 \(store) .recover may recover some of it")
  }
}
