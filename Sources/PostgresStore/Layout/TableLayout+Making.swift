import DataModel
import DataStore

/// The statements that make a schema's tables and indexes.
extension TableLayout {
  /// An index, and what makes it.
  struct IndexDefinition {
    let name: String
    let making: SQL
    /// The slot whose values it keeps apart, if that is what it is for.
    var uniqueSlot: Int?
  }

  /// Makes the table with all that belongs to it.
  var making: [SQL] {
    [makingTable] + linkSlots.flatMap { makingLink($0) } + indexes.map(\.making)
  }

  /// Makes the table; the name of its key cannot be that of another table.
  var makingTable: SQL {
    let definitions = columns.map { definition(of: $0) }
    return """
      create table \(table) (\(SQL.list(definitions)), \
      constraint \(name: PhysicalNames.key(schema.name)) primary key (\(key)))
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
    let field = schema.name(of: slot)
    let name = PhysicalNames.link(schema.name, field)
    return [
      """
      create table \(link(slot)) (source text collate "C" not null, position bigint not null, \
      target text collate "C" not null, constraint \(name: PhysicalNames.key(name)) \
      primary key (source, position))
      """,
      """
      create index \(name: PhysicalNames.reference(schema.name, field)) on \(link(slot)) (target)
      """,
    ]
  }

  private func definition(of column: Column) -> SQL {
    let plain: SQL = "\(name: column.name) \(WireType(column.type).words)"
    return column.slot == schema.keySlot ? plain + " not null" : plain
  }

  /// The indexes of the table: of unique fields, of to-one relations, and those declared.
  var indexes: [IndexDefinition] {
    var indexes = schema.fields.indices.flatMap { ownIndexes(of: $0) }
    for index in schema.indexes {
      let name = PhysicalNames.index(schema.name, index)
      indexes.append(
        IndexDefinition(
          name: name,
          making: "create index \(name: name) on \(table) (\(terms(of: index)))"))
    }
    return indexes
  }

  /// The indexes that a field needs whatever is declared.
  func ownIndexes(of slot: Int) -> [IndexDefinition] {
    let field = schema.fields[slot]
    var indexes: [IndexDefinition] = []
    if field.isUnique {
      let name = PhysicalNames.unique(schema.name, field.name)
      indexes.append(
        IndexDefinition(
          name: name, making: "create unique index \(name: name) on \(table) (\(column(slot)))",
          uniqueSlot: slot))
    }
    if schema.slots[slot].kind == .reference {
      let name = PhysicalNames.reference(schema.name, field.name)
      indexes.append(
        IndexDefinition(
          name: name, making: "create index \(name: name) on \(table) (\(column(slot)))"))
    }
    if field.type == .geopoint {
      let name = PhysicalNames.cells(schema.name, field.name)
      let cell = PhysicalNames.cell(field.name)
      indexes.append(
        IndexDefinition(
          name: name, making: "create index \(name: name) on \(table) (\(name: cell))"))
    }
    return indexes
  }

  /// The terms of a declared index; it ends with the id, in the direction of the term before it.
  private func terms(of index: Schema.Index) -> SQL {
    let order = Query(schema, order: index.terms).fullOrder
    return SQL.list(
      order.map { term in
        PostgresDialect().ordered(
          "\(name: PhysicalNames.column(term.field))", isDescending: term.isDescending,
          mayBeNull: term.field != schema.key.name)
      })
  }
}
