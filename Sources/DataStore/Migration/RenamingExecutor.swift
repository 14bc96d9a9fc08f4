import DataModel

/// Renames tables, columns and indexes, and replaces the old names of schemas and fields in the
/// table of stored files.
///
/// The engine updates the foreign keys and indexes that refer to a renamed table or column.
struct RenamingExecutor {
  private let pairs: [(before: TableLayout, after: TableLayout)]

  init(_ renamings: [SchemaPlan.Renaming]) {
    pairs = renamings.map { (before: TableLayout($0.before), after: TableLayout($0.after)) }
  }

  func execute<Engine: PlanTransaction & ~Copyable>(
    on engine: borrowing Engine
  ) throws(DataError) {
    let dialect = engine.dialect
    let indexes = pairs.flatMap { pair in
      zip(pair.before.allIndexes(in: dialect), pair.after.allIndexes(in: dialect))
    }.filter { before, after in before.name != after.name }
    if !engine.renamesIndexes {
      for (before, _) in indexes { try engine.alter("drop index \(table: before.name)") }
    }
    for (before, after) in pairs {
      let names = zip(before.columns, after.columns).map { (old: $0.name, new: $1.name) }
      for step in RenamingOrder.steps(names) {
        try engine.alter(
          "alter table \(before.table) rename column \(name: step.old) to \(name: step.new)")
      }
    }
    let tables = pairs.flatMap {
      zip($0.before.allTableNames(in: dialect), $0.after.allTableNames(in: dialect))
    }
    for step in RenamingOrder.steps(tables.map { (old: $0, new: $1) }) {
      try engine.alter("alter table \(table: step.old) rename to \(name: step.new)")
    }
    if engine.renamesIndexes {
      let keys = tables.map { (old: PhysicalNames.key($0), new: PhysicalNames.key($1)) }
      let names = indexes.map { (old: $0.name, new: $1.name) }
      for step in RenamingOrder.steps(keys + names) {
        try engine.alter("alter index \(table: step.old) rename to \(name: step.new)")
      }
    } else {
      for (_, after) in indexes { try engine.alter(after.creationSQL) }
    }
    try renameFiles(on: engine)
  }

  /// Updates the schema and field names in the rows that contain the pieces of files.
  ///
  /// Two schemas can exchange their names. So that the rows of such schemas can be distinguished
  /// during the update, the new schema names begin with an underscore until all rows are updated.
  private func renameFiles<Engine: PlanTransaction & ~Copyable>(
    on engine: borrowing Engine
  ) throws(DataError) {
    for (before, after) in pairs {
      for slot in before.fileSlots {
        let (old, new) = (before.schema, after.schema)
        guard old.name != new.name || old.fields[slot].name != new.fields[slot].name else {
          continue
        }
        try engine.alter(
          """
          update \(table: "_file") set schema = \(.text("_" + new.name)), \
          field = \(.text(new.fields[slot].name)) \
          where schema = \(.text(old.name)) and field = \(.text(old.fields[slot].name))
          """)
      }
    }
    try engine.alter(
      """
      update \(table: "_file") set schema = substr(schema, 2) where substr(schema, 1, 1) = '_'
      """)
  }
}

/// Determines in which order several tables, columns or indexes can be renamed.
package enum RenamingOrder {
  /// Returns the renamings in an order in which each new name is unused when it is assigned. If
  /// renamings form a cycle, such as two exchanged names, one name is first changed to a temporary
  /// name.
  package static func steps(
    _ names: [(old: String, new: String)]
  ) -> [(old: String, new: String)] {
    var present = Set(names.map(\.old))
    var rest = names.filter { $0.old != $0.new }
    var steps: [(old: String, new: String)] = []
    while !rest.isEmpty {
      let index = rest.firstIndex { !present.contains($0.new) }
      let step = index.map { rest.remove(at: $0) } ?? (old: rest[0].old, new: "_\(steps.count)")
      if index == nil { rest[0].old = step.new }
      present.remove(step.old)
      present.insert(step.new)
      steps.append(step)
    }
    return steps
  }
}
