import DataModel

/// Renames tables and columns; the engine updates foreign keys and indexes that refer to them.
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

  /// Renames the schema and field of stored file pieces. An underscore before the new name marks
  /// finished rows, so that exchanged names do not mix.
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

/// The order of renamings in which no new name is in use.
package enum RenamingOrder {
  /// Returns the renamings in an order in which each new name is free. A cycle is resolved by
  /// renaming one of its members to a temporary name first.
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
