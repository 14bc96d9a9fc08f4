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
    for reference in references {
      guard let reason = denial(by: reference) else { continue }
      let statement = try Statement(
        "select \(reference.referringID), gone.id \(survivors(reference))", on: connection)
      while try statement.step() {
        let target = Excerpt.quoted(statement.text(1) ?? "")
        error.add(
          Problem(
            .referenced, "refers to \(reference.relation.target) \(target), \(reason)",
            hint: "change or delete it first", schema: reference.layout.schema.name,
            id: statement.text(0), field: reference.layout.schema.name(of: reference.slot)))
      }
    }
    if let error { throw error }
  }

  private func denial(by reference: Reference) -> String? {
    switch reference.relation.onDelete {
    case .cascade: return nil
    case .deny: return "and denies its deletion"
    case .nullify:
      let isRequired = reference.layout.schema.slots[reference.slot].isRequired
      return isRequired && !reference.relation.isMany ? "and must refer to one" : nil
    }
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
        """
        delete from \(reference.table) where source in \(touched(reference.source)) \
        and target in \(gone)
        """)
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
