import DataModel

/// Converts the table and the records of a schema to another version of the schema.
struct AlterationExecutor {
  let alteration: Alteration
  let before: TableLayout
  let after: TableLayout
  private let consents: Set<String>
  private let coding: SchemaCoding

  init(_ alteration: Alteration, consents: Set<String>, _ coding: SchemaCoding) {
    self.alteration = alteration
    self.consents = consents
    self.coding = coding
    before = TableLayout(alteration.from)
    after = TableLayout(alteration.to)
  }

  /// Alters the tables, converts the stored values, and returns the problems found in the records.
  /// If there are any problems, the changes are incomplete, and must be rolled back.
  func execute<Engine: PlanTransaction & ~Copyable>(
    on engine: borrowing Engine
  ) throws(DataError) -> [Problem] {
    var migrator = RowMigrator(alteration, consents: consents)
    let values = ConvertedValues(alteration, after, engine.dialect)
    try values.create(on: engine)
    try migrateRows(&migrator, values, on: engine)
    guard migrator.problems.isEmpty else {
      try values.drop(on: engine)
      return migrator.problems
    }
    try dropIndexes(on: engine)
    try add(on: engine)
    try convert(values, on: engine)
    for slot in alteration.to.fields.indices {
      if let value = alteration.fill(of: slot) {
        try fill(slot, with: value, where: .empty, on: engine)
      }
    }
    try values.drop(on: engine)
    try findViolations(&migrator, on: engine)
    if migrator.problems.isEmpty { try makeIndexes(on: engine) }
    return migrator.problems
  }

  /// Converts and validates the records if the alteration requires this, and stores the converted
  /// values.
  private func migrateRows<Engine: PlanTransaction & ~Copyable>(
    _ migrator: inout RowMigrator, _ values: ConvertedValues, on engine: borrowing Engine
  ) throws(DataError) {
    guard migrator.isNeeded else { return }
    let selectList = SelectList(before, slots: migrator.slots, engine.dialect)
    try engine.read(
      "select \(selectList.columns) from \(before.table) order by \(before.key)", as: selectList,
      fetchSize: 500
    ) { (rows) throws(DataError) in try values.insert(migrator.migrate(rows), on: engine) }
  }

  /// Drops the indexes that the new version of the schema does not have, and the side tables with
  /// which some engines enforce unique fields. If changing the values could temporarily violate a
  /// unique index, drops all indexes. `execute` creates the indexes and side tables of the new
  /// version when all values have been converted and checked.
  private func dropIndexes<Engine: PlanTransaction & ~Copyable>(
    on engine: borrowing Engine
  ) throws(DataError) {
    let needed = alteration.keepsIndexes ? after.indexes(in: engine.dialect) : []
    let kept = Set(needed.map(\.name))
    for index in before.indexes(in: engine.dialect) where !kept.contains(index.name) {
      try engine.alter("drop index \(table: index.name)")
    }
    for slot in before.sideTableSlots(in: engine.dialect) {
      try engine.alter("drop table \(before.sideTable(slot))")
    }
  }

  private func makeIndexes<Engine: PlanTransaction & ~Copyable>(
    on engine: borrowing Engine
  ) throws(DataError) {
    let present = alteration.keepsIndexes ? before.indexes(in: engine.dialect) : []
    let kept = Set(present.map(\.name))
    for index in after.indexes(in: engine.dialect) where !kept.contains(index.name) {
      try engine.alter(index.creationSQL)
    }
    for slot in after.sideTableSlots(in: engine.dialect) {
      for statement in after.sideTableCreationSQL(slot, in: engine.dialect) {
        try engine.alter(statement)
      }
    }
  }

  private func add<Engine: PlanTransaction & ~Copyable>(
    on engine: borrowing Engine
  ) throws(DataError) {
    for slot in alteration.added {
      for statement in engine.addColumnsSQL(of: slot, to: after) { try engine.alter(statement) }
      if after.linkSlots.contains(slot) {
        for statement in engine.linkCreationSQL(slot, of: after) { try engine.alter(statement) }
      }
      if let value = alteration.to.fields[slot].defaultValue {
        try fill(slot, with: value, where: .any, on: engine)
      }
    }
  }

