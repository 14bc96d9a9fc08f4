import DataModel
import DataStore

/// Writes the rows that passed the checks.
extension SaveRun {
  /// Tests whether a row that may be too wide fits, by writing it inside a savepoint that is rolled
  /// back.
  mutating func checkWidth(
    _ one: Settled, of batch: Changes, over old: Rows
  ) throws(DataError) -> [Problem] {
    if width.fits(one.row, of: batch.rows) { return [] }
    connection.later("savepoint one_record")
    let swallowed = connection.swallowedRows
    do throws(DataError) {
      if one.old == nil {
        try writer.insert([one.row], of: batch.rows)
      } else {
        try writer.update(changes([one], of: batch, over: old), of: batch.rows)
      }
      try connection.catchUp()
    } catch {
      // A unique violation does not matter here: another row may release the value before this one
      // is written.
      guard [.tooWide, .collision, .refused].contains(connection.failure) else { throw error }
    }
    let isTooWide = connection.failure == .tooWide
    connection.swallowedRows = swallowed
    connection.failure = nil
    connection.later("rollback to savepoint one_record")
    connection.later("release savepoint one_record")
    guard isTooWide else { return [] }
    let schema = batch.schema
    return [
      .tooWide(
        schema.fields.indices.count { batch.rows[one.row, $0].hasValue }, of: schema,
        id: batch.rows.text(batch.rows[one.row, schema.keySlot]), line: batch.lines[one.row])
    ]
  }

  private func changes(
    _ settled: [Settled], of batch: Changes, over old: Rows
  ) -> [RowWriter.Change] {
    let revision = batch.schema.slot(.revision)
    return settled.compactMap { one in
      one.old.map { place in
        RowWriter.Change(
          row: one.row, slots: one.slots, revision: old[place, revision].integer)
      }
    }
  }

  mutating func write(
    _ settled: [Settled], of batch: Changes, over old: Rows
  ) throws(DataError) {
    let changes = changes(settled, of: batch, over: old)
    if uniques.passesOn, connection.dialect.uniqueness == .index {
      // A value moves from one row to another, so the rows are updated one by one, in order.
      for change in changes { try writer.update([change], of: batch.rows) }
    } else {
      try writer.update(changes, of: batch.rows)
    }
    try writer.insert(settled.filter { $0.old == nil }.map(\.row), of: batch.rows)
    try holders.write(
      settled.map { (row: $0.row, slots: $0.slots, old: $0.old) }, of: batch.rows, over: old)
    for link in links {
      let changed = settled.filter { $0.slots.contains(link.slot) }
      try link.write(
        changed.map(\.row), of: batch,
        replacing: changed.filter { $0.old != nil }.map(\.row))
    }
    endSessions(settled, of: batch)
  }

  /// Ends the sessions of users whose passwords have changed.
  private func endSessions(_ settled: [Settled], of batch: Changes) {
    guard let slot = batch.schema.passwordSlot else { return }
    let users = settled.filter { $0.old != nil && $0.slots.contains(slot) }.map { one in
      Value.text(batch.rows.text(batch.rows[one.row, batch.schema.keySlot]))
    }
    guard !users.isEmpty else { return }
    connection.later(
      "delete from \(table: "_session") where \(name: "user") = any(\(values: users, of: .id))")
  }
}
