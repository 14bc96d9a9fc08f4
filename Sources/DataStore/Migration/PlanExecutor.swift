package import DataModel

/// Executes the stages of a plan within a transaction.
package struct PlanExecutor {
  let coding: SchemaCoding
  let request: PlanRequest

  package init(_ request: PlanRequest, _ coding: SchemaCoding) {
    self.coding = coding
    self.request = request
  }

  package func execute<Engine: PlanTransaction & ~Copyable>(
    on engine: borrowing Engine
  ) throws(DataError) {
    try engine.lockCatalog(at: request.plan.catalogVersion)
    if let mark = request.copyMark { try engine.begin(mark) }
    guard !request.plan.isEmpty else { return }
    let before = try engine.catalog(coding).catalog
    let foreignObjects = try engine.foreignObjects(excluding: before)
    var problems: [Problem] = []
    for stage in request.plan.stages { problems += try execute(stage, on: engine) }
    if let error = DataError(problems) { throw error }
    let after = try engine.catalog(coding).catalog
    try engine.check(foreignObjects, excluding: after)
    let functions = try functions(on: engine)
    if let error = DataError(request.review(functions, before, after)) { throw error }
    if after.userSchema != before.userSchema { try endSessions(in: after, on: engine) }
    try engine.addToLog(AppliedPlan(request))
    try engine.execute("update \(table: "_meta") set catalog_version = catalog_version + 1")
  }

  /// Executes one stage of the plan, and returns the problems found in the existing records.
  private func execute<Engine: PlanTransaction & ~Copyable>(
    _ stage: SchemaPlan.Stage, on engine: borrowing Engine
  ) throws(DataError) -> [Problem] {
    switch stage {
    case .create(let schema):
      let layout = TableLayout(schema)
      for statement in engine.creationSQL(layout) { try engine.alter(statement) }
      if request.copyMark != nil {
        for index in layout.deferrableIndexes(in: engine.dialect) {
          try engine.alter("drop index \(table: index.name)")
        }
      }
      try saveDefinition(schema, on: engine)
      return []
    case .dropFields(let slots, let schema, let rest):
      return try drop(slots, of: schema, leaving: rest, on: engine)
    case .dropSchema(let schema): return try drop(schema, on: engine)
    case .rename(let renamings):
      for renaming in renamings { try engine.lock(exclusively: renaming.before) }
      try RenamingExecutor(renamings).execute(on: engine)
      for renaming in renamings { try deleteDefinition(renaming.before.name, on: engine) }
      for renaming in renamings { try saveDefinition(renaming.after, on: engine) }
      return []
    case .change(let alteration):
      try engine.lock(exclusively: alteration.from)
      let run = AlterationExecutor(alteration, consents: request.consents, coding)
      let problems = try run.execute(on: engine)
      try saveDefinition(alteration.to, on: engine)
      return problems
    }
  }

  /// Inserts or replaces the stored definition of a schema. Its version becomes the catalog version
  /// that the store has after the plan.
  private func saveDefinition<Engine: PlanTransaction & ~Copyable>(
    _ schema: Schema, on engine: borrowing Engine
  ) throws(DataError) {
    if StoreFormat.isNeeded(by: schema) { try engine.upgradeToNewestFormat() }
    let text = String(decoding: coding.encode(schema), as: UTF8.self)
    try engine.alter(
      """
      insert into \(table: "_schema") (name, definition, version) \
      select \(.text(schema.name)), \(.text(text)), catalog_version + 1 from \(table: "_meta") \
      where true on conflict (name) do update set definition = excluded.definition, \
      version = excluded.version
      """)
  }

  /// Ends the sessions of the disabled users. The plan may have named the field that disables them.
  private func endSessions<Engine: PlanTransaction & ~Copyable>(
    in catalog: Catalog, on engine: borrowing Engine
  ) throws(DataError) {
    guard let schema = catalog.userSchema, let slot = schema.disabledSlot else { return }
    let layout = TableLayout(schema)
    var users: [String] = []
    try engine.forEachRow(
      "select \(layout.key) from \(layout.table) where \(layout.column(slot))", [.text]
    ) { if case .text(let user) = $0[0] { users.append(user) } }
    if !users.isEmpty { try engine.endSessions(of: users) }
  }

  private func deleteDefinition<Engine: PlanTransaction & ~Copyable>(
    _ name: String, on engine: borrowing Engine
  ) throws(DataError) {
    try engine.alter("delete from \(table: "_schema") where name = \(.text(name))")
  }

  private func drop<Engine: PlanTransaction & ~Copyable>(
    _ schema: Schema, on engine: borrowing Engine
  ) throws(DataError) -> [Problem] {
    try engine.lock(exclusively: schema)
    let layout = TableLayout(schema)
    let count = try engine.count("select count(*) from \(layout.table)")
    for slot in layout.linkSlots { try engine.alter("drop table \(layout.link(slot))") }
    for slot in layout.sideTableSlots(in: engine.dialect) {
      try engine.alter("drop table \(layout.sideTable(slot))")
    }
    try engine.alter("drop table \(layout.table)")
    try engine.alter("delete from \(table: "_file") where schema = \(.text(schema.name))")
    switch schema.kind {
    case .user: try engine.alter("delete from \(table: "_session")")
    case .records: break
    }
    try deleteDefinition(schema.name, on: engine)
    if count == 0 || request.consents.contains(schema.name) { return [] }
    return [.loss(of: schema, slot: nil, count: count)]
  }

  private func drop<Engine: PlanTransaction & ~Copyable>(
    _ slots: [Int], of schema: Schema, leaving rest: Schema, on engine: borrowing Engine
  ) throws(DataError) -> [Problem] {
    try engine.lock(exclusively: schema)
    let layout = TableLayout(schema)
    let kept = Set(TableLayout(rest).indexes(in: engine.dialect).map(\.name))
    for index in layout.indexes(in: engine.dialect) where !kept.contains(index.name) {
      try engine.alter("drop index \(table: index.name)")
    }
    var problems: [Problem] = []
    for slot in slots {
      let field = schema.fields[slot]
      let count = try engine.count(layout.valueCountQuery(of: slot))
      if count > 0, !request.consents.contains("\(schema.name).\(field.name)") {
        problems.append(.loss(of: schema, slot: slot, count: count))
      }
      if layout.linkSlots.contains(slot) {
        try engine.alter("drop table \(layout.link(slot))")
      }
      if layout.sideTableSlots(in: engine.dialect).contains(slot) {
        try engine.alter("drop table \(layout.sideTable(slot))")
      }
      for column in TableLayout.columns(of: slot, in: schema) {
        try engine.dropColumn(column.name, of: layout.table)
      }
      if layout.fileSlots.contains(slot) {
        try engine.alter(
          """
          delete from \(table: "_file") where schema = \(.text(schema.name)) \
          and field = \(.text(field.name))
          """)
      }
    }
    try saveDefinition(rest, on: engine)
    return problems
  }

  /// Returns the records of the stored functions.
  private func functions<Engine: PlanTransaction & ~Copyable>(
    on engine: borrowing Engine
  ) throws(DataError) -> Rows {
    let layout = TableLayout(.function)
    let width = Schema.function.width
    let selectList = SelectList(layout, slots: Array(0..<width), engine.dialect)
    var functions = Rows(width: width)
    try engine.read(
      "select \(selectList.columns) from \(layout.table) order by \(layout.key)", as: selectList,
      fetchSize: nil
    ) { functions = $0 }
    return functions
  }
}
