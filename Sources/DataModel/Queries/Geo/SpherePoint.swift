/// A place as a point on the sphere of radius 1.
///
/// Distances are compared by straight lines through the sphere: the longer the way along it, the
/// longer the line, and lines need neither a sine nor an arcsine for each record. An engine may keep
/// the three numbers beside a place, or make them with the sums and products of `Degrees`.
package struct SpherePoint: Hashable, Sendable {
  package let x: Double
  package let y: Double
  package let z: Double

  package init(_ point: GeoPoint) {
    let radius = Degrees.cosine(point.latitude)
    x = radius * Degrees.cosine(point.longitude)
    y = radius * Degrees.sine(point.longitude)
    z = Degrees.sine(point.latitude)
  }

  /// The square of the straight line to another point: these operations, in this order.
  package func squaredChord(to other: SpherePoint) -> Double {
    let (dx, dy, dz) = (x - other.x, y - other.y, z - other.z)
    return dx * dx + dy * dy + dz * dz
  }
}
