package import DataModel

/// Predicates on geopoints.
extension ColumnPredicate {
  /// The predicate for a geopoint, on its three columns.
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
    case .compare, .between, .isEmpty, .comparePath, .like, .contains: return "false"
    }
  }

  /// Returns the predicate that a point is in a box.
  package static func test(_ latitude: SQL, _ longitude: SQL, within box: GeoBox) -> SQL {
    let columns = box.longitudes.map { range -> SQL in
      "\(longitude) between \(.number(range.lowerBound)) and \(.number(range.upperBound))"
    }
    return """
      \(latitude) between \(.number(box.south)) and \(.number(box.north)) \
      and (\(SQL.list(columns, separator: " or ")))
      """
  }

  /// A filter by the cells that cover a box, followed by `and`; empty if they cover a large part of
  /// the earth.
  private func cellFilter(_ box: GeoBox, _ from: FromClause.Source, _ slot: Int) -> SQL {
    box.cellRanges().map { "\(dialect.isInCells($0, from, slot)) and " } ?? ""
  }
}
