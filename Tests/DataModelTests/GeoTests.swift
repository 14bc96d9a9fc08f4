import DataModel
import Foundation
import Testing

@Suite("SpherePoint and GeoCircle")
struct GeoTests {
  private func point(_ latitude: Double, _ longitude: Double) throws -> GeoPoint {
    try GeoPoint(latitude: latitude, longitude: longitude)
  }

  /// Returns the great-circle distance in meters by another formula.
  private func distance(_ first: GeoPoint, _ second: GeoPoint) -> Double {
    func sinus(_ degrees: Double) -> Double { sin(degrees * .pi / 180) }
    func cosinus(_ degrees: Double) -> Double { cos(degrees * .pi / 180) }
    let turn = second.longitude - first.longitude
    let across = cosinus(second.latitude) * sinus(turn)
    let along =
      cosinus(first.latitude) * sinus(second.latitude)
      - sinus(first.latitude) * cosinus(second.latitude) * cosinus(turn)
    let inward =
      sinus(first.latitude) * sinus(second.latitude)
      + cosinus(first.latitude) * cosinus(second.latitude) * cosinus(turn)
    return GeoCircle.sphereRadius * atan2((across * across + along * along).squareRoot(), inward)
  }

  /// The C library takes radians, and the conversion of 180° rounds by up to 4e-16.
  @Test("computes sphere points like the C library to the last digits")
  func sphere() throws {
    var generator = SeededGenerator(seed: 1)
    for _ in 0..<20_000 {
      let place = try point(
        .random(in: -90...90, using: &generator), .random(in: -180...180, using: &generator))
      let (lat, lon) = (place.latitude * .pi / 180, place.longitude * .pi / 180)
      let found = SpherePoint(place)
      #expect(abs(found.x - cos(lat) * cos(lon)) < 8e-16)
      #expect(abs(found.y - cos(lat) * sin(lon)) < 8e-16)
      #expect(abs(found.z - sin(lat)) < 8e-16)
    }
  }

  @Test("computes multiples of 90° exactly")
  func quarters() throws {
    #expect(SpherePoint(try point(0, 180)) == SpherePoint(try point(0, -180)))
    #expect(SpherePoint(try point(90, 12)) == SpherePoint(try point(90, -77)))
    let east = SpherePoint(try point(0, 90))
    #expect([east.x, east.y, east.z] == [0, 1, 0])
  }

  @Test("contains the points within the radius, to a millimeter")
  func circles() throws {
    var generator = SeededGenerator(seed: 2)
    for _ in 0..<20_000 {
      let centre = try point(
        .random(in: -90...90, using: &generator), .random(in: -180...180, using: &generator))
      let spread = pow(10, Double.random(in: -5...2, using: &generator))
      let other = try point(
        min(max(centre.latitude + .random(in: -spread...spread, using: &generator), -90), 90),
        min(max(centre.longitude + .random(in: -spread...spread, using: &generator), -180), 180))
      let metres = distance(centre, other)
      guard metres < 19_900_000 else { continue }
      let wider = try #require(GeoCircle(centre: centre, metres: metres + 0.001))
      #expect(wider.holds(other))
      #expect(wider.box.holds(other), "\(centre) \(other)")
      if metres > 0.001 {
        #expect(
          try #require(GeoCircle(centre: centre, metres: metres - 0.001)).holds(other) == false)
      }
    }
  }

  @Test(
    "encloses a circle in its box, over poles and across 180°",
    arguments: [
      (0.0, 0.0, 100_000.0), (89.9, 10, 50_000), (-89.9, 10, 50_000), (10, 179.9, 50_000),
      (10, -179.9, 50_000), (60, 0, 3_000_000), (80, 100, 1_111_000), (45, 45, 15_000_000),
      (90, 0, 1), (0, 0, 20_100_000), (47.37, 8.54, 0),
    ])
  func boxes(latitude: Double, longitude: Double, metres: Double) throws {
    let circle = try #require(
      GeoCircle(centre: try point(latitude, longitude), metres: metres))
    var generator = SeededGenerator(seed: 3)
    var held = 0
    for _ in 0..<20_000 {
      let reach = min(metres / 111_000 * 1.1 + 1e-9, 180)
      let lat = latitude + .random(in: -reach...reach, using: &generator)
      let turn = Double.random(in: -180...180, using: &generator)
      let lon = abs(latitude) + reach > 88 ? turn : longitude + turn * min(1, reach / 40)
      let wrapped = lon > 180 ? lon - 360 : lon < -180 ? lon + 360 : lon
      let place = try point(min(max(lat, -90), 90), min(max(wrapped, -180), 180))
      if circle.holds(place) {
        held += 1
        #expect(circle.box.holds(place), "\(place)")
      }
    }
    #expect(held > 0 || metres == 0)
  }

  @Test("rejects a negative or non-finite radius and accepts any other")
  func radius() throws {
    let zurich = try point(47.37, 8.54)
    #expect(GeoCircle(centre: zurich, metres: -1) == nil)
    #expect(GeoCircle(centre: zurich, metres: .infinity) == nil)
    #expect(GeoCircle(centre: zurich, metres: .nan) == nil)
    let world = try #require(GeoCircle(centre: zurich, metres: 1e300))
    #expect(world.holds(try point(-47.37, -171.46)))
  }
}
