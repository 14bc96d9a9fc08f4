package import DataModel

/// Compares the tables and the records of a store with its schemas.
package struct StoreInspector {
  private let request: InspectionRequest
  private let catalog: Catalog
  private let schemas: [Schema]
  private var tables: StoredTables
  private let internalTables: [InternalTable]
  private let dialect: any Dialect
  /// The unique fields whose index does not guarantee that values are unique.
  private var unguarded: [(schema: Schema, slot: Int, creation: StoreRepair?)] = []
  package private(set) var inspection = StoreInspection()

  /// Creates an inspector.
  ///
  /// - Throws: An error if the request names a schema that does not exist.
  package init<Transaction: InspectedTransaction & ~Copyable>(
    _ request: InspectionRequest, _ catalog: Catalog, on transaction: borrowing Transaction
  ) throws(DataError) {
    self.request = request
    self.catalog = catalog
    schemas =
      try request.schemas?.map { (name) throws(DataError) in try catalog.schema(name) }
      ?? catalog.all
    tables = try transaction.storedTables()
    internalTables = transaction.internalTables
    dialect = transaction.dialect
  }

  package mutating func add(_ finding: Finding, _ repair: StoreRepair? = nil) {
    inspection.add(finding)
    if let repair { add(repair) }
  }

  package mutating func add(_ repair: StoreRepair) { inspection.repairs.append(repair) }

  /// Marks schemas as unreadable.
  package mutating func omit(where isUnreadable: (Schema) -> Bool) {
    inspection.readableSchemas.removeAll(where: isUnreadable)
  }

  /// Marks tables as unreadable, with the schemas that have them.
  package mutating func omit(tables names: Set<String>) {
    guard !names.isEmpty else { return }
    for name in names { tables.columns[name] = nil }
    omit { [dialect] in
      !names.isDisjoint(with: TableLayout($0).allTableNames(in: dialect))
    }
  }

  /// Returns whether a table belongs to the store.
  package func isOwn(_ table: String) -> Bool { ownTables.contains(table) }

  private var ownTables: Set<String> {
    Set(
      catalog.all.flatMap { TableLayout($0).allTableNames(in: dialect) }
        + internalTables.map(\.name))
  }

  /// Finds missing and wrong tables, columns and indexes.
  package mutating func checkTables() {
    for schema in schemas { check(schema) }
    guard request.schemas == nil else { return }
    for table in internalTables {
      guard let found = tables.columns[table.name] else {
        guard !table.isOptional else { continue }
        inspection.add(Finding(.missingTable, "the table \(table.name) is missing"))
        continue
      }
      for column in table.columns where !found.contains(column) {
        inspection.add(
          Finding(.missingColumn, "the table \(table.name) has no column \(column)"))
      }
      for index in table.indexes { check(index, nil) }
    }
    let own = ownTables
    var lost: [String] = []
    for table in tables.columns.keys.sorted()
    where !own.contains(table) && !request.allowedTables.contains(table) {
      // The table of a to-many relation has the name of its schema, a period, and that of the field.
      if lost.contains(where: { table.hasPrefix("\($0).") }) { continue }
      if let columns = tables.columns[table], columns.isSuperset(of: ["\(table)_id", "revision"]) {
        lost.append(table)
        inspection.add(
          Finding(
            .missingSchema, "the store has a table, but no schema of this name", schema: table))
      } else {
        inspection.add(
          Finding(.foreignTable, "the table \(Excerpt.quoted(table)) was not created by datactl"))
      }
    }
  }

  private mutating func check(_ schema: Schema) {
    let layout = TableLayout(schema)
    let count = inspection.findings.count
    check(schema.name, layout.columns.map { ($0.name, schema.name(of: $0.slot)) }, of: schema)
    for slot in layout.linkSlots {
      let field = schema.name(of: slot)
      check(
        PhysicalNames.link(schema.name, field),
        ["source", "position", "target"].map { ($0, field) }, of: schema)
    }
    for slot in layout.sideTableSlots(in: dialect) {
      let field = schema.name(of: slot)
      check(
        PhysicalNames.unique(schema.name, field), ["value", "id"].map { ($0, field) }, of: schema)
      unguarded.append((schema, slot, nil))
    }
    guard inspection.findings.count == count else { return }
    inspection.readableSchemas.append(schema)
    for index in layout.allIndexes(in: dialect) { check(index, schema) }
  }

  private mutating func check(
    _ table: String, _ columns: [(name: String, field: String)], of schema: Schema
  ) {
    guard let found = tables.columns[table] else {
      return inspection.add(
        Finding(.missingTable, "the table \(table) is missing", schema: schema.name))
    }
    for column in columns where !found.contains(column.name) {
      inspection.add(
        Finding(
          .missingColumn, "the table \(table) has no column \(column.name)", schema: schema.name,
          field: column.field))
    }
  }

  /// Checks an index, and adds the repair that creates it.
  private mutating func check(_ index: TableLayout.IndexDefinition, _ schema: Schema?) {
    let unique = index.uniqueSlot.flatMap { slot in schema.map { (schema: $0, slot: slot) } }
    let (code, problem): (Finding.Code, String)
    switch tables.indexes[index.name] {
    case nil: (code, problem) = (.missingIndex, "is missing")
    case let found? where !found.isValid: (code, problem) = (.invalidIndex, "is not valid")
    case let found? where IndexForm(found.definition) != IndexForm(index.creationSQL.plainText):
      (code, problem) = (.wrongIndex, "has another definition")
    case _?:
      if let unique, request.isComplete { unguarded.append((unique.schema, unique.slot, nil)) }
      return
    }
    inspection.add(
      Finding(
        code, "the index \(index.name) \(problem)", schema: schema?.name,
        field: unique.map { $0.schema.name(of: $0.slot) }))
    let repair = StoreRepair(
      description: "index \(index.name) created",
      statements: ["drop index if exists \(table: index.name)", index.creationSQL])
    if let unique {
      unguarded.append((unique.schema, unique.slot, repair))
    } else {
      inspection.repairs.append(repair)
    }
  }
}

