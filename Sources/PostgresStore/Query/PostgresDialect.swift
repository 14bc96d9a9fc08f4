import DataModel
import DataStore

/// The SQL dialect of PostgreSQL and of compatible engines. Where these engines differ, the methods
/// depend on `engine`.
struct PostgresDialect: Dialect {
  var testsRelatedRecordsOnce: Bool { false }

  var searchesLinks: Bool { true }

  let engine: Engine
  /// The namespace of the tables: a schema in PostgreSQL's sense.
  let namespace: String

  func ordered(_ column: SQL, isDescending: Bool, mayBeNull: Bool) -> SQL {
    guard mayBeNull else { return isDescending ? column + " desc" : column }
    return isDescending ? column + " desc nulls last" : column + " asc nulls first"
  }

  func grouped(_ column: SQL) -> SQL { column }

  func selective(_ test: SQL) -> SQL { test }

  func isOne(of values: [Value], _ column: SQL, of type: FieldType, _ predicate: ColumnPredicate)
    -> SQL
  {
    let values = values.compactMap { $0.asStored(in: type) }
    return values.isEmpty ? "false" : "\(column) = any(\(values: values, of: type))"
  }

  /// Returns a predicate that is true if a text column matches a pattern. `ilike` ignores the case
  /// of the letters A to Z only, because text columns have the collation "C".
  func isLike(_ pattern: LikePattern, _ column: SQL, _ predicate: ColumnPredicate) -> SQL {
    switch pattern.letters {
    case .exact: "\(column) like \(.text(pattern.source))"
    case .folded: "\(column) ilike \(.text(pattern.source))"
    }
  }

  func contains(_ part: String, _ column: SQL, _ predicate: ColumnPredicate) -> SQL {
    "strpos(\(column), \(.text(part))) > 0"
  }

  var emptyArray: SQL { "'[]'::jsonb" }

  /// Returns a predicate that is true if an element of an array column satisfies `predicate`. For
  /// arrays, `contains` compares whole elements, not substrings.
  func test(array column: SQL, of element: ElementType, _ predicate: ColumnPredicate) -> SQL {
    var single = predicate
    if case .contains(let value) = predicate.criterion {
      single.criterion = .compare(.equal, value)
    }
    let (items, item) = Self.elements(ofArray: column, of: element)
    return
      "exists (select 1 from \(items) where \(single.test(column: item, of: element.fieldType)))"
  }

  private static func elements(
    ofArray column: SQL, of element: ElementType
  ) -> (table: SQL, element: SQL) {
    let item: SQL =
      switch element {
      case .text: "(_item collate \"C\")"
      case .integer: "_item::bigint"
      case .number: "_item::double precision"
      case .boolean: "_item::boolean"
      case .date: "_item::date"
      case .datetime: "_item::timestamptz"
      }
    return ("jsonb_array_elements_text(\(column)) as _items (_item)", item)
  }

  func elements(
    in column: SQL, of type: FieldType, under keys: [String]
  ) -> (table: SQL, value: SQL) {
    if case .array(let element) = type {
      let (items, item) = Self.elements(ofArray: column, of: element)
      return ("lateral (select distinct \(item) as value from \(items))", "_each.value")
    }
    let list = value(in: column, under: keys)
    return (
      """
      lateral (select distinct on (\(json(.scalar, of: "_item"))) _item as value \
      from json_array_elements(case when json_typeof(\(list)) = 'array' then \(list) end) \
      as _items (_item))
      """, "_each.value"
    )
  }

  /// Returns a predicate that is true if a point is in a grid cell of one of the ranges.
  ///
  /// Each range is a separate condition. The planner can then estimate the number of matching
  /// points, and start with the most selective index. The distance of a point takes the longest to
  /// compute, so the distance is always tested last.
  func isInCells(_ cells: [ClosedRange<Int64>], _ source: FromClause.Source, _ slot: Int) -> SQL {
    let cell = source.column(slot, .cell)
    let ranges = cells.map { range -> SQL in
      "\(cell) between \(.integer(range.lowerBound)) and \(.integer(range.upperBound))"
    }
    return "(\(SQL.list(ranges, separator: " or ")))"
  }

  func test(latitude: SQL, longitude: SQL, _ predicate: ColumnPredicate) -> SQL {
    switch predicate.criterion {
    case .withinCircle(let circle):
      let center = SpherePoint(circle.center)
      let limit = circle.squaredChord
      guard limit.isFinite else { return "\(latitude) is not null" }
      // The bounds of the latitude exclude most points before the distance is computed.
      return """
        (case when \(latitude) between \(.number(circle.box.south)) \
        and \(.number(circle.box.north)) then \(table: InternalTables.distanceFunction)(\(latitude), \
        \(longitude), \(.number(center.x)), \(.number(center.y)), \(.number(center.z))) \
        <= \(.number(limit)) else false end)
        """
    case .isIn(let values):
      let points = values.compactMap { value -> GeoPoint? in
        if case .geopoint(let point) = value { point } else { nil }
      }
      return """
        (\(latitude), \(longitude)) in (select _latitude, _longitude from \
        unnest(\(values: points.map { .number($0.latitude) }, of: .number), \
        \(values: points.map { .number($0.longitude) }, of: .number)) \
        as _points (_latitude, _longitude))
        """
    case .withinBox(let box): return "(\(ColumnPredicate.test(latitude, longitude, within: box)))"
    case .isNull, .isEmpty, .compare, .comparePath, .compareExpression, .between, .like, .contains:
      return "false"
    }
  }

