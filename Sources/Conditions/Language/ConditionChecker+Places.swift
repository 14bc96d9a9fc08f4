import DataModel

/// Validation of geographic points, and of the circles and boxes in which a condition searches.
extension ConditionChecker {
  mutating func circle(
    _ distance: Literal, _ metersPerUnit: Double, _ center: Literal
  ) throws(ConditionError) -> GeoCircle {
    let length = try number(distance, "the distance")
    guard case .geopoint(let point) = try pointValue(center) else {
      throw ConditionError("expected a point, such as (47.37, 8.54)", center.range)
    }
    guard let circle = GeoCircle(center: point, meters: length * metersPerUnit) else {
      throw ConditionError(
        length < 0 ? "a distance cannot be negative" : "the distance is too long", distance.range)
    }
    return circle
  }

  mutating func box(
    south: Literal, west: Literal, north: Literal, east: Literal
  ) throws(ConditionError) -> GeoBox {
    let southWest = try point(south, west, south.range)
    let northEast = try point(north, east, north.range)
    do throws(GeoBox.ParseError) {
      // The order of the edges can be checked only if both have values. Parameters may have none
      // yet.
      let isKnown = !isDeferred(south) && !isDeferred(north)
      return try GeoBox(southWest: southWest, northEast: isKnown ? northEast : southWest)
    } catch {
      switch error {
      case .southAboveNorth:
        throw ConditionError(
          "the southern edge of the box is north of its northern edge", south.range,
          hint: "write a box as (SOUTH, WEST, NORTH, EAST)")
      }
    }
  }

  /// Creates a point from two literals.
  ///
  /// - Parameter range: The byte range of the whole point in the condition, for errors that do not
  ///   concern a coordinate.
  mutating func point(
    _ latitude: Literal, _ longitude: Literal, _ range: Range<Int>
  ) throws(ConditionError) -> GeoPoint {
    let degrees = (try number(latitude, "the latitude"), try number(longitude, "the longitude"))
    do throws(GeoPoint.ParseError) {
      return try GeoPoint(latitude: degrees.0, longitude: degrees.1)
    } catch {
      switch error {
      case .latitude:
        throw ConditionError(error.message(found: Value.number(degrees.0).display), latitude.range)
      case .longitude:
        throw ConditionError(
          error.message(found: Value.number(degrees.1).display), longitude.range)
      case .notAPoint: throw ConditionError(error.message(found: "another type"), range)
      }
    }
  }
}
