import DataModel
import DataStore

extension Connection {
  /// The number of columns that a table can have in its lifetime; PostgreSQL also counts dropped
  /// ones.
  private static let maxColumns = 1_600

  /// Throws an error if a plan needs more columns in a table than PostgreSQL allows.
  func checkColumns(for plan: SchemaPlan) throws(DataError) {
    var names: [String: String] = [:]
    var needs: [(table: String, schema: Schema, count: Int)] = []
    for stage in plan.stages {
      switch stage {
      case .rename(let renamings):
        for renaming in renamings { names[renaming.after.name] = renaming.before.name }
      case .change(let alteration):
        let name = alteration.from.name
        let slots = alteration.added + alteration.converted
        let count = slots.reduce(0) { $0 + TableLayout.columns(of: $1, in: alteration.to).count }
        if count > 0 { needs.append((names[name] ?? name, alteration.to, count)) }
      case .create, .dropFields, .dropSchema: break
      }
    }
    guard !needs.isEmpty else { return }
    let used = try usedColumns(of: needs.map(\.table))
    let problems = needs.compactMap { need -> Problem? in
      guard let used = used[need.table], used + need.count > Self.maxColumns else { return nil }
      return Problem(
        .incompatibleData,
        """
        its table has used \(used) of the 1,600 columns that PostgreSQL allows over the lifetime \
        of a table; this needs \(need.count) more
        """,
        hint: "move the store to another database to reset the count: see datactl help stores",
        schema: need.schema.name)
    }
    if let error = DataError(problems) { throw error }
  }

  private func usedColumns(of tables: [String]) throws(DataError) -> [String: Int] {
    var used: [String: Int] = [:]
    try forEachRow(
      """
      select c.relname::text, max(a.attnum)::bigint from pg_catalog.pg_attribute as a \
      join pg_catalog.pg_class as c on c.oid = a.attrelid join pg_catalog.pg_namespace as n \
      on n.oid = c.relnamespace where n.nspname = \(.text(namespace)) \
      and c.relname = any(\(values: tables.map(Value.text), of: .id)) group by 1
      """, [.id, .integer]
    ) { values in
      if case .text(let name) = values[0], case .integer(let count) = values[1] {
        used[name] = Int(count)
      }
    }
    return used
  }
}
