import CSQLite
import DataModel
package import DataStore
import Platform

extension DataError {
  /// Converts an SQLite result code to a `DataError`.
  ///
  /// SQLite's own message is included only for result codes whose messages may contain names but
  /// never the values of records.
  ///
  /// - Parameter alarm: The connection's interrupt descriptor. If it is readable, the wait for a
  ///   lock was interrupted.
  init(sqlite code: Int32, database: OpaquePointer, store: String, alarm: Int32?) {
    let number = unsafe sqlite3_system_errno(database)
    let detail = unsafe String(cString: sqlite3_errmsg(database))
    let file = unsafe sqlite3_db_filename(database, "main").map { unsafe String(cString: $0) }
    self = DataError(code, number: number, detail: detail, store: store, file: file ?? "")
    if self.code == .storeBusy, Alarm.isRaised(alarm) { self = .interrupted }
  }

  private init(_ code: Int32, number: Int32, detail: String, store: String, file: String) {
    let systemError = number == 0 ? nil : SystemCallError(number: number)
    switch EngineFailure(sqlite: code, detail: detail) {
    case .locked: self = .busy(store)
    case .readOnly: self = .readOnly(store)
    case .damaged: self = .damaged(store)
    case .diskFull where TemporaryFolder.isFuller(thanDiskOf: file):
      self.init(
        .fileFailed,
        "\(TemporaryFolder.path): the disk is full, so temporary files cannot be written",
        hint: "nothing was changed; set TMPDIR to a folder on another disk")
    case .diskFull: self = .full(store)
    case .cannotOpen where systemError?.isFull == true: self = .full(store)
    case .cannotOpen:
      let cause = systemError.map { ": \($0.text)" } ?? ""
      self.init(.storeUnreachable, "\(store): cannot be opened\(cause)")
    case .inputOutput where systemError?.isFull == true: self = .full(store)
    case .inputOutput:
      self.init(
        .storeUnreachable,
        "\(store): reading or writing failed: \(systemError?.text ?? "code \(code)")")
    case .outOfResources: self.init(.failed, "\(store): out of memory")
    case .canceled: self = .interrupted
    case .valueTooLong: self.init(.invalid, "\(store): a value is too long for the store")
    case .statementTooLarge: self = .queryTooLarge
    case .outOfRange: self = .computedValueOutOfRange
    case .missingTable:
      self.init(
        .schemaChanged, "\(DataError.schemaChanged.problems[0].message): \(detail)",
        hint: "run the command again")
    case .conflict, .collision, .existingTable, .connectionLost, .nodeUnreachable, .missingObject,
      .wrongColumnType, .rowTooWide, .insufficientPrivilege, .userRejected,
      .wrongPassword, .missingDatabase, .rejectedByForeignObject, .dependentObjects, .other:
      self.init(.failed, "\(store): \(detail) (code \(code))")
    }
  }

  static func busy(_ store: String) -> DataError {
    DataError(
      .storeBusy, "\(store): another writer did not finish in time",
      hint: "pass --wait SECONDS to wait longer")
  }

  private static func full(_ store: String) -> DataError {
    DataError(.storeFull, "\(store): the disk is full", hint: "nothing was changed")
  }

  static func readOnly(_ store: String) -> DataError {
    DataError(
      .storeReadOnly, "\(store): cannot be written",
      hint: "check the permissions of the file and its folder")
  }

  static func damaged(_ store: String) -> DataError {
    DataError(
      .storeDamaged, "\(store): the store is damaged",
      hint: """
        restore the store from a backup; sqlite3 \(store) .recover may recover a part of the store
        """)
  }
}

extension EngineFailure {
  /// Returns the cause of an SQLite error. The result code may be a primary or an extended one.
  package init(sqlite code: Int32, detail: String) {
    let found = Self.causes.first { cause in
      cause.codes.contains(code & 0xFF) && (cause.phrase.map(detail.contains) ?? true)
    }
    self = found?.cause ?? .other
  }

  /// The causes of SQLite's primary result codes. Most errors of a statement have the code
  /// `SQLITE_ERROR`, so the cause can also depend on a phrase in the message.
  private static let causes: [(codes: [Int32], phrase: String?, cause: EngineFailure)] = [
    ([SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL], nil, .locked),
    ([SQLITE_READONLY], nil, .readOnly),
    ([SQLITE_CORRUPT, SQLITE_FORMAT, SQLITE_NOTADB], nil, .damaged),
    ([SQLITE_FULL], nil, .diskFull),
    ([SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH], nil, .cannotOpen),
    ([SQLITE_IOERR], nil, .inputOutput),
    ([SQLITE_NOMEM], nil, .outOfResources),
    ([SQLITE_INTERRUPT], nil, .canceled),
    ([SQLITE_TOOBIG], nil, .valueTooLong),
    ([SQLITE_RANGE], nil, .outOfRange),
    ([SQLITE_ERROR], "parser stack overflow", .statementTooLarge),
    ([SQLITE_ERROR], "maximum depth", .statementTooLarge),
    ([SQLITE_ERROR], "too many SQL variables", .statementTooLarge),
    ([SQLITE_ERROR], "too many terms", .statementTooLarge),
    ([SQLITE_ERROR], "too many columns", .statementTooLarge),
    ([SQLITE_ERROR], "tables in a join", .statementTooLarge),
    ([SQLITE_SCHEMA, SQLITE_ERROR], nil, .missingTable),
  ]
}