/// The parts of a `create index` statement in which indexes differ: whether it is unique, its terms,
/// and what follows them. Engines spell names and default orders in different ways.
private struct IndexForm: Hashable {
  private let isUnique: Bool
  private let terms: [String]

  init(_ definition: String) {
    let text = definition.lowercased().filter { $0 != "\"" }
    isUnique = text.hasPrefix("create unique")
    let list = text.split(separator: " on ", maxSplits: 1).last?.drop { $0 != "(" } ?? ""
    terms = list.split(separator: ",").map { term in
      var words = term.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      let isDescending = words.contains(" desc")
      for word in [" asc", isDescending ? " nulls first" : " nulls last"] {
        if let range = words.firstRange(of: word) { words.removeSubrange(range) }
      }
      return words
    }
  }
}

/// Checks that compare records with each other.
extension StoreInspector {
  /// Finds dangling references, values that are not unique, and contents and links without a record.
  package mutating func checkRecords<Transaction: InspectedTransaction & ~Copyable>(
    on transaction: borrowing Transaction
  ) throws(DataError) {
    let readable = inspection.readableSchemas
    for schema in readable {
      try checkReferences(of: schema, on: transaction)
      try checkContents(of: schema, on: transaction)
    }
    for (schema, slot, creation) in unguarded {
      guard isReadable(schema) else { continue }
      let isUnique = try checkUnique(slot, of: schema, on: transaction)
      if isUnique, let creation { inspection.repairs.append(creation) }
    }
    if request.schemas == nil { try checkUnknownContents(on: transaction) }
  }

