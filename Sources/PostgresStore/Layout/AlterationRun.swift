import DataModel
import DataStore

/// Makes the records of a schema those of another version of it.
struct AlterationRun {
  private let alteration: Alteration
  private let consents: Set<String>
  private let before: TableLayout
  private let after: TableLayout
  private let connection: Connection
  private let converted: ConvertedValues

  init(_ alteration: Alteration, _ consents: Set<String>, _ connection: Connection) {
    self.alteration = alteration
    self.consents = consents
    self.connection = connection
    before = TableLayout(alteration.from)
    after = TableLayout(alteration.to)
    converted = ConvertedValues(alteration, after, connection)
  }

  /// Changes the tables, or gives what is wrong with the records.
  func carryOut() throws(DataError) -> [Problem] {
    var fitting = Fitting(alteration, consents: consents)
    try converted.make()
    try fit(&fitting)
    guard fitting.problems.isEmpty else {
      try converted.drop()
      return fitting.problems
    }
    let keepsIndexes = alteration.keepsIndexes
    let old = Set(keepsIndexes ? before.indexes(in: connection.words).map(\.name) : [])
    let new = Set(keepsIndexes ? after.indexes(in: connection.words).map(\.name) : [])
    for index in before.indexes(in: connection.words) where !new.contains(index.name) {
      connection.later("drop index \(table: index.name)")
    }
    try add()
    try convert()
    for slot in alteration.to.fields.indices {
      if let value = alteration.fill(of: slot) { fill(slot, with: value, onlyEmpty: true) }
    }
    try converted.drop()
    try look(&fitting)
    guard fitting.problems.isEmpty else { return fitting.problems }
    for slot in after.uniqueSlots where alteration.newlyUnique.contains(slot) {
      try noteDoubles(slot, &fitting)
    }
    guard fitting.problems.isEmpty else { return fitting.problems }
    for index in after.indexes(in: connection.words) where !old.contains(index.name) {
      try connection.run(index.making)
    }
    return fitting.problems
  }

  /// Passes the records through the fitting, if it needs to see them.
  private func fit(_ fitting: inout Fitting) throws(DataError) {
    guard fitting.isNeeded else { return }
    let selection = Selection(before, slots: fitting.slots, connection.dialect)
    let reader = RowReader(selection, store: connection.store)
    connection.later(
      """
      declare _fitting no scroll cursor for select \(selection.columns) from \(before.table) \
      order by \(before.key)
      """)
    var rows = Rows(width: alteration.from.width)
    while case let answer = try connection.run("fetch 500 from _fitting"), answer.count > 0 {
      rows.removeAll()
      for row in 0..<answer.count { try reader.read(row, of: answer, into: &rows) }
      converted.keep(fitting.take(rows))
    }
    connection.later("close _fitting")
  }

  private func add() throws(DataError) {
    for slot in alteration.added {
      for statement in after.addingColumns(of: slot) { try connection.alter(statement) }
      if after.linkSlots.contains(slot) {
        for statement in after.makingLink(slot, in: connection.words) {
          connection.later(statement)
        }
      }
      if let value = alteration.to.fields[slot].defaultValue {
        fill(slot, with: value, onlyEmpty: false)
      }
    }
  }

  private func fill(_ slot: Int, with value: Value, onlyEmpty: Bool) {
    let columns = TableLayout.columns(of: slot, in: alteration.to)
    let assignments = columns.map { column -> SQL in
      let part: Value =
        switch (column.part, value) {
        case (.latitude, .geopoint(let point)): .number(point.latitude)
        case (.longitude, .geopoint(let point)): .number(point.longitude)
        case (.cell, .geopoint(let point)): .integer(point.cell)
        case (.latitude, _), (.longitude, _), (.cell, _), (.whole, _): value
        }
      return "\(name: column.name) = \(part.asStored(in: column.type) ?? part)"
    }
    guard let first = columns.first else { return }
    let update: SQL = "update \(after.table) set \(SQL.list(assignments))"
    connection.later(onlyEmpty ? update + " where \(name: first.name) is null" : update)
  }

  private func convert() throws(DataError) {
    for slot in alteration.converted {
      guard let origin = alteration.origin(of: slot) else { continue }
      switch (before.linkSlots.contains(origin), after.linkSlots.contains(slot)) {
      case (false, false): try converted.replace(slot)
      case (false, true):
        for statement in after.makingLink(slot, in: connection.words) {
          connection.later(statement)
        }
        connection.later(
          """
          insert into \(after.link(slot)) (source, position, target) \
          select \(after.key), 0, \(after.column(slot)) from \(after.table) \
          where \(after.column(slot)) is not null
          """)
        try connection.alter("alter table \(after.table) drop column \(after.column(slot))")
      case (true, false):
        for statement in after.addingColumns(of: slot) { try connection.alter(statement) }
        connection.later(
          """
          update \(after.table) as _record set \(after.column(slot)) = \
          (select target from \(before.link(origin)) where source = _record.\(after.key) \
          order by position limit 1)
          """)
        try connection.alter("drop table \(before.link(origin))")
      // The ids stay; whether they lead to records of the other schema is looked at below.
      case (true, true): continue
      }
    }
  }

  /// Looks for references to nothing, and for users without a password.
  private func look(_ fitting: inout Fitting) throws(DataError) {
    for slot in alteration.newlyReferring {
      guard let target = alteration.to.type(of: slot).relation?.target else { continue }
      let isLink = after.linkSlots.contains(slot)
      let (key, field): (SQL, SQL) =
        isLink ? ("source", "target") : (after.key, after.column(slot))
      try note(
        .dangling, slot, &fitting,
        """
        select distinct \(key) from \(isLink ? after.link(slot) : after.table) \
        where \(field) is not null and \(field) not in \
        (select \(name: try keyColumn(of: target)) from \(table: target))
        """)
    }
    if let slot = alteration.requiredPassword {
      try note(
        .missing, slot, &fitting,
        "select \(after.key) from \(after.table) where \(after.column(slot)) is null")
    }
  }

  private func noteDoubles(_ slot: Int, _ fitting: inout Fitting) throws(DataError) {
    let field = after.column(slot)
    try note(
      .double, slot, &fitting,
      """
      select \(after.key) from \(after.table) where \(field) in (select \(field) from \
      \(after.table) where \(field) is not null group by \(field) having count(*) > 1)
      """)
  }

  private func note(
    _ kind: PlanFaults.Kind, _ slot: Int, _ fitting: inout Fitting, _ ids: SQL
  ) throws(DataError) {
    let count = try connection.count("select count(*) from (\(ids)) as _ids")
    guard count > 0 else { return }
    let answer = try connection.run(
      "\(ids) order by 1 limit \(.integer(Int64(PlanFaults.named)))")
    let first = (0..<answer.count).map { answer.text($0, 0) ?? "" }
    fitting.note(kind, ids: first, count: count, slot: slot)
  }

  /// The column of a table's key.
  private func keyColumn(of table: String) throws(DataError) -> String {
    let answer = try connection.run(
      """
      select a.attname::text from pg_catalog.pg_constraint as c join pg_catalog.pg_class as t \
      on t.oid = c.conrelid join pg_catalog.pg_namespace as n on n.oid = t.relnamespace \
      join pg_catalog.pg_attribute as a on a.attrelid = t.oid and a.attnum = c.conkey[1] \
      where c.contype = 'p' and t.relname = \(.text(table)) \
      and n.nspname = \(.text(connection.namespace))
      """)
    guard answer.count > 0, let name = answer.text(0, 0) else { throw .damaged(connection.store) }
    return name
  }
}
