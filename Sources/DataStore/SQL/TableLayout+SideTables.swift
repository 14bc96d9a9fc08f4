import DataModel

/// Side tables, which enforce unique fields where an index cannot: each value is the primary key of
/// a row that contains the id of its record.
extension TableLayout {
  /// The slots of unique fields that have a side table.
  package func sideTableSlots(in dialect: any Dialect) -> [Int] {
    switch dialect.uniqueness {
    case .index: []
    case .sideTable: uniqueSlots
    }
  }

  package func sideTable(_ slot: Int) -> SQL { "\(table: sideTableName(slot))" }

  private func sideTableName(_ slot: Int) -> String {
    PhysicalNames.unique(schema.name, schema.name(of: slot))
  }

  /// The statements that create a side table and insert the existing values.
  package func sideTableCreationSQL(_ slot: Int, in dialect: any Dialect) -> [SQL] {
    let name = sideTableName(slot)
    return [
      """
      create table \(sideTable(slot)) (value \(dialect.columnType(schema.type(of: slot))) not null, \
      id \(dialect.columnType(.id)) not null, constraint \(name: PhysicalNames.key(name)) \
      primary key (value))
      """
    ] + dialect.distributionSQL(name, .distributed(by: "value")) + [
      """
      insert into \(sideTable(slot)) (value, id) select \(column(slot)), \(key) from \(table) \
      where \(column(slot)) is not null
      """
    ]
  }

  /// The names of all tables of the schema: its own, the link tables and the side tables.
  package func allTableNames(in dialect: any Dialect) -> [String] {
    tableNames + sideTableSlots(in: dialect).map(sideTableName)
  }
}
