import DataModel
import DataStore

extension Condition {
  /// The condition as SQLite decides it; it agrees with `ConditionMatcher` on every record.
  func sql(in layout: TableLayout) throws(DataError) -> SQL {
    switch self {
    case .all: return "1"
    case .not(let condition): return "not ((\(try condition.sql(in: layout))) is true)"
    case .and(let conditions): return try Self.joined(conditions, " and ", ifNone: "1", layout)
    case .or(let conditions): return try Self.joined(conditions, " or ", ifNone: "0", layout)
    case .test(let path, .isNull):
      return Self.isNull(try Self.slot(path, in: layout), in: layout)
    case .test(let path, .compare(.equal, let value)):
      return Self.equals(try Self.slot(path, in: layout), value, in: layout)
    case .test(let path, _): throw Self.beyond(path)
    }
  }

  private static func joined(
    _ conditions: [Condition], _ separator: SQL, ifNone: SQL, _ layout: TableLayout
  ) throws(DataError) -> SQL {
    guard !conditions.isEmpty else { return ifNone }
    var parts: [SQL] = []
    for condition in conditions { parts.append("(\(try condition.sql(in: layout)))") }
    return SQL.list(parts, separator: separator)
  }

  private static func slot(
    _ path: FieldPath, in layout: TableLayout
  ) throws(DataError) -> Int {
    guard path.names.count == 1, let slot = layout.schema.slot(named: path.names[0]) else {
      throw beyond(path)
    }
    return slot
  }

  private static func beyond(_ path: FieldPath) -> DataError {
    DataError(.usage, "a file answers only whether \(path) has a value, or none")
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
  func sql(selecting selection: SQL, in layout: TableLayout) throws(DataError) -> SQL {
    let condition = try condition.sql(in: layout)
    var sql: SQL = "select \(selection) from \(layout.table) where \(condition)"
    sql += " order by " + SQL.list(fullOrder.map { TableLayout.term($0) })
    if let limit { sql += " limit \(.integer(Int64(limit)))" }
    return sql
  }
}
