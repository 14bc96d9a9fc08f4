import DataModel

/// Converted values, kept in a temporary table until they replace the old ones.
package struct ConvertedValues {
  private static let name = "_converted"

  /// The columns that get converted values, as in the new version.
  let columns: [TableLayout.Column]
  private let key: TableLayout.Column
  /// The temporary table: a column `_id`, and the converted columns with their new names.
  package let table: SQL

  init(_ alteration: Alteration, _ after: TableLayout, _ dialect: any Dialect) {
    let from = alteration.from
    let slots = alteration.converted.filter { slot in
      // References are copied from table to table in SQL, so they need no converted values.
      let origin = alteration.origin(of: slot).map { from.fields[$0].type.relation?.isMany }
      return origin != true && !after.linkSlots.contains(slot)
    }
    columns = slots.flatMap { TableLayout.columns(of: $0, in: alteration.to) }
    key = TableLayout.columns(of: alteration.to.keySlot, in: alteration.to)[0]
    table = dialect.temporary(Self.name)
  }

  func create<Engine: PlanTransaction & ~Copyable>(
    on engine: borrowing Engine
  ) throws(DataError) {
    guard !columns.isEmpty else { return }
    let dialect = engine.dialect
    let definitions = columns.map { column -> SQL in
      "\(name: column.name) \(dialect.columnType(column.type))"
    }
    let creationSQL = dialect.creationSQL(
      temporary: Self.name,
      "_id \(dialect.columnType(.id)) not null primary key, \(SQL.list(definitions))")
    for statement in creationSQL { try engine.alter(statement) }
  }

  func drop<Engine: PlanTransaction & ~Copyable>(
    on engine: borrowing Engine
  ) throws(DataError) {
    if !columns.isEmpty { try engine.alter("drop table \(table)") }
  }

  func insert<Engine: PlanTransaction & ~Copyable>(
    _ changes: RowChanges, on engine: borrowing Engine
  ) throws(DataError) {
    guard !columns.isEmpty, changes.count > 0 else { return }
    let names = SQL.list(columns.map { column -> SQL in "\(name: column.name)" })
    try engine.insert(changes.rows, [key] + columns, into: "\(table) (_id, \(names))")
  }
}
