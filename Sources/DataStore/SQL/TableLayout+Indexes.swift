import DataModel

/// The indexes of a table, in every engine.
extension TableLayout {
  /// The name of an index, and the statement that creates it.
  package struct IndexDefinition {
    package let name: String
    package let creationSQL: SQL
    /// The slot of the unique field that the index enforces, if any.
    package var uniqueSlot: Int?
    /// Whether the index is needed while rows are inserted: to enforce unique values, or to find
    /// the references of a schema to itself.
    package var isNeededForInserts = false
  }

  /// The indexes of the table: for unique fields, to-one relations, geopoints, and those declared.
  package func indexes(in dialect: some Dialect) -> [IndexDefinition] {
    var indexes = schema.fields.indices.flatMap { ownIndexes(of: $0, in: dialect) }
    for index in schema.indexes {
      let name = PhysicalNames.index(schema.name, index)
      indexes.append(
        IndexDefinition(
          name: name,
          creationSQL: "create index \(name: name) on \(table) (\(terms(of: index, in: dialect)))"))
    }
    return indexes
  }

  /// The indexes of the table and of its link tables.
  package func allIndexes(in dialect: some Dialect) -> [IndexDefinition] {
    indexes(in: dialect) + linkSlots.map { linkIndex(of: $0) }
  }

  /// The index that finds the records that refer to a target through a to-many relation.
  package func linkIndex(of slot: Int) -> IndexDefinition {
    let name = PhysicalNames.reference(schema.name, schema.name(of: slot))
    return IndexDefinition(
      name: name, creationSQL: "create index \(name: name) on \(link(slot)) (target)")
  }

  /// The indexes that a field has by its type and rules.
  private func ownIndexes(of slot: Int, in dialect: some Dialect) -> [IndexDefinition] {
    let field = schema.fields[slot]
    let column = self.column(slot)
    var indexes: [IndexDefinition] = []
    if field.isUnique, sideTableSlots(in: dialect).isEmpty {
      let name = PhysicalNames.unique(schema.name, field.name)
      indexes.append(
        IndexDefinition(
          name: name, creationSQL: "create unique index \(name: name) on \(table) (\(column))",
          uniqueSlot: slot, isNeededForInserts: true))
    }
    if schema.slots[slot].kind == .reference {
      let name = PhysicalNames.reference(schema.name, field.name)
      indexes.append(
        IndexDefinition(
          name: name, creationSQL: "create index \(name: name) on \(table) (\(column))",
          isNeededForInserts: field.type.relation?.target == schema.name))
    }
    if field.type == .geopoint {
      let name = PhysicalNames.cells(schema.name, field.name)
      let cell = PhysicalNames.cell(field.name)
      indexes.append(
        IndexDefinition(
          name: name, creationSQL: "create index \(name: name) on \(table) (\(name: cell))"))
    }
    return indexes
  }

  /// The columns of a declared index; the last one is the id, in the direction of the column
  /// before.
  private func terms(of index: Schema.Index, in dialect: some Dialect) -> SQL {
    let order = Query(schema, order: index.terms).fullOrder
    return SQL.list(
      order.map { term in
        dialect.ordered(
          "\(name: PhysicalNames.column(term.field))", isDescending: term.isDescending,
          mayBeNull: term.field != schema.key.name)
      })
  }
}
