/// A circle on the earth: all points within a great-circle distance from its center.
package struct GeoCircle: Hashable, Sendable {
  /// The radius of the sphere on which distances are measured, in meters.
  package static let sphereRadius = 6_371_008.8

  package let center: GeoPoint
  /// The radius of the circle in meters; not negative.
  package let meters: Double

  package init?(center: GeoPoint, meters: Double) {
    guard meters >= 0, meters.isFinite else { return nil }
    self.center = center
    self.meters = meters
  }

  /// The square of the maximum straight-line distance from the center to a point in the circle, on
  /// a sphere of radius 1.
  package var squaredChord: Double {
    let half = degrees / 2
    guard half < 90 else { return .infinity }
    let chord = 2 * Degrees.sine(half)
    return chord * chord
  }

  /// Returns whether the circle contains a point.
  package func matches(_ point: GeoPoint) -> Bool {
    SpherePoint(point).squaredChord(to: SpherePoint(center)) <= squaredChord
  }

  /// A box that contains the circle, for index searches.
  package var box: GeoBox {
    let radius = degrees + Self.margin
    let south = center.latitude - radius
    let north = center.latitude + radius
    guard south > -90, north < 90 else {
      return GeoBox(
        south: max(south, -90), west: -180, north: min(north, 90), east: 180)
    }
    let ratio = Degrees.sine(radius) / Degrees.cosine(center.latitude)
    guard ratio < 0.999_999 else {
      return GeoBox(south: south, west: -180, north: north, east: 180)
    }
    let width = Degrees.arcsine(ratio) + Self.margin
    return GeoBox(
      south: south, west: Self.normalizedLongitude(center.longitude - width), north: north,
      east: Self.normalizedLongitude(center.longitude + width))
  }

  private var degrees: Double { meters / Self.sphereRadius * 180 / .pi }

  /// A safety margin in degrees that exceeds all rounding errors. It is about 0.01 mm on the earth.
  private static let margin = 1e-10

  private static func normalizedLongitude(_ longitude: Double) -> Double {
    longitude > 180 ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude
  }
}
