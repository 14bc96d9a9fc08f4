import DataModel
import DataStore

/// Carries out the stages of a plan, inside a transaction.
struct PlanRun {
  let coding: SchemaCoding
  let request: PlanRequest
  let connection: Connection

  /// Makes the store if it is not there, and leads it to the schemas of the plan.
  func carryOut() throws(DataError) {
    switch connection.engine {
    // Changes of tables have to follow each other on every server, too.
    case .citus:
      connection.later("select set_config('citus.multi_shard_modify_mode', 'sequential', true)")
    case .postgres, .cockroach, .yugabyte: break
    }
    if try !connection.isStore() {
      connection.later("create schema if not exists \(name: connection.namespace)")
      for statement in OwnTables.making(in: connection.words) { connection.later(statement) }
    }
    let version = try connection.integer(
      "select catalog_version from \(table: "_meta") for update")
    guard version == request.plan.catalogVersion else { throw .schemaChanged }
    guard !request.plan.isEmpty else { return }
    let before = try connection.catalog(coding).catalog
    var problems: [Problem] = []
    for stage in request.plan.stages { problems += try carryOut(stage) }
    if let error = DataError(problems) { throw error }
    let after = try connection.catalog(coding).catalog
    let functions = try functions()
    if let error = DataError(request.review(functions, before, after)) { throw error }
    connection.addToLog(AppliedPlan(request))
    try connection.run("update \(table: "_meta") set catalog_version = catalog_version + 1")
  }

  /// Carries out a stage, and gives what is wrong with it.
  private func carryOut(_ stage: SchemaPlan.Stage) throws(DataError) -> [Problem] {
    switch stage {
    case .create(let schema):
      for statement in TableLayout(schema).making(in: connection.words) {
        connection.later(statement)
      }
      describe(schema)
      return []
    case .dropFields(let slots, let schema, let rest):
      return try drop(slots, of: schema, leaving: rest)
    case .dropSchema(let schema): return try drop(schema)
    case .rename(let renamings):
      for renaming in renamings { try connection.hold(exclusively: renaming.before) }
      try RenamingRun(renamings, connection).carryOut()
      for renaming in renamings { forget(renaming.before.name) }
      for renaming in renamings { describe(renaming.after) }
      return []
    case .change(let alteration):
      try connection.hold(exclusively: alteration.from)
      let problems = try AlterationRun(alteration, request.consents, connection).carryOut()
      describe(alteration.to)
      return problems
    }
  }

  /// Keeps what is written of a schema.
  private func describe(_ schema: Schema) {
    let text = String(decoding: coding.encode(schema), as: UTF8.self)
    connection.later(
      """
      insert into \(table: "_schema") (name, definition) values (\(.text(schema.name)), \
      \(.text(text))) on conflict (name) do update set definition = excluded.definition
      """)
  }

  private func forget(_ name: String) {
    connection.later("delete from \(table: "_schema") where name = \(.text(name))")
  }

  private func drop(_ schema: Schema) throws(DataError) -> [Problem] {
    try connection.hold(exclusively: schema)
    let layout = TableLayout(schema)
    let count = try connection.count("select count(*) from \(layout.table)")
    for slot in layout.linkSlots { try connection.alter("drop table \(layout.link(slot))") }
    try connection.alter("drop table \(layout.table)")
    connection.later("delete from \(table: "_file") where schema = \(.text(schema.name))")
    switch schema.kind {
    case .user: connection.later("delete from \(table: "_session")")
    case .records: break
    }
    forget(schema.name)
    if count == 0 || request.consents.contains(schema.name) { return [] }
    return [.loss(of: schema, slot: nil, count: count)]
  }

  private func drop(
    _ slots: [Int], of schema: Schema, leaving rest: Schema
  ) throws(DataError) -> [Problem] {
    try connection.hold(exclusively: schema)
    let layout = TableLayout(schema)
    let kept = Set(TableLayout(rest).indexes(in: connection.words).map(\.name))
    for index in layout.indexes(in: connection.words) where !kept.contains(index.name) {
      connection.later("drop index \(table: index.name)")
    }
    var problems: [Problem] = []
    for slot in slots {
      let field = schema.fields[slot]
      let count = try connection.count(layout.countingValues(of: slot))
      if count > 0, !request.consents.contains("\(schema.name).\(field.name)") {
        problems.append(.loss(of: schema, slot: slot, count: count))
      }
      if layout.linkSlots.contains(slot) {
        try connection.alter("drop table \(layout.link(slot))")
      }
      for column in TableLayout.columns(of: slot, in: schema) {
        try connection.alter("alter table \(layout.table) drop column \(name: column.name)")
      }
      if layout.fileSlots.contains(slot) {
        connection.later(
          """
          delete from \(table: "_file") where schema = \(.text(schema.name)) \
          and field = \(.text(field.name))
          """)
      }
    }
    describe(rest)
    return problems
  }

  /// The records of all stored functions.
  private func functions() throws(DataError) -> Rows {
    let layout = TableLayout(.function)
    let selection = Selection(
      layout, slots: Array(0..<Schema.function.width), connection.dialect)
    let reader = RowReader(selection, store: connection.store)
    var rows = Rows(width: Schema.function.width)
    let answer = try connection.run(
      "select \(selection.columns) from \(layout.table) order by \(layout.key)")
    for row in 0..<answer.count { try reader.read(row, of: answer, into: &rows) }
    return rows
  }
}

extension Connection {
  /// Waits for those who save records of a schema, and lets no other begin.
  fileprivate func hold(exclusively schema: Schema) throws(DataError) {
    switch engine {
    case .postgres: try run("lock table \(TableLayout(schema).table) in access exclusive mode")
    case .citus, .cockroach, .yugabyte:
      try run("select 1 from \(table: "_schema") where name = \(.text(schema.name)) for update")
    }
  }

  /// Changes tables; what others have added to the store may be in the way.
  func alter(_ sql: SQL) throws(DataError) {
    do throws(DataError) {
      try run(sql)
    } catch {
      guard failure == .needed else { throw error }
      throw DataError(
        .referenced, "\(error.problems[0].message)",
        hint: "change what needs it first, with psql")
    }
  }
}
