import DataModel

/// Validation of geographic points, circles and boxes.
extension ConditionCheck {
  mutating func circle(
    _ distance: Literal, _ metresPerUnit: Double, _ centre: Literal
  ) throws(ConditionFault) -> GeoCircle {
    let length = try number(distance, "the distance")
    guard case .geopoint(let point) = try place(centre) else {
      throw ConditionFault("expected a point, such as (47.37, 8.54)", centre.range)
    }
    guard let circle = GeoCircle(centre: point, metres: length * metresPerUnit) else {
      throw ConditionFault(
        length < 0 ? "a distance cannot be negative" : "the distance is too long", distance.range)
    }
    return circle
  }

  mutating func box(
    south: Literal, west: Literal, north: Literal, east: Literal
  ) throws(ConditionFault) -> GeoBox {
    let southWest = try point(south, west, south.range)
    let northEast = try point(north, east, north.range)
    do throws(GeoBox.Fault) {
      return try GeoBox(southWest: southWest, northEast: northEast)
    } catch {
      switch error {
      case .upsideDown:
        throw ConditionFault(
          "the south of the box is north of its north", south.range,
          advice: "write a box as (SOUTH, WEST, NORTH, EAST)")
      }
    }
  }

  /// Creates a point from two numbers. An error has the range of the invalid coordinate.
  mutating func point(
    _ latitude: Literal, _ longitude: Literal, _ range: Range<Int>
  ) throws(ConditionFault) -> GeoPoint {
    let degrees = (try number(latitude, "the latitude"), try number(longitude, "the longitude"))
    do throws(GeoPoint.Fault) {
      return try GeoPoint(latitude: degrees.0, longitude: degrees.1)
    } catch {
      switch error {
      case .latitude:
        throw ConditionFault(error.message(found: Value.number(degrees.0).display), latitude.range)
      case .longitude:
        throw ConditionFault(
          error.message(found: Value.number(degrees.1).display), longitude.range)
      case .notAPoint: throw ConditionFault(error.message(found: "another type"), range)
      }
    }
  }
}

extension GeoPoint.Fault {
  /// The error message for an invalid point.
  func message(found: String) -> String {
    switch self {
    case .latitude: "expected a latitude from -90 to 90, found \(found)"
    case .longitude: "expected a longitude from -180 to 180, found \(found)"
    case .notAPoint: "expected a point as LAT,LON, found \(found)"
    }
  }
}
