import CSQLite
import DataModel
import DataStore

/// Recreates a table with changed columns, because SQLite cannot alter the type of a column.
///
/// Everything else is copied verbatim from `sqlite_schema`: other columns, constraints, indexes and
/// triggers, including those that datactl did not create. References and views use the name of the
/// table, so they remain valid.
struct TableRebuild {
  private static let newName = "_rebuilt"

  private let table: String
  /// The new definitions of the columns to change, by column name. `sources` contains the
  /// expressions for their values.
  private var definitions: [String: SQL] = [:]
  private var sources: [String: SQL] = [:]

  init(table: String) {
    self.table = table
  }

  mutating func replace(_ column: String, by definition: SQL, from source: SQL) {
    definitions[column] = definition
    sources[column] = source
  }

  func execute(
    joining join: SQL = SQL(), on connection: borrowing Connection
  ) throws(DataError) {
    let definitionsBefore = try connection.definitions(of: table)
    guard let own = definitionsBefore.first(where: { $0.kind == "table" }),
      var text = TableDefinition(own.text)
    else { throw .damaged(connection.store) }
    text.name = Self.newName
    for (column, definition) in definitions {
      text.replace(column, by: RenderedSQL(definition).text)
    }
    try connection.runDefinition(text.text)
    let columns = try connection.storedColumns(of: table)
    let names = columns.map { column -> SQL in "\(name: column)" }
    let values = columns.map { column -> SQL in
      sources[column] ?? "\(name: table).\(name: column)"
    }
    try connection.run(
      """
      insert into \(name: Self.newName) (\(SQL.list(names))) select \(SQL.list(values)) \
      from \(name: table)\(join)
      """)
    try connection.alter("drop table \(name: table)")
    try connection.rename(Self.newName, backTo: table)
    for other in definitionsBefore where other.kind != "table" {
      try connection.runDefinition(other.text)
    }
  }
}

extension Connection {
  fileprivate struct Definition {
    let kind: String
    let text: String
  }

  /// Returns the definitions of a table and of its indexes and triggers, from `sqlite_schema`.
  fileprivate func definitions(of table: String) throws(DataError) -> [Definition] {
    let statement = try Statement(
      """
      select type, sql from sqlite_schema where tbl_name = \(.text(table)) and sql is not null \
      and type in ('table', 'index', 'trigger') order by rowid
      """, on: self)
    var definitions: [Definition] = []
    while try statement.step() {
      definitions.append(Definition(kind: statement.text(0) ?? "", text: statement.text(1) ?? ""))
    }
    return definitions
  }

  /// Returns the names of the columns that store values, without generated columns.
  fileprivate func storedColumns(of table: String) throws(DataError) -> [String] {
    let statement = try Statement(
      "select name from pragma_table_xinfo(\(.text(table))) where hidden = 0 order by cid",
      on: self)
    var names: [String] = []
    while try statement.step() { names.append(statement.text(0) ?? "") }
    return names
  }

  /// Renames the rebuilt table to the name of the table that it replaces. With
  /// `SQLITE_DBCONFIG_LEGACY_ALTER_TABLE`, SQLite does not change the references to the table in
  /// other tables, views and triggers.
  fileprivate func rename(_ name: String, backTo table: String) throws(DataError) {
    try check(unsafe csqlite_configure(handle, SQLITE_DBCONFIG_LEGACY_ALTER_TABLE, 1))
    defer { _ = unsafe csqlite_configure(handle, SQLITE_DBCONFIG_LEGACY_ALTER_TABLE, 0) }
    try alter("alter table \(name: name) rename to \(name: table)")
  }

  /// Runs a statement from `sqlite_schema` that creates a table, an index or a trigger.
  fileprivate func runDefinition(_ text: String) throws(DataError) {
    do throws(DataError) {
      try Statement(definition: text, on: self).run()
    } catch {
      throw foreignObjectConflict(of: error)
    }
  }
}

/// A `create table` statement from `sqlite_schema`, split at the commas of its column list.
struct TableDefinition {
  var name: String
  private var parts: [String]
  private let tail: String

  /// Parses a `create table` statement. Returns nil if the statement has no column list. The name
  /// of the table is not parsed: `name` is empty until the caller sets it.
  init?(_ text: String) {
    var scanner = SQLScanner(text)
    guard let inside = scanner.parts() else { return nil }
    name = ""
    parts = inside
    tail = scanner.rest
  }