  private enum Filled {
    case any
    case empty
  }

  private func fill<Engine: PlanTransaction & ~Copyable>(
    _ slot: Int, with value: Value, where filled: Filled, on engine: borrowing Engine
  ) throws(DataError) {
    let columns = TableLayout.columns(of: slot, in: alteration.to)
    let assignments = columns.map { column -> SQL in
      let part: Value =
        switch (column.part, value) {
        case (.latitude, .geopoint(let point)): .number(point.latitude)
        case (.longitude, .geopoint(let point)): .number(point.longitude)
        case (.cell, .geopoint(let point)): .integer(point.cell)
        case (.latitude, _), (.longitude, _), (.cell, _), (.whole, _): value
        }
      return "\(name: column.name) = \(part)"
    }
    guard let first = columns.first else { return }
    let update: SQL = "update \(after.table) set \(SQL.list(assignments))"
    switch filled {
    case .any: try engine.alter(update)
    case .empty: try engine.alter(update + " where \(name: first.name) is null")
    }
  }

  private func convert<Engine: PlanTransaction & ~Copyable>(
    _ values: ConvertedValues, on engine: borrowing Engine
  ) throws(DataError) {
    for slot in alteration.converted {
      guard let origin = alteration.origin(of: slot) else { continue }
      let field = after.column(slot)
      switch (before.linkSlots.contains(origin), after.linkSlots.contains(slot)) {
      case (false, false): continue
      case (false, true):
        for statement in engine.linkCreationSQL(slot, of: after) { try engine.alter(statement) }
        try engine.alter(
          """
          insert into \(after.link(slot)) (source, position, target) \
          select \(after.key), 0, \(field) from \(after.table) where \(field) is not null
          """)
        try engine.dropColumn(
          PhysicalNames.column(alteration.to.fields[slot].name), of: after.table)
      case (true, false):
        for statement in engine.addColumnsSQL(of: slot, to: after) { try engine.alter(statement) }
        try engine.alter(
          """
          update \(after.table) as _record set \(field) = \
          (select target from \(before.link(origin)) where source = _record.\(after.key) \
          order by position limit 1)
          """)
        try engine.alter("drop table \(before.link(origin))")
      case (true, true): try engine.retarget(slot, of: after)
      }
    }
    if !values.columns.isEmpty { try engine.replace(values.columns, of: after, by: values) }
  }

  /// Finds duplicate values of unique fields, dangling references, and users without a password.
  /// Adds them to the problems of the migrator.
  private func findViolations<Engine: PlanTransaction & ~Copyable>(
    _ migrator: inout RowMigrator, on engine: borrowing Engine
  ) throws(DataError) {
    for slot in alteration.retargetedRelations {
      guard let relation = alteration.to.type(of: slot).relation else { continue }
      guard let schema = try engine.schema(named: relation.target, coding) else {
        throw .schemaChanged
      }
      let target = TableLayout(schema)
      let isLink = after.linkSlots.contains(slot)
      let (key, field): (SQL, SQL) =
        isLink ? ("source", "target") : (after.key, after.column(slot))
      try addProblem(
        .dangling, slot, &migrator,
        """
        select distinct \(key) from \(isLink ? after.link(slot) : after.table) \
        where \(field) is not null and \(field) not in (select \(target.key) from \(target.table))
        """, on: engine)
    }
    if let slot = alteration.newlyRequiredPassword {
      try addProblem(
        .missing, slot, &migrator,
        "select \(after.key) from \(after.table) where \(after.column(slot)) is null", on: engine)
    }
    if let slot = alteration.newTreeOwner { try findChains(slot, &migrator, on: engine) }
    for slot in alteration.newlyUnique {
      let field = after.column(slot)
      try addProblem(
        .duplicate, slot, &migrator,
        """
        select \(after.key) from \(after.table) where \(field) in (select \(field) from \
        \(after.table) where \(field) is not null group by \(field) having count(*) > 1)
        """, on: engine)
    }
  }

