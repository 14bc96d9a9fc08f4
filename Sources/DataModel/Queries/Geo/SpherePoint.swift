/// A point on the sphere of radius 1, in Cartesian coordinates.
///
/// Distances are compared by the squares of chords, which increase with the great-circle distance
/// and need no trigonometric functions per record. An engine can store the coordinates, or compute
/// them with the operations of `Degrees`.
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

  /// Returns the square of the straight-line distance to another point. Engines must use the same
  /// operations in the same order to get the same result.
  package func squaredChord(to other: SpherePoint) -> Double {
    let (dx, dy, dz) = (x - other.x, y - other.y, z - other.z)
    return dx * dx + dy * dy + dz * dz
  }
}
