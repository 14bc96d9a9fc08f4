/// Computes great-circle distances with operations that have exactly the same result in every
/// engine: additions, multiplications, divisions and square roots.
package enum SphereDistance {
  /// The diameter of the sphere in millimeters.
  package static let diameter = 2 * 6_371_008_800.0

  /// Two points are treated as one point if the square of the straight-line distance between them,
  /// on a sphere of radius 1, is below this limit. For smaller squares, PostgreSQL could raise an
  /// error, because a product is too small for a double. The limit corresponds to a distance of
  /// about 6 nanometers.
  package static let smallestSquaredChord = 1e-30

  /// The numerator of a rational approximation of the arcsine (fdlibm, `e_asin.c`): its
  /// coefficients, from the highest power to the lowest. With `denominator`, the error is at most
  /// one unit in the last place.
  package static let numerator = [
    3.47933107596021167570e-05, 7.91534994289814532176e-04, -4.00555345006794114027e-02,
    2.01212532134862925881e-01, -3.25565818622400915405e-01, 1.66666666666666657415e-01,
  ]
  package static let denominator = [
    7.70381505559019352791e-02, -6.88283971605453293030e-01, 2.02094576023350569471e+00,
    -2.40339491173441421878e+00, 1,
  ]

  /// Returns the great-circle distance between two points in kilometers, rounded to the millimeter.
  ///
  /// - Parameter square: The square of the straight-line distance between the points on a sphere of
  ///   radius 1.
  package static func kilometers(squaredChord square: Double) -> Double {
    let isFar = square > 1
    let half =
      square < smallestSquaredChord
      ? 0 : isFar ? max((1 - square.squareRoot() / 2) / 2, 0) : square / 4
    let quotient =
      half * value(of: numerator, at: half) / value(of: denominator, at: half)
    let arcsine = half.squareRoot() + half.squareRoot() * quotient
    let angle = isFar ? .pi / 2 - 2 * arcsine : arcsine
    return (angle * diameter + 0.5).rounded(.down) / 1_000_000
  }

  private static func value(of coefficients: [Double], at variable: Double) -> Double {
    coefficients.dropFirst().reduce(coefficients[0]) { $0 * variable + $1 }
  }
}

extension GeoPoint {
  /// Returns the great-circle distance to another point in kilometers, rounded to the millimeter.
  package func kilometers(to other: GeoPoint) -> Double {
    SphereDistance.kilometers(
      squaredChord: SpherePoint(self).squaredChord(to: SpherePoint(other)))
  }
}
