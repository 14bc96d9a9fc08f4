import DataModel

/// The definitions of a table's indexes, for every engine.
extension TableLayout {
  /// The name of an index, and the statement that creates it.
  package struct IndexDefinition {
    package let name: String
    package let creationSQL: SQL
    /// The slot of the field whose values the index keeps unique; nil if the index is not unique.
    package var uniqueSlot: Int?
    /// Whether the index is needed while rows are inserted, either to enforce unique values or to
    /// find references between records of the same schema.
    package var isNeededForInserts = false
    /// The name of the schema to which the indexed relation leads; nil for other indexes.
    package var target: String?

    package init(
      name: String, creationSQL: SQL, uniqueSlot: Int? = nil, isNeededForInserts: Bool = false,
      target: String? = nil
    ) {
      self.name = name
      self.creationSQL = creationSQL
      self.uniqueSlot = uniqueSlot
      self.isNeededForInserts = isNeededForInserts
      self.target = target
    }
  }

  /// Returns the indexes of the table: the indexes that the schema declares, and the indexes for
  /// unique fields, to-one relations and geopoints.
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

  /// Returns the indexes of the table and of its link tables.
  package func allIndexes(in dialect: some Dialect) -> [IndexDefinition] {
    indexes(in: dialect) + linkSlots.map { linkIndex(of: $0) }
  }

  /// Returns the index on the link table of a to-many relation. The index finds the records that
  /// refer to a given target.
  package func linkIndex(of slot: Int) -> IndexDefinition {
    let name = PhysicalNames.reference(schema.name, schema.name(of: slot))
    return IndexDefinition(
      name: name, creationSQL: "create index \(name: name) on \(link(slot)) (target)")
  }

  /// Returns the indexes that a field needs because it is unique, a to-one relation or a geopoint.
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
          isNeededForInserts: field.type.relation?.target == schema.name,
          target: field.type.relation?.target))
    }
    if field.type == .geopoint {
      let name = PhysicalNames.geopointIndex(schema.name, field.name)
      let cell = PhysicalNames.cell(field.name)
      indexes.append(
        IndexDefinition(
          name: name, creationSQL: "create index \(name: name) on \(table) (\(name: cell))"))
    }
    return indexes
  }

  /// Returns the columns of a declared index. The last column is the id, which is sorted in the
  /// same direction as the column before it.
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
