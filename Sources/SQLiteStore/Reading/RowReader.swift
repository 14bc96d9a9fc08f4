import CSQLite
import DataModel
import DataStore

/// Takes rows of a statement's answer straight into the cells of a batch.
struct RowReader: Sendable {
  private enum Form: UInt8, BitwiseCopyable {
    case bytes
    case integer
    case number
    case point
  }

  private struct Target: BitwiseCopyable {
    let slot: Int32
    let form: Form
  }

  private var targets: [Target] = []
  private var columns: [SQL] = []
  /// How many cells a row has.
  private(set) var width: Int

  /// What is to be selected, in the order of the targets.
  var selection: SQL { SQL.list(columns) }

  /// Reads these slots; the key always comes along, a password never.
  init(_ layout: TableLayout, slots: [Int]) {
    let schema = layout.schema
    width = schema.width
    let source = Scope.Source(layout: layout, name: layout.table, isSure: true)
    for slot in Set(slots).union([schema.keySlot]).sorted() {
      add(slot, at: slot, of: source)
    }
  }

  /// Reads columns of these types, each into the next cell; none of them is of many columns.
  init(_ types: [FieldType]) {
    width = types.count
    for (place, type) in types.enumerated() {
      guard let form = Self.form(of: type) else { continue }
      targets.append(Target(slot: Int32(place), form: form))
    }
  }

  /// Reads what a path leads to as well, into a cell behind those of the record.
  mutating func add(_ route: Route, at place: Int, in scope: inout Scope) throws(DataError) {
    width = max(width, place + 1)
    let source = try scope.source(behind: route.hops)
    guard route.part != .whole else { return add(route.slot, at: place, of: source) }
    guard let form = Self.form(of: route.type) else { return }
    targets.append(Target(slot: Int32(place), form: form))
    columns.append(source.column(of: route))
  }

  private mutating func add(_ slot: Int, at place: Int, of source: Scope.Source) {
    let schema = source.layout.schema
    guard let form = Self.form(of: schema.type(of: slot)) else { return }
    targets.append(Target(slot: Int32(place), form: form))
    if schema.type(of: slot).relation?.isMany == true {
      columns.append(Self.list(of: slot, from: source))
    } else if form == .point {
      columns += [source.column(slot, .latitude), source.column(slot, .longitude)]
    } else {
      columns.append(source.column(slot))
    }
  }

  private static func form(of type: FieldType) -> Form? {
    switch type {
    case .id, .text, .file, .json, .relation, .array: .bytes
    case .integer, .boolean, .datetime: .integer
    case .number: .number
    case .geopoint: .point
    case .password: nil
    }
  }

  /// The ids of a to-many relation as canonical text, which SQLite writes as `ListText` does.
  private static func list(of slot: Int, from source: Scope.Source) -> SQL {
    let list: SQL = """
      (select json_group_array(target) from (select target from \(source.layout.link(slot)) \
      where source = \(source.key) order by position))
      """
    return source.isSure ? list : "case when \(source.key) is not null then \(list) end"
  }

  /// Adds the row that the statement stands at.
  func read(_ statement: borrowing Statement, into rows: inout Rows) throws(DataError) {
    // The cells are written one after the other, and their bytes to an arena that is held apart for
    // the while: looked at as parts of the rows, both would be asked whether they are shared.
    var arena = exchange(&rows.arena, with: [])
    defer { rows.arena = arena }
    try rows.cells.append(addingCapacity: width) { (cells) throws(DataError) in
      var column: Int32 = 0
      for target in targets {
        while cells.count < target.slot { cells.append(.missing) }
        cells.append(try cell(of: statement, at: &column, as: target.form, &arena))
      }
      while cells.count < width { cells.append(.missing) }
    }
  }

  /// Reads the cell of one column, or of two for a point.
  @inline(__always)
  private func cell(
    of statement: borrowing Statement, at column: inout Int32, as form: Form,
    _ arena: inout [UInt8]
  ) throws(DataError) -> Cell {
    let value = unsafe ColumnValue(statement, column)
    defer { column += form == .point ? 2 : 1 }
    let start = arena.count
    switch (value.kind, form) {
    case (SQLITE_NULL, .bytes), (SQLITE_NULL, .integer), (SQLITE_NULL, .number),
      (SQLITE_NULL, .point):
      return .null
    case (SQLITE_TEXT, .bytes): value.appendBytes(to: &arena)
    case (SQLITE_INTEGER, .integer): return .integer(value.integer)
    case (SQLITE_FLOAT, .number): return .number(value.number)
    case (SQLITE_FLOAT, .point):
      guard
        let point = try? GeoPoint(
          latitude: value.number, longitude: statement.number(column + 1))
      else { throw statement.damage }
      point.append(to: &arena)
    default: throw statement.damage
    }
    return .arena(start..<arena.count)
  }
}
