/// All places between two latitudes and two longitudes, the borders included.
package struct GeoBox: Hashable, Sendable {
  package enum Fault: Error, Hashable, Sendable {
    /// The south is north of the north.
    case upsideDown
  }

  package let south: Double
  package let west: Double
  package let north: Double
  package let east: Double

  /// The box between a south-west and a north-east corner; across 180° if the west is east of the
  /// east.
  package init(southWest: GeoPoint, northEast: GeoPoint) throws(Fault) {
    guard southWest.latitude <= northEast.latitude else { throw .upsideDown }
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

  /// The ranges of longitude within; 180 and -180 are the same meridian.
  package var longitudes: [ClosedRange<Double>] {
    if west > east { return [west...180, -180...east] }
    var ranges = [west...east]
    if east == 180 && west > -180 { ranges.append(-180 ... -180) }
    if west == -180 && east < 180 { ranges.append(180...180) }
    return ranges
  }

  /// Whether a place is within.
  package func holds(_ point: GeoPoint) -> Bool {
    point.latitude >= south && point.latitude <= north
      && longitudes.contains { $0.contains(point.longitude) }
  }
}