  func list(in link: SQL, from source: SQL, by order: SQL) -> SQL {
    """
    (select coalesce(jsonb_agg(target order by \(order)), '[]'::jsonb) from \(link) \
    where source = \(source))
    """
  }

  func part(_ part: ResolvedPath.Part, ofFile column: SQL) -> SQL {
    switch part {
    case .fileName: "((\(column)::json ->> 'name') collate \"C\")"
    case .fileType: "((\(column)::json ->> 'type') collate \"C\")"
    case .fileSize: "(\(column)::json ->> 'size')::bigint"
    case .fileHash: "((\(column)::json ->> 'sha256') collate \"C\")"
    case .whole, .latitude, .longitude, .keys: column
    }
  }

  func greater(_ first: SQL, _ second: SQL) -> SQL { "greatest(\(first), \(second))" }

  func columnType(_ type: FieldType) -> SQL {
    guard let integers = type.integers else { return WireType(type).sqlName }
    let values = SQL.list(integers.values.map { "\(number: Int64($0))" })
    return "\(WireType(type).sqlName)(\(values))"
  }

  func temporary(_ table: String) -> SQL {
    switch engine {
    case .postgres: "pg_temp.\(name: table)"
    case .citus: "\(table: table)"
    }
  }

  /// Returns the statements that create a temporary table, which is dropped at the end of the
  /// transaction.
  ///
  /// On Citus, the statements create a regular distributed table instead. The tables that a
  /// deletion uses always exist on Citus, so no statements are returned for these tables.
  /// Concurrent deletions can share the tables, because transactions do not see each other's
  /// uncommitted rows.
  func creationSQL(temporary table: String, _ columns: SQL) -> [SQL] {
    switch engine {
    case .postgres:
      ["create temp table if not exists \(name: table) (\(columns)) on commit drop"]
    case .citus:
      InternalTables.deletionMarks.contains(table)
        ? []
        : ["create table \(table: table) (\(columns))"]
          + distributionSQL(table, .colocated(by: "_id"))
    }
  }

  func clearSQL(temporary table: String) -> [SQL] {
    switch engine {
    case .postgres: []
    case .citus: ["delete from \(table: table)"]
    }
  }

  /// Returns a table expression for the rows of a table: the table itself or, on Citus, a subquery.
  /// The subquery contains `offset 0`, which makes Citus run it separately, before the outer query.
  func fetched(_ table: SQL, _ columns: SQL) -> SQL {
    switch engine {
    case .postgres: table
    case .citus: "(select \(columns) from \(table) offset 0)"
    }
  }

  var relationTest: RelationTest {
    switch engine {
    case .postgres: .correlated
    case .citus: .uncorrelated(elements: Self.elements)
    }
  }

  var uniqueness: Uniqueness {
    switch engine {
    case .postgres: .index
    case .citus: .sideTable
    }
  }

  var deletionLockClause: SQL {
    switch engine {
    case .postgres: " for update"
    case .citus: ""
    }
  }

  var lockClause: SQL { " for update" }

  func hexadecimal(_ column: SQL) -> SQL { "encode(\(column), 'hex')" }

  /// The clause that locks rows that will be changed, but not deleted. It is weaker than `for
  /// update`: other transactions can still add references to the locked rows. With `for update`,
  /// two transactions could deadlock if both add a reference to the same row, and then try to
  /// change this row.
  var changeLockClause: SQL {
    switch engine {
    case .postgres: " for no key update"
    case .citus: ""
    }
  }

  /// The clause that locks referenced rows against deletion until the transaction ends. It is empty
  /// if the engine does not support such locks.
  var keyShareClause: SQL {
    switch engine {
    case .postgres: " for key share"
    case .citus: ""
    }
  }

  func distributionSQL(_ table: String, _ placement: Placement) -> [SQL] {
    switch engine {
    case .postgres: return []
    case .citus: break
    }
    let (column, rest): (String, SQL) =
      switch placement {
      case .colocated(let column):
        (column, "colocate_with => \(identifier(of: InternalTables.colocationTable))")
      case .distributed(let column): (column, "shard_count => \(shardCount)")
      }
    return [
      """
      select pg_catalog.create_distributed_table(\(identifier(of: table))::regclass, \
      \(.text(column)), \(rest))
      """
    ]
  }

  /// An expression for the number of shards of a new table. If the setting `citus.shard_count` has
  /// its default of 32, this is four times the number of workers, but at least 8. If not, it is the
  /// value of the setting.
  private var shardCount: SQL {
    """
    (select case when current_setting('citus.shard_count', true) = '32' \
    then greatest(8, 4 * count(*)) else current_setting('citus.shard_count', true)::bigint end::int \
    from pg_catalog.pg_dist_node where isactive and shouldhaveshards)
    """
  }

  /// Returns an SQL expression that quotes the name of a table and prefixes it with the namespace.
  private func identifier(of table: String) -> SQL {
    "format('%I.%I', \(.text(namespace)), \(.text(table)))"
  }

  func minimum(_ column: SQL, of type: FieldType) -> SQL {
    if type == .json { return extreme(column, isGreatest: false) }
    return type == .boolean ? "bool_and(\(column))" : "min(\(column))"
  }

  func maximum(_ column: SQL, of type: FieldType) -> SQL {
    if type == .json { return extreme(column, isGreatest: true) }
    return type == .boolean ? "bool_or(\(column))" : "max(\(column))"
  }
}