  /// Finds the records whose chain of owners is a circle or too long.
  private func findChains<Engine: PlanTransaction & ~Copyable>(
    _ slot: Int, _ migrator: inout RowMigrator, on engine: borrowing Engine
  ) throws(DataError) {
    let field = after.column(slot)
    var owners: [String: String] = [:]
    try engine.forEachRow(
      "select \(after.key), \(field) from \(after.table) where \(field) is not null", [.id, .id]
    ) { values in
      if case .text(let id) = values[0], case .text(let owner) = values[1] { owners[id] = owner }
    }
    let found = owners.keys.filter { id in
      var (next, count) = (owners[id], 1)
      while let owner = next, count < Schema.maxOwners {
        (next, count) = (owners[owner], count + 1)
      }
      return next != nil
    }.sorted()
    migrator.addProblem(
      .chain, ids: Array(found.prefix(PlanProblems.maxListedIDs)), count: found.count, slot: slot)
  }

  private func addProblem<Engine: PlanTransaction & ~Copyable>(
    _ kind: PlanProblems.Kind, _ slot: Int, _ migrator: inout RowMigrator, _ ids: SQL,
    on engine: borrowing Engine
  ) throws(DataError) {
    let count = try engine.count("select count(*) from (\(ids)) as _ids")
    guard count > 0 else { return }
    var first: [String] = []
    try engine.forEachRow(
      "\(ids) order by 1 limit \(.integer(Int64(PlanProblems.maxListedIDs)))", [.id]
    ) {
      if case .text(let id) = $0[0] { first.append(id) }
    }
    migrator.addProblem(kind, ids: first, count: count, slot: slot)
  }
}

/// A temporary table that holds converted values until they replace the old ones.
package struct ConvertedValues {
  private static let name = "_converted"

  /// The columns of the new version that receive converted values.
  let columns: [TableLayout.Column]
  private let key: TableLayout.Column
  /// The name of the temporary table. Its columns are `_id`, for the record's id, and the converted
  /// columns of the new version.
  package let table: SQL

  init(_ alteration: Alteration, _ after: TableLayout, _ dialect: any Dialect) {
    let from = alteration.from
    let slots = alteration.converted.filter { slot in
      // A to-many relation is stored in a link table. References that are moved to a link table or
      // from one are copied in SQL, so they need no converted values.
      let origin = alteration.origin(of: slot).map { from.fields[$0].type.relation?.isMany }
      return origin != true && !after.linkSlots.contains(slot)
    }
    columns = slots.flatMap { TableLayout.columns(of: $0, in: alteration.to) }
    key = TableLayout.columns(of: alteration.to.keySlot, in: alteration.to)[0]
    table = dialect.temporary(Self.name)
  }

  func create<Engine: PlanTransaction & ~Copyable>(
    on engine: borrowing Engine
  ) throws(DataError) {
    guard !columns.isEmpty else { return }
    let dialect = engine.dialect
    let definitions = columns.map { column -> SQL in
      "\(name: column.name) \(dialect.columnType(column.type))"
    }
    let creationSQL = dialect.creationSQL(
      temporary: Self.name,
      "_id \(dialect.columnType(.id)) not null primary key, \(SQL.list(definitions))")
    for statement in creationSQL { try engine.alter(statement) }
  }

  func drop<Engine: PlanTransaction & ~Copyable>(
    on engine: borrowing Engine
  ) throws(DataError) {
    if !columns.isEmpty { try engine.alter("drop table \(table)") }
  }

  func insert<Engine: PlanTransaction & ~Copyable>(
    _ changes: RowChanges, on engine: borrowing Engine
  ) throws(DataError) {
    guard !columns.isEmpty, changes.count > 0 else { return }
    let names = SQL.list(columns.map { column -> SQL in "\(name: column.name)" })
    try engine.insert(changes.rows, [key] + columns, into: "\(table) (_id, \(names))")
  }
}
