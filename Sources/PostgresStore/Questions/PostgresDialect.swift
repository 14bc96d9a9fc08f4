import DataModel
import DataStore

/// What PostgreSQL says in words of its own, and what engines say otherwise that speak like it.
struct PostgresDialect: Dialect {
  let engine: Engine
  /// Where the tables stand.
  let namespace: String

  func ordered(_ column: SQL, isDescending: Bool, mayBeNull: Bool) -> SQL {
    guard mayBeNull else { return isDescending ? column + " desc" : column }
    return isDescending ? column + " desc nulls last" : column + " asc nulls first"
  }

  func grouped(_ column: SQL) -> SQL { column }

  func rare(_ test: SQL) -> SQL { test }

  func isOne(of values: [Value], _ column: SQL, of type: FieldType, _ wanted: Wanted) -> SQL {
    let values = values.compactMap { $0.asStored(in: type) }
    return values.isEmpty ? "false" : "\(column) = any(\(values: values, of: type))"
  }

  /// The collation of the column is that of bytes, by which only A to Z fold.
  func isLike(_ pattern: LikePattern, _ column: SQL, _ wanted: Wanted) -> SQL {
    switch pattern.letters {
    case .exact: "\(column) like \(.text(pattern.source))"
    case .folded: "\(column) ilike \(.text(pattern.source))"
    }
  }

  func contains(_ part: String, _ column: SQL, _ wanted: Wanted) -> SQL {
    "strpos(\(column), \(.text(part))) > 0"
  }

  var emptyArray: SQL { "'[]'::jsonb" }

  /// Whether an element is as wanted: a part of a text is none.
  func test(array column: SQL, of element: ElementType, _ wanted: Wanted) -> SQL {
    var single = wanted
    if case .contains(let value) = wanted.criterion { single.criterion = .compare(.equal, value) }
    let item: SQL =
      switch element {
      case .text: "(_item collate \"C\")"
      case .integer: "_item::bigint"
      case .number: "_item::double precision"
      case .boolean: "_item::boolean"
      case .datetime: "_item::timestamptz"
      }
    return """
      exists (select 1 from jsonb_array_elements_text(\(column)) as _items (_item) \
      where \(single.test(column: item, of: element.fieldType)))
      """
  }

  /// With the ranges in the test itself the server knows how many places are in them, and begins with
  /// whatever leaves the fewest; in whichever order, the distance is tested last, as the dearest.
  func isNear(_ cells: [ClosedRange<Int64>], _ source: Scope.Source, _ slot: Int) -> SQL {
    let cell = source.column(slot, .cell)
    let ranges = cells.map { range -> SQL in
      "\(cell) between \(.integer(range.lowerBound)) and \(.integer(range.upperBound))"
    }
    return "(\(SQL.list(ranges, separator: " or ")))"
  }

  func test(latitude: SQL, longitude: SQL, _ wanted: Wanted) -> SQL {
    switch wanted.criterion {
    case .withinCircle(let circle):
      let centre = SpherePoint(circle.centre)
      let limit = circle.squaredChord
      guard limit.isFinite else { return "\(latitude) is not null" }
      // Between the southernmost and the northernmost place of the circle the distance decides.
      return """
        (case when \(latitude) between \(.number(circle.box.south)) \
        and \(.number(circle.box.north)) then \(table: OwnTables.distance)(\(latitude), \
        \(longitude), \(.number(centre.x)), \(.number(centre.y)), \(.number(centre.z))) \
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
    case .withinBox(let box): return "(\(Wanted.test(latitude, longitude, within: box)))"
    case .isNull, .isEmpty, .compare, .comparePath, .between, .like, .contains: return "false"
    }
  }

  func list(in link: SQL, from source: SQL) -> SQL {
    """
    (select coalesce(jsonb_agg(target order by position), '[]'::jsonb) from \(link) \
    where source = \(source))
    """
  }

  func part(_ part: Route.Part, ofFile column: SQL) -> SQL {
    switch part {
    case .fileName: "((\(column)::json ->> 'name') collate \"C\")"
    case .fileType: "((\(column)::json ->> 'type') collate \"C\")"
    case .fileSize: "(\(column)::json ->> 'size')::bigint"
    case .fileHash: "((\(column)::json ->> 'sha256') collate \"C\")"
    case .whole, .latitude, .longitude, .keys: column
    }
  }

  func greater(_ first: SQL, _ second: SQL) -> SQL { "greatest(\(first), \(second))" }

  func columnType(_ type: FieldType) -> SQL { WireType(type).words }

  func temporary(_ table: String) -> SQL {
    switch engine {
    case .postgres, .cockroach, .yugabyte: "pg_temp.\(name: table)"
    case .citus: "\(table: table)"
    }
  }

  /// On Citus a deletion's tables are there: what a transaction has in them nobody else ever sees.
  func making(temporary table: String, _ columns: SQL) -> [SQL] {
    switch engine {
    case .postgres, .cockroach, .yugabyte:
      ["create temp table \(name: table) (\(columns)) on commit drop"]
    case .citus:
      OwnTables.marks.contains(table)
        ? []
        : ["create table \(table: table) (\(columns))"] + placing(table, .besideRecords(by: "_id"))
    }
  }

  func clearing(temporary table: String) -> [SQL] {
    switch engine {
    case .postgres, .cockroach, .yugabyte: []
    case .citus: ["delete from \(table: table)"]
    }
  }

  /// Citus fetches a subquery before the question that it stands in if it has an offset.
  func fetched(_ table: SQL, _ columns: SQL) -> SQL {
    switch engine {
    case .postgres, .cockroach, .yugabyte: table
    case .citus: "(select \(columns) from \(table) offset 0)"
    }
  }

  var uniqueness: Uniqueness {
    switch engine {
    case .postgres, .cockroach, .yugabyte: .index
    case .citus: .sideTable
    }
  }

  var holding: SQL {
    switch engine {
    case .postgres, .cockroach, .yugabyte: " for update"
    case .citus: ""
    }
  }

  /// What keeps others from deleting rows that are referred to, if rows can be held.
  var holdingKeys: SQL {
    switch engine {
    case .postgres, .cockroach, .yugabyte: " for key share"
    case .citus: ""
    }
  }

  func placing(_ table: String, _ placement: Placement) -> [SQL] {
    switch engine {
    case .postgres, .cockroach, .yugabyte: return []
    case .citus: break
    }
    let (column, companion): (String, SQL) =
      switch placement {
      case .besideRecords(let column): (column, identifier(of: Staging.name))
      case .apart(let column): (column, "'default'")
      }
    return [
      """
      select pg_catalog.create_distributed_table(\(identifier(of: table))::regclass, \
      \(.text(column)), colocate_with => \(companion))
      """
    ]
  }

  /// The name of a table as a value.
  private func identifier(of table: String) -> SQL {
    "format('%I.%I', \(.text(namespace)), \(.text(table)))"
  }

  func least(_ column: SQL, of type: FieldType) -> SQL {
    type == .boolean ? "bool_and(\(column))" : "min(\(column))"
  }

  func greatest(_ column: SQL, of type: FieldType) -> SQL {
    type == .boolean ? "bool_or(\(column))" : "max(\(column))"
  }
}
