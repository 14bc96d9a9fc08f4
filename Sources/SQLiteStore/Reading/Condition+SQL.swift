import DataModel
import DataStore

extension Condition {
  /// The condition as SQLite decides it; it agrees with `matches` on every record.
  func sql(in layout: TableLayout) -> SQL {
    switch self {
    case .all: return "1"
    case .and(let conditions):
      guard !conditions.isEmpty else { return "1" }
      return SQL.list(conditions.map { "(\($0.sql(in: layout)))" }, separator: " and ")
    case .isNull(let field):
      guard let slot = layout.schema.slot(named: field) else { return "0" }
      return Self.isNull(slot, in: layout)
    case .equals(let field, let value):
      guard let slot = layout.schema.slot(named: field) else { return "0" }
      return Self.equals(slot, value, in: layout)
    }
  }

  private static func isNull(_ slot: Int, in layout: TableLayout) -> SQL {
    guard let column = TableLayout.columns(of: slot, in: layout.schema).first else { return "0" }
    return "\(layout.table).\(name: column.name) is null"
  }

  private static func equals(_ slot: Int, _ value: Value, in layout: TableLayout) -> SQL {
    let type = layout.schema.type(of: slot)
    let columns = TableLayout.columns(of: slot, in: layout.schema).map { column -> SQL in
      "\(layout.table).\(name: column.name)"
    }
    guard type.holds(value) else { return "0" }
    switch type {
    case .id, .text, .integer, .number, .boolean, .datetime, .json, .file:
      return "\(columns[0]) = \(value)"
    case .geopoint:
      guard case .geopoint(let point) = value else { return "0" }
      return """
        \(columns[0]) = \(.number(point.latitude)) and \(columns[1]) = \(.number(point.longitude))
        """
    case .relation(let relation):
      guard relation.isMany else { return "\(columns[0]) = \(value)" }
      return """
        \(layout.table).\(layout.key) in (select source from \(layout.link(slot)) \
        where target = \(value))
        """
    case .array(.text):
      return "exists (select 1 from json_each(\(columns[0])) as element where value = \(value))"
    case .array: return contains(columns[0], value)
    case .password: return "0"
    }
  }

  /// Whether a list has an element whose canonical text holds no comma.
  ///
  /// Texts are compared, since SQLite does not read every double as the nearest.
  private static func contains(_ column: SQL, _ value: Value) -> SQL {
    var element: [UInt8] = []
    ListText.append(value, to: &element)
    let sought = "," + String(decoding: element, as: UTF8.self) + ","
    return """
      instr(',' || substr(\(column), 2, length(\(column)) - 2) || ',', \(.text(sought))) > 0
      """
  }
}

extension FieldType {
  /// Whether a value is one of the type, or of its elements if it is a list.
  fileprivate func holds(_ value: Value) -> Bool {
    switch value {
    case .text: elementOrSelf == .text || self == .id || relation != nil
    case .integer: elementOrSelf == .integer
    case .number: elementOrSelf == .number
    case .boolean: elementOrSelf == .boolean
    case .datetime: elementOrSelf == .datetime
    case .geopoint: self == .geopoint
    case .file: self == .file
    case .json: self == .json
    case .null, .list: false
    }
  }

  private var elementOrSelf: FieldType {
    if case .array(let element) = self { element.fieldType } else { self }
  }
}

extension Query {
  /// The statement that answers the query, with what is to be selected.
  func sql(selecting selection: SQL, in layout: TableLayout) -> SQL {
    var sql: SQL = "select \(selection) from \(layout.table) where \(condition.sql(in: layout))"
    sql += " order by " + SQL.list(fullOrder.map { TableLayout.term($0) })
    if let limit { sql += " limit \(.integer(Int64(limit)))" }
    return sql
  }
}
