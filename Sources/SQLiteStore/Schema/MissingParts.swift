import DataModel
import DataStore

extension Connection {
  /// Returns the error to report for a failure. If another program has dropped a table or a column
  /// and so caused the failure, the returned error names the table or column. All other errors are
  /// returned unchanged.
  ///
  /// - Parameter schemaIsCurrent: Whether the open transaction has verified that the schemas of the
  ///   request are current. If so, a concurrent schema change cannot be the cause.
  func diagnosed(_ error: DataError, _ coding: SchemaCoding, schemaIsCurrent: Bool) -> DataError {
    guard error.code == .schemaChanged, error != .schemaChanged else { return error }
    // If the tables cannot be read, the first error is reported.
    if let part = try? missingPart(coding) { return damaged(part) }
    guard schemaIsCurrent else { return error }
    let prefix = DataError.schemaChanged.problems[0].message + ": "
    return damaged(String(error.problems[0].message.dropFirst(prefix.count)))
  }

  /// Returns the error to report for a failed schema change. If another program has removed a table
  /// or a column, the error names it. Call this after the transaction has ended.
  func diagnosed(planError error: DataError, _ coding: SchemaCoding) -> DataError {
    guard error != .schemaChanged, [.schemaChanged, .referenced, .failed].contains(error.code),
      let part = try? missingPart(coding)
    else { return error }
    return damaged(part)
  }

  /// Runs a closure that reads records. If the closure fails because a table or a column does not
  /// exist, throws an error that names the table or column.
  func diagnosing<Result>(
    _ coding: SchemaCoding, _ body: (borrowing Connection) throws(DataError) -> Result
  ) throws(DataError) -> Result {
    do throws(DataError) {
      return try body(self)
    } catch {
      throw diagnosed(error, coding, schemaIsCurrent: false)
    }
  }

  private func damaged(_ part: String) -> DataError {
    .partMissing(part, in: store, tool: "sqlite3")
  }

  /// Returns a description of the first table or column that is missing from the store, or nil if
  /// none is missing.
  private func missingPart(_ coding: SchemaCoding) throws(DataError) -> String? {
    let statement = try Statement(
      """
      select t.name, c.name from sqlite_schema as t, pragma_table_info(t.name) as c \
      where t.type = 'table'
      """, on: self)
    var columns: [String: Set<String>] = [:]
    while try statement.step() {
      columns[statement.text(0) ?? "", default: []].insert(statement.text(1) ?? "")
    }
    for table in ["_meta", "_schema"] where columns[table] == nil {
      return "the table \(table) is missing"
    }
    if let part = try catalog(coding).catalog.missingPart(in: columns) { return part }
    for table in ["_file", "_session"] where columns[table] == nil {
      return "the table \(table) is missing"
    }
    return nil
  }
}
