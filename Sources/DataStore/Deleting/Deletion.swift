package import DataModel

/// Deletes records: finds all records to delete, checks the references to them, and then deletes
/// them.
///
/// The ids of the records to delete are kept in a temporary table, so that memory use does not
/// depend on their number. The table names schemas by their indices in the catalog. Records that no
/// field can refer to are deleted without the table.
package struct Deletion {
  /// A relation field, and the schemas on both sides.
  struct Reference {
    let layout: TableLayout
    let slot: Int
    let relation: Relation
    /// The indices of both schemas in the catalog.
    let source: Int64
    let target: Int64
  }

  let request: DeleteRequest
  let catalog: Catalog
  let layouts: [TableLayout]
  /// The relation fields that can refer to a deleted record.
  let references: [Reference]
  let own: Int64
  /// The schemas from which records can be deleted, as indices in the catalog.
  private let reached: [Int]

  package init(_ request: DeleteRequest, catalog: Catalog) throws(DataError) {
    self.request = request
    self.catalog = catalog
    let names = catalog.all.map(\.name)
    let own = try Int64(names.firstIndex(of: catalog.schema(request.schema.name).name) ?? 0)
    self.own = own
    layouts = catalog.all.map { TableLayout($0) }
    let all: [Reference] = layouts.enumerated().flatMap { place, layout in
      layout.relationSlots.compactMap { slot in
        guard let relation = layout.schema.type(of: slot).relation,
          let target = names.firstIndex(of: relation.target)
        else { return nil }
        return Reference(
          layout: layout, slot: slot, relation: relation, source: Int64(place),
          target: Int64(target))
      }
    }
    var places: Set<Int64> = [own]
    var count = 0
    while count < places.count {
      count = places.count
      for one in all where one.relation.onDelete == .cascade && places.contains(one.target) {
        places.insert(one.source)
      }
    }
    references = all.filter { places.contains($0.target) }
    reached = places.map { Int($0) }.sorted()
  }

  package func run<Engine: SQLTransaction & ~Copyable>(
    on engine: borrowing Engine
  ) throws(DataError) -> DeleteSummary {
    let names = Names(engine.dialect)
    if let deleted = try removeAlone(names, on: engine) {
      let summary = DeleteSummary(deleted: deleted)
      try request.check(summary)
      return summary
    }
    try makeTable("_doomed", with: ", round integer not null", on: engine)
    try select(names, on: engine)
    var summary = DeleteSummary(deleted: try count(own, names, on: engine))
    try close(names, on: engine)
    try checkDenials(names, on: engine)
    summary.nullified = try nullify(names, on: engine)
    for place in reached {
      let layout = layouts[place]
      let place = Int64(place)
      var gone = try count(place, names, on: engine)
      guard gone > 0 else { continue }
      let doomed: SQL = "(select id from \(names.doomed) where schema = \(.integer(place)))"
      try remove(layout, expecting: gone, on: engine) { column in "\(column) in \(doomed)" }
      if place == own { gone -= summary.deleted }
      if gone > 0 {
        summary.cascaded.append(
          DeleteSummary.CascadeCount(schema: layout.schema.name, count: gone))
      }
    }
    for table in ["_doomed", "_touched"] {
      for statement in names.dialect.clearing(temporary: table) { try engine.change(statement) }
    }
    try request.check(summary)
    return summary
  }

  /// The names of the temporary tables that mark records by id.
  struct Names {
    let doomed: SQL
    /// The table of marked records, for joins by columns other than its key; see `Dialect.fetched`.
    let fetchedDoomed: SQL
    let touched: SQL
    let dialect: any Dialect

    init(_ dialect: any Dialect) {
      doomed = dialect.temporary("_doomed")
      fetchedDoomed = dialect.fetched(doomed, "schema, id, round")
      touched = dialect.temporary("_touched")
      self.dialect = dialect
    }
  }

  /// Creates a temporary table that marks records by id, each at most once.
  func makeTable<Engine: SQLTransaction & ~Copyable>(
    _ name: String, with columns: SQL = "", on engine: borrowing Engine
  ) throws(DataError) {
    let statements = engine.dialect.making(
      temporary: name,
      """
      schema integer not null, id \(engine.dialect.columnType(.id)) not null\(columns), \
      primary key (schema, id)
      """)
    for statement in statements { try engine.change(statement) }
  }

  private func count<Engine: SQLTransaction & ~Copyable>(
    _ place: Int64, _ names: Names, on engine: borrowing Engine
  ) throws(DataError) -> Int {
    try engine.count("select count(*) from \(names.doomed) where schema = \(.integer(place))")
  }

  /// Marks the records to which the deletion cascades, one level of references in each round, until
  /// a round finds no further record.
  private func close<Engine: SQLTransaction & ~Copyable>(
    _ names: Names, on engine: borrowing Engine
  ) throws(DataError) {
    let cascades = references.filter { $0.relation.onDelete == .cascade }
    var round: Int64 = 0
    var found = cascades.isEmpty ? 0 : 1
    while found > 0 {
      found = 0
      for reference in cascades {
        let marked = try engine.change(
          """
          insert into \(names.doomed) (schema, id, round) select \(.integer(reference.source)), \
          \(reference.referringID), \(.integer(round + 1)) from \(names.fetchedDoomed) as gone \
          cross join \(reference.table) as record where \(reference.referredID) = gone.id \
          and gone.schema = \(.integer(reference.target)) and gone.round = \(.integer(round)) \
          on conflict do nothing
          """)
        if marked > 0 { try hold(reference.layout, reference.source, names, on: engine) }
        found += marked
      }
      round += 1
    }
  }

  /// Locks the marked records of a schema, so that no other transaction changes or references them.
  func hold<Engine: SQLTransaction & ~Copyable>(
    _ layout: TableLayout, _ place: Int64, _ names: Names, on engine: borrowing Engine
  ) throws(DataError) {
    guard names.dialect.holding != "" else { return }
    try engine.change(
      """
      select 1 from \(layout.table) where \(layout.key) in \
      (select id from \(names.doomed) where schema = \(.integer(place))) \
      order by \(layout.key)\(names.dialect.holding)
      """)
  }
}

extension Deletion.Reference {
  /// The table whose rows contain the reference: the table of the records, or the link table of a
  /// to-many relation.
  var table: SQL { relation.isMany ? layout.link(slot) : layout.table }

  /// The id of the referring record, in a row with the alias `record`.
  var referringID: SQL { relation.isMany ? "record.source" : "record.\(layout.key)" }

  /// The id of the referenced record, in a row with the alias `record`.
  var referredID: SQL {
    relation.isMany ? "record.target" : "record.\(layout.column(slot))"
  }
}
