package import DataModel

/// Compiles a criterion, such as `< 5`, to an SQL predicate on a column. If the criterion compares
/// two field paths, `other` contains the column of the second path.
package struct ColumnPredicate {
  /// The right-hand side of a comparison of two columns.
  package struct Other {
    package let comparison: Comparison
    package let column: SQL
    package let type: FieldType
  }

  package var criterion: Criterion
  package private(set) var other: Other?
  let dialect: any Dialect
  /// Whether the query planner should use an index even for a range with a single bound: `x < 5`.
  /// Without a hint, SQLite assumes that most rows are in the range, and scans all rows in the
  /// order of their ids.
  var prefersIndexSearch = false

  /// Whether the predicate must bind few values. This is the case if the statement has many
  /// predicates, because engines limit the number of bound values in a statement.
  package var bindsFewValues = false

  package init(_ criterion: Criterion, _ dialect: any Dialect) {
    self.criterion = criterion
    self.dialect = dialect
  }

  package init(
    _ criterion: Criterion, _ comparison: Comparison, with column: SQL, of type: FieldType,
    _ dialect: any Dialect
  ) {
    self.criterion = criterion
    self.dialect = dialect
    other = Other(comparison: comparison, column: column, type: type)
  }

  /// Returns the predicate for a column whose values are single values of the given type, or null.
  package func test(column: SQL, of type: FieldType) -> SQL {
    switch criterion {
    case .isNull: return "\(column) is null"
    case .isEmpty, .withinCircle, .withinBox: return "false"
    case .compare(let comparison, let value):
      if let digits = type.digits { return test(column, type, digits, comparison, value) }
      guard type.holds(value), let comparison = comparison.among(type) else { return "false" }
      let test = dialect.compares(column, of: type, comparison, with: value)
      return prefersIndexSearch && comparison != .equal ? dialect.selective(test) : test
    case .comparePath, .compareExpression:
      guard let other, type.compares(with: other.type) else { return "false" }
      return dialect.compares(
        column, of: type, other.comparison, with: other.column, of: other.type)
    case .isIn(let values):
      return isOne(of: values.compactMap { type.stored($0) }, column, type)
    case .between(let low, let high):
      if let digits = type.digits {
        let least = test(column, type, digits, .greaterOrEqual, low)
        return "(\(least) and \(test(column, type, digits, .lessOrEqual, high)))"
      }
      guard type.holds(low), type.holds(high), type.isOrdered else { return "false" }
      let least = dialect.compares(column, of: type, .greaterOrEqual, with: low)
      return "(\(least) and \(dialect.compares(column, of: type, .lessOrEqual, with: high)))"
    case .like(let pattern): return type.isText ? isLike(pattern, column) : "false"
    case .contains(let part):
      guard type.isText, case .text(let text) = part else { return "false" }
      return dialect.contains(text, column, self)
    }
  }

  /// Compares a decimal with a number that may have more digits. It is replaced with the value of the
  /// type that is directly below or above it.
  private func test(
    _ column: SQL, _ type: FieldType, _ digits: DecimalDigits, _ comparison: Comparison,
    _ value: Value
  ) -> SQL {
    func compares(_ comparison: Comparison, _ decimal: DecimalValue?) -> SQL {
      guard let decimal else { return "false" }
      let test = dialect.compares(column, of: type, comparison, with: .decimal(decimal))
      return prefersIndexSearch && comparison != .equal ? dialect.selective(test) : test
    }
    switch digits.neighbors(of: value) {
    case nil: return "false"
    case .equal(let decimal)?: return compares(comparison, decimal)
    case .around(let below, let above)?:
      switch comparison {
      case .equal: return "false"
      case .less, .lessOrEqual: return compares(.lessOrEqual, below)
      case .greater, .greaterOrEqual: return compares(.greaterOrEqual, above)
      }
    }
  }

  private func isOne(of values: [Value], _ column: SQL, _ type: FieldType) -> SQL {
    values.isEmpty ? "false" : dialect.isOne(of: values, column, of: type, self)
  }

  private func isLike(_ pattern: LikePattern, _ column: SQL) -> SQL {
    let items = pattern.items
    let prefix = pattern.prefix
    guard pattern.letters == .exact, !prefix.isEmpty else {
      return dialect.isLike(pattern, column, self)
    }
    let rest = items.dropFirst(prefix.unicodeScalars.count)
    if rest.isEmpty { return "\(column) = \(.text(prefix))" }
    var range: SQL = "\(column) >= \(.text(prefix))"
    if let end = prefix.prefixUpperBound { range += " and \(column) < \(.text(end))" }
    return rest == [.anyText]
      ? "(\(range))" : "(\(range) and \(dialect.isLike(pattern, column, self)))"
  }
}

