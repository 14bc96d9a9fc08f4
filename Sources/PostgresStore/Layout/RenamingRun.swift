import DataModel
import DataStore

/// Gives tables, columns and indexes other names; PostgreSQL has all that refers to them follow.
struct RenamingRun {
  private let pairs: [(before: TableLayout, after: TableLayout)]
  private let connection: Connection

  init(_ renamings: [SchemaPlan.Renaming], _ connection: Connection) {
    pairs = renamings.map { (before: TableLayout($0.before), after: TableLayout($0.after)) }
    self.connection = connection
  }

  func carryOut() throws(DataError) {
    for (before, after) in pairs {
      let names = zip(before.columns, after.columns).map { (old: $0.name, new: $1.name) }
      for step in RenamingOrder.steps(names) {
        try connection.alter(
          "alter table \(before.table) rename column \(name: step.old) to \(name: step.new)")
      }
    }
    let words = connection.words
    let tables = pairs.flatMap { zip($0.before.tableNames(words), $0.after.tableNames(words)) }
    for step in RenamingOrder.steps(tables.map { (old: $0, new: $1) }) {
      try connection.alter("alter table \(table: step.old) rename to \(name: step.new)")
    }
    let indexes = pairs.flatMap { zip($0.before.indexNames(words), $0.after.indexNames(words)) }
    for step in RenamingOrder.steps(indexes.map { (old: $0, new: $1) }) {
      try connection.alter("alter index \(table: step.old) rename to \(name: step.new)")
    }
    renameFiles()
  }

  /// The files' pieces follow; an underscore before the name keeps those apart that are done.
  private func renameFiles() {
    for (before, after) in pairs {
      for slot in before.fileSlots {
        let (old, new) = (before.schema, after.schema)
        guard old.name != new.name || old.fields[slot].name != new.fields[slot].name else {
          continue
        }
        connection.later(
          """
          update \(table: "_file") set schema = \(.text("_" + new.name)), \
          field = \(.text(new.fields[slot].name)) \
          where schema = \(.text(old.name)) and field = \(.text(old.fields[slot].name))
          """)
      }
    }
    connection.later(
      "update \(table: "_file") set schema = substr(schema, 2) where schema like '\\_%'")
  }
}

extension TableLayout {
  /// The names of the table and of those beside it, in the order of the slots.
  fileprivate func tableNames(_ words: PostgresDialect) -> [String] {
    tableNames
      + sideTableSlots(in: words).map { PhysicalNames.unique(schema.name, schema.name(of: $0)) }
  }

  /// The names of all indexes, those of keys and of to-many relations included, slot by slot.
  fileprivate func indexNames(_ words: PostgresDialect) -> [String] {
    tableNames(words).map { PhysicalNames.key($0) } + indexes(in: words).map(\.name)
      + linkSlots.map { PhysicalNames.reference(schema.name, schema.name(of: $0)) }
  }
}
