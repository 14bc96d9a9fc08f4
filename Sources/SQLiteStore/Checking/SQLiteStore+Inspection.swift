import CSQLite
package import DataModel
package import DataStore
import Platform

extension SQLiteStore: InspectableStore {
  package func inspect(
    _ request: InspectionRequest
  ) async throws(DataError) -> StoreInspection {
    // Without this, the last connection would copy the WAL of a killed process to the file. An empty
    // WAL is that of an open connection, which removes it.
    let keepsWAL = StoreFile.status(of: path.wal).map { $0.size > 0 } ?? false
    if keepsWAL { try opened?.value.keepWAL() }
    do throws(DataError) {
      let snapshot = try snapshot(endsTransaction: false)
      var inspection = try await snapshot.inspect(request, keepingWAL: keepsWAL)
      if request.concernsSecurity {
        for finding in path.securityFindings() { inspection.add(finding) }
      }
      return inspection
    } catch {
      guard error.code == .storeDamaged else { throw error }
      // The schemas cannot be read.
      let connection = try Connection.opened(
        path, for: .reading, lockTimeout: lockTimeout, alarm: alarm)
      if keepsWAL { try connection.keepWAL() }
      let damage = try? connection.damage(in: nil, isComplete: request.isComplete)
      var findings = damage?.findings ?? []
      let tables = try? connection.storedTables().columns
      for table in InternalTables.layout where tables.map({ $0[table.name] == nil }) ?? false {
        findings.append(Finding(.missingTable, "the table \(table.name) is missing"))
      }
      if findings.isEmpty { findings = [Finding(.damagedPage, error.problems[0].message)] }
      return StoreInspection(findings)
    }
  }

  package func repair(_ repairs: [StoreRepair], wait: WriteWait) async throws(DataError) {
    try await write(wait: wait) { (connection) throws(DataError) in
      for statement in repairs.flatMap(\.statements) { try connection.run(statement) }
    }
  }
}

extension SQLiteSnapshot {
  fileprivate func inspect(
    _ request: InspectionRequest, keepingWAL: Bool
  ) throws(DataError) -> StoreInspection {
    if keepingWAL { try connection.keepWAL() }
    let stored = try catalog()
    var inspector = try StoreInspector(request, stored.catalog, on: connection)
    // The header of the file does not tell what is in the WAL.
    if let format = try connection.integer("pragma user_version"), format < StoreFormat.current {
      inspector.add(
        Finding(.oldFormat, "the store has the format \(format)"),
        StoreRepair(
          description: "the store has the format \(StoreFormat.current)", statements: []))
    }
    inspector.checkTables()
    if request.concernsSecurity {
      for finding in try connection.securityFindings() { inspector.add(finding) }
    }
    let schemas = request.schemas == nil ? nil : inspector.inspection.readableSchemas
    let damage = try connection.damage(
      in: schemas.map { $0.flatMap { TableLayout($0).tableNames } }, isComplete: request.isComplete)
    for finding in damage.findings { inspector.add(finding) }
    if damage.isConfinedToIndexes {
      for index in damage.indexes {
        inspector.add(
          StoreRepair(
            description: "index \(index) created", statements: ["reindex \(name: index)"]))
      }
      try inspector.checkRecords(on: connection)
    }
    var inspection = inspector.inspection
    // A change of a damaged file could damage it further.
    if !damage.isConfinedToIndexes { inspection.repairs = [] }
    inspection.snapshot = (self, stored)
    return inspection
  }
}

extension Connection {
  /// Keeps the WAL when the connection is closed (`SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE`).
  fileprivate func keepWAL() throws(DataError) {
    try check(unsafe csqlite_configure(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1))
  }

  /// Returns a finding if Litestream, which creates these tables, checkpoints the database, and the
  /// version of SQLite has the WAL-reset bug.
  fileprivate func securityFindings() throws(DataError) -> [Finding] {
    guard SQLiteStore.hasWALResetBug(sqlite3_libversion_number()),
      try hasRow(
        """
        select 1 from sqlite_schema where type = 'table' \
        and name in ('_litestream_seq', '_litestream_lock')
        """)
    else { return [] }
    return [
      Finding(
        .unsafeSQLite,
        "Litestream checkpoints the store, and SQLite \(SQLiteStore.libraryVersion) has a bug")
    ]
  }

  /// What SQLite's own check of a database has found.
  fileprivate struct Damage {
    var findings: [Finding] = []
    /// The names of the indexes whose entries differ from their tables.
    var indexes: [String] = []

    var isConfinedToIndexes: Bool { !findings.contains { $0.code == .damagedPage } }
  }

  /// Checks the pages of the database (`pragma quick_check`, or `pragma integrity_check`, which also
  /// compares the entries of indexes with their tables).
  ///
  /// - Parameter tables: The tables to check; nil for the whole database.
  fileprivate func damage(in tables: [String]?, isComplete: Bool) throws(DataError) -> Damage {
    let checks: [SQL] =
      switch (tables, isComplete) {
      case (nil, false): ["pragma quick_check"]
      case (nil, true): ["pragma integrity_check"]
      case (let tables?, false): tables.map { "pragma quick_check(\(name: $0))" }
      case (let tables?, true): tables.map { "pragma integrity_check(\(name: $0))" }
      }
    var damage = Damage()
    for check in checks {
      let statement = try Statement(check, on: self)
      while try statement.step() {
        for line in (statement.text(0) ?? "").split(separator: "\n") { damage.add(String(line)) }
      }
    }
    return damage
  }
}

extension Connection.Damage {
  /// Adds a message of SQLite.
  fileprivate mutating func add(_ message: String) {
    if message == "ok" || message.hasPrefix("***") { return }
    // The values are checked by reading the records, which also tells their ids.
    if message.hasPrefix("NULL value in ")
      || message.hasPrefix("non-")
        && message.contains(" value in ")
    {
      return
    }
    for phrase in ["missing from index ", "entries in index ", "non-unique entry in index "] {
      guard let range = message.firstRange(of: phrase) else { continue }
      let index = String(message[range.upperBound...])
      guard !indexes.contains(index) else { return }
      indexes.append(index)
      return findings.append(
        Finding(.wrongIndex, "the entries of the index \(index) differ from its table"))
    }
    findings.append(Finding(.damagedPage, message))
  }
}

extension Connection: InspectedTransaction {
  func storedTables() throws(DataError) -> StoredTables {
    var tables = StoredTables()
    let columns = try Statement(
      """
      select t.name, c.name from sqlite_schema as t, pragma_table_xinfo(t.name) as c \
      where t.type = 'table' and t.name not like 'sqlite\\_%' escape '\\'
      """, on: self)
    while try columns.step() {
      tables.columns[columns.text(0) ?? "", default: []].insert(columns.text(1) ?? "")
    }
    let indexes = try Statement(
      "select name, sql from sqlite_schema where type = 'index' and sql is not null", on: self)
    while try indexes.step() {
      tables.indexes[indexes.text(0) ?? ""] = StoredTables.Index(indexes.text(1) ?? "")
    }
    return tables
  }

  var internalTables: [InternalTable] { InternalTables.layout }

  func fileSize(_ column: SQL) -> SQL {
    "case when json_valid(\(column)) then json_extract(\(column), '$.size') end"
  }
}
