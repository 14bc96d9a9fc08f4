import DataModel
import TestSupport
import Testing

@Suite("Timestamps")
struct TimestampTests {
  @Test(
    "parses RFC 3339 timestamps and prints them in UTC",
    arguments: [
      ("2026-11-20T03:05:00.000Z", "2026-11-20T03:05:00.000Z"),
      ("2026-11-20T03:05:00Z", "2026-11-20T03:05:00.000Z"),
      ("2026-11-20t03:05:00z", "2026-11-20T03:05:00.000Z"),
      ("2026-11-20 03:05:00Z", "2026-11-20T03:05:00.000Z"),
      ("2026-11-20 03:05:00.1z", "2026-11-20T03:05:00.100Z"),
      ("2026-11-20T03:05:00.123456Z", "2026-11-20T03:05:00.123456Z"),
      ("2026-11-20T03:05:00.000001Z", "2026-11-20T03:05:00.000001Z"),
      ("2026-11-20T03:05:00.123000Z", "2026-11-20T03:05:00.123Z"),
      ("2026-11-20T03:05:00.12345Z", "2026-11-20T03:05:00.123450Z"),
      ("2026-11-20T03:05:00+01:30", "2026-11-20T01:35:00.000Z"),
      ("2026-11-20T03:05:00.000-01:00", "2026-11-20T04:05:00.000Z"),
      ("2026-11-20T03:05:00-00:00", "2026-11-20T03:05:00.000Z"),
      ("2026-12-31T23:59:59.999-23:59", "2027-01-01T23:58:59.999Z"),
      ("2026-11-20", "2026-11-20T00:00:00.000Z"),
      ("2024-02-29", "2024-02-29T00:00:00.000Z"),
      ("2000-02-29T00:00:00.000Z", "2000-02-29T00:00:00.000Z"),
      ("0001-01-01", "0001-01-01T00:00:00.000Z"),
      ("0001-01-01T01:00:00+01:00", "0001-01-01T00:00:00.000Z"),
      ("9999-12-31T23:59:59.999999Z", "9999-12-31T23:59:59.999999Z"),
      ("9999-12-31T22:59:59-01:00", "9999-12-31T23:59:59.000Z"),
    ])
  func reading(text: String, printed: String) throws {
    #expect(try Timestamp(parsing: Array(text.utf8).span).description == printed)
  }

  @Test(
    "reports the cause when a timestamp is invalid",
    arguments: [
      ("", .notADateTime), ("now", .notADateTime), ("09/09/2013", .notADateTime),
      ("2026-11-2", .notADateTime), ("2026-11-20Z", .notADateTime), ("2026-11-20T", .notADateTime),
      ("2026-11-20T03:05Z", .notADateTime), ("2026-11-20T03:05:00.Z", .notADateTime),
      ("2026-11-20T03:05:00+0100", .notADateTime), ("2026-11-20T03:05:00+01", .notADateTime),
      ("2026-11-20T03:05:00Z ", .notADateTime), (" 2026-11-20", .notADateTime),
      ("2026-11-20T03:05:00.00aZ", .notADateTime), ("2026-11-20T03:05:00.000X", .notADateTime),
      ("2026-11-20T03:05:00,5Z", .notADateTime), ("20261120T030500Z", .notADateTime),
      ("2026-11-20_03:05:00Z", .notADateTime), ("２０26-11-20", .notADateTime),
      ("2026-11-20T-3:05:00.000Z", .notADateTime), ("2026-W47-5", .notADateTime),
      ("2026-11-20T03:05:00", .missingOffset), ("2026-11-20 03:05:00.123", .missingOffset),
      ("2013-02-31", .noSuchDay), ("2013-02-31T10:00:00.000Z", .noSuchDay),
      ("2026-02-29", .noSuchDay), ("1900-02-29", .noSuchDay), ("2026-04-31", .noSuchDay),
      ("2026-00-10", .noSuchDay), ("2026-13-10", .noSuchDay), ("2026-01-00", .noSuchDay),
      ("2026-01-32", .noSuchDay),
      ("2026-11-20T24:00:00.000Z", .noSuchTime), ("2026-11-20T24:00:00Z", .noSuchTime),
      ("2016-12-31T23:59:60Z", .noSuchTime), ("2026-11-20T23:59:60.000Z", .noSuchTime),
      ("2026-11-20T23:60:00Z", .noSuchTime), ("2026-11-20T03:05:00+24:00", .noSuchTime),
      ("2026-11-20T03:05:00+01:60", .noSuchTime),
      ("2026-11-20T03:05:00.1234567Z", .tooPrecise), ("2026-11-20T03:05:00.0000000Z", .tooPrecise),
      ("0000-12-31", .outOfRange), ("0000-12-31T23:59:59.000Z", .outOfRange),
      ("0001-01-01T00:00:00+00:01", .outOfRange), ("0000-12-31T23:30:00-01:00", .outOfRange),
      ("9999-12-31T23:59:59-00:01", .outOfRange), ("10000-01-01", .outOfRange),
      ("-0044-03-15", .outOfRange), ("12026-11-20T03:05:00Z", .outOfRange),
    ] as [(String, Timestamp.ParseError)])
  func rejecting(text: String, expectedError: Timestamp.ParseError) {
    #expect(throws: expectedError) { try Timestamp(parsing: Array(text.utf8).span) }
  }