extension Comparison {
  package var sql: SQL {
    switch self {
    case .equal: " = "
    case .less: " < "
    case .lessOrEqual: " <= "
    case .greater: " > "
    case .greaterOrEqual: " >= "
    }
  }

  /// Returns the comparison to use instead of this one for values of the given type, or nil if the
  /// result is always false. Types such as `geopoint` have no order: for them, `<=` and `>=` mean
  /// `=`, and `<` and `>` are always false.
  func among(_ type: FieldType) -> Comparison? {
    if type.isOrdered { return self }
    switch self {
    case .equal, .lessOrEqual, .greaterOrEqual: return .equal
    case .less, .greater: return nil
    }
  }
}

extension String {
  /// The smallest string that sorts after all strings with this prefix; nil if there is none.
  fileprivate var prefixUpperBound: String? {
    var scalars = Array(unicodeScalars)
    while let last = scalars.popLast() {
      let next = last.value == 0xD7FF ? 0xE000 : last.value + 1
      guard let scalar = Unicode.Scalar(next) else { continue }
      return String(String.UnicodeScalarView(scalars + [scalar]))
    }
    return nil
  }
}

/// Predicates on lists: to-many relations, arrays and JSON.
extension ColumnPredicate {
  /// Compiles the predicate for a to-many relation, whose ids are stored in a link table.
  func test(linksIn from: FromClause.Source, _ slot: Int) -> SQL {
    switch criterion {
    case .isNull: return from.alwaysExists ? "false" : "\(from.key) is null"
    case .isEmpty:
      let link = from.aliasedLink(slot)
      let none: SQL = "not exists (select 1 from \(link) where source = \(from.key))"
      return from.alwaysExists ? none : "(\(from.key) is not null and \(none))"
    case .contains(let id):
      return ColumnPredicate(.compare(.equal, id), dialect).anyTarget(
        of: from, allLinks: from.layout.link(slot), links: from.link(slot))
    case .compare, .comparePath, .compareExpression, .isIn, .between, .like, .withinCircle,
      .withinBox:
      return anyTarget(of: from, allLinks: from.layout.link(slot), links: from.link(slot))
    }
  }

  /// Returns whether an index of the target schema can find the target records that satisfy the
  /// criterion. If so, the query starts with these records, which is faster than starting with the
  /// records that refer to them.
  func prefersTargetIndex(at resolvedPath: ResolvedPath) -> Bool {
    guard resolvedPath.part == .whole,
      resolvedPath.schema.hasIndex(beginningWith: resolvedPath.slot)
    else {
      return false
    }
    switch criterion {
    case .compare(.equal, _), .isIn: return true
    case .compare, .comparePath, .compareExpression, .between, .like, .contains, .isNull,
      .isEmpty, .withinCircle, .withinBox:
      return false
    }
  }

  /// Returns a predicate that is true if at least one id of a to-many relation satisfies the
  /// criterion.
  ///
  /// For equality and `in`, the predicate is `id in (select source from allLinks …)`, which uses
  /// the index of the link table on the column `target`. For other criteria, it is `exists (select
  /// 1 from links …)`, a subquery that refers to the record in `from`.
  ///
  /// - Parameters:
  ///   - from: The table of the records that have the relation.
  ///   - allLinks: The link table of the relation, for `id in`.
  ///   - links: A table expression for the same links, for `exists`. The engine must be able to
  ///     join it with `from`; see `Dialect.fetched`.
  func anyTarget(of from: FromClause.Source, allLinks: SQL, links: SQL) -> SQL {
    switch criterion {
    case .isNull, .isEmpty, .withinCircle, .withinBox: return "false"
    case .compare(.equal, _), .isIn:
      return
        """
        \(from.key) in (select source from \(allLinks) as _link \
        where \(test(column: "target", of: .text)))
        """
    case .compare, .comparePath, .compareExpression, .between, .like, .contains:
      return """
        exists (select 1 from \(links) as _link where _link.source = \(from.key) \
        and \(test(column: "_link.target", of: .text)))
        """
    }
  }

