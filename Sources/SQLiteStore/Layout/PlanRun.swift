import CSQLite
import DataModel
import DataStore

/// Carries out the stages of a plan, inside a transaction.
struct PlanRun {
  let coding: SchemaCoding
  let request: PlanRequest

  func carryOut(on connection: borrowing Connection) throws(DataError) {
    try connection.checkCatalog(version: request.plan.catalogVersion)
    guard !request.plan.isEmpty else { return }
    let before = try connection.catalog(coding).catalog
    let references = try StrangersReferences(beside: before, on: connection)
    let statements = try StrangersStatements(beside: before, on: connection)
    var problems: [Problem] = []
    for stage in request.plan.stages { problems += try carryOut(stage, on: connection) }
    if let error = DataError(problems) { throw error }
    let after = try connection.catalog(coding).catalog
    try references.check(beside: after, on: connection)
    try statements.check(on: connection)
    let functions = try connection.functions()
    if let error = DataError(request.review(functions, before, after)) { throw error }
    try connection.run("update _meta set catalog_version = catalog_version + 1")
    try connection.addToLog(AppliedPlan(request))
  }

  /// Carries out a stage, and gives what is wrong with it.
  private func carryOut(
    _ stage: SchemaPlan.Stage, on connection: borrowing Connection
  ) throws(DataError) -> [Problem] {
    switch stage {
    case .create(let schema):
      try create(schema, on: connection)
      return []
    case .dropFields(let slots, let schema, let rest):
      return try drop(slots, of: schema, leaving: rest, on: connection)
    case .dropSchema(let schema): return try drop(schema, on: connection)
    case .rename(let renamings):
      try RenamingRun(renamings).carryOut(on: connection)
      for renaming in renamings { try forget(renaming.before.name, on: connection) }
      for renaming in renamings { try describe(renaming.after, on: connection) }
      return []
    case .change(let alteration):
      let run = AlterationRun(alteration, consents: request.consents)
      let problems = try run.carryOut(on: connection)
      try describe(alteration.to, on: connection)
      return problems
    }
  }

  private func create(_ schema: Schema, on connection: borrowing Connection) throws(DataError) {
    for statement in TableLayout(schema).making() { try connection.alter(statement) }
    try describe(schema, on: connection)
  }

  /// Keeps what is written of a schema.
  private func describe(_ schema: Schema, on connection: borrowing Connection) throws(DataError) {
    let text = String(decoding: coding.encode(schema), as: UTF8.self)
    try connection.run(
      """
      insert into _schema (name, definition) values (\(.text(schema.name)), \(.text(text))) \
      on conflict (name) do update set definition = excluded.definition
      """)
  }

  private func forget(_ name: String, on connection: borrowing Connection) throws(DataError) {
    try connection.run("delete from _schema where name = \(.text(name))")
  }

  private func drop(
    _ schema: Schema, on connection: borrowing Connection
  ) throws(DataError) -> [Problem] {
    let layout = TableLayout(schema)
    let count = try connection.count("select count(*) from \(layout.table)")
    for slot in layout.linkSlots { try connection.alter("drop table \(layout.link(slot))") }
    try connection.alter("drop table \(layout.table)")
    try connection.run("delete from _file where schema = \(.text(schema.name))")
    switch schema.kind {
    case .user: try connection.run("delete from _session")
    case .records: break
    }
    try forget(schema.name, on: connection)
    if count == 0 || request.consents.contains(schema.name) { return [] }
    return [.loss(of: schema, slot: nil, count: count)]
  }

  private func drop(
    _ slots: [Int], of schema: Schema, leaving rest: Schema, on connection: borrowing Connection
  ) throws(DataError) -> [Problem] {
    let layout = TableLayout(schema)
    let kept = Set(TableLayout(rest).indexes.map(\.name))
    for index in layout.indexes where !kept.contains(index.name) {
      try connection.alter("drop index \(name: index.name)")
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
        try connection.dropColumn(column.name, of: layout.table)
      }
      if layout.fileSlots.contains(slot) {
        try connection.run(
          """
          delete from _file where schema = \(.text(schema.name)) and field = \(.text(field.name))
          """)
      }
    }
    try describe(rest, on: connection)
    return problems
  }
}

extension Connection {
  /// The number that a statement counts.
  func count(_ sql: SQL) throws(DataError) -> Int { Int(try integer(sql) ?? 0) }

  /// Changes tables; what others have added to the store may be in the way.
  func alter(_ sql: SQL) throws(DataError) {
    do throws(DataError) {
      try run(sql)
    } catch {
      throw inTheWay(of: error)
    }
  }

  /// Drops a column, unless a view or a trigger of somebody else needs it.
  ///
  /// To SQLite a name in double quotes that is no column's is a text, so that a view would silently
  /// say something else; a view may have such texts already, and then does not matter here.
  func dropColumn(_ column: String, of table: SQL) throws(DataError) {
    let dropping: SQL = "alter table \(table) drop column \(name: column)"
    try takesQuotesForTexts(false)
    defer { try? takesQuotesForTexts(true) }
    do throws(DataError) {
      try alter(dropping)
    } catch {
      let isMissed = error.problems[0].message.hasSuffix("no such column: \(column)")
      guard error.code == .referenced, !isMissed else { throw error }
      try takesQuotesForTexts(true)
      try alter(dropping)
    }
  }

  private func takesQuotesForTexts(_ isOn: Bool) throws(DataError) {
    for option in [SQLITE_DBCONFIG_DQS_DDL, SQLITE_DBCONFIG_DQS_DML] {
      try check(unsafe csqlite_configure(handle, option, isOn ? 1 : 0))
    }
  }

  /// What SQLite says when a view, a trigger or a table of somebody else is in the way of a change.
  func inTheWay(of error: DataError) -> DataError {
    guard error.code == .schemaChanged else { return error }
    return inTheWay(unsafe String(cString: sqlite3_errmsg(handle)))
  }

  /// The refusal of a change that something of somebody else is in the way of.
  func inTheWay(_ message: String) -> DataError {
    DataError(
      .referenced, "\(store): something that datactl did not make is in the way: \(message)",
      hint: "change it first, with sqlite3 \(store)")
  }

  /// The records of all stored functions.
  fileprivate func functions() throws(DataError) -> Rows {
    let layout = TableLayout(.function)
    let reader = RowReader(layout, slots: Array(0..<Schema.function.width))
    var rows = Rows(width: Schema.function.width)
    let statement = try Statement(
      "select \(reader.selection) from \(layout.table) order by \(layout.key)", on: self)
    while try statement.step() { try reader.read(statement, into: &rows) }
    return rows
  }

  /// Switches SQLite's own check of references, outside a transaction.
  func enforcesReferences(_ isOn: Bool) throws(DataError) {
    try check(unsafe csqlite_configure(handle, SQLITE_DBCONFIG_ENABLE_FKEY, isOn ? 1 : 0))
  }

  /// Lets SQLite look into views, which it has to when names change.
  func looksIntoViews(_ isOn: Bool) throws(DataError) {
    try check(unsafe csqlite_configure(handle, SQLITE_DBCONFIG_ENABLE_VIEW, isOn ? 1 : 0))
  }
}
