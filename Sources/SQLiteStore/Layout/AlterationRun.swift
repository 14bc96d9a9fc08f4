import CSQLite
import DataModel
import DataStore

/// Makes the records of a schema those of another version of it.
struct AlterationRun {
  private let alteration: Alteration
  private let consents: Set<String>
  private let before: TableLayout
  private let after: TableLayout

  init(_ alteration: Alteration, consents: Set<String>) {
    self.alteration = alteration
    self.consents = consents
    before = TableLayout(alteration.from)
    after = TableLayout(alteration.to)
  }

  /// Changes the tables, or gives what is wrong with the records.
  func carryOut(on connection: borrowing Connection) throws(DataError) -> [Problem] {
    var fitting = Fitting(alteration, consents: consents)
    let values = ConvertedValues(alteration, after)
    try values.make(on: connection)
    try fit(&fitting, values, on: connection)
    if !fitting.problems.isEmpty {
      try values.drop(on: connection)
      return fitting.problems
    }
    try dropIndexes(on: connection)
    try add(on: connection)
    try convert(values, on: connection)
    for slot in alteration.to.fields.indices {
      if let value = alteration.fill(of: slot) {
        try fill(slot, with: value, where: .empty, on: connection)
      }
    }
    try values.drop(on: connection)
    try look(&fitting, on: connection)
    if fitting.problems.isEmpty { try makeIndexes(&fitting, on: connection) }
    return fitting.problems
  }

  /// Passes the records through the fitting, if it needs to see them.
  private func fit(
    _ fitting: inout Fitting, _ values: ConvertedValues, on connection: borrowing Connection
  ) throws(DataError) {
    guard fitting.isNeeded else { return }
    let reader = RowReader(before, slots: fitting.slots)
    let statement = try Statement(
      "select \(reader.selection) from \(before.table) order by \(before.key)", on: connection)
    var rows = Rows(width: alteration.from.width)
    var isOver = false
    while !isOver {
      rows.removeAll()
      while rows.count < 500, !isOver {
        if try statement.step() {
          try reader.read(statement, into: &rows)
        } else {
          isOver = true
        }
      }
      let changes = fitting.take(rows)
      try values.keep(changes, on: connection)
    }
  }

  /// Drops the indexes that are no longer wanted, and all if values change that they would judge.
  private func dropIndexes(on connection: borrowing Connection) throws(DataError) {
    let kept = alteration.keepsIndexes ? Set(after.indexes.map(\.name)) : []
    for index in before.indexes where !kept.contains(index.name) {
      try connection.alter("drop index \(name: index.name)")
    }
  }

  private func makeIndexes(
    _ fitting: inout Fitting, on connection: borrowing Connection
  ) throws(DataError) {
    let kept = alteration.keepsIndexes ? Set(before.indexes.map(\.name)) : []
    for index in after.indexes where !kept.contains(index.name) {
      let code = try Statement(index.making, on: connection).stepThrough()
      if code == csqlite_constraint_unique, let slot = index.uniqueSlot {
        try noteDoubles(slot, &fitting, on: connection)
      } else {
        try connection.check(code)
      }
    }
  }

  private func add(on connection: borrowing Connection) throws(DataError) {
    for slot in alteration.added {
      for statement in after.addingColumns(of: slot) { try connection.alter(statement) }
      if after.linkSlots.contains(slot) {
        for statement in after.makingLink(slot) { try connection.alter(statement) }
      }
      if let value = alteration.to.fields[slot].defaultValue {
        try fill(slot, with: value, where: .any, on: connection)
      }
    }
  }

  private enum Filled {
    case any
    case empty
  }

  private func fill(
    _ slot: Int, with value: Value, where filled: Filled, on connection: borrowing Connection
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
    case .any: try connection.run(update)
    case .empty: try connection.run(update + " where \(name: first.name) is null")
    }
  }

  private func convert(
    _ values: ConvertedValues, on connection: borrowing Connection
  ) throws(DataError) {
    var rebuild = TableRebuild(table: alteration.to.name)
    for slot in alteration.converted {
      guard let origin = alteration.origin(of: slot) else { continue }
      switch (before.linkSlots.contains(origin), after.linkSlots.contains(slot)) {
      case (false, false):
        let column = TableLayout.columns(of: slot, in: alteration.to)[0]
        rebuild.replace(
          column.name, by: after.definition(of: column), holding: values.value(of: slot))
      case (false, true):
        for statement in after.makingLink(slot) { try connection.alter(statement) }
        let field = after.column(slot)
        try connection.run(
          """
          insert into \(after.link(slot)) (source, position, target) \
          select \(after.key), 0, \(field) from \(after.table) where \(field) is not null
          """)
        try connection.dropColumn(
          PhysicalNames.column(alteration.to.fields[slot].name), of: after.table)
      case (true, false):
        for statement in after.addingColumns(of: slot) { try connection.alter(statement) }
        try connection.run(
          """
          update \(after.table) set \(after.column(slot)) = \
          (select target from \(before.link(origin)) where source = \(after.key) \
          order by position limit 1)
          """)
        try connection.alter("drop table \(before.link(origin))")
      case (true, true):
        var links = TableRebuild(
          table: PhysicalNames.link(alteration.to.name, alteration.to.name(of: slot)))
        links.replace("target", by: after.linkTarget(slot), holding: "target")
        try links.carryOut(on: connection)
      }
    }
    if rebuild.isNeeded {
      try rebuild.carryOut(joining: values.join(to: after), on: connection)
    }
  }

  /// Looks for references to nothing, and for users without a password.
  private func look(
    _ fitting: inout Fitting, on connection: borrowing Connection
  ) throws(DataError) {
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
        (select \(name: try connection.keyColumn(of: target)) from \(name: target))
        """, on: connection)
    }
    if let slot = alteration.requiredPassword {
      try note(
        .missing, slot, &fitting,
        """
        select \(after.key) from \(after.table) where \(after.column(slot)) is null
        """, on: connection)
    }
  }

  private func noteDoubles(
    _ slot: Int, _ fitting: inout Fitting, on connection: borrowing Connection
  ) throws(DataError) {
    let field = after.column(slot)
    try note(
      .double, slot, &fitting,
      """
      select \(after.key) from \(after.table) where \(field) in (select \(field) from \
      \(after.table) where \(field) is not null group by \(field) having count(*) > 1)
      """, on: connection)
  }

  private func note(
    _ kind: PlanFaults.Kind, _ slot: Int, _ fitting: inout Fitting, _ ids: SQL,
    on connection: borrowing Connection
  ) throws(DataError) {
    let count = try connection.count("select count(*) from (\(ids))")
    guard count > 0 else { return }
    let statement = try Statement(
      "\(ids) order by 1 limit \(.integer(Int64(PlanFaults.named)))", on: connection)
    var first: [String] = []
    while try statement.step() { first.append(statement.text(0) ?? "") }
    fitting.note(kind, ids: first, count: count, slot: slot)
  }
}

extension Connection {
  /// The column of a table's key.
  fileprivate func keyColumn(of table: String) throws(DataError) -> String {
    let statement = try Statement(
      "select name from pragma_table_info(\(.text(table))) where pk = 1", on: self)
    guard try statement.step(), let name = statement.text(0) else { throw .damaged(store) }
    return name
  }
}
