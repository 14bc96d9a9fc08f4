import DataModel

/// Checks and clears the references from remaining records to deleted ones.
extension Deletion {
  /// The `from` and `where` clauses that select, for one relation field, each reference from a
  /// remaining record to a record marked for deletion.
  private func survivors(_ reference: Reference, _ names: Names) -> SQL {
    """
    from \(names.fetchedDoomed) as gone cross join \(reference.table) as record \
    where \(reference.referredID) = gone.id and gone.schema = \(.integer(reference.target)) \
    and not exists (select 1 from \(names.doomed) as too where too.schema = \
    \(.integer(reference.source)) and too.id = \(reference.referringID))
    """
  }

  /// Throws an error if a remaining record denies the deletion, or has a required reference to a
  /// record marked for deletion.
  func checkDenials<Engine: SQLTransaction & ~Copyable>(
    _ names: Names, on engine: borrowing Engine
  ) throws(DataError) {
    var error: DataError?
    for (place, layout) in layouts.enumerated() {
      let denying = references.filter { $0.source == Int64(place) && $0.denies }
      guard !denying.isEmpty else { continue }
      let parts = denying.map { reference -> SQL in
        """
        select \(reference.referringID), \(.integer(Int64(reference.slot))), gone.id, gone.schema \
        \(survivors(reference, names))
        """
      }
      try engine.each(
        SQL.list(parts, separator: " union all ") + " order by 1, 2",
        [.id, .integer, .id, .integer]
      ) { values in
        guard case .text(let referrer) = values[0], case .integer(let slot) = values[1],
          case .text(let id) = values[2], case .integer(let schema) = values[3]
        else { return }
        error.add(
          .referenced(
            id: id, of: layouts[Int(schema)].schema, by: referrer, of: layout.schema,
            slot: Int(slot)))
      }
    }
    if let error { throw error }
  }

  /// Clears the references of remaining records to the marked ones, and returns the number of
  /// records that changed.
  func nullify<Engine: SQLTransaction & ~Copyable>(
    _ names: Names, on engine: borrowing Engine
  ) throws(DataError) -> Int {
    let nullified = references.filter { $0.relation.onDelete == .nullify }
    if nullified.isEmpty { return 0 }
    try makeTable("_touched", on: engine)
    for reference in nullified {
      try engine.change(
        """
        insert into \(names.touched) (schema, id) select \(.integer(reference.source)), \
        \(reference.referringID) \(survivors(reference, names)) on conflict do nothing
        """)
    }
    let count = try engine.count("select count(*) from \(names.touched)")
    guard count > 0 else { return 0 }
    for reference in nullified { try clear(reference, names, on: engine) }
    for place in Set(nullified.map(\.source)) {
      let layout = layouts[Int(place)]
      let time: SQL = "\(.datetime(request.stamp.time))"
      try engine.change(
        """
        update \(layout.table) set revision = revision + 1, \
        modified_at = \(names.dialect.greater("modified_at", time)), \
        modified_by = \(request.stamp.user.map(Value.text) ?? .null) \
        where \(layout.key) in \(touched(place, names))
        """)
    }
    return count
  }

  private func clear<Engine: SQLTransaction & ~Copyable>(
    _ reference: Reference, _ names: Names, on engine: borrowing Engine
  ) throws(DataError) {
    let gone: SQL = """
      (select gone.id from \(names.fetchedDoomed) as gone \
      where gone.schema = \(.integer(reference.target)))
      """
    if reference.relation.isMany {
      try engine.change("delete from \(reference.table) where target in \(gone)")
    } else {
      let column = reference.layout.column(reference.slot)
      if reference.layout.sideTableSlots(in: names.dialect).contains(reference.slot) {
        try engine.change(
          "delete from \(reference.layout.sideTable(reference.slot)) where value in \(gone)")
      }
      try engine.change(
        """
        update \(reference.table) set \(column) = null \
        where \(reference.layout.key) in \(touched(reference.source, names)) and \(column) in \(gone)
        """)
    }
  }

  private func touched(_ place: Int64, _ names: Names) -> SQL {
    "(select id from \(names.touched) where schema = \(.integer(place)))"
  }

  /// Whether records of the schema have rows in other tables that are deleted with them.
  func hasBelongings(_ layout: TableLayout, _ names: Names) -> Bool {
    switch layout.schema.kind {
    case .user: true
    case .records:
      !layout.linkSlots.isEmpty || !layout.fileSlots.isEmpty
        || !layout.sideTableSlots(in: names.dialect).isEmpty
    }
  }

  /// Deletes the records of a schema whose ids satisfy a predicate, with their rows in other
  /// tables, and returns their number.
  ///
  /// If fewer records are deleted than expected, the function checks that none remains, because a
  /// trigger or a rule of another tool can skip a deletion.
  @discardableResult
  func remove<Engine: SQLTransaction & ~Copyable>(
    _ layout: TableLayout, expecting there: Int = 0, on engine: borrowing Engine,
    where test: (SQL) -> SQL
  ) throws(DataError) -> Int {
    for slot in layout.linkSlots {
      try engine.change("delete from \(layout.link(slot)) where \(test("source"))")
    }
    if !layout.fileSlots.isEmpty {
      try engine.change(
        """
        delete from \(table: "_file") where schema = \(.text(layout.schema.name)) \
        and \(test("record"))
        """)
    }
    switch layout.schema.kind {
    case .user:
      try engine.change("delete from \(table: "_session") where \(test("\(name: "user")"))")
    case .records: break
    }
    for slot in layout.sideTableSlots(in: engine.dialect) {
      try engine.change(
        """
        delete from \(layout.sideTable(slot)) where value in (select \(layout.column(slot)) \
        from \(layout.table) where \(test(layout.key)))
        """)
    }
    let count = try engine.change("delete from \(layout.table) where \(test(layout.key))")
    if count < there {
      let left = try engine.count("select count(*) from \(layout.table) where \(test(layout.key))")
      if left > 0 { throw DataError(.notRemoved(left, of: layout.schema)) }
    }
    return count
  }
}

extension Deletion.Reference {
  /// Whether a remaining record with this reference prevents the deletion of its target.
  fileprivate var denies: Bool {
    switch relation.onDelete {
    case .deny: true
    case .nullify, .cascade: layout.schema.slots[slot].isRequired && !relation.isMany
    }
  }
}