  /// Returns the predicate for an array column. Tests for null and for an empty array apply to the
  /// whole array; all other criteria are met if an element satisfies them.
  func test(array column: SQL, of element: ElementType) -> SQL {
    switch criterion {
    case .isNull: return "\(column) is null"
    case .isEmpty: return "\(column) = \(dialect.emptyArray)"
    case .compare(.equal, let value), .contains(let value):
      guard element.fieldType.holds(value) else { return "false" }
      return dialect.test(array: column, of: element, self)
    case .compare, .comparePath, .compareExpression, .isIn, .between, .like, .withinCircle,
      .withinBox:
      return dialect.test(array: column, of: element, self)
    }
  }

  /// Returns the predicate for the value at a key path in a JSON column.
  func test(json column: SQL, under keys: [String]) -> SQL {
    dialect.test(json: column, under: keys, self)
  }
}

extension FieldType {
  /// Returns whether values of this type can be compared with the given value.
  package func holds(_ value: Value) -> Bool {
    guard let type = value.type else { return false }
    if type == .text { return isText }
    return type.isNumeric ? isNumeric : type == self && type != .json
  }

  /// Returns a value as a field of this type stores it, or nil if it stores no equal one.
  fileprivate func stored(_ value: Value) -> Value? {
    guard let digits else { return holds(value) ? value : nil }
    guard case .equal(let decimal)? = digits.neighbors(of: value) else { return nil }
    return .decimal(decimal)
  }

  /// Returns whether values of this type can be ordered relative to values of the other type.
  package func compares(with other: FieldType) -> Bool {
    isText && other.isText || isNumeric && other.isNumeric || isTime && other.isTime
      || self == other && isOrdered
  }
}

/// Predicates on geopoints.
extension ColumnPredicate {
  /// Returns the predicate for a geopoint, which is stored in three columns.
  func test(pointIn from: FromClause.Source, _ slot: Int) -> SQL {
    let latitude = from.column(slot, .latitude)
    let longitude = from.column(slot, .longitude)
    func isSame(_ point: GeoPoint) -> SQL {
      """
      (\(from.column(slot, .cell)) = \(.integer(point.cell)) and \(latitude) = \
      \(.number(point.latitude)) and \(longitude) = \(.number(point.longitude)))
      """
    }
    switch criterion {
    case .isNull: return "\(latitude) is null"
    case .compare(.equal, .geopoint(let point)), .compare(.lessOrEqual, .geopoint(let point)),
      .compare(.greaterOrEqual, .geopoint(let point)):
      return isSame(point)
    case .isIn(let values):
      let points = values.compactMap { value -> SQL? in
        if case .geopoint(let point) = value { isSame(point) } else { nil }
      }
      if points.isEmpty { return "false" }
      guard points.count > (bindsFewValues ? 1 : 8) else {
        return "(\(SQL.list(points, separator: " or ")))"
      }
      return dialect.test(latitude: latitude, longitude: longitude, self)
    case .withinBox where bindsFewValues, .withinCircle where bindsFewValues:
      return dialect.test(latitude: latitude, longitude: longitude, self)
    case .withinBox(let box):
      return "(\(cellFilter(box, from, slot))\(Self.test(latitude, longitude, within: box)))"
    case .withinCircle(let circle):
      return
        "(\(cellFilter(circle.box, from, slot))\(dialect.test(latitude: latitude, longitude: longitude, self)))"
    case .compare, .between, .isEmpty, .comparePath, .compareExpression, .like, .contains:
      return "false"
    }
  }

  /// Returns a predicate that is true if a point is in a box.
  package static func test(_ latitude: SQL, _ longitude: SQL, within box: GeoBox) -> SQL {
    let columns = box.longitudes.map { range -> SQL in
      "\(longitude) between \(.number(range.lowerBound)) and \(.number(range.upperBound))"
    }
    return """
      \(latitude) between \(.number(box.south)) and \(.number(box.north)) \
      and (\(SQL.list(columns, separator: " or ")))
      """
  }

  /// Returns a predicate that is true if the point is in a grid cell that overlaps the box,
  /// followed by the word `and`. The engine can test this predicate with an index. Returns empty
  /// SQL if the box is so large that an index is of no use.
  private func cellFilter(_ box: GeoBox, _ from: FromClause.Source, _ slot: Int) -> SQL {
    box.cellRanges().map { "\(dialect.isInCells($0, from, slot)) and " } ?? ""
  }
}
