import DataModel
import DataStore

/// The statements that make a schema's tables and indexes.
extension TableLayout {
  /// Makes the table, the tables of to-many relations, and all indexes.
  func making(separator: SQL = ", ") -> [SQL] {
    [makingTable(separator: separator)] + linkSlots.flatMap { makingLink($0) }
      + indexes.map(\.making)
  }

  /// Makes the table; the key leads to the row itself, so that records in the order of their ids
  /// are read from one end to the other.
  var makingTable: SQL { makingTable(separator: ", ") }

  private func makingTable(separator: SQL) -> SQL {
    let parts = columns.map { definition(of: $0) } + ["primary key (\(key))"]
    return """
      create table \(table) (\(SQL.list(parts, separator: separator))) strict, without rowid
      """
  }

  /// Adds the columns of a slot to the table that is there.
  func addingColumns(of slot: Int) -> [SQL] {
    Self.columns(of: slot, in: schema).map { column in
      "alter table \(table) add column \(definition(of: column))"
    }
  }

  /// Makes the table of a to-many relation, and the index that finds who refers to a record.
  func makingLink(_ slot: Int) -> [SQL] {
    let own = reference(to: schema.name)
    return [
      """
      create table \(link(slot)) (source text not null \(own), position integer not null, \
      \(linkTarget(slot)), primary key (source, position), \
      unique (source, target)) strict, without rowid
      """,
      linkIndex(of: slot).making,
    ]
  }

  /// The column for the targets of a to-many relation.
  func linkTarget(_ slot: Int) -> SQL {
    "target text not null \(reference(to: schema.type(of: slot).relation?.target ?? ""))"
  }

  func definition(of column: Column) -> SQL {
    let plain: SQL = "\(name: column.name) \(SQLiteDialect().columnType(column.type))"
    if column.slot == schema.keySlot { return plain + " not null" }
    guard let relation = schema.type(of: column.slot).relation else { return plain }
    return plain + " " + reference(to: relation.target)
  }

  private func reference(to target: String) -> SQL {
    "references \(table: target) deferrable initially deferred"
  }

  /// The indexes of the table: of unique fields, of to-one relations, and those declared.
  var indexes: [IndexDefinition] { indexes(in: SQLiteDialect()) }
}