  @Test(
    "rounds to the nearest microsecond when rounding is requested",
    arguments: [
      ("2026-11-20T03:05:00.1234564Z", "2026-11-20T03:05:00.123456Z"),
      ("2026-11-20T03:05:00.1234565Z", "2026-11-20T03:05:00.123457Z"),
      ("2026-11-20T03:05:00.12345649999Z", "2026-11-20T03:05:00.123456Z"),
      ("2026-12-31T23:59:59.9999995Z", "2027-01-01T00:00:00.000Z"),
      ("1969-12-31T23:59:59.9999996Z", "1970-01-01T00:00:00.000Z"),
      ("2026-11-20T03:05:00.000Z", "2026-11-20T03:05:00.000Z"),
    ])
  func rounding(text: String, printed: String) throws {
    let moment = try Timestamp(parsing: Array(text.utf8).span, roundsTimes: true)
    #expect(moment.description == printed)
  }

  @Test("rejects a timestamp that rounding moves past the year 9999")
  func roundingBeyondTheEnd() {
    #expect(throws: Timestamp.ParseError.outOfRange) {
      try Timestamp(parsing: Array("9999-12-31T23:59:59.9999999Z".utf8).span, roundsTimes: true)
    }
  }

  @Test(
    "counts microseconds since the beginning of 1970",
    arguments: [
      (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999999Z"),
      (1_795_143_900_000_000, "2026-11-20T03:05:00.000Z"),
      (951_782_400_000_000, "2000-02-29T00:00:00.000Z"),
      (-2_203_891_200_000_000, "1900-03-01T00:00:00.000Z"),
    ] as [(Int64, String)])
  func counting(microseconds: Int64, printed: String) throws {
    let moment = try #require(Timestamp(microseconds: microseconds))
    #expect(moment.description == printed)
    #expect(try Timestamp(parsing: Array(printed.utf8).span) == moment)
  }

  @Test("rejects timestamps outside the years 1 to 9999")
  func limits() {
    #expect(Timestamp.earliest.description == "0001-01-01T00:00:00.000Z")
    #expect(Timestamp.latest.description == "9999-12-31T23:59:59.999999Z")
    #expect(Timestamp(microseconds: Timestamp.earliest.microseconds - 1) == nil)
    #expect(Timestamp(microseconds: Timestamp.latest.microseconds + 1) == nil)
    #expect(Timestamp(microseconds: .min) == nil)
    #expect(Timestamp(microseconds: .max) == nil)
    #expect(Timestamp.earliest < Timestamp.latest)
  }

  @Test("parses and prints the first and last day of every month")
  func everyDay() throws {
    var microseconds = Timestamp.earliest.microseconds
    var failures = 0
    for year in 1...9_999 {
      let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
      for (index, count) in [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        .enumerated()
      {
        for day in [1, count] {
          let moment = Timestamp(microseconds: microseconds + Int64(day - 1) * 86_400_000_000)
          let text = padded(year, 4) + "-" + padded(index + 1, 2) + "-" + padded(day, 2)
          let isRead = (try? Timestamp(parsing: Array(text.utf8).span)) == moment
          if !isRead || moment?.description != text + "T00:00:00.000Z" { failures += 1 }
        }
        microseconds += Int64(count) * 86_400_000_000
      }
    }
    #expect(failures == 0)
    #expect(microseconds == Timestamp.latest.microseconds + 1)
  }

  @Test(
    "returns random timestamps unchanged after printing and parsing them",
    arguments: [UInt64(11), 12])
  func roundTrip(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    for turn in 0..<20_000 {
      var microseconds = Int64.random(
        in: Timestamp.earliest.microseconds...Timestamp.latest.microseconds, using: &random)
      if turn % 2 == 0 { microseconds -= microseconds % 1_000 }
      let moment = try #require(Timestamp(microseconds: microseconds))
      var text: [UInt8] = []
      moment.write(to: &text)
      #expect(text.count == (microseconds % 1_000 == 0 ? 24 : 27), "seed \(seed): \(microseconds)")
      #expect(try Timestamp(parsing: text.span) == moment, "seed \(seed): \(microseconds)")
    }
  }

  @Test("appends the formatted timestamp to the existing contents of a buffer")
  func appending() {
    var output = Array("at ".utf8)
    Timestamp.earliest.write(to: &output)
    #expect(String(decoding: output, as: UTF8.self) == "at 0001-01-01T00:00:00.000Z")
  }

  private func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: width - digits.count) + digits
  }
}
