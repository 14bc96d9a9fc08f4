import DataModel
import DataStore
import PostgresHarness
import TestSupport
import Testing

@Suite("Distances on PostgreSQL", .tags(.postgres), .from(.test))
struct DistanceTests {
  private let server: PostgresServer
  private let fixture: StoreFixture

  /// Saves a hundred cities and an order for each. The first three are near each other. Half of the
  /// others have the same latitude as those, and some have no location.
  init() async throws {
    server = try PostgresServer.shared.get()
    let city = try Schema.test("city", Field("place", .geopoint), Field("name", .text))
    let relation = FieldType.relation(Relation(to: "city"))
    let order = try Schema.test("order", Field("from", relation))
    fixture = try await StoreFixture(.postgres, [city, order])
    let cities = (0..<100).map { number -> Row in
      let isNear = number < 3
      let hasSameLatitude = isNear || number % 2 == 0
      let latitude =
        hasSameLatitude ? 47 + Double(number % 3) / 100 : Double(number * 37 % 121) - 60
      let longitude = isNear ? 8 : Double(number * 53 % 200) - 195
      let location = try? GeoPoint(latitude: latitude, longitude: longitude)
      return [
        "city_id": .value(.text("\(number)")), "name": .value(.text("n\(number % 2)")),
        "place": .value(location.map(Value.geopoint) ?? .null),
      ]
    }
    let orders = (0..<100).map { number -> Row in
      ["order_id": .value(.text("\(number)")), "from": .value(.text("\(number)"))]
    }
    #expect(try await fixture.trySave("city", cities).error == nil)
    #expect(try await fixture.trySave("order", orders).error == nil)
  }

  private func near(_ path: String...) throws -> Condition {
    let center = try GeoPoint(latitude: 47, longitude: 8)
    let circle = try #require(GeoCircle(center: center, meters: 5_000))
    return .test(FieldPath(names: path), .withinCircle(circle))
  }

  @Test("computes distances only for points within the bounding box of the circle")
  func candidates() async throws {
    let namespace = fixture.location.namespace
    try server.run(
      """
      create or replace function "\(namespace)"._squared_chord(latitude double precision,
        longitude double precision, x double precision, y double precision, z double precision)
        returns double precision language plpgsql immutable strict as $$ begin
        if abs(latitude - 47) > 0.2 or abs(longitude - 8) > 0.2 then
          raise exception '% % is far', latitude, longitude;
        end if;
        return case when latitude < 47.02 then 0 else 1 end; end $$
      """)
    #expect(throws: PostgresServer.Unavailable.self) {
      try server.run(
        """
        select "\(namespace)"._squared_chord("place.lat", "place.lon", 0, 0, 0)
        from "\(namespace)".city
        """)
    }
    let named = Condition.equals(field: "name", value: "n1")
    for isAnalyzed in [false, true] {
      if isAnalyzed { try server.run("analyze \"\(namespace)\".city, \"\(namespace)\".order") }
      #expect(try await fixture.ids("city", where: near("place")) == ["0", "1"])
      #expect(try await fixture.ids("city", where: near("place"), limit: 1) == ["0"])
      #expect(try await fixture.ids("city", where: near("place"), order: "name") == ["0", "1"])
      #expect(try await fixture.ids("city", where: .and([near("place"), named])) == ["1"])
      #expect(try await fixture.ids("city", where: .or([near("place"), named])).count == 51)
      #expect(try await fixture.ids("city", where: .not(near("place"))).count == 98)
      #expect(try await fixture.ids("order", where: near("from", "place")) == ["0", "1"])
      #expect(try await fixture.ids("order", where: .not(near("from", "place"))).count == 98)
      #expect(try await fixture.ids("order", where: near("from", "place"), limit: 1) == ["0"])
    }
  }

  @Test("names the distance function in the error when the function fails")
  func functionErrors() async throws {
    try server.run("drop function \"\(fixture.location.namespace)\"._cosine_series")
    let error = await #expect(throws: DataError.self) {
      try await fixture.ids("city", where: near("place"))
    }
    let problem = try #require(error?.problems.first)
    #expect(problem.code == .failed)
    #expect(problem.message.contains("_cosine_series"))
  }

  @Test("computes the same distances in PostgreSQL as in Swift, to the last bit")
  func bits() async throws {
    var generator = SeededRandom(seed: 5)
    let edges = [
      0, -0.0, 1e-90, 5e-10, -2e-9, 0.1, 30, 45, 45.000_000_000_000_01, 60, 89.999_999, 90,
    ]
    var points: [GeoPoint] = []
    for latitude in edges {
      for longitude in edges + [135, 179.999_999, 180] {
        points.append(try GeoPoint(latitude: latitude, longitude: longitude))
        points.append(try GeoPoint(latitude: -latitude, longitude: -longitude))
      }
    }
    for _ in 0..<1_000 {
      points.append(
        try GeoPoint(
          latitude: .random(in: -90...90, using: &generator),
          longitude: .random(in: -180...180, using: &generator)))
    }
    let center = SpherePoint(try GeoPoint(latitude: 47.37, longitude: 8.54))
    let rows = points.map { "(\($0.latitude)::float8, \($0.longitude)::float8)" }
    let output = try server.run(
      """
      select encode(float8send("\(fixture.location.namespace)"._squared_chord(latitude, longitude,
        \(center.x), \(center.y), \(center.z))), 'hex')
      from (values \(rows.joined(separator: ", "))) as points (latitude, longitude)
      """)
    let expected = points.map { point in
      let bits = SpherePoint(point).squaredChord(to: center).bitPattern
      let digits = String(bits, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }
    #expect(output.split(separator: "\n").map(String.init) == expected)
  }
}
