import CSQLite
import DataModel
import DataStore

/// Carries out the steps of a plan, inside a transaction.
struct PlanRun {
  let coding: SchemaCoding

  func carryOut(_ plan: SchemaPlan, on connection: borrowing Connection) throws(DataError) {
    try connection.checkCatalog(version: plan.catalogVersion)
    guard !plan.steps.isEmpty else { return }
    for step in plan.steps {
      try check(step.demands, on: connection)
      switch step {
      case .create(let schema): try create(schema, on: connection)
      case .addFields(let slots, let schema): try add(slots, to: schema, on: connection)
      case .changeIndexes(let old, let new): try changeIndexes(old, new, on: connection)
      case .describe(let schema): try describe(schema, on: connection)
      case .drop(let schema): try drop(schema, on: connection)
      }
    }
    try connection.run("update _meta set catalog_version = catalog_version + 1")
  }

  private func check(
    _ demands: [SchemaPlan.Demand], on connection: borrowing Connection
  ) throws(DataError) {
    var error: DataError?
    for demand in demands {
      let count = try connection.integer("select count(*) from \(name: demand.schema)") ?? 0
      if let problem = demand.problem(withRecords: Int(count)) { error.add(problem) }
    }
    if let error { throw error }
  }

  private func create(_ schema: Schema, on connection: borrowing Connection) throws(DataError) {
    for statement in TableLayout(schema).making() { try connection.run(statement) }
    try describe(schema, on: connection)
  }

  private func add(
    _ slots: [Int], to schema: Schema, on connection: borrowing Connection
  ) throws(DataError) {
    let layout = TableLayout(schema)
    for slot in slots {
      let field = schema.fields[slot]
      for statement in layout.addingColumns(of: slot) { try connection.run(statement) }
      if schema.slots[slot].kind == .references {
        for statement in layout.makingLink(slot) { try connection.run(statement) }
      }
      if let value = field.defaultValue { try fill(slot, with: value, layout, on: connection) }
      for index in layout.ownIndexes(of: slot) {
        try make(index, layout, on: connection)
      }
    }
    try describe(schema, on: connection)
  }

  private func fill(
    _ slot: Int, with value: Value, _ layout: TableLayout, on connection: borrowing Connection
  ) throws(DataError) {
    let assignments = TableLayout.columns(of: slot, in: layout.schema).map { column -> SQL in
      let part: Value =
        switch (column.part, value) {
        case (.latitude, .geopoint(let point)): .number(point.latitude)
        case (.longitude, .geopoint(let point)): .number(point.longitude)
        case (.cell, .geopoint(let point)): .integer(point.cell)
        case (.latitude, _), (.longitude, _), (.cell, _), (.whole, _): value
        }
      return "\(name: column.name) = \(part)"
    }
    try connection.run("update \(layout.table) set \(SQL.list(assignments))")
  }

  private func changeIndexes(
    _ old: Schema, _ new: Schema, on connection: borrowing Connection
  ) throws(DataError) {
    let layout = TableLayout(new)
    let before = TableLayout(old).indexes
    let after = layout.indexes
    for index in before where !after.contains(where: { $0.name == index.name }) {
      try connection.run("drop index \(name: index.name)")
    }
    for index in after where !before.contains(where: { $0.name == index.name }) {
      try make(index, layout, on: connection)
    }
    try describe(new, on: connection)
  }

  /// Makes an index; values that are there twice are in the way of a unique one.
  private func make(
    _ index: TableLayout.IndexDefinition, _ layout: TableLayout,
    on connection: borrowing Connection
  ) throws(DataError) {
    let code = try Statement(index.making, on: connection).stepThrough()
    guard code == csqlite_constraint_unique, let slot = index.uniqueSlot else {
      return try connection.check(code)
    }
    let schema = layout.schema
    throw DataError(
      Problem(
        .misfit, "unique, and several records have the same value",
        hint: "datactl list \(schema.name) --order \(schema.name(of: slot)) shows them",
        schema: schema.name, field: schema.name(of: slot)))
  }

  private func describe(_ schema: Schema, on connection: borrowing Connection) throws(DataError) {
    let text = String(decoding: coding.encode(schema), as: UTF8.self)
    try connection.run(
      """
      insert into _schema (name, definition) values (\(.text(schema.name)), \(.text(text))) \
      on conflict (name) do update set definition = excluded.definition
      """)
  }

  private func drop(_ schema: Schema, on connection: borrowing Connection) throws(DataError) {
    let layout = TableLayout(schema)
    for slot in layout.linkSlots { try connection.run("drop table \(layout.link(slot))") }
    try connection.run("drop table \(layout.table)")
    try connection.run("delete from _file where schema = \(.text(schema.name))")
    switch schema.kind {
    case .user: try connection.run("delete from _session")
    case .records: break
    }
    try connection.run("delete from _schema where name = \(.text(schema.name))")
  }
}

extension Connection {
  /// Switches SQLite's own check of references, outside a transaction.
  func enforcesReferences(_ isOn: Bool) throws(DataError) {
    try check(unsafe csqlite_configure(handle, SQLITE_DBCONFIG_ENABLE_FKEY, isOn ? 1 : 0))
  }
}