  /// Adds a finding for each row of a query, but at most `maxListed`, and the number of further ones.
  /// The first column of the query identifies the records.
  private mutating func collect<Transaction: InspectedTransaction & ~Copyable>(
    _ query: SQL, _ types: [FieldType], on transaction: borrowing Transaction,
    _ finding: ([Value]) -> Finding
  ) throws(DataError) {
    let limit = StoreInspection.maxListed
    var found: [Finding] = []
    try transaction.forEachRow(
      "\(query) order by 1 limit \(.integer(Int64(limit + 1)))", types
    ) { found.append(finding($0)) }
    for finding in found.prefix(limit) { inspection.add(finding) }
    guard found.count > limit else { return }
    let count = try transaction.count("select count(*) from (\(query)) as _found")
    inspection.add(found[0].further(count - limit))
  }

  private mutating func checkReferences<Transaction: InspectedTransaction & ~Copyable>(
    of schema: Schema, on transaction: borrowing Transaction
  ) throws(DataError) {
    let layout = TableLayout(schema)
    for slot in layout.relationSlots {
      let field = schema.name(of: slot)
      if layout.linkSlots.contains(slot) {
        let orphans: SQL = """
          \(layout.link(slot)) as _own where not exists (select 1 from \(layout.table) as _owner \
          where _owner.\(layout.key) = _own.source)
          """
        let count = inspection.findings.count
        try collect("select distinct _own.source from \(orphans)", [.id], on: transaction) {
          Finding(
            .orphanedLink, "there is no \(schema.name) \(Excerpt.quoted($0[0].text))",
            schema: schema.name, id: $0[0].text, field: field)
        }
        if inspection.findings.count > count {
          inspection.add(
            "elements of \(schema.name).\(field) without a record deleted",
            ["delete from \(orphans)"])
        }
      }
      guard let name = schema.type(of: slot).relation?.target, let target = catalog[name],
        isReadable(target)
      else { continue }
      let query = layout.danglingReferences(slot, to: TableLayout(target), in: dialect)
      try collect(query, [.id, .id], on: transaction) {
        Finding(
          .danglingReference, Problem.danglingReferenceMessage(to: $0[1].text, of: name),
          schema: schema.name, id: $0[0].text, field: field)
      }
    }
  }

  /// Returns whether the table of a schema, which may be one that is not inspected, can be read.
  private func isReadable(_ schema: Schema) -> Bool {
    inspection.readableSchemas.contains { $0.name == schema.name }
      || request.schemas != nil && tables.columns[schema.name] != nil
  }

  /// Finds values of a unique field that several records have. Returns whether there is none.
  private mutating func checkUnique<Transaction: InspectedTransaction & ~Copyable>(
    _ slot: Int, of schema: Schema, on transaction: borrowing Transaction
  ) throws(DataError) -> Bool {
    let layout = TableLayout(schema)
    let count = inspection.findings.count
    try collect(
      """
      select min(\(layout.key)), max(\(layout.key)), count(*) from \(layout.table) \
      where \(layout.column(slot)) is not null group by \(layout.column(slot)) having count(*) > 1
      """, [.id, .id, .integer], on: transaction
    ) { values in
      let others = if case .integer(let count) = values[2], count > 2 { " and others" } else { "" }
      return Finding(
        .notUnique, "\(Excerpt.quoted(values[1].text))\(others) has the same value",
        schema: schema.name, id: values[0].text, field: schema.name(of: slot))
    }
    return inspection.findings.count == count
  }

