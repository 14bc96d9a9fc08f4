import DataModel
import DataStore

/// What becomes of the records that stay and refer to records that go.
extension Deletion {
  /// The rows that stay and refer by a field to what goes, one a reference.
  private func survivors(_ reference: Reference) -> SQL {
    """
    from temp._doomed as gone cross join \(reference.table) as record \
    on \(reference.referredID) = gone.id where gone.schema = \(.integer(reference.target)) \
    and not exists (select 1 from temp._doomed as too where too.schema = \
    \(.integer(reference.source)) and too.id = \(reference.referringID))
    """
  }

  /// Refuses the deletion if a record that stays denies it, or could not be without the reference.
  func checkDenials(on connection: borrowing Connection) throws(DataError) {
    var error: DataError?
    for (place, layout) in layouts.enumerated() {
      let denying = references.filter { $0.source == Int64(place) && $0.denies }
      guard !denying.isEmpty else { continue }
      let parts = denying.map { reference -> SQL in
        """
        select \(reference.referringID), \(.integer(Int64(reference.slot))), gone.id, gone.schema \
        \(survivors(reference))
        """
      }
      let statement = try Statement(
        SQL.list(parts, separator: " union all ") + " order by 1, 2", on: connection)
      while try statement.step() {
        error.add(
          .referenced(
            id: statement.text(2) ?? "", of: layouts[Int(statement.integer(3))].schema,
            by: statement.text(0) ?? "", of: layout.schema, slot: Int(statement.integer(1))))
      }
    }
    if let error { throw error }
  }

  /// Takes the references away from the records that stay, and counts those records.
  func nullify(on connection: borrowing Connection) throws(DataError) -> Int {
    let nullified = references.filter { $0.relation.onDelete == .nullify }
    for reference in nullified {
      try connection.run(
        """
        insert or ignore into temp._touched select \(.integer(reference.source)), \
        \(reference.referringID) \(survivors(reference))
        """)
    }
    let count = try Int(connection.integer("select count(*) from temp._touched") ?? 0)
    guard count > 0 else { return 0 }
    for reference in nullified { try clear(reference, on: connection) }
    for place in Set(nullified.map(\.source)) {
      let layout = layouts[Int(place)]
      try connection.run(
        """
        update \(layout.table) set revision = revision + 1, \
        modified_at = max(modified_at, \(.datetime(request.stamp.time))), \
        modified_by = \(request.stamp.user.map(Value.text) ?? .null) \
        where \(layout.key) in \(touched(place))
        """)
    }
    return count
  }

  private func clear(
    _ reference: Reference, on connection: borrowing Connection
  ) throws(DataError) {
    let gone: SQL = "(select id from temp._doomed where schema = \(.integer(reference.target)))"
    if reference.relation.isMany {
      try connection.run(
        "delete from \(reference.table) where target in \(gone)")
    } else {
      let column: SQL = "\(name: reference.layout.schema.name(of: reference.slot))"
      try connection.run(
        """
        update \(reference.table) set \(column) = null \
        where \(reference.layout.key) in \(touched(reference.source)) and \(column) in \(gone)
        """)
    }
  }

  private func touched(_ place: Int64) -> SQL {
    "(select id from temp._touched where schema = \(.integer(place)))"
  }

  /// Removes the marked records of a schema, with all that belongs to them.
  func remove(
    _ layout: TableLayout, _ place: Int64, on connection: borrowing Connection
  ) throws(DataError) {
    let gone: SQL = "(select id from temp._doomed where schema = \(.integer(place)))"
    for slot in layout.linkSlots {
      try connection.run("delete from \(layout.link(slot)) where source in \(gone)")
    }
    if !layout.fileSlots.isEmpty {
      try connection.run(
        "delete from _file where schema = \(.text(layout.schema.name)) and record in \(gone)")
    }
    switch layout.schema.kind {
    case .user: try connection.run("delete from _session where user in \(gone)")
    case .records: break
    }
    try connection.run("delete from \(layout.table) where \(layout.key) in \(gone)")
  }
}

extension Deletion.Reference {
  /// Whether a record that stays is in the way of one that goes.
  fileprivate var denies: Bool {
    switch relation.onDelete {
    case .deny: true
    case .nullify, .cascade: layout.schema.slots[slot].isRequired && !relation.isMany
    }
  }
}
