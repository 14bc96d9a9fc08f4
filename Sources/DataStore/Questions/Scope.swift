package import DataModel

/// The records that one `from` reads, and those that relations to one record lead to from them.
///
/// A relation that leads to none gives columns of null by a left join on the key, so that no record
/// comes twice or is lost. Paths with the same beginning, and the order, share the joins.
package struct Scope {
  /// Where the columns of a record stand.
  package struct Source {
    package let layout: TableLayout
    /// What the table is called here.
    package let name: SQL
    /// Whether there is always a record.
    package let isSure: Bool
    /// Whether these are the records that are asked for, beside which their links lie.
    let isFirst: Bool
    let dialect: any Dialect

    init(
      layout: TableLayout, name: SQL, isSure: Bool, isFirst: Bool = false, dialect: any Dialect
    ) {
      self.layout = layout
      self.name = name
      self.isSure = isSure
      self.isFirst = isFirst
      self.dialect = dialect
    }

    /// The table of a to-many relation, as it is joined with the record.
    func link(_ slot: Int) -> SQL {
      let link = layout.link(slot)
      return isFirst ? link : dialect.fetched(link, "source, position, target")
    }

    /// The same under a name, which a subquery must have.
    func namedLink(_ slot: Int) -> SQL { isFirst ? link(slot) : "\(link(slot)) as _link" }

    package var key: SQL { "\(name).\(layout.key)" }

    /// The only column of a slot, or one of those of a point.
    package func column(_ slot: Int, _ part: TableLayout.Column.Part = .whole) -> SQL {
      let columns = TableLayout.columns(of: slot, in: layout.schema)
      guard let column = columns.first(where: { $0.part == part }) else { return "null" }
      return "\(name).\(name: column.name)"
    }
  }

  let dialect: any Dialect
  let catalog: Catalog
  /// How many others it stands within: names differ by it.
  let depth: Int
  package let root: Source
  private let table: SQL
  /// Whether ranges should be searched rather than all records be read in order.
  let prefersSearch: Bool
  /// Whether there are so many tests that each may bind only a few values.
  var isCrowded = false
  private var joined: [(hops: [Route.Hop], source: Source)] = []
  /// What stands behind the table in `from`.
  private(set) var joins = SQL()

  /// The records of a schema under the name of their table.
  package init(
    _ schema: Schema, in catalog: Catalog, _ dialect: any Dialect, prefersSearch: Bool = false
  ) {
    self.dialect = dialect
    self.prefersSearch = prefersSearch
    self.catalog = catalog
    depth = 0
    let layout = TableLayout(schema)
    root = Source(
      layout: layout, name: "\(name: schema.name)", isSure: true, isFirst: true,
      dialect: dialect)
    table = layout.table
  }

  /// The records that a link leads to, within another scope, which asks for one slot of theirs.
  init(_ layout: TableLayout, within outer: Scope, reading slot: Int) {
    dialect = outer.dialect
    catalog = outer.catalog
    prefersSearch = false
    isCrowded = outer.isCrowded
    depth = outer.depth + 1
    root = Source(
      layout: layout, name: "\(name: "_\(depth)")", isSure: true, dialect: outer.dialect)
    let read = [layout.schema.keySlot, slot].flatMap {
      TableLayout.columns(of: $0, in: layout.schema)
    }
    table = "\(layout.fetched(read, by: dialect)) as \(root.name)"
  }

  /// What stands behind `from`.
  package var tables: SQL { table + joins }

  /// Where a path leads from the records.
  func route(_ path: FieldPath) throws(DataError) -> Route {
    do throws(PathFault) {
      return try catalog.route(path, from: root.layout.schema)
    } catch {
      throw DataError(error)
    }
  }

  /// The record that relations to one record lead to.
  mutating func source(behind hops: [Route.Hop]) throws(DataError) -> Source {
    guard let hop = hops.last else { return root }
    if let known = joined.first(where: { $0.hops == hops }) { return known.source }
    let from = try source(behind: hops.dropLast())
    let source = Source(
      layout: TableLayout(try catalog.schema(hop.target)),
      name: "\(name: "_\(depth)_\(joined.count)")", isSure: false, dialect: dialect)
    joins += """
       left join \(source.layout.fetched(source.layout.columns, by: dialect)) as \(source.name) \
      on \(source.key) = \(from.column(hop.slot))
      """
    joined.append((hops, source))
    return source
  }

  /// The column of what a path of relations to one record leads to.
  mutating func column(_ route: Route) throws(DataError) -> SQL {
    if let last = route.hops.last, route.isKeyOfRelation {
      return try source(behind: route.hops.dropLast()).column(last.slot)
    }
    return try source(behind: route.hops).column(of: route)
  }
}

extension TableLayout {
  /// The records where they are joined by something else than their key.
  fileprivate func fetched(_ columns: [Column], by dialect: any Dialect) -> SQL {
    dialect.fetched(table, SQL.list(columns.map { "\(name: $0.name)" }))
  }
}

extension Scope.Source {
  /// The column, or what is made of it, of the field that a route ends at.
  func column(of route: Route) -> SQL {
    switch route.part {
    case .whole, .keys: column(route.slot)
    case .latitude: column(route.slot, .latitude)
    case .longitude: column(route.slot, .longitude)
    case .fileName, .fileType, .fileSize, .fileHash:
      dialect.part(route.part, ofFile: column(route.slot))
    }
  }
}

extension Route {
  /// Whether it leads to the id of a record that a relation names: the relation holds it already.
  ///
  /// A system field names users, and they may be gone.
  var isKeyOfRelation: Bool {
    guard let last = hops.last, part == .whole, slot == schema.keySlot else { return false }
    return !last.isOfSystem
  }
}

extension DataError {
  package static var questionTooLarge: DataError {
    DataError(
      .usage, "the query is too large for the store",
      hint: "split it into several queries, or put values into one list with in")
  }
}
