package import DataModel

/// Compiles conditions to SQL that agrees with `ConditionMatcher` on every record.
///
/// A positive requirement is a plain predicate, so that `x < 5` is an index search; its result may
/// be null, which counts as false in the end. A negated requirement is `… is not true`.
extension Scope {
  /// The maximum number of operands in a row: SQLite limits the depth of expressions to 1,000.
  private static let mostParts = 8

  /// With more predicates than this, each binds only a few values: engines limit the number of
  /// parameters of a statement to about 32,000.
  private static let mostSpaciousTests = 200

  /// Compiles a condition whose size was checked before.
  package mutating func sql(_ condition: Condition) throws(DataError) -> SQL {
    let requirement = condition.requirement
    isCrowded = requirement.tests > Self.mostSpaciousTests
    return try sql(requirement)
  }

  private mutating func sql(_ requirement: Requirement) throws(DataError) -> SQL {
    switch requirement {
    case .constant(let holds): return holds ? "true" : "false"
    case .meets(let path, let criterion): return try test(path, criterion)
    case .fails(let path, let criterion): return "(\(try test(path, criterion))) is not true"
    case .every(let parts): return try joined(parts, by: " and ")
    case .some(let parts): return try joined(parts, by: " or ")
    }
  }

  /// Joins the parts, the deepest first, because the first operand needs the least stack in
  /// SQLite's parser.
  private mutating func joined(_ parts: [Requirement], by word: SQL) throws(DataError) -> SQL {
    let sorted = parts.map { (cost: $0.cost, part: $0) }.sorted { $0.cost > $1.cost }
    var pieces: [SQL] = []
    for (_, part) in sorted { pieces.append("(\(try sql(part)))") }
    guard let first = pieces.first else { return "true" }
    var rest = Array(pieces[1...])
    while rest.count >= Self.mostParts {
      rest = stride(from: 0, to: rest.count, by: Self.mostParts).map { start in
        let end = min(start + Self.mostParts, rest.count)
        return "(\(SQL.list(Array(rest[start..<end]), separator: word)))"
      }
    }
    return SQL.list([first] + rest, separator: word)
  }

  private mutating func test(
    _ path: FieldPath, _ criterion: Criterion
  ) throws(DataError) -> SQL {
    let route = try route(path)
    guard case .comparePath(let comparison, let otherPath) = criterion else {
      var wanted = Wanted(criterion, dialect)
      wanted.prefersSearch = prefersSearch
      wanted.isCrowded = isCrowded
      return try test(route.hops[...], route, wanted)
    }
    let other = try self.route(otherPath)
    let column = try column(other)
    return try test(
      route.hops[...], route, Wanted(criterion, comparison, with: column, of: other.type, dialect))
  }

  /// Compiles the test of a path from the remaining hops on, with an `exists` for each to-many hop.
  private mutating func test(
    _ hops: ArraySlice<Route.Hop>, _ route: Route, _ wanted: Wanted
  ) throws(DataError) -> SQL {
    guard let place = hops.firstIndex(where: \.isMany) else {
      var rest = route
      rest.hops = Array(hops)
      return try test(single: rest, wanted)
    }
    let from = try source(behind: Array(hops[..<place]))
    let (hop, rest) = (hops[place], hops[(place + 1)...])
    let found: SQL
    if rest.isEmpty, route.part == .whole, route.slot == route.schema.keySlot {
      found = wanted.anyTarget(of: from, hop.slot)
    } else {
      var inner = Scope(
        TableLayout(try catalog.schema(hop.target)), within: self,
        reading: rest.first?.slot ?? route.slot)
      let link: SQL = "\(name: "_\(inner.depth)_link")"
      let condition = try inner.test(rest, route, wanted)
      // SQLite reads the tables of a cross join in the order in which they are written.
      let targets: SQL = """
        \(inner.tables) \
        where \(condition) and \(inner.root.key) = \(link).target
        """
      let links: SQL = "\(from.link(hop.slot)) as \(link)"
      found =
        wanted.isSearched(at: route)
        ? "\(from.key) in (select \(link).source from \(links), \(targets))"
        : """
        exists (select 1 from \(links) cross join \(targets) and \(link).source = \(from.key))
        """
    }
    // A relation without a target makes the whole path null.
    guard wanted.criterion == .isNull, !from.isSure else { return found }
    return "(\(from.key) is null or \(found))"
  }

  /// Compiles the test of a path without to-many hops.
  private mutating func test(single route: Route, _ wanted: Wanted) throws(DataError) -> SQL {
    let whole = route.schema.type(of: route.slot)
    if whole.relation?.isMany == true {
      return wanted.test(linksOf: try source(behind: route.hops), route.slot)
    }
    switch whole {
    case .geopoint where route.part == .whole:
      return wanted.test(placeOf: try source(behind: route.hops), route.slot)
    case .json:
      var keys: [String] = []
      if case .keys(let names) = route.part { keys = names }
      return wanted.test(json: try column(route), under: keys)
    case .array(let element): return wanted.test(array: try column(route), of: element)
    case .id, .text, .integer, .number, .boolean, .datetime, .geopoint, .file, .password,
      .relation:
      return wanted.test(column: try column(route), of: route.type)
    }
  }
}

extension Requirement {
  /// The approximate stack depth that the requirement needs in SQLite's parser.
  fileprivate var cost: Int {
    switch self {
    case .constant: return 0
    case .meets(let path, _), .fails(let path, _): return 1 + 7 * min(path.names.count - 1, 4)
    case .every(let parts), .some(let parts):
      let costs = parts.map(\.cost).sorted(by: >)
      return max((costs.first ?? 0) + 1, (costs.dropFirst().first ?? 0) + 4)
    }
  }
}