  private mutating func checkContents<Transaction: InspectedTransaction & ~Copyable>(
    of schema: Schema, on transaction: borrowing Transaction
  ) throws(DataError) {
    guard hasContents else { return }
    let layout = TableLayout(schema)
    for slot in layout.fileSlots {
      let field = schema.name(of: slot)
      let piece: SQL = "_piece.schema = \(.text(schema.name)) and _piece.field = \(.text(field))"
      try collect(
        """
        select id, size, stored from (select _own.\(layout.key) as id, \
        \(transaction.fileSize("_own.\(layout.column(slot))")) as size, \
        cast((select coalesce(sum(length(_piece.bytes)), 0) from \(table: "_file") as _piece \
        where \(piece) and _piece.record = _own.\(layout.key)) as bigint) as stored \
        from \(layout.table) as _own where _own.\(layout.column(slot)) is not null) as _sizes \
        where size <> stored
        """, [.id, .integer, .integer], on: transaction
      ) {
        Finding(
          .lostContent, "expected \($0[1].text) bytes of content, found \($0[2].text)",
          schema: schema.name, id: $0[0].text, field: field)
      }
      let orphans: SQL = """
        \(table: "_file") as _piece where \(piece) and not exists (select 1 from \(layout.table) \
        as _own where _own.\(layout.key) = _piece.record and _own.\(layout.column(slot)) is not null)
        """
      try collectOrphans(orphans, of: "\(schema.name).\(field)", on: transaction) {
        Finding(
          .orphanedContent, "the record has no file in this field", schema: schema.name,
          id: $0[0].text, field: field)
      }
    }
  }

  /// Finds contents of fields that do not exist. If the table of a schema has lost its schema, its
  /// contents belong to records.
  private mutating func checkUnknownContents<Transaction: InspectedTransaction & ~Copyable>(
    on transaction: borrowing Transaction
  ) throws(DataError) {
    guard hasContents else { return }
    let lost = tables.columns.keys.filter { catalog[$0] == nil }.sorted().map { name -> SQL in
      "_piece.schema = \(.text(name))"
    }
    let known =
      lost
      + catalog.schemas.flatMap { schema in
        TableLayout(schema).fileSlots.map { slot -> SQL in
          "_piece.schema = \(.text(schema.name)) and _piece.field = \(.text(schema.name(of: slot)))"
        }
      }
    let isKnown = known.isEmpty ? "false" : SQL.list(known, separator: " or ")
    try collectOrphans(
      "\(table: "_file") as _piece where not (\(isKnown))", of: "fields that do not exist",
      on: transaction
    ) {
      Finding(
        .orphanedContent,
        "there is no field \($0[1].text).\($0[2].text) for the content of \(Excerpt.quoted($0[0].text))"
      )
    }
  }

  private mutating func collectOrphans<Transaction: InspectedTransaction & ~Copyable>(
    _ orphans: SQL, of owner: String, on transaction: borrowing Transaction,
    _ finding: ([Value]) -> Finding
  ) throws(DataError) {
    let count = inspection.findings.count
    try collect(
      "select distinct _piece.record, _piece.schema, _piece.field from \(orphans)",
      [.id, .text, .text], on: transaction, finding)
    if inspection.findings.count > count {
      inspection.add("contents of \(owner) without a record deleted", ["delete from \(orphans)"])
    }
  }

  private var hasContents: Bool {
    internalTables.contains { table in
      table.name == "_file" && tables.columns[table.name]?.isSuperset(of: table.columns) == true
    }
  }
}

extension TableLayout {
  /// Returns a query for the references of a relation to records that do not exist. Its columns are the
  /// id of the record with the reference, and the missing id.
  func danglingReferences(
    _ slot: Int, to target: TableLayout, in dialect: some Dialect
  ) -> SQL {
    let isLink = linkSlots.contains(slot)
    let (id, reference): (SQL, SQL) =
      isLink ? ("_own.source", "_own.target") : ("_own.\(key)", "_own.\(column(slot))")
    return """
      select \(id), \(reference) from \(isLink ? link(slot) : table) as _own left join \
      \(dialect.fetched(target.table, target.key)) as _target on _target.\(target.key) = \
      \(reference) where \(reference) is not null and _target.\(target.key) is null
      """
  }
}

extension Finding {
  /// Returns the finding that counts further findings of the same kind and field.
  package func further(_ count: Int) -> Finding {
    Finding(
      code, "and \(count.grouped) more \(count == 1 ? "record" : "records")", schema: schema,
      field: field)
  }
}
