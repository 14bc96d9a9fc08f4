/// A point on the sphere of radius 1, in Cartesian coordinates.
///
/// Distances are compared by the squares of chords, which are straight lines between two points of
/// the sphere. The square of a chord increases with the great-circle distance, and computing it
/// needs no trigonometric functions per record. An engine can store the coordinates, or compute
/// them with the same operations as the type `Degrees`. All engines then get the same result.
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

/// Sine and cosine of angles in degrees, computed with multiplications and additions only.
///
/// Every engine must find the same records with the operator `within`, but the sine functions of C
/// libraries differ in the last digit. These functions reduce angles to at most 45 degrees without
/// rounding, and use Taylor series. The error is at most one unit in the last place.
enum Degrees {
  static func sine(_ degrees: Double) -> Double {
    let angle = degrees.magnitude
    let upper = angle > 90 ? 180 - angle : angle
    let sine = upper <= 45 ? sineSeries(upper) : cosineSeries(90 - upper)
    return degrees < 0 ? -sine : sine
  }

  static func cosine(_ degrees: Double) -> Double {
    let angle = degrees.magnitude
    let upper = angle > 90 ? 180 - angle : angle
    let cosine = upper <= 45 ? cosineSeries(upper) : sineSeries(90 - upper)
    return angle > 90 ? -cosine : cosine
  }

  /// Returns the angle between 0 and 90 degrees with the given sine. The angle is rounded up, so
  /// that a box whose width is computed from the angle is not too narrow.
  static func arcsine(_ sine: Double) -> Double {
    var low = 0.0
    var high = 90.0
    for _ in 0..<60 {
      let middle = (low + high) / 2
      if Degrees.sine(middle) < sine { low = middle } else { high = middle }
    }
    return high
  }

  private static func sineSeries(_ degrees: Double) -> Double {
    let angle = degrees * radiansPerDegree
    return angle + angle * (angle * angle * series(angle * angle, oddFactors))
  }

  private static func cosineSeries(_ degrees: Double) -> Double {
    let square = degrees * radiansPerDegree * (degrees * radiansPerDegree)
    return 1 + square * series(square, evenFactors)
  }

  private static func series(_ square: Double, _ factors: [Double]) -> Double {
    factors.reduce(0) { sum, factor in sum * square + factor }
  }

  private static let radiansPerDegree = Double.pi / 180

  /// The coefficients of the Taylor series of the sine, from the highest power to the lowest: the
  /// reciprocals of the factorials of 19, 17, … 3, with alternating signs.
  private static let oddFactors: [Double] = [
    -1 / 121_645_100_408_832_000, 1 / 355_687_428_096_000, -1 / 1_307_674_368_000,
    1 / 6_227_020_800, -1 / 39_916_800, 1 / 362_880, -1 / 5_040, 1 / 120, -1 / 6,
  ]

  /// The coefficients of the Taylor series of the cosine, from the highest power to the lowest: the
  /// reciprocals of the factorials of 18, 16, … 2, with alternating signs.
  private static let evenFactors: [Double] = [
    -1 / 6_402_373_705_728_000, 1 / 20_922_789_888_000, -1 / 87_178_291_200, 1 / 479_001_600,
    -1 / 3_628_800, 1 / 40_320, -1 / 720, 1 / 24, -1 / 2,
  ]
}
