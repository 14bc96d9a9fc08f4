package import DataModel

/// The `from` clause of a query: the table of the queried records, and the tables that are joined
/// to follow to-one relations.
///
/// Related records are joined by key with a left join, which neither duplicates nor drops a record.
/// If a reference has no target, the joined columns are null. Paths with a common prefix share
/// their joins, even if one path is in the condition and the other is a sort key.
package struct FromClause {
  /// A table in the clause, and its columns.
  package struct Source {
    package let layout: TableLayout
    /// The alias of the table.
    package let name: SQL
    /// Whether the table has a row for each queried record, so that its key is never null. A table
    /// that is added by a left join may have no matching row.
    package let alwaysExists: Bool
    /// Whether this is the table of the records that a query or an uncorrelated subquery selects.
    /// These records are stored on the same server as their links.
    let isRoot: Bool
    let dialect: any Dialect

    init(
      layout: TableLayout, name: SQL, alwaysExists: Bool, isRoot: Bool = false, dialect: any Dialect
    ) {
      self.layout = layout
      self.name = name
      self.alwaysExists = alwaysExists
      self.isRoot = isRoot
      self.dialect = dialect
    }

    /// Returns a table expression for the link table of a to-many relation. If the links may be on
    /// other servers than the records, the expression is a subquery that fetches the links; see
    /// `Dialect.fetched`.
    func link(_ slot: Int) -> SQL {
      let link = layout.link(slot)
      return isRoot ? link : dialect.fetched(link, "source, position, target")
    }

    /// Returns a table expression for the link table of a to-many relation. If it is a subquery
    /// (see `link`), it has the alias `_link`, because a subquery in a `from` clause needs an
    /// alias.
    func aliasedLink(_ slot: Int) -> SQL { isRoot ? link(slot) : "\(link(slot)) as _link" }

    package var key: SQL { "\(name).\(layout.key)" }

    /// Returns the column of a slot, or one of the three columns of a geopoint.
    package func column(_ slot: Int, _ part: TableLayout.Column.Part = .whole) -> SQL {
      let columns = TableLayout.columns(of: slot, in: layout.schema)
      guard let column = columns.first(where: { $0.part == part }) else { return "null" }
      return "\(name).\(name: column.name)"
    }
  }

  let dialect: any Dialect
  /// The schemas that the condition can name.
  var catalog: Catalog
  /// What the caller may read. Nil if all records may be read: for administrators, and in the
  /// conditions of access rules.
  var scope: Scope?
  /// The schema of the queried records. Paths in the condition start at its fields.
  var schema: Schema
  /// The nesting depth of the subquery, which makes its aliases unique.
  let depth: Int
  package let root: Source
  private let table: SQL
  /// Whether the engine should search an index even for a range with a single bound, such as `x <
  /// 5`. Without a hint, SQLite would scan all records in the order of their ids.
  let prefersIndexSearch: Bool
  /// Whether each predicate must bind few values. This is the case if the condition has many
  /// predicates, because engines limit the number of bound values in a statement.
  var bindsFewValues = false
  /// Whether related records are tested with one subquery that is executed once for all records,
  /// instead of a subquery that is executed for each record.
  var testsRelatedRecordsOnce = false
  /// A query that returns whether the queried records have many related records: in a sample of 64
  /// records, more than one related record for every two records. If so, the store compiles the
  /// query again, with a dialect whose `searchesLinks` is true. Nil if the number of related
  /// records makes no difference.
  var linkSample: SQL?
  /// The number of uncorrelated subqueries, and of `any`, `all` and `no` conditions, in the
  /// compiled predicates. It is limited to `maxSubqueries`.
  var subqueryCount = 0
  private(set) var joined: [(hops: [ResolvedPath.Hop], isBound: Bool, source: Source)] = []
  /// The SQL of the joins, which follows the root table in the clause.
  var joins = SQL()
  /// The number of joined subqueries that aggregate the links of each record, for example count
  /// them. It makes the alias of each of these subqueries unique.
  var aggregateJoins = 0

  /// Creates a clause for the records of a schema, with the table name as the alias.
  package init(
    _ schema: Schema, in catalog: Catalog, _ dialect: any Dialect, for scope: Scope? = nil,
    prefersIndexSearch: Bool = false
  ) {
    self.dialect = dialect
    self.prefersIndexSearch = prefersIndexSearch
    self.catalog = catalog
    self.scope = scope
    self.schema = schema
    depth = 0
    let layout = TableLayout(schema)
    root = Source(
      layout: layout, name: "\(name: schema.name)", alwaysExists: true, isRoot: true,
      dialect: dialect)
    table = layout.table
  }

  /// Creates the `from` clause of a subquery for the target records of a link table. The subquery
  /// reads only the primary key and the given slots of these records.
  init(_ layout: TableLayout, within outer: FromClause, reading slots: [Int]) {
    dialect = outer.dialect
    catalog = outer.catalog
    scope = outer.scope
    schema = layout.schema
    prefersIndexSearch = false
    bindsFewValues = outer.bindsFewValues
    depth = outer.depth + 1
    root = Source(
      layout: layout, name: "\(name: "_\(depth)")", alwaysExists: true, dialect: outer.dialect)
    let read = Set([layout.schema.keySlot] + slots).sorted().flatMap {
      TableLayout.columns(of: $0, in: layout.schema)
    }
    table = "\(layout.fetched(read, by: dialect)) as \(root.name)"
  }

  /// Creates the `from` clause of an uncorrelated subquery, which does not refer to the tables of
  /// the outer query. `outer` only provides settings, such as the dialect and the catalog.
  init(_ layout: TableLayout, apartFrom outer: FromClause) {
    dialect = outer.dialect
    catalog = outer.catalog
    scope = outer.scope
    schema = layout.schema
    prefersIndexSearch = false
    bindsFewValues = outer.bindsFewValues
    depth = outer.depth + 1
    root = Source(
      layout: layout, name: "\(name: "_\(depth)")", alwaysExists: true, isRoot: true,
      dialect: outer.dialect)
    table = "\(layout.table) as \(root.name)"
  }

  /// The SQL of the clause, without the word `from`: the root table and its joins.
  package var tables: SQL { table + joins }

  /// Whether the compiled predicates read only the table of the queried records.
  var isOneTable: Bool { joins == SQL() && subqueryCount == 0 }

  /// Resolves a field path that starts at the schema of the queried records.
  func resolvedPath(_ path: FieldPath) throws(DataError) -> ResolvedPath {
    do throws(PathError) {
      return try catalog.resolvedPath(path, from: schema)
    } catch {
      throw DataError(error)
    }
  }

  /// Returns the table at the end of a chain of to-one relations. Adds the joins for this chain
  /// that the clause does not have yet.
  mutating func source(following hops: [ResolvedPath.Hop]) throws(DataError) -> Source {
    guard let hop = hops.last else { return root }
    if let known = joined.first(where: { $0.hops == hops && $0.isBound == (scope != nil) }) {
      return known.source
    }
    let from = try source(following: hops.dropLast())
    let source = Source(
      layout: TableLayout(try catalog.schema(hop.target)),
      name: "\(name: "_\(depth)_\(joined.count)")", alwaysExists: false, dialect: dialect)
    let isTarget: SQL = "\(source.key) = \(from.column(hop.slot))"
    switch dialect.relationTest {
    case .correlated:
      let readable = try readability(of: hop.target, key: source.key)
      let isReadable: SQL = readable.map { " and \($0)" } ?? ""
      joins += " left join \(source.layout.table) as \(source.name) on \(isTarget)\(isReadable)"
    case .uncorrelated:
      let readable = try readability(of: hop.target, key: source.layout.key)
      let records = source.layout.fetched(source.layout.columns, by: dialect, where: readable)
      joins += " left join \(records) as \(source.name) on \(isTarget)"
    }
    joined.append((hops, scope != nil, source))
    return source
  }

  /// Returns the column at the end of a path that follows only to-one relations.
  mutating func column(_ resolvedPath: ResolvedPath) throws(DataError) -> SQL {
    if let last = resolvedPath.hops.last, resolvedPath.isKeyOfRelation, readsAll(of: last.target) {
      return try source(following: resolvedPath.hops.dropLast()).column(last.slot)
    }
    return try source(following: resolvedPath.hops).column(of: resolvedPath)
  }
}

