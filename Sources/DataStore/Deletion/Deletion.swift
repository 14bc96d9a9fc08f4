package import DataModel

/// Deletes records: finds all records to delete, checks the references to them, and then deletes
/// them.
///
/// The ids of the records to delete are kept in a temporary table, so that memory use does not
/// depend on their number. The records in this table are called marked. The table identifies each
/// schema by its position in `catalog.all`. Records to which no record refers are deleted without
/// the table.
package struct Deletion {
  /// A relation field, with the schema that contains it and the schema that it refers to.
  struct Reference {
    let layout: TableLayout
    let slot: Int
    let relation: Relation
    /// The position in `catalog.all` of the schema that contains the field. `target` is the
    /// position of the schema that the field refers to.
    let source: Int64
    let target: Int64
  }

  let request: DeleteRequest
  let stamp: Stamp
  let catalog: Catalog
  let layouts: [TableLayout]
  /// The relation fields that can refer to a deleted record.
  let references: [Reference]
  let requestedSchema: Int64
  /// The positions in `catalog.all` of the schemas from which records can be deleted.
  private let deletableSchemas: [Int]
  /// Whether another deletion was executed in the same transaction. If so, the temporary tables may
  /// still contain its rows.
  private let isRepeated: Bool

  package init(
    _ request: DeleteRequest, stamp: Stamp, catalog: Catalog, isRepeated: Bool = false
  ) throws(DataError) {
    self.request = request
    self.stamp = stamp
    self.isRepeated = isRepeated
    self.catalog = catalog
    let names = catalog.all.map(\.name)
    let requestedSchema = try Int64(
      names.firstIndex(of: catalog.schema(request.schema.name).name) ?? 0)
    self.requestedSchema = requestedSchema
    layouts = catalog.all.map { TableLayout($0) }
    let referring = request.keepsReferences ? [] : layouts
    let all: [Reference] = referring.enumerated().flatMap { schemaIndex, layout in
      layout.relationSlots.compactMap { slot in
        guard let relation = layout.schema.type(of: slot).relation,
          let target = names.firstIndex(of: relation.target)
        else { return nil }
        return Reference(
          layout: layout, slot: slot, relation: relation, source: Int64(schemaIndex),
          target: Int64(target))
      }
    }
    var schemaIndexes: Set<Int64> = [requestedSchema]
    var count = 0
    while count < schemaIndexes.count {
      count = schemaIndexes.count
      for reference in all
      where reference.relation.onDelete == .cascade && schemaIndexes.contains(reference.target) {
        schemaIndexes.insert(reference.source)
      }
    }
    references = all.filter { schemaIndexes.contains($0.target) }
    deletableSchemas = schemaIndexes.map { Int($0) }.sorted()
  }

  package func run<Engine: SQLTransaction & ~Copyable>(
    on engine: borrowing Engine
  ) throws(DataError) -> DeleteResult {
    let names = MarkTables(engine.dialect)
    if let unmarked = try deleteUnmarked(names, on: engine) {
      try request.check(unmarked.summary)
      return unmarked
    }
    try makeTable("_doomed", with: ", round integer not null", on: engine)
    try select(names, on: engine)
    var summary = DeleteSummary(deleted: try count(requestedSchema, names, on: engine))
    try markCascades(names, on: engine)
    try checkDenials(names, on: engine)
    let records = request.returnsRecords ? [try markedRecords(names, on: engine)] : []
    summary.nullified = try nullify(names, on: engine)
    let owners = try owners(names, hasAffected: summary.nullified > 0, on: engine)
    for schemaIndex in deletableSchemas {
      let layout = layouts[schemaIndex]
      let schemaIndex = Int64(schemaIndex)
      var deletedCount = try count(schemaIndex, names, on: engine)
      guard deletedCount > 0 else { continue }
      let marked: SQL = "(select id from \(names.marked) where schema = \(.integer(schemaIndex)))"
      try remove(layout, expecting: deletedCount, on: engine) { column in "\(column) in \(marked)" }
      if schemaIndex == requestedSchema { deletedCount -= summary.deleted }
      if deletedCount > 0 {
        summary.cascaded.append(
          DeleteSummary.CascadeCount(schema: layout.schema.name, count: deletedCount))
      }
    }
    for table in ["_doomed", "_touched"] {
      for statement in names.dialect.clearSQL(temporary: table) { try engine.execute(statement) }
    }
    try request.check(summary)
    var result = DeleteResult(summary, records: records)
    result.owners = owners
    return result
  }

  /// Returns the records that the request selects by id or condition. These are the marked records
  /// whose `round` is 0; records to which the deletion cascades have a higher round.
  private func markedRecords<Engine: SQLTransaction & ~Copyable>(
    _ names: MarkTables, on engine: borrowing Engine
  ) throws(DataError) -> Rows {
    let layout = layouts[Int(requestedSchema)]
    let selectList = SelectList(
      layout, slots: Array(0..<layout.schema.width), engine.dialect)
    return try engine.rows(
      """
      select \(selectList.columns) from \(layout.table) where \(layout.key) in \
      (select id from \(names.marked) where schema = \(.integer(requestedSchema)) and round = 0) \
      order by \(layout.key)
      """, selectList)
  }

  /// The names of the temporary tables. The table `marked` contains the ids of the records to
  /// delete. The table `affected` contains the ids of the records whose references are cleared.
  struct MarkTables {
    let marked: SQL
    /// The table `marked`, as an expression for joins on columns other than its primary key. On an
    /// engine that distributes tables across servers, it is a subquery; see `Dialect.fetched`.
    let fetchedMarked: SQL
    let affected: SQL
    let dialect: any Dialect

    init(_ dialect: any Dialect) {
      marked = dialect.temporary("_doomed")
      fetchedMarked = dialect.fetched(marked, "schema, id, round")
      affected = dialect.temporary("_touched")
      self.dialect = dialect
    }
  }

  /// Creates a temporary table that contains the ids of records of any schemas, each record at most
  /// once.
  func makeTable<Engine: SQLTransaction & ~Copyable>(
    _ name: String, with columns: SQL = "", on engine: borrowing Engine
  ) throws(DataError) {
    let statements = engine.dialect.creationSQL(
      temporary: name,
      """
      schema integer not null, id \(engine.dialect.columnType(.id)) not null\(columns), \
      primary key (schema, id)
      """)
    for statement in statements { try engine.execute(statement) }
    if isRepeated { try engine.execute("delete from \(engine.dialect.temporary(name))") }
  }

  private func count<Engine: SQLTransaction & ~Copyable>(
    _ schemaIndex: Int64, _ names: MarkTables, on engine: borrowing Engine
  ) throws(DataError) -> Int {
    try engine.count("select count(*) from \(names.marked) where schema = \(.integer(schemaIndex))")
  }

  /// Marks the records to which the deletion cascades. Each round marks the records that refer to
  /// those of the previous round, until a round finds no further record.
  private func markCascades<Engine: SQLTransaction & ~Copyable>(
    _ names: MarkTables, on engine: borrowing Engine
  ) throws(DataError) {
    let cascades = references.filter { $0.relation.onDelete == .cascade }
    var round: Int64 = 0
    var found = cascades.isEmpty ? 0 : 1
    while found > 0 {
      found = 0
      for reference in cascades {
        let marked = try engine.execute(
          """
          insert into \(names.marked) (schema, id, round) select \(.integer(reference.source)), \
          \(reference.referringID), \(.integer(round + 1)) from \(names.fetchedMarked) as gone \
          cross join \(reference.table) as record where \(reference.referredID) = gone.id \
          and gone.schema = \(.integer(reference.target)) and gone.round = \(.integer(round)) \
          on conflict do nothing
          """)
        if marked > 0 { try lock(reference.layout, reference.source, names, on: engine) }
        found += marked
      }
      round += 1
    }
  }

  /// Locks the records of a schema that are marked for deletion, so that no other transaction can
  /// change them or add references to them.
  func lock<Engine: SQLTransaction & ~Copyable>(
    _ layout: TableLayout, _ schemaIndex: Int64, _ names: MarkTables, on engine: borrowing Engine
  ) throws(DataError) {
    guard names.dialect.deletionLockClause != "" else { return }
    try engine.execute(
      """
      select 1 from \(layout.table) where \(layout.key) in \
      (select id from \(names.marked) where schema = \(.integer(schemaIndex))) \
      order by \(layout.key)\(names.dialect.deletionLockClause)
      """)
  }
}

extension Deletion.Reference {
  /// The table whose rows contain the reference: the table of the records, or the link table of a
  /// to-many relation.
  var table: SQL { relation.isMany ? layout.link(slot) : layout.table }

  /// The column that contains the id of the referring record. `record` is the alias of the table
  /// that contains the reference.
  var referringID: SQL { relation.isMany ? "record.source" : "record.\(layout.key)" }

  /// The column that contains the id of the referenced record. `record` is the alias of the table
  /// that contains the reference.
  var referredID: SQL {
    relation.isMany ? "record.target" : "record.\(layout.column(slot))"
  }
}
