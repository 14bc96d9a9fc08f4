import DataModel
import Foundation
import TestSupport
import Testing

@Suite("SpherePoint and GeoCircle")
struct GeoTests {
  private func point(_ latitude: Double, _ longitude: Double) throws -> GeoPoint {
    try GeoPoint(latitude: latitude, longitude: longitude)
  }

  /// Returns the great-circle distance in meters by another formula.
  private func distance(_ first: GeoPoint, _ second: GeoPoint) -> Double {
    func sine(_ degrees: Double) -> Double { sin(degrees * .pi / 180) }
    func cosine(_ degrees: Double) -> Double { cos(degrees * .pi / 180) }
    let turn = second.longitude - first.longitude
    let across = cosine(second.latitude) * sine(turn)
    let along =
      cosine(first.latitude) * sine(second.latitude)
      - sine(first.latitude) * cosine(second.latitude) * cosine(turn)
    let inward =
      sine(first.latitude) * sine(second.latitude)
      + cosine(first.latitude) * cosine(second.latitude) * cosine(turn)
    return GeoCircle.sphereRadius * atan2((across * across + along * along).squareRoot(), inward)
  }

  @Test("computes distances to the millimeter")
  func kilometers() throws {
    var generator = SeededRandom(seed: 3)
    let zurich = try point(47.37, 8.54)
    #expect(zurich.kilometers(to: zurich) == 0)
    #expect(try zurich.kilometers(to: point(46.95, 7.45)) == 94.723_731)
    #expect(try point(0, 0).kilometers(to: point(0, 180)) == 20_015.114_442)
    #expect(try point(90, 0).kilometers(to: point(-90, 10)) == 20_015.114_442)
    for _ in 0..<2_000 {
      let first = try point(
        .random(in: -90...90, using: &generator), .random(in: -180...180, using: &generator))
      let isNear = Bool.random(using: &generator)
      let second = try point(
        isNear
          ? min(first.latitude + .random(in: 0...0.01, using: &generator), 90)
          : .random(in: -90...90, using: &generator),
        isNear ? first.longitude : .random(in: -180...180, using: &generator))
      let expected = distance(first, second) / 1_000
      let found = first.kilometers(to: second)
      #expect((found - expected).magnitude <= 0.000_001, "\(first) \(second)")
      #expect((found * 1_000_000).rounded() / 1_000_000 == found)
    }
  }

  /// The C library takes radians, and the conversion of 180° rounds by up to 4e-16.
  @Test("computes the same sines and cosines as the C library, up to rounding")
  func sphere() throws {
    var generator = SeededRandom(seed: 1)
    for _ in 0..<(TestTier.current == .check ? 2_000 : 20_000) {
      let location = try point(
        .random(in: -90...90, using: &generator), .random(in: -180...180, using: &generator))
      let (lat, lon) = (location.latitude * .pi / 180, location.longitude * .pi / 180)
      let found = SpherePoint(location)
      #expect(abs(found.x - cos(lat) * cos(lon)) < 8e-16)
      #expect(abs(found.y - cos(lat) * sin(lon)) < 8e-16)
      #expect(abs(found.z - sin(lat)) < 8e-16)
    }
  }

  @Test("computes exact Cartesian coordinates if latitude and longitude are multiples of 90°")
  func quarters() throws {
    #expect(SpherePoint(try point(0, 180)) == SpherePoint(try point(0, -180)))
    #expect(SpherePoint(try point(90, 12)) == SpherePoint(try point(90, -77)))
    let east = SpherePoint(try point(0, 90))
    #expect([east.x, east.y, east.z] == [0, 1, 0])
  }

  @Test("matches exactly the points within the radius of a circle, to a millimeter")
  func circles() throws {
    var generator = SeededRandom(seed: 2)
    for _ in 0..<(TestTier.current == .check ? 2_000 : 20_000) {
      let center = try point(
        .random(in: -90...90, using: &generator), .random(in: -180...180, using: &generator))
      let spread = pow(10, Double.random(in: -5...2, using: &generator))
      let other = try point(
        min(max(center.latitude + .random(in: -spread...spread, using: &generator), -90), 90),
        min(max(center.longitude + .random(in: -spread...spread, using: &generator), -180), 180))
      let meters = distance(center, other)
      guard meters < 19_900_000 else { continue }
      let wider = try #require(GeoCircle(center: center, meters: meters + 0.001))
      #expect(wider.matches(other))
      #expect(wider.box.matches(other), "\(center) \(other)")
      if meters > 0.001 {
        #expect(
          try #require(GeoCircle(center: center, meters: meters - 0.001)).matches(other) == false)
      }
    }
  }

  @Test(
    "the bounding box contains the whole circle, even across a pole or the 180° meridian",
    arguments: [
      (0.0, 0.0, 100_000.0), (89.9, 10, 50_000), (-89.9, 10, 50_000), (10, 179.9, 50_000),
      (10, -179.9, 50_000), (60, 0, 3_000_000), (80, 100, 1_111_000), (45, 45, 15_000_000),
      (90, 0, 1), (0, 0, 20_100_000), (47.37, 8.54, 0),
    ])
  func boxes(latitude: Double, longitude: Double, meters: Double) throws {
    let circle = try #require(
      GeoCircle(center: try point(latitude, longitude), meters: meters))
    var generator = SeededRandom(seed: 3)
    var contained = 0
    for _ in 0..<(TestTier.current == .check ? 2_000 : 20_000) {
      let reach = min(meters / 111_000 * 1.1 + 1e-9, 180)
      let lat = latitude + .random(in: -reach...reach, using: &generator)
      let turn = Double.random(in: -180...180, using: &generator)
      let lon = abs(latitude) + reach > 88 ? turn : longitude + turn * min(1, reach / 40)
      let wrapped = lon > 180 ? lon - 360 : lon < -180 ? lon + 360 : lon
      let location = try point(min(max(lat, -90), 90), min(max(wrapped, -180), 180))
      if circle.matches(location) {
        contained += 1
        #expect(circle.box.matches(location), "\(location)")
      }
    }
    #expect(contained > 0 || meters == 0)
  }

  @Test("rejects a radius that is negative, infinite or NaN, and accepts any other radius")
  func radius() throws {
    let zurich = try point(47.37, 8.54)
    #expect(GeoCircle(center: zurich, meters: -1) == nil)
    #expect(GeoCircle(center: zurich, meters: .infinity) == nil)
    #expect(GeoCircle(center: zurich, meters: .nan) == nil)
    let world = try #require(GeoCircle(center: zurich, meters: 1e300))
    #expect(world.matches(try point(-47.37, -171.46)))
  }
}
