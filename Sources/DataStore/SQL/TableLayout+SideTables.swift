import DataModel

/// The tables beside that of the records that keep the values of unique fields apart, where no index
/// can: each value is the key of a row, which has the id of the record.
extension TableLayout {
  /// The slots whose values are kept apart in this way.
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

  /// Makes the table of a slot, with the values that are there.
  package func makingSideTable(_ slot: Int, in dialect: any Dialect) -> [SQL] {
    let name = sideTableName(slot)
    return [
      """
      create table \(sideTable(slot)) (value \(dialect.columnType(schema.type(of: slot))) not null, \
      id \(dialect.columnType(.id)) not null, constraint \(name: PhysicalNames.key(name)) \
      primary key (value))
      """
    ] + dialect.placing(name, .apart(by: "value")) + [
      """
      insert into \(sideTable(slot)) (value, id) select \(column(slot)), \(key) from \(table) \
      where \(column(slot)) is not null
      """
    ]
  }

  /// The names of all tables of the schema, in the order of the slots.
  package func allTableNames(in dialect: any Dialect) -> [String] {
    tableNames + sideTableSlots(in: dialect).map(sideTableName)
  }
}
