import DataModel

/// The indexes of a table, whatever the engine.
extension TableLayout {
  /// An index, and what makes it.
  package struct IndexDefinition {
    package let name: String
    package let making: SQL
    /// The slot whose values it keeps apart, if that is what it is for.
    package var uniqueSlot: Int?
    /// Whether it is needed while rows come: by unique values, and by an engine's own look for rows
    /// that refer to the one at hand.
    package var judgesRows = false
  }

  /// The indexes of the table: of unique fields, of to-one relations, and those declared.
  package func indexes(in dialect: some Dialect) -> [IndexDefinition] {
    var indexes = schema.fields.indices.flatMap { ownIndexes(of: $0) }
    for index in schema.indexes {
      let name = PhysicalNames.index(schema.name, index)
      indexes.append(
        IndexDefinition(
          name: name,
          making: "create index \(name: name) on \(table) (\(terms(of: index, in: dialect)))"))
    }
    return indexes
  }

  /// The same, and those of the tables of its to-many relations.
  package func allIndexes(in dialect: some Dialect) -> [IndexDefinition] {
    indexes(in: dialect) + linkSlots.map { linkIndex(of: $0) }
  }

  /// The index that finds who refers to a record by a to-many relation.
  package func linkIndex(of slot: Int) -> IndexDefinition {
    let name = PhysicalNames.reference(schema.name, schema.name(of: slot))
    return IndexDefinition(
      name: name, making: "create index \(name: name) on \(link(slot)) (target)")
  }

  /// The indexes that a field needs whatever is declared.
  private func ownIndexes(of slot: Int) -> [IndexDefinition] {
    let field = schema.fields[slot]
    let column = self.column(slot)
    var indexes: [IndexDefinition] = []
    if field.isUnique {
      let name = PhysicalNames.unique(schema.name, field.name)
      indexes.append(
        IndexDefinition(
          name: name, making: "create unique index \(name: name) on \(table) (\(column))",
          uniqueSlot: slot, judgesRows: true))
    }
    if schema.slots[slot].kind == .reference {
      let name = PhysicalNames.reference(schema.name, field.name)
      indexes.append(
        IndexDefinition(
          name: name, making: "create index \(name: name) on \(table) (\(column))",
          judgesRows: field.type.relation?.target == schema.name))
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
