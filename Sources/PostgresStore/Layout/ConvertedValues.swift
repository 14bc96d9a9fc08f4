import DataModel
import DataStore

/// Values that were converted, kept in a table of the transaction's own until they are needed.
struct ConvertedValues {
  private static let table: SQL = "pg_temp._converted"

  private let columns: [TableLayout.Column]
  private let key: TableLayout.Column
  private let layout: TableLayout
  private let connection: Connection

  init(_ alteration: Alteration, _ after: TableLayout, _ connection: Connection) {
    let from = alteration.from
    let slots = alteration.converted.filter { slot in
      // References move from table to table without a conversion of their own.
      let origin = alteration.origin(of: slot).map { from.fields[$0].type.relation?.isMany }
      return origin != true && !after.linkSlots.contains(slot)
    }
    columns = slots.flatMap { TableLayout.columns(of: $0, in: alteration.to) }
    key = TableLayout.columns(of: alteration.to.keySlot, in: alteration.to)[0]
    layout = after
    self.connection = connection
  }

  func make() throws(DataError) {
    guard !columns.isEmpty else { return }
    let definitions = columns.map { column -> SQL in
      "\(name: column.name) \(WireType(column.type).words)"
    }
    try connection.run(
      """
      create temp table _converted (_id text collate "C" not null primary key, \
      \(SQL.list(definitions))) on commit drop
      """)
  }

  func drop() throws(DataError) {
    if !columns.isEmpty { try connection.run("drop table \(Self.table)") }
  }

  func keep(_ changes: Changes) {
    guard !columns.isEmpty, changes.count > 0 else { return }
    let values = RowEncoding([key] + columns).arrays(Array(0..<changes.count), of: changes.rows)
    let names = columns.map { column -> SQL in "\(name: column.name)" }
    connection.later(
      """
      insert into \(Self.table) (_id, \(SQL.list(names))) select * from \
      unnest(\(SQL.list(values.map { _ in .parameter })))
      """, binding: values)
  }

  /// Puts the values of a slot into a column of their type, in place of the one that is there.
  func replace(_ slot: Int) throws(DataError) {
    for column in columns where column.slot == slot {
      connection.later(
        """
        alter table \(layout.table) add column "_converted" \(WireType(column.type).words)
        """)
      connection.later(
        """
        update \(layout.table) as _record set "_converted" = _new.\(name: column.name) \
        from \(Self.table) as _new where _new._id = _record.\(layout.key)
        """)
      try connection.alter("alter table \(layout.table) drop column \(name: column.name)")
      connection.later(
        "alter table \(layout.table) rename column \"_converted\" to \(name: column.name)")
    }
  }
}