extension TableLayout {
  /// Returns a table expression with the given columns of the records. It can be joined even if the
  /// engine distributes tables across servers; see `Dialect.fetched`.
  ///
  /// - Parameter condition: A predicate that the records must satisfy, or nil for all records.
  fileprivate func fetched(
    _ columns: [Column], by dialect: any Dialect, where condition: SQL? = nil
  ) -> SQL {
    let names = SQL.list(columns.map { "\(name: $0.name)" })
    guard let condition else { return dialect.fetched(table, names) }
    return "(select \(names) from \(table) where \(condition) offset 0)"
  }
}

extension FromClause.Source {
  /// Returns the column of the field at the end of a path. If the path names a component of the
  /// field, such as the size of a file, returns an expression for that component.
  func column(of resolvedPath: ResolvedPath) -> SQL {
    switch resolvedPath.part {
    case .whole, .keys: column(resolvedPath.slot)
    case .latitude: column(resolvedPath.slot, .latitude)
    case .longitude: column(resolvedPath.slot, .longitude)
    case .fileName, .fileType, .fileSize, .fileHash:
      dialect.part(resolvedPath.part, ofFile: column(resolvedPath.slot))
    }
  }
}

extension ResolvedPath {
  /// Whether the path ends at the primary key of a related record. The column of the relation
  /// contains this key, so no join is needed.
  ///
  /// False for system fields, because the users to which they refer may have been deleted.
  var isKeyOfRelation: Bool {
    guard let last = hops.last, part == .whole, slot == schema.keySlot else { return false }
    return last.direction == .forward
  }
}

extension DataError {
  package static var queryTooLarge: DataError {
    DataError(
      .usage, "the query is too large for the store",
      hint: "split the query into several queries, or put values into a list: in ('a', 'b')")
  }
}
