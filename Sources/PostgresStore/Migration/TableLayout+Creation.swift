import DataModel
import DataStore

/// Generates the statements that create the tables and indexes of a schema.
extension TableLayout {
  /// Returns the statements that create the table of the records, its indexes, its link tables, and
  /// the side tables for its unique fields.
  func creationSQL(in dialect: PostgresDialect) -> [SQL] {
    [tableCreationSQL]
      + dialect.distributionSQL(schema.name, .colocated(by: PhysicalNames.column(schema.key.name)))
      + linkSlots.flatMap { linkCreationSQL($0, in: dialect) }
      + indexes(in: dialect).map(\.creationSQL)
      + sideTableSlots(in: dialect).flatMap { sideTableCreationSQL($0, in: dialect) }
  }

  /// The statement that creates the table of the records.
  var tableCreationSQL: SQL {
    let definitions = columns.map { definition(of: $0) }
    return """
      create table \(table) (\(SQL.list(definitions)), \
      constraint \(name: PhysicalNames.key(schema.name)) primary key (\(key)))
      """
  }

  /// Returns the statements that add the columns of the field in a slot to an existing table.
  func addColumnsSQL(of slot: Int) -> [SQL] {
    Self.columns(of: slot, in: schema).map { column in
      "alter table \(table) add column \(definition(of: column))"
    }
  }

  /// Returns the statements that create the link table of a to-many relation, and an index for
  /// finding the records that refer to a given record.
  func linkCreationSQL(_ slot: Int, in dialect: PostgresDialect) -> [SQL] {
    let field = schema.name(of: slot)
    let name = PhysicalNames.link(schema.name, field)
    return [
      """
      create table \(link(slot)) (source text collate "C" not null, position bigint not null, \
      target text collate "C" not null, constraint \(name: PhysicalNames.key(name)) \
      primary key (source, position))
      """
    ] + dialect.distributionSQL(name, .colocated(by: "source")) + [linkIndex(of: slot).creationSQL]
  }

  private func definition(of column: Column) -> SQL {
    let plain: SQL = "\(name: column.name) \(WireType(column.type).sqlName)"
    return column.slot == schema.keySlot ? plain + " not null" : plain
  }
}