  /// The `create table` statement with the current `name` and column definitions.
  var text: String {
    let quoted = name.split(separator: "\"", omittingEmptySubsequences: false)
      .joined(separator: "\"\"")
    return "create table \"\(quoted)\" (\(parts.joined(separator: ",")))\(tail)"
  }

  /// Replaces the definition of a column, if the table has that column.
  mutating func replace(_ column: String, by definition: String) {
    for index in parts.indices where SQLScanner.firstName(of: parts[index]) == column {
      parts[index] = (index == 0 ? "" : " ") + definition
      return
    }
  }
}

/// A scanner that splits the column list of a `create table` statement at its commas. It ignores
/// commas in quoted text, comments and parentheses.
private struct SQLScanner {
  private let bytes: [UInt8]
  private var offset = 0

  init(_ text: String) {
    bytes = Array(text.utf8)
  }

  /// The text that has not been scanned yet.
  var rest: String { String(decoding: bytes[offset...], as: UTF8.self) }

  /// Scans the first pair of parentheses, and returns the comma-separated items in it. Returns nil
  /// if the text has no parentheses, or if they are not closed.
  mutating func parts() -> [String]? {
    while offset < bytes.count, bytes[offset] != UInt8(ascii: "(") { skip() }
    guard offset < bytes.count else { return nil }
    offset += 1
    var parts: [String] = []
    var start = offset
    var depth = 0
    while offset < bytes.count {
      switch bytes[offset] {
      case UInt8(ascii: "("): depth += 1
      case UInt8(ascii: ")") where depth > 0: depth -= 1
      case UInt8(ascii: ")"):
        parts.append(String(decoding: bytes[start..<offset], as: UTF8.self))
        offset += 1
        return parts
      case UInt8(ascii: ",") where depth == 0:
        parts.append(String(decoding: bytes[start..<offset], as: UTF8.self))
        start = offset + 1
      default: break
      }
      skip()
    }
    return nil
  }

  /// Advances past the next byte of the text, or past a whole quoted string or comment if one
  /// begins there.
  private mutating func skip() {
    switch bytes[offset] {
    case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "`"): skip(to: bytes[offset])
    case UInt8(ascii: "["): skip(to: UInt8(ascii: "]"))
    case UInt8(ascii: "-") where next == UInt8(ascii: "-"): skip(to: UInt8(ascii: "\n"))
    case UInt8(ascii: "/") where next == UInt8(ascii: "*"):
      offset += 2
      while offset < bytes.count, bytes[offset] != UInt8(ascii: "*") || next != UInt8(ascii: "/") {
        offset += 1
      }
      offset += 2
    default: offset += 1
    }
    offset = min(offset, bytes.count)
  }

  private var next: UInt8? { offset + 1 < bytes.count ? bytes[offset + 1] : nil }

  /// Advances past the closing character `end` of a quoted string or a comment. Two quotes in a row
  /// mean a quote inside the string. They are scanned as the end of one string and the start of
  /// another, which has the same result.
  private mutating func skip(to end: UInt8) {
    offset += 1
    while offset < bytes.count, bytes[offset] != end { offset += 1 }
    offset += 1
  }

  /// Returns the first word of an item in a column list: a column name, or a keyword in lower case.
  /// Escaped quotes are not handled, because the names of datactl's columns contain no quotes.
  static func firstName(of part: String) -> String {
    let bytes = Array(part.utf8)
    let space: [UInt8] = [0x20, 0x09, 0x0A, 0x0D]
    guard let start = bytes.firstIndex(where: { !space.contains($0) }) else { return "" }
    let closing: [UInt8: UInt8] = [
      UInt8(ascii: "\""): UInt8(ascii: "\""), UInt8(ascii: "`"): UInt8(ascii: "`"),
      UInt8(ascii: "["): UInt8(ascii: "]"),
    ]
    if let end = closing[bytes[start]] {
      return String(decoding: bytes[(start + 1)...].prefix { $0 != end }, as: UTF8.self)
    }
    let word = bytes[start...].prefix { !space.contains($0) && $0 != UInt8(ascii: "(") }
    return String(decoding: word, as: UTF8.self).lowercased()
  }
}
