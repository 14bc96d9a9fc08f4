import DataModel
import Testing

@Suite("GeoPoint")
struct GeoPointTests {
  @Test(
    "parses latitude and longitude separated by a comma",
    arguments: [
      ("47.37,8.54", 47.37, 8.54), ("47.37, 8.54", 47.37, 8.54), ("47.37  ,  8.54", 47.37, 8.54),
      ("-90,-180", -90, -180), ("90,180", 90, 180), ("0,0", 0, 0), ("1e1,-1.5E2", 10, -150),
    ])
  func reading(text: String, latitude: Double, longitude: Double) throws {
    let point = try GeoPoint(parsing: Array(text.utf8).span)
    #expect(point == (try GeoPoint(latitude: latitude, longitude: longitude)))
    #expect(point.latitude == latitude)
    #expect(point.longitude == longitude)
  }

  @Test(
    "rejects an invalid point and reports the cause",
    arguments: [
      ("", .notAPoint), ("47.37", .notAPoint), (",", .notAPoint), ("47.37,", .notAPoint),
      (",8.54", .notAPoint), ("47.37 8.54", .notAPoint), ("47.37;8.54", .notAPoint),
      ("47,37,8,54", .notAPoint), (" 47.37,8.54", .notAPoint), ("47.37,8.54 ", .notAPoint),
      ("47.37,\t8.54", .notAPoint), ("+47.37,8.54", .notAPoint), (".5,8.54", .notAPoint),
      ("north,8.54", .notAPoint), ("NaN,0", .notAPoint), ("1e-400,0", .notAPoint),
      ("90.00000000000002,0", .latitude), ("-91,0", .latitude), ("1e400,0", .latitude),
      ("0,180.00000000000003", .longitude), ("0,-181", .longitude), ("0,1e400", .longitude),
      ("91,181", .latitude),
    ] as [(String, GeoPoint.ParseError)])
  func rejecting(text: String, expectedError: GeoPoint.ParseError) {
    #expect(throws: expectedError) { try GeoPoint(parsing: Array(text.utf8).span) }
  }

  @Test("rejects NaN and coordinates out of range")
  func making() {
    #expect(throws: GeoPoint.ParseError.latitude) { try GeoPoint(latitude: .nan, longitude: 0) }
    #expect(throws: GeoPoint.ParseError.longitude) { try GeoPoint(latitude: 0, longitude: .nan) }
    #expect(throws: GeoPoint.ParseError.latitude) {
      try GeoPoint(latitude: .infinity, longitude: 0)
    }
    #expect(throws: GeoPoint.ParseError.longitude) { try GeoPoint(latitude: 0, longitude: -180.5) }
  }

  @Test("stores a coordinate of negative zero as zero")
  func negativeZero() throws {
    let point = try GeoPoint(latitude: -0.0, longitude: -0.0)
    #expect(point.latitude.sign == .plus)
    #expect(point.longitude.sign == .plus)
    #expect(point == (try GeoPoint(parsing: Array("0,0".utf8).span)))
  }

  @Test("compares points as equal only when both coordinates are equal")
  func equality() throws {
    let zurich = try GeoPoint(latitude: 47.37, longitude: 8.54)
    #expect(zurich != (try GeoPoint(latitude: 47.37, longitude: 8.55)))
    #expect(zurich != (try GeoPoint(latitude: 47.38, longitude: 8.54)))
  }
}
