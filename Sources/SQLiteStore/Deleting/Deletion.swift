import DataModel
import DataStore

/// Deletes records: finds all that must go, looks who denies it, and only then lets them go.
///
/// The ids of what goes are kept in a temporary table, so that any number of records can go in flat
/// memory. Schemas stand there as their places in the catalog.
struct Deletion {
  /// A field that refers to records, and whose.
  struct Reference {
    let layout: TableLayout
    let slot: Int
    let relation: Relation
    /// The places of both schemas in the catalog.
    let source: Int64
    let target: Int64
  }

  let request: DeleteRequest
  let catalog: Catalog
  let layouts: [TableLayout]
  let references: [Reference]
  let own: Int64

  init(_ request: DeleteRequest, catalog: Catalog) throws(DataError) {
    self.request = request
    self.catalog = catalog
    let names = catalog.all.map(\.name)
    own = try Int64(names.firstIndex(of: catalog.schema(request.schema.name).name) ?? 0)
    layouts = catalog.all.map { TableLayout($0) }
    references = layouts.enumerated().flatMap { place, layout in
      layout.relationSlots.compactMap { slot in
        guard let relation = layout.schema.type(of: slot).relation,
          let target = names.firstIndex(of: relation.target)
        else { return nil }
        return Reference(
          layout: layout, slot: slot, relation: relation, source: Int64(place),
          target: Int64(target))
      }
    }
  }

  func run(on connection: borrowing Connection) throws(DataError) -> DeleteSummary {
    try makeTables(on: connection)
    try select(on: connection)
    var summary = DeleteSummary(deleted: try count(own, on: connection))
    try close(on: connection)
    try checkDenials(on: connection)
    summary.nullified = try nullify(on: connection)
    for (place, layout) in layouts.enumerated() {
      let place = Int64(place)
      var gone = try count(place, on: connection)
      guard gone > 0 else { continue }
      try remove(layout, place, on: connection)
      if place == own { gone -= summary.deleted }
      if gone > 0 {
        summary.cascaded.append(
          DeleteSummary.CascadeCount(schema: layout.schema.name, count: gone))
      }
    }
    return summary
  }

  private func makeTables(on connection: borrowing Connection) throws(DataError) {
    for table in ["_doomed", "_touched"] {
      try connection.run("drop table if exists temp.\(name: table)")
    }
    try connection.run(
      """
      create temp table _doomed (schema integer not null, id text not null, \
      round integer not null, primary key (schema, id)) strict, without rowid
      """)
    try connection.run("create index temp._doomed_round on _doomed (schema, round)")
    try connection.run(
      """
      create temp table _touched (schema integer not null, id text not null, \
      primary key (schema, id)) strict, without rowid
      """)
  }

  private func count(_ place: Int64, on connection: borrowing Connection) throws(DataError) -> Int {
    Int(
      try connection.integer(
        "select count(*) from temp._doomed where schema = \(.integer(place))") ?? 0)
  }

  /// Marks what cascades from what is marked, one step further each round, until nothing is new.
  private func close(on connection: borrowing Connection) throws(DataError) {
    let cascades = references.filter { $0.relation.onDelete == .cascade }
    var round: Int64 = 0
    var found = cascades.isEmpty ? 0 : 1
    while found > 0 {
      found = 0
      for reference in cascades {
        try connection.run(
          """
          insert or ignore into temp._doomed select \(.integer(reference.source)), \
          \(reference.referringID), \(.integer(round + 1)) from temp._doomed as gone \
          cross join \(reference.table) as record on \(reference.referredID) = gone.id \
          where gone.schema = \(.integer(reference.target)) and gone.round = \(.integer(round))
          """)
        found += connection.changeCount
      }
      round += 1
    }
  }
}

extension Deletion.Reference {
  /// The table whose rows hold the reference: that of the records, or of their links.
  var table: SQL { relation.isMany ? layout.link(slot) : layout.table }

  /// The id of a record that refers, in a row called `record`.
  var referringID: SQL { relation.isMany ? "record.source" : "record.\(layout.key)" }

  /// The id that it refers to, in a row called `record`.
  var referredID: SQL {
    relation.isMany ? "record.target" : "record.\(name: layout.schema.name(of: slot))"
  }
}
