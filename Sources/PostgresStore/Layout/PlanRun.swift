import DataModel
import DataStore

/// Carries out the steps of a plan, inside a transaction.
struct PlanRun {
  let coding: SchemaCoding
  let connection: Connection

  func carryOut(_ plan: SchemaPlan) throws(DataError) {
    let version = try connection.integer(
      "select catalog_version from \(table: "_meta") for update")
    guard version == plan.catalogVersion else { throw .schemaChanged }
    guard !plan.steps.isEmpty else { return }
    for step in plan.steps {
      if let table = step.changedTable {
        // Whoever saves records holds the table: what they save fits one schema or the other.
        try connection.run("lock table \(table) in access exclusive mode")
      }
      try check(step.demands)
      switch step {
      case .create(let schema): try create(schema)
      case .addFields(let slots, let schema): try add(slots, to: schema)
      case .changeIndexes(let old, let new): try changeIndexes(old, new)
      case .describe(let schema): describe(schema)
      case .drop(let schema): drop(schema)
      }
    }
    try connection.run("update \(table: "_meta") set catalog_version = catalog_version + 1")
  }

  private func check(_ demands: [SchemaPlan.Demand]) throws(DataError) {
    var error: DataError?
    for demand in demands {
      let count = try connection.integer("select count(*) from \(table: demand.schema)") ?? 0
      guard let problem = demand.problem(withRecords: Int(count)) else { continue }
      if error == nil { error = DataError(problem) } else { error?.add(problem) }
    }
    if let error { throw error }
  }

  private func create(_ schema: Schema) throws(DataError) {
    let layout = TableLayout(schema)
    connection.later(layout.makingTable)
    for slot in layout.linkSlots {
      for statement in layout.makingLink(slot) { connection.later(statement) }
    }
    for index in layout.indexes { connection.later(index.making) }
    describe(schema)
  }

  private func add(_ slots: [Int], to schema: Schema) throws(DataError) {
    let layout = TableLayout(schema)
    for slot in slots {
      let field = schema.fields[slot]
      for statement in layout.addingColumns(of: slot) { connection.later(statement) }
      if schema.slots[slot].kind == .references {
        for statement in layout.makingLink(slot) { connection.later(statement) }
      }
      if let value = field.defaultValue { try fill(slot, with: value, layout) }
      for index in layout.ownIndexes(of: slot) { try make(index, layout) }
    }
    describe(schema)
  }

  private func fill(
    _ slot: Int, with value: Value, _ layout: TableLayout
  ) throws(DataError) {
    let assignments = TableLayout.columns(of: slot, in: layout.schema).map { column -> SQL in
      let part: Value =
        switch (column.part, value) {
        case (.latitude, .geopoint(let point)): .number(point.latitude)
        case (.longitude, .geopoint(let point)): .number(point.longitude)
        case (.cell, .geopoint(let point)): .integer(point.cell)
        case (.latitude, _), (.longitude, _), (.cell, _), (.whole, _): value
        }
      return "\(name: column.name) = \(part.asStored(in: column.type) ?? part)"
    }
    try connection.run("update \(layout.table) set \(SQL.list(assignments))")
  }

  private func changeIndexes(_ old: Schema, _ new: Schema) throws(DataError) {
    let layout = TableLayout(new)
    let before = TableLayout(old).indexes
    let after = layout.indexes
    for index in before where !after.contains(where: { $0.name == index.name }) {
      connection.later("drop index \(table: index.name)")
    }
    for index in after where !before.contains(where: { $0.name == index.name }) {
      try make(index, layout)
    }
    describe(new)
  }

  /// Makes an index; values that are there twice are in the way of a unique one.
  private func make(
    _ index: TableLayout.IndexDefinition, _ layout: TableLayout
  ) throws(DataError) {
    do throws(DataError) {
      try connection.run(index.making)
    } catch {
      guard connection.failure == .collision, let slot = index.uniqueSlot else { throw error }
      let schema = layout.schema
      throw DataError(
        Problem(
          .misfit, "unique, and several records have the same value",
          hint: "datactl list \(schema.name) --order \(schema.name(of: slot)) shows them",
          schema: schema.name, field: schema.name(of: slot)))
    }
  }

  private func describe(_ schema: Schema) {
    let text = String(decoding: coding.encode(schema), as: UTF8.self)
    connection.later(
      """
      insert into \(table: "_schema") (name, definition) values (\(.text(schema.name)), \
      \(.text(text))) on conflict (name) do update set definition = excluded.definition
      """)
  }

  private func drop(_ schema: Schema) {
    let layout = TableLayout(schema)
    for slot in layout.linkSlots { connection.later("drop table \(layout.link(slot))") }
    connection.later("drop table \(layout.table)")
    connection.later("delete from \(table: "_file") where schema = \(.text(schema.name))")
    switch schema.kind {
    case .user: connection.later("delete from \(table: "_session")")
    case .records: break
    }
    connection.later("delete from \(table: "_schema") where name = \(.text(schema.name))")
  }
}

extension SchemaPlan.Step {
  /// The table of records that are there before the step.
  fileprivate var changedTable: SQL? {
    switch self {
    case .create: nil
    case .addFields(_, let schema), .changeIndexes(let schema, _), .describe(let schema),
      .drop(let schema):
      TableLayout(schema).table
    }
  }
}
