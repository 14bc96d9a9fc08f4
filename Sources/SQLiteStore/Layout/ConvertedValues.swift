import DataModel
import DataStore

/// Values that were converted, kept in a table of the connection's own until they are needed.
struct ConvertedValues {
  private static let table: SQL = "temp._converted"

  private let columns: [TableLayout.Column]
  private let key: TableLayout.Column

  init(_ alteration: Alteration, _ after: TableLayout) {
    let from = alteration.from
    let slots = alteration.converted.filter { slot in
      // References move from table to table without a conversion of their own.
      let origin = alteration.origin(of: slot).map { from.fields[$0].type.relation?.isMany }
      return origin != true && !after.linkSlots.contains(slot)
    }
    columns = slots.flatMap { TableLayout.columns(of: $0, in: alteration.to) }
    key = TableLayout.columns(of: alteration.to.keySlot, in: alteration.to)[0]
  }

  func make(on connection: borrowing Connection) throws(DataError) {
    guard !columns.isEmpty else { return }
    let names = columns.map { column -> SQL in "\(name: column.name)" }
    try connection.run(
      """
      create table \(Self.table) (_id text not null primary key, \(SQL.list(names))) without rowid
      """)
  }

  func drop(on connection: borrowing Connection) throws(DataError) {
    if !columns.isEmpty { try connection.run("drop table \(Self.table)") }
  }

  func keep(_ changes: Changes, on connection: borrowing Connection) throws(DataError) {
    guard !columns.isEmpty else { return }
    let places = SQL.list(([key] + columns).map { _ in SQL.parameter })
    let insertion = try Statement("insert into \(Self.table) values (\(places))", on: connection)
    let binding = RowBinding([key] + columns)
    for row in 0..<changes.count {
      try unsafe changes.rows.withMemory { (memory) throws(DataError) in
        try insertion.check(unsafe binding.bind(row, of: changes.rows, in: memory, to: insertion))
        try insertion.run()
      }
    }
  }

  /// The converted value of a slot, beside the record that it belongs to.
  func value(of slot: Int) -> SQL {
    columns.first { $0.slot == slot }.map { "_converted.\(name: $0.name)" } ?? "null"
  }

  /// What brings the values to the records of a table.
  func join(to layout: TableLayout) -> SQL {
    if columns.isEmpty { return SQL() }
    return " left join \(Self.table) on _converted._id = \(layout.table).\(layout.key)"
  }
}
