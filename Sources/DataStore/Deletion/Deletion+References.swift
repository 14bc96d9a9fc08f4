package import DataModel

/// Checks and clears the references to records that are marked for deletion. A record that is not
/// marked is called a remaining record.
extension Deletion {
  /// Returns the `from` and `where` clauses of a query for the records that are not marked for
  /// deletion, but refer to marked records in the given relation field.
  private func remainingReferrers(_ reference: Reference, _ names: MarkTables) -> SQL {
    """
    from \(names.fetchedMarked) as gone cross join \(reference.table) as record \
    where \(reference.referredID) = gone.id and gone.schema = \(.integer(reference.target)) \
    and not exists (select 1 from \(names.marked) as too where too.schema = \
    \(.integer(reference.source)) and too.id = \(reference.referringID))
    """
  }

  /// Throws an error if a kept record refers to a record that is marked for deletion, and the
  /// reference cannot be cleared: the field is required, or its `on_delete` is `deny`.
  func checkDenials<Engine: SQLTransaction & ~Copyable>(
    _ names: MarkTables, on engine: borrowing Engine
  ) throws(DataError) {
    var error: DataError?
    for (schemaIndex, layout) in layouts.enumerated() {
      let denying = references.filter { $0.source == Int64(schemaIndex) && $0.denies }
      guard !denying.isEmpty else { continue }
      let parts = denying.map { reference -> SQL in
        """
        select \(reference.referringID), \(.integer(Int64(reference.slot))), gone.id, gone.schema \
        \(remainingReferrers(reference, names))
        """
      }
      try engine.forEachRow(
        SQL.list(parts, separator: " union all ") + " order by 1, 2, 3",
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

  /// Clears the references from remaining records to records that are marked for deletion. Returns
  /// the number of records that were changed.
  func nullify<Engine: SQLTransaction & ~Copyable>(
    _ names: MarkTables, on engine: borrowing Engine
  ) throws(DataError) -> Int {
    let nullified = references.filter { $0.relation.onDelete == .nullify }
    if nullified.isEmpty { return 0 }
    try makeTable("_touched", on: engine)
    for reference in nullified {
      try engine.execute(
        """
        insert into \(names.affected) (schema, id) select \(.integer(reference.source)), \
        \(reference.referringID) \(remainingReferrers(reference, names)) on conflict do nothing
        """)
    }
    let count = try engine.count("select count(*) from \(names.affected)")
    guard count > 0 else { return 0 }
    for reference in nullified { try clear(reference, names, on: engine) }
    for schemaIndex in Set(nullified.map(\.source)) {
      let layout = layouts[Int(schemaIndex)]
      try engine.touch("\(layout.key) in \(affected(schemaIndex, names))", layout, stamp)
    }
    return count
  }

  private func clear<Engine: SQLTransaction & ~Copyable>(
    _ reference: Reference, _ names: MarkTables, on engine: borrowing Engine
  ) throws(DataError) {
    let targets: SQL = """
      (select gone.id from \(names.fetchedMarked) as gone \
      where gone.schema = \(.integer(reference.target)))
      """
    if reference.relation.isMany {
      try engine.execute("delete from \(reference.table) where target in \(targets)")
    } else {
      let column = reference.layout.column(reference.slot)
      if reference.layout.sideTableSlots(in: names.dialect).contains(reference.slot) {
        try engine.execute(
          "delete from \(reference.layout.sideTable(reference.slot)) where value in \(targets)")
      }
      try engine.execute(
        """
        update \(reference.table) set \(column) = null \
        where \(reference.layout.key) in \(affected(reference.source, names)) and \(column) in \(targets)
        """)
    }
  }

  private func affected(_ schemaIndex: Int64, _ names: MarkTables) -> SQL {
    "(select id from \(names.affected) where schema = \(.integer(schemaIndex)))"
  }

  /// Returns whether records of the schema also have rows in other tables, such as link tables.
  /// These rows are deleted together with the records.
  func hasDependentRows(_ layout: TableLayout, _ names: MarkTables) -> Bool {
    switch layout.schema.kind {
    case .user: true
    case .records:
      !layout.linkSlots.isEmpty || !layout.fileSlots.isEmpty
        || !layout.sideTableSlots(in: names.dialect).isEmpty
    }
  }

  /// Deletes the records whose ids satisfy a predicate, and their rows in other tables. Returns the
  /// number of deleted records.
  ///
  /// Throws an error if fewer records are deleted than expected, and some of the records still
  /// exist. This can be caused by a trigger or a rule of another tool.
  ///
  /// - Parameter test: A closure that returns the predicate for a given column of record ids.
  @discardableResult
  func remove<Engine: SQLTransaction & ~Copyable>(
    _ layout: TableLayout, expecting expectedCount: Int = 0, on engine: borrowing Engine,
    where test: (SQL) -> SQL
  ) throws(DataError) -> Int {
    for slot in layout.linkSlots {
      try engine.execute("delete from \(layout.link(slot)) where \(test("source"))")
    }
    if !layout.fileSlots.isEmpty {
      try engine.execute(
        """
        delete from \(table: "_file") where schema = \(.text(layout.schema.name)) \
        and \(test("record"))
        """)
    }
    switch layout.schema.kind {
    case .user:
      try engine.execute("delete from \(table: "_session") where \(test("\(name: "user")"))")
    case .records: break
    }
    for slot in layout.sideTableSlots(in: engine.dialect) {
      try engine.execute(
        """
        delete from \(layout.sideTable(slot)) where value in (select \(layout.column(slot)) \
        from \(layout.table) where \(test(layout.key)))
        """)
    }
    let count = try engine.execute("delete from \(layout.table) where \(test(layout.key))")
    if count < expectedCount {
      let left = try engine.count("select count(*) from \(layout.table) where \(test(layout.key))")
      if left > 0 { throw DataError(.deletionPrevented(left, of: layout.schema)) }
    }
    return count
  }
}

extension Deletion {
  /// Returns the ids of the remaining records of which parts are marked for deletion or change.
  func owners<Engine: SQLTransaction & ~Copyable>(
    _ names: MarkTables, hasAffected: Bool, on engine: borrowing Engine
  ) throws(DataError) -> [String: [String]] {
    var owners: [String: [String]] = [:]
    for (index, layout) in layouts.enumerated() {
      let index = Int64(index)
      guard layout.schema.ownerSlot != nil,
        let owner = layouts.firstIndex(where: { $0.schema.name == layout.schema.ownership?.target })
      else { continue }
      var tests: [SQL] = []
      if references.contains(where: { $0.source == index }) || index == requestedSchema {
        tests.append(
          "\(layout.key) in (select id from \(names.marked) where schema = \(.integer(index)))")
      }
      if hasAffected { tests.append("\(layout.key) in \(affected(index, names))") }
      for test in tests {
        let found = try self.owners(where: test, layout, on: engine)
        owners[layouts[owner].schema.name, default: []] += found
      }
    }
    return owners
  }

  /// Returns the ids of the owners of some records.
  func owners<Engine: SQLTransaction & ~Copyable>(
    where test: SQL, _ layout: TableLayout, on engine: borrowing Engine
  ) throws(DataError) -> [String] {
    guard let slot = layout.schema.ownerSlot else { return [] }
    let column = layout.column(slot)
    var found: [String] = []
    try engine.forEachRow(
      "select distinct \(column) from \(layout.table) where \(column) is not null and \(test)",
      [.id]
    ) { values in
      if case .text(let id) = values[0] { found.append(id) }
    }
    return found
  }
}

extension SQLTransaction where Self: ~Copyable {
  /// Gives the records that satisfy a predicate a new revision.
  package borrowing func touch(
    _ areThese: SQL, _ layout: TableLayout, _ stamp: Stamp
  ) throws(DataError) {
    try execute(
      """
      update \(layout.table) set revision = revision + 1, \
      modified_at = \(dialect.greater("modified_at", "\(.datetime(stamp.time))")), \
      modified_by = \(stamp.user.map(Value.text) ?? .null) where \(areThese)
      """)
  }

  /// Gives the records with the given ids a new revision.
  package borrowing func touch(
    _ ids: [String], in schema: Schema, _ stamp: Stamp
  ) throws(DataError) {
    let layout = TableLayout(schema)
    try touch(
      dialect.isOne(
        of: ids.map(Value.text), layout.key, of: .id, ColumnPredicate(.isEmpty, dialect)),
      layout, stamp)
  }
}

extension Deletion.Reference {
  /// Whether the reference prevents the deletion of its target. It does not if the referring record
  /// is deleted, too.
  fileprivate var denies: Bool {
    switch relation.onDelete {
    case .deny: true
    case .nullify, .cascade: layout.schema.slots[slot].isRequired && !relation.isMany
    }
  }
}
