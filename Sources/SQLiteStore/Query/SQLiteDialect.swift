import DataModel
import DataStore

/// The SQL dialect of SQLite. Its SQL calls functions that datactl registers, such as `_meets`.
struct SQLiteDialect: Dialect {
  var testsRelatedRecordsOnce: Bool { true }

  var searchesLinks = false

  func ordered(_ column: SQL, isDescending: Bool, mayBeNull: Bool) -> SQL {
    isDescending ? column + " desc" : column
  }

  func grouped(_ column: SQL) -> SQL { "+\(column)" }

  func compute(_ expression: ResolvedExpression, _ operands: [SQL]) -> SQL {
    "_compute(\(SQL.list(["\(expression)"] + operands)))"
  }

  /// Returns the predicate with a hint that few rows satisfy it. Without the hint, SQLite estimates
  /// that a comparison such as `a > 1` is true for a quarter of all rows.
  func selective(_ test: SQL) -> SQL { "likelihood(\(test), 0.01)" }

  func compares(
    _ column: SQL, of type: FieldType, _ comparison: Comparison, with value: Value
  ) -> SQL {
    "\(column)\(comparison.sql)\(value.operand(of: type))"
  }

  func compares(
    _ column: SQL, of type: FieldType, _ comparison: Comparison, with other: SQL,
    of otherType: FieldType
  ) -> SQL {
    if type.digits != nil || otherType.digits != nil, type != otherType {
      let test = SQLFunctionTest(
        .compareExpression(comparison, .value(.null)), of: type, comparedWith: otherType)
      return "_meets(\(test), \(column), \(other))"
    }
    return
      "\(Self.time(column, of: type, otherType))\(comparison.sql)\(Self.time(other, of: otherType, type))"
  }

  /// Converts a column of dates to microseconds, the form of datetimes, if it is compared with a
  /// column of datetimes. Returns any other column unchanged.
  private static func time(_ column: SQL, of type: FieldType, _ other: FieldType) -> SQL {
    type == .date && other == .datetime ? "(strftime('%s', \(column)) * 1000000)" : column
  }

  /// Returns a predicate that is true if the column has one of the values. Many values are bound as
  /// one JSON array. Many doubles are passed to the SQL function `_meets` instead, because SQLite
  /// does not convert every decimal number in JSON to the nearest double.
  func isOne(of values: [Value], _ column: SQL, of type: FieldType, _ predicate: ColumnPredicate)
    -> SQL
  {
    if values.count <= (predicate.bindsFewValues ? 3 : 100) {
      return "\(column) in (\(SQL.list(values.map { $0.operand(of: type) })))"
    }
    if type == .number || type == .file || type.digits?.isComputed == true {
      return predicate.meets(column, type)
    }
    return "\(column) in (select value from json_each(\(values: values, of: type)))"
  }

  func isLike(_ pattern: LikePattern, _ column: SQL, _ predicate: ColumnPredicate) -> SQL {
    predicate.meets(column, .text)
  }

  /// Returns a predicate that is true if the column contains the string `part`. SQLite's function
  /// `instr` may compare all of `part` at each offset of the text. A long `part` is therefore
  /// searched for with datactl's own SQL function `_meets`, which takes linear time.
  func contains(_ part: String, _ column: SQL, _ predicate: ColumnPredicate) -> SQL {
    part.utf8.count > 64
      ? predicate.meets(column, .text) : "instr(\(column), \(.text(part))) > 0"
  }

  /// Returns a predicate that tests an array with the SQL function `_meets`. SQLite's own
  /// comparison would be wrong for some elements: it converts some doubles inexactly, and compares
  /// datetimes as text.
  ///
  /// If the array must contain a given element, the faster function `instr` first searches for the
  /// JSON text of the element. `_meets` is called only if `instr` finds it.
  func test(array column: SQL, of element: ElementType, _ predicate: ColumnPredicate) -> SQL {
    let meets = predicate.meets(column, .array(element))
    switch predicate.criterion {
    case .compare(.equal, let value), .contains(let value):
      var text: [UInt8] = []
      ListText.append(value, to: &text)
      let sought = String(decoding: text, as: UTF8.self)
      return "(instr(\(column), \(.text(sought))) > 0 and \(meets))"
    case .isNull, .isEmpty, .compare, .comparePath, .compareExpression, .isIn, .between, .like,
      .withinCircle, .withinBox:
      return meets
    }
  }

  var emptyArray: SQL { "'[]'" }

  func test(json column: SQL, under keys: [String], _ predicate: ColumnPredicate) -> SQL {
    predicate.meets(column, .json, keys: keys)
  }

  /// Returns a predicate that is true if the grid cell of a point is in one of the ranges. A
  /// subquery joins the ranges with the table. If they were instead connected with `or`, SQLite
  /// might estimate a higher cost for many ranges than for a full scan.
  func isInCells(_ cells: [ClosedRange<Int64>], _ source: FromClause.Source, _ slot: Int) -> SQL {
    let rows = cells.map { range -> SQL in
      "(\(.integer(range.lowerBound)), \(.integer(range.upperBound)))"
    }
    let layout = source.layout
    let cell: SQL = "\(name: PhysicalNames.cell(layout.schema.name(of: slot)))"
    return """
      \(source.key) in (select _near.\(layout.key) from (values \(SQL.list(rows))) as _range \
      cross join \(layout.table) as _near where _near.\(cell) \
      between _range.column1 and _range.column2)
      """
  }

