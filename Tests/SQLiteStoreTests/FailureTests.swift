import CSQLite
import DataStore
import SQLiteStore
import Testing

@Suite("SQLite: failed statements")
struct FailureTests {
  @Test(
    "reports the cause when SQLite rejects a statement that exceeds a limit",
    arguments: [
      ("parentheses", "select \(repeated("(", 5_000))1\(repeated(")", 5_000))"),
      ("depth", "select \(repeated("- ", 2_000))1"),
      ("variables", "select 1 in (\(repeated("?,", 260_000))1)"),
      ("terms", "\(repeated("select 1 union all ", 600))select 1"),
      ("columns", "select \(repeated("1,", 40_000))1"),
      ("joins", "select 1 from \(repeated("(select 1),", 65))(select 1)"),
    ])
  func limits(_ name: String, _ sql: String) throws {
    let (code, detail) = try Self.failure(of: sql)
    let cause = EngineFailure(sqlite: code, detail: detail)
    #expect(cause == .statementTooLarge, "\(name): \(detail)")
  }

  @Test("classifies SQLite's errors for an unknown table or column as a missing table")
  func missing() throws {
    for sql in ["select 1 from item", "select n from (select 1 as m)"] {
      let (code, detail) = try Self.failure(of: sql)
      #expect(EngineFailure(sqlite: code, detail: detail) == .missingTable, "\(detail)")
    }
  }

  @Test("maps each SQLite result code, primary or extended, to its cause")
  func codes() {
    let causes: [EngineFailure: [Int32]] = [
      .locked: [SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL, SQLITE_BUSY | 1 << 8],
      .readOnly: [SQLITE_READONLY, SQLITE_READONLY | 4 << 8],
      .damaged: [SQLITE_CORRUPT, SQLITE_FORMAT, SQLITE_NOTADB, SQLITE_CORRUPT | 1 << 8],
      .diskFull: [SQLITE_FULL], .inputOutput: [SQLITE_IOERR, SQLITE_IOERR | 13 << 8],
      .cannotOpen: [SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH], .outOfResources: [SQLITE_NOMEM],
      .canceled: [SQLITE_INTERRUPT], .valueTooLong: [SQLITE_TOOBIG],
      .missingTable: [SQLITE_ERROR, SQLITE_SCHEMA],
      .unsupportedJSON: [SQLITE_MISMATCH],
      .other: [SQLITE_MISUSE],
    ]
    for (cause, codes) in causes {
      for code in codes { #expect(EngineFailure(sqlite: code, detail: "") == cause, "\(code)") }
    }
  }

  private static func repeated(_ text: String, _ count: Int) -> String {
    String(repeating: text, count: count)
  }

  /// Returns the result code and the message of a statement that SQLite cannot prepare.
  private static func failure(of sql: String) throws -> (code: Int32, detail: String) {
    var database: OpaquePointer?
    defer { unsafe sqlite3_close_v2(database) }
    try #require(unsafe sqlite3_open(":memory:", &database) == SQLITE_OK)
    var statement: OpaquePointer?
    defer { unsafe sqlite3_finalize(statement) }
    let code = unsafe sqlite3_prepare_v2(database, sql, -1, &statement, nil)
    try #require(code != SQLITE_OK)
    return (code, unsafe String(cString: sqlite3_errmsg(database)))
  }
}
