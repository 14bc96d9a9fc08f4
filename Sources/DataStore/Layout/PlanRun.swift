package import DataModel

/// Executes the stages of a plan within a transaction.
package struct PlanRun {
  let coding: SchemaCoding
  let request: PlanRequest

  package init(_ request: PlanRequest, _ coding: SchemaCoding) {
    self.coding = coding
    self.request = request
  }

  package func carryOut<Engine: PlanTransaction & ~Copyable>(
    on engine: borrowing Engine
  ) throws(DataError) {
    try engine.holdCatalog(at: request.plan.catalogVersion)
    guard !request.plan.isEmpty else { return }
    let before = try engine.catalog(coding).catalog
    let strangers = try engine.strangers(beside: before)
    var problems: [Problem] = []
    for stage in request.plan.stages { problems += try carryOut(stage, on: engine) }
    if let error = DataError(problems) { throw error }
    let after = try engine.catalog(coding).catalog
    try engine.check(strangers, beside: after)
    let functions = try functions(on: engine)
    if let error = DataError(request.review(functions, before, after)) { throw error }
    try engine.addToLog(AppliedPlan(request))
    try engine.change("update \(table: "_meta") set catalog_version = catalog_version + 1")
  }

  /// Executes one stage, and returns the problems it finds.
  private func carryOut<Engine: PlanTransaction & ~Copyable>(
    _ stage: SchemaPlan.Stage, on engine: borrowing Engine
  ) throws(DataError) -> [Problem] {
    switch stage {
    case .create(let schema):
      for statement in engine.making(TableLayout(schema)) { try engine.alter(statement) }
      try describe(schema, on: engine)
      return []
    case .dropFields(let slots, let schema, let rest):
      return try drop(slots, of: schema, leaving: rest, on: engine)
    case .dropSchema(let schema): return try drop(schema, on: engine)
    case .rename(let renamings):
      for renaming in renamings { try engine.hold(exclusively: renaming.before) }
      try RenamingRun(renamings).carryOut(on: engine)
      for renaming in renamings { try forget(renaming.before.name, on: engine) }
      for renaming in renamings { try describe(renaming.after, on: engine) }
      return []
    case .change(let alteration):
      try engine.hold(exclusively: alteration.from)
      let run = AlterationRun(alteration, consents: request.consents, coding)
      let problems = try run.carryOut(on: engine)
      try describe(alteration.to, on: engine)
      return problems
    }
  }

  /// Stores the definition of a schema.
  private func describe<Engine: PlanTransaction & ~Copyable>(
    _ schema: Schema, on engine: borrowing Engine
  ) throws(DataError) {
    let text = String(decoding: coding.encode(schema), as: UTF8.self)
    try engine.alter(
      """
      insert into \(table: "_schema") (name, definition) values (\(.text(schema.name)), \
      \(.text(text))) on conflict (name) do update set definition = excluded.definition
      """)
  }

  private func forget<Engine: PlanTransaction & ~Copyable>(
    _ name: String, on engine: borrowing Engine
  ) throws(DataError) {
    try engine.alter("delete from \(table: "_schema") where name = \(.text(name))")
  }

  private func drop<Engine: PlanTransaction & ~Copyable>(
    _ schema: Schema, on engine: borrowing Engine
  ) throws(DataError) -> [Problem] {
    try engine.hold(exclusively: schema)
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
    try forget(schema.name, on: engine)
    if count == 0 || request.consents.contains(schema.name) { return [] }
    return [.loss(of: schema, slot: nil, count: count)]
  }

  private func drop<Engine: PlanTransaction & ~Copyable>(
    _ slots: [Int], of schema: Schema, leaving rest: Schema, on engine: borrowing Engine
  ) throws(DataError) -> [Problem] {
    try engine.hold(exclusively: schema)
    let layout = TableLayout(schema)
    let kept = Set(TableLayout(rest).indexes(in: engine.dialect).map(\.name))
    for index in layout.indexes(in: engine.dialect) where !kept.contains(index.name) {
      try engine.alter("drop index \(table: index.name)")
    }
    var problems: [Problem] = []
    for slot in slots {
      let field = schema.fields[slot]
      let count = try engine.count(layout.countingValues(of: slot))
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
    try describe(rest, on: engine)
    return problems
  }

  /// The records of all stored functions.
  private func functions<Engine: PlanTransaction & ~Copyable>(
    on engine: borrowing Engine
  ) throws(DataError) -> Rows {
    let layout = TableLayout(.function)
    let width = Schema.function.width
    let selection = Selection(layout, slots: Array(0..<width), engine.dialect)
    var functions = Rows(width: width)
    try engine.read(
      "select \(selection.columns) from \(layout.table) order by \(layout.key)", as: selection,
      atOnce: nil
    ) { functions = $0 }
    return functions
  }
}