  func test(latitude: SQL, longitude: SQL, _ predicate: ColumnPredicate) -> SQL {
    "_meets(\(SQLFunctionTest(predicate.criterion, of: .geopoint)), \(latitude), \(longitude))"
  }

  /// Returns a subquery that selects the ids of a to-many relation as a JSON array. The array has
  /// the same text as one that datactl serializes itself (`ListText`).
  func list(in link: SQL, from source: SQL, by order: SQL) -> SQL {
    """
    (select json_group_array(target) from (select target from \(link) \
    where source = \(source) order by \(order)))
    """
  }

  func elements(
    in column: SQL, of type: FieldType, under keys: [String]
  ) -> (table: SQL, value: SQL) {
    let arguments = [column] + keys.map { "\(.text($0))" as SQL }
    return (
      "json_each(_elements(\(SQL.list(arguments))))",
      "_element(_each.value, \(.text(type.elementOrSelf.name)))"
    )
  }

  func part(_ part: ResolvedPath.Part, ofFile column: SQL) -> SQL {
    switch part {
    case .fileName: "json_extract(\(column), '$.name')"
    case .fileType: "json_extract(\(column), '$.type')"
    case .fileSize: "json_extract(\(column), '$.size')"
    case .fileHash: "json_extract(\(column), '$.sha256')"
    case .whole, .latitude, .longitude, .keys: column
    }
  }

  func sum(_ column: SQL, of type: FieldType) -> SQL { "_sum(\(Self.summands(column, type)))" }

  /// Numbers that exceed the largest double are infinite.
  func inRange(_ sum: SQL, of type: FieldType) -> SQL { "nullif(nullif(\(sum), 9e999), -9e999)" }

  func average(_ column: SQL, of type: FieldType) -> SQL {
    "_average(\(Self.summands(column, type)))"
  }

  func middle(_ column: SQL, of type: FieldType) -> SQL {
    "_middle(\(Self.summands(column, type)))"
  }

  /// Returns the arguments of an aggregate function: the column and, for decimals, their scale.
  private static func summands(_ column: SQL, _ type: FieldType) -> SQL {
    guard let digits = type.digits else { return column }
    return "\(column), \(number: Int64(digits.scale))"
  }
  func median(_ column: SQL, of type: FieldType) -> SQL? { nil }
  func greater(_ first: SQL, _ second: SQL) -> SQL { "max(\(first), \(second))" }

  func columnType(_ type: FieldType) -> SQL {
    switch type.descriptor.storage {
    case .bytes, .date: "text"
    case .integer, .boolean, .datetime: "integer"
    case .number, .point: "real"
    }
  }

  func temporary(_ table: String) -> SQL { "temp.\(name: table)" }

  func creationSQL(temporary table: String, _ columns: SQL) -> [SQL] {
    [
      "drop table if exists temp.\(name: table)",
      "create temp table \(name: table) (\(columns)) strict, without rowid",
    ]
  }

  func clearSQL(temporary table: String) -> [SQL] { [] }

  func fetched(_ table: SQL, _ columns: SQL) -> SQL { table }

  var relationTest: RelationTest { .correlated }

  func distributionSQL(_ table: String, _ placement: Placement) -> [SQL] { [] }

  var uniqueness: Uniqueness { .index }

  /// The clause that locks the selected rows. It is empty, because SQLite allows only one writer.
  var deletionLockClause: SQL { "" }

  var lockClause: SQL { "" }

  func hexadecimal(_ column: SQL) -> SQL { "hex(\(column))" }

  func minimum(_ column: SQL, of type: FieldType) -> SQL {
    type == .json ? "_least(\(column))" : "min(\(column))"
  }

  func maximum(_ column: SQL, of type: FieldType) -> SQL {
    type == .json ? "_greatest(\(column))" : "max(\(column))"
  }

  func json(_ scalar: SQL) -> SQL { scalar }
}

extension ColumnPredicate {
  /// Returns a call of the SQL function `_meets` that evaluates this predicate for the value of a
  /// column.
  fileprivate func meets(_ column: SQL, _ type: FieldType, keys: [String] = []) -> SQL {
    let test = SQLFunctionTest(criterion, of: type, keys: keys, comparedWith: other?.type)
    guard let other else { return "_meets(\(test), \(column))" }
    return "_meets(\(test), \(column), \(other.column))"
  }
}

extension Value {
  /// Returns the value as an operand of a comparison with a column. A computed decimal is compared as
  /// 16 bytes that have the order of the numbers.
  fileprivate func operand(of type: FieldType) -> SQL {
    guard type.digits?.isComputed == true, case .decimal(let decimal) = self else {
      return "\(self)"
    }
    return "\(hexadecimal: ComputedDecimal.bytes(of: decimal))"
  }
}
