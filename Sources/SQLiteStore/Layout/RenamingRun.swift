import DataModel
import DataStore

/// Gives tables and columns other names; SQLite has indexes, references, views and triggers follow.
struct RenamingRun {
  private let pairs: [(before: TableLayout, after: TableLayout)]

  init(_ renamings: [SchemaPlan.Renaming]) {
    pairs = renamings.map { (before: TableLayout($0.before), after: TableLayout($0.after)) }
  }

  func carryOut(on connection: borrowing Connection) throws(DataError) {
    let indexes = pairs.flatMap { pair in zip(pair.before.allIndexes, pair.after.allIndexes) }
      .filter { before, after in before.name != after.name }
    for (before, _) in indexes { try connection.alter("drop index \(name: before.name)") }
    for pair in pairs { try renameColumns(pair.before, pair.after, on: connection) }
    try renameTables(on: connection)
    try renameFiles(on: connection)
    for (_, after) in indexes { try connection.alter(after.making) }
  }

  private func renameColumns(
    _ before: TableLayout, _ after: TableLayout, on connection: borrowing Connection
  ) throws(DataError) {
    let names = zip(before.columns, after.columns).map { (old: $0.name, new: $1.name) }
    for step in RenamingOrder.steps(names) {
      try connection.alter(
        "alter table \(before.table) rename column \(name: step.old) to \(name: step.new)")
    }
  }

  private func renameTables(on connection: borrowing Connection) throws(DataError) {
    let names = pairs.flatMap { pair in zip(pair.before.tableNames, pair.after.tableNames) }
    for step in RenamingOrder.steps(names.map { (old: $0, new: $1) }) {
      try connection.alter("alter table \(name: step.old) rename to \(name: step.new)")
    }
  }

  /// The files' pieces follow; an underscore before the name keeps those apart that are done.
  private func renameFiles(on connection: borrowing Connection) throws(DataError) {
    for (before, after) in pairs {
      for slot in before.fileSlots {
        let (old, new) = (before.schema, after.schema)
        guard old.name != new.name || old.fields[slot].name != new.fields[slot].name else {
          continue
        }
        try connection.run(
          """
          update _file set schema = '_' || \(.text(new.name)), \
          field = \(.text(new.fields[slot].name)) \
          where schema = \(.text(old.name)) and field = \(.text(old.fields[slot].name))
          """)
      }
    }
    try connection.run(
      "update _file set schema = substr(schema, 2) where substr(schema, 1, 1) = '_'")
  }
}

extension TableLayout {
  /// All the indexes, those of to-many relations included, slot by slot.
  fileprivate var allIndexes: [IndexDefinition] {
    indexes + linkSlots.map { linkIndex(of: $0) }
  }
}
