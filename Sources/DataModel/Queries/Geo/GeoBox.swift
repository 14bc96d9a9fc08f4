/// An area between two latitudes and two longitudes, including its borders.
package struct GeoBox: Hashable, Sendable {
  package enum ParseError: Error, Hashable, Sendable {
    /// The latitude of the southern border is greater than the latitude of the northern border.
    case southAboveNorth
  }

  package let south: Double
  package let west: Double
  package let north: Double
  package let east: Double

  /// Creates a box from its southwest and northeast corners. The box crosses the 180° meridian if
  /// its western longitude is greater than its eastern one.
  package init(southWest: GeoPoint, northEast: GeoPoint) throws(ParseError) {
    guard southWest.latitude <= northEast.latitude else { throw .southAboveNorth }
    south = southWest.latitude
    west = southWest.longitude
    north = northEast.latitude
    east = northEast.longitude
  }

  init(south: Double, west: Double, north: Double, east: Double) {
    self.south = south
    self.west = west
    self.north = north
    self.east = east
  }

  /// The ranges of longitudes in the box. There are two if the box crosses or touches the 180°
  /// meridian, because 180 and -180 are the same longitude.
  package var longitudes: [ClosedRange<Double>] {
    if west > east { return [west...180, -180...east] }
    var ranges = [west...east]
    if east == 180 && west > -180 { ranges.append(-180 ... -180) }
    if west == -180 && east < 180 { ranges.append(180...180) }
    return ranges
  }

  /// Returns whether the box contains a point.
  package func matches(_ point: GeoPoint) -> Bool {
    point.latitude >= south && point.latitude <= north
      && longitudes.contains { $0.contains(point.longitude) }
  }
}
