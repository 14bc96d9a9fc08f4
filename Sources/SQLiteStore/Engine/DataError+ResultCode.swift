import CSQLite
import DataModel
package import DataStore
import Platform

extension DataError {
  /// Converts an SQLite result code to a `DataError`.
  ///
  /// SQLite's own message is included only for result codes whose messages never contain values of
  /// records.
  ///
  /// - Parameters:
  ///   - alarm: The descriptor that becomes readable when the program must stop. If it is readable,
  ///     a wait for a lock was interrupted.
  ///   - newFile: The path of the database file if SQLite was asked to create it; if not, nil.
  init(
    sqlite code: Int32, database: OpaquePointer, store: String, alarm: Int32?,
    newFile: String? = nil
  ) {
    // `sqlite3_open_v2` returns a primary code, and the connection has the extended one.
    let extended = unsafe sqlite3_extended_errcode(database)
    let code = code <= 0xFF && extended & 0xFF == code ? extended : code
    // `sqlite3_system_errno` is used only if the file has no error number, because SQLite does not
    // set it for every error.
    let fileError = unsafe SystemCallError(nonzero: csqlite_last_error_number(database))
    let error = unsafe fileError ?? SystemCallError(nonzero: sqlite3_system_errno(database))
    let detail = unsafe String(cString: sqlite3_errmsg(database))
    let file = unsafe sqlite3_db_filename(database, "main").map { unsafe String(cString: $0) }
    var cause = EngineFailure(sqlite: code, detail: detail)
    // SQLite also reports a failed read as a damaged database.
    if cause == .damaged, fileError != nil { cause = .inputOutput }
    self = DataError(
      cause, code, error, detail: detail, store: store, file: file ?? "", newFile: newFile)
    if self.code == .storeBusy, Alarm.isRaised(alarm) { self = .interrupted }
  }

  private init(
    _ cause: EngineFailure, _ code: Int32, _ systemError: SystemCallError?, detail: String,
    store: String, file: String, newFile: String?
  ) {
    switch cause {
    case .locked: self = .busy(store)
    case .readOnly: self = .readOnly(store)
    case .damaged: self = .damaged(store)
    case .diskFull where TemporaryFolder.isFuller(thanDiskOf: file):
      self.init(
        .fileFailed,
        "\(TemporaryFolder.path): the disk is full, so temporary files cannot be written",
        hint: "set TMPDIR to a folder on another disk")
    case .diskFull: self = .full(store)
    case .cannotOpen where systemError?.isFull == true: self = .full(store)
    case .cannotOpen:
      let reason = StoreFile.openFailure(of: file, newFile: newFile, reported: systemError)
      self.init(.storeUnreachable, "\(store): cannot be opened\(reason.map { ": \($0)" } ?? "")")
    case .inputOutput where systemError?.isFull == true: self = .full(store)
    case .inputOutput:
      let reason = systemError.map { ": \($0.text)" } ?? ""
      self.init(.storeUnreachable, "\(store): \(Self.operation(code)) failed\(reason)")
    case .outOfResources: self.init(.failed, "\(store): out of memory")
    case .canceled: self = .interrupted
    case .valueTooLong: self.init(.invalid, "\(store): a value is too long for the store")
    case .statementTooLarge: self = .queryTooLarge
    case .unsupportedJSON: self = .unsupportedJSON
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

  /// Returns a description of the failed operation for an extended result code of `SQLITE_IOERR`,
  /// such as "writing". Returns "reading" for any other code.
  private static func operation(_ code: Int32) -> String {
    // The macros of the extended codes are not imported.
    switch code & 0xFF == SQLITE_IOERR ? code >> 8 : 1 {
    case 1, 2, 33: "reading"
    case 3: "writing"
    case 4, 5: "syncing to the disk"
    case 6: "truncating a file"
    case 8, 9, 14, 15: "locking"
    case 10, 23: "removing the journal"
    case 17...22, 24: "accessing the index of the WAL"
    default: "reading or writing"
    }
  }

  /// Returns the error for a write that failed with this error and was rolled back. If the
  /// operating system caused the failure, for example because the disk is full, the hint of the
  /// returned error also says that nothing was changed.
  ///
  /// - Parameter afterCommit: Whether an earlier part of the write was committed. If so, the hint
  ///   is not changed.
  func rolledBack(afterCommit: Bool = false) -> DataError {
    let systemCodes: [ErrorCode] = [.storeUnreachable, .storeFull, .fileFailed]
    guard commitOutcome == nil, !afterCommit, systemCodes.contains(code) else { return self }
    return modifyingProblems { problem in
      problem.hint = "nothing was changed" + (problem.hint.map { "; \($0)" } ?? "")
    }
  }

  static func busy(_ store: String) -> DataError {
    DataError(
      .storeBusy, "\(store): another writer did not finish in time",
      hint: "pass --wait SECONDS to wait longer")
  }

  private static func full(_ store: String) -> DataError {
    DataError(.storeFull, "\(store): the disk is full")
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

extension SystemCallError {
  /// Creates the error for an error number of the operating system (`errno`). Returns nil if the
  /// number is 0.
  init?(nonzero number: Int32) {
    guard number != 0 else { return nil }
    self.init(number: number)
  }
}

extension EngineFailure {
  /// Determines the cause of an SQLite error. The result code may be a primary or an extended one.
  package init(sqlite code: Int32, detail: String) {
    let found = Self.causes.first { cause in
      cause.codes.contains(code & 0xFF) && (cause.phrase.map(detail.contains) ?? true)
    }
    self = found?.cause ?? .other
  }

  /// The causes of SQLite's primary result codes. Many different errors have the code
  /// `SQLITE_ERROR`. A cause with a phrase therefore applies only to errors whose message contains
  /// this phrase.
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
    ([SQLITE_MISMATCH], nil, .unsupportedJSON),
    ([SQLITE_ERROR], "parser stack overflow", .statementTooLarge),
    ([SQLITE_ERROR], "maximum depth", .statementTooLarge),
    ([SQLITE_ERROR], "too many SQL variables", .statementTooLarge),
    ([SQLITE_ERROR], "too many terms", .statementTooLarge),
    ([SQLITE_ERROR], "too many columns", .statementTooLarge),
    ([SQLITE_ERROR], "tables in a join", .statementTooLarge),
    ([SQLITE_SCHEMA, SQLITE_ERROR], nil, .missingTable),
  ]
}
