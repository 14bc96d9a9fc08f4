import DataModel
import DataStore

/// Writes the rows that passed the checks.
extension SaveWriter {
  /// Tests whether a row that may be too wide fits, by writing it inside a savepoint that is rolled
  /// back.
  mutating func checkWidth(
    _ resolvedRow: ResolvedRow, of chunk: RowChanges, over old: Rows
  ) throws(DataError) -> [Problem] {
    if width.fits(resolvedRow.row, of: chunk.rows) { return [] }
    connection.enqueue("savepoint one_record")
    let discarded = connection.discardedRows
    do throws(DataError) {
      if resolvedRow.old == nil {
        try writer.insert([resolvedRow.row], of: chunk.rows)
      } else {
        try writer.update(changes([resolvedRow], of: chunk, over: old), of: chunk.rows)
      }
      try connection.drain()
    } catch {
      // A unique violation does not matter here: another row may release the value before this one
      // is written.
      guard [.tooWide, .collision, .rejectedByForeignObject].contains(connection.failure) else {
        throw error
      }
    }
    let isTooWide = connection.failure == .tooWide
    connection.discardedRows = discarded
    connection.failure = nil
    connection.enqueue("rollback to savepoint one_record")
    connection.enqueue("release savepoint one_record")
    guard isTooWide else { return [] }
    let schema = chunk.schema
    return [
      .tooWide(
        schema.fields.indices.count { chunk.rows[resolvedRow.row, $0].hasValue }, of: schema,
        id: chunk.rows.text(chunk.rows[resolvedRow.row, schema.keySlot]),
        line: chunk.lines[resolvedRow.row])
    ]
  }

  private func changes(
    _ resolvedRows: [ResolvedRow], of chunk: RowChanges, over old: Rows
  ) -> [RowWriter.Change] {
    let revision = chunk.schema.slot(.revision)
    return resolvedRows.compactMap { resolvedRow in
      resolvedRow.old.map { index in
        RowWriter.Change(
          row: resolvedRow.row, slots: resolvedRow.slots, revision: old[index, revision].integer)
      }
    }
  }

  mutating func write(
    _ resolvedRows: [ResolvedRow], of chunk: RowChanges, over old: Rows
  ) throws(DataError) {
    let changes = changes(resolvedRows, of: chunk, over: old)
    if uniques.movesValues, connection.dialect.uniqueness == .index {
      // A value moves from one row to another, so the rows are updated one by one, in order.
      for change in changes { try writer.update([change], of: chunk.rows) }
    } else {
      try writer.update(changes, of: chunk.rows)
    }
    try writer.insert(resolvedRows.filter { $0.old == nil }.map(\.row), of: chunk.rows)
    try uniqueTables.write(
      resolvedRows.map { (row: $0.row, slots: $0.slots, old: $0.old) }, of: chunk.rows, over: old)
    for link in links {
      let changed = resolvedRows.filter { $0.slots.contains(link.slot) }
      try link.write(
        changed.map(\.row), of: chunk,
        replacing: changed.filter { $0.old != nil }.map(\.row))
    }
    endSessions(resolvedRows, of: chunk)
  }

  /// Ends the sessions of users whose passwords have changed.
  private func endSessions(_ resolvedRows: [ResolvedRow], of chunk: RowChanges) {
    guard let slot = chunk.schema.passwordSlot else { return }
    let users = resolvedRows.filter { $0.old != nil && $0.slots.contains(slot) }.map {
      resolvedRow in
      Value.text(chunk.rows.text(chunk.rows[resolvedRow.row, chunk.schema.keySlot]))
    }
    guard !users.isEmpty else { return }
    connection.enqueue(
      "delete from \(table: "_session") where \(name: "user") = any(\(values: users, of: .id))")
  }
}
