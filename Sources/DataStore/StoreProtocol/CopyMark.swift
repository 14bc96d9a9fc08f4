package import DataModel

/// The mark of a store that is an unfinished copy of another one. While it exists, the store has the
/// format `StoreFormat.unfinishedCopy`, and only copies may use it.
package struct CopyMark: Hashable, Sendable {
  /// The id of the copied store, or nil if that store has none.
  package var store: String?
  /// The address of the copied store, as shown in messages.
  package var source: String
  /// Whether the hashes of passwords are copied.
  package var includesPasswords: Bool
  /// The run that copies. A later run replaces it, which ends the earlier one.
  package var run: String

  package init(
    of store: String?, at source: String, includesPasswords: Bool,
    run: String = String(UInt64.random(in: .min ... .max), radix: 16)
  ) {
    self.store = store
    self.source = source
    self.includesPasswords = includesPasswords
    self.run = run
  }

  /// Whether both marks are of copies of the same store.
  package func isOfSameStore(as other: CopyMark) -> Bool {
    if let store, let otherStore = other.store { return store == otherStore }
    return source == other.source
  }
}

/// Whether a store that is an unfinished copy can be opened.
package enum UnfinishedCopies: Hashable, Sendable {
  case rejected
  case accepted
}

extension PlanTransaction where Self: ~Copyable {
  /// Returns the mark of the store if it is an unfinished copy.
  package borrowing func copyMark() throws(DataError) -> CopyMark? {
    guard try storedFormat() == StoreFormat.unfinishedCopy else { return nil }
    var mark: CopyMark?
    try forEachRow(
      "select store, source, passwords, run from \(table: "_copy")",
      [.text, .text, .boolean, .text]
    ) { values in
      guard case .text(let source) = values[1], case .text(let run) = values[3] else { return }
      let store: String? = if case .text(let id) = values[0] { id } else { nil }
      mark = CopyMark(
        of: store, at: source, includesPasswords: values[2] == .boolean(true), run: run)
    }
    return mark
  }

  /// Throws an error if a later run has begun to copy to the store, or has ended.
  package borrowing func checkIsCopied(by run: String) throws(DataError) {
    guard try copyMark()?.run == run else {
      throw DataError(
        .schemaChanged, "another copy to the store has begun",
        hint: "wait until it has ended, or run the command again to continue it")
    }
  }

  /// Marks the store as an unfinished copy.
  borrowing func begin(_ mark: CopyMark) throws(DataError) {
    let text = dialect.columnType(.text)
    try alter(
      """
      create table if not exists \(table: "_copy") (store \(text), source \(text) not null, \
      passwords \(dialect.columnType(.boolean)) not null, run \(text) not null)
      """)
    try alter("delete from \(table: "_copy")")
    try alter(
      """
      insert into \(table: "_copy") (store, source, passwords, run) values \
      (\(mark.store.map(Value.text) ?? .null), \(.text(mark.source)), \
      \(.boolean(mark.includesPasswords)), \(.text(mark.run)))
      """)
    try setFormat(StoreFormat.unfinishedCopy)
  }

  /// Completes a copy: creates the indexes that were not needed until now, checks all references, and
  /// removes the mark.
  package borrowing func endCopy(_ coding: SchemaCoding, run: String) throws(DataError) {
    try checkIsCopied(by: run)
    let catalog = try catalog(coding).catalog
    for schema in catalog.schemas {
      for index in TableLayout(schema).deferrableIndexes(in: dialect) {
        try alter(index.creationSQL)
      }
    }
    var problems: [Problem] = []
    for schema in catalog.schemas { problems += try danglingReferences(of: schema, in: catalog) }
    if let error = DataError(problems) { throw error }
    try alter("drop table \(table: "_copy")")
    let isNewest = catalog.schemas.contains { StoreFormat.isNeeded(by: $0) }
    try setFormat(isNewest ? StoreFormat.newest : StoreFormat.current)
  }

  /// Returns a problem for the first references of each relation whose targets do not exist.
  private borrowing func danglingReferences(
    of schema: Schema, in catalog: Catalog
  ) throws(DataError) -> [Problem] {
    let layout = TableLayout(schema)
    var problems: [Problem] = []
    for slot in layout.relationSlots {
      guard let relation = schema.type(of: slot).relation, let target = catalog[relation.target]
      else { continue }
      let query = layout.danglingReferences(slot, to: TableLayout(target), in: dialect)
      try forEachRow("\(query) order by 1, 2 limit 20", [.id, .id]) { values in
        guard case .text(let id) = values[0], case .text(let target) = values[1] else { return }
        problems.append(.danglingReference(to: target, slot: slot, of: schema, id: id, line: nil))
      }
    }
    return problems
  }
}

extension TableLayout {
  /// The indexes that a copy creates at its end.
  func deferrableIndexes(in dialect: some Dialect) -> [IndexDefinition] {
    indexes(in: dialect).filter { !$0.isNeededForInserts }
  }
}
