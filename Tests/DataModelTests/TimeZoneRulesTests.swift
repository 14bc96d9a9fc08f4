import DataModel
import Foundation
import Testing

@Suite("Time zones")
struct TimeZoneRulesTests {
  private static func rules(_ name: String) throws -> TimeZoneRules {
    let file = try Data(contentsOf: URL(filePath: "/usr/share/zoneinfo/\(name)"))
    return try #require(TimeZoneRules(name: name, parsing: Array(file)))
  }

  /// Returns a file with the given transitions, offsets of types, and rule.
  private static func file(
    times: [Int64], types: [UInt8], offsets: [Int32], rule: String
  ) -> [UInt8] {
    func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
      stride(from: number.bitWidth - 8, through: 0, by: -8).map {
        UInt8(truncatingIfNeeded: number >> $0)
      }
    }
    func header(_ timeCount: Int, _ typeCount: Int) -> [UInt8] {
      Array("TZif2".utf8) + Array(repeating: 0, count: 15)
        + [0, 0, 0, Int32(timeCount), Int32(typeCount), 1].flatMap { bytes($0 as Int32) }
    }
    return header(0, 1) + Array(repeating: 0, count: 7) + header(times.count, offsets.count)
      + times.flatMap { bytes($0) } + types + offsets.flatMap { bytes($0) + [0, 0] } + [0]
      + Array("\n\(rule)\n".utf8)
  }

  @Test(
    "finds the same UTC offsets as Foundation",
    arguments: [
      "Europe/Zurich", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata",
      "Africa/Casablanca", "America/Nuuk", "Pacific/Apia", "Asia/Gaza", "UTC", "Etc/GMT+5",
      "Europe/Dublin", "America/Santiago", "Antarctica/Troll",
    ])
  func offsets(name: String) throws {
    let rules = try Self.rules(name)
    let zone = try #require(TimeZone(identifier: name))
    // Foundation rounds offsets before 1970 in some zones, so earlier times are not compared.
    for time in stride(from: Int64(0), to: 4_000_000_000, by: 86_400 * 5 + 3_599) {
      let date = Date(timeIntervalSince1970: Double(time))
      #expect(rules.offset(at: time) == zone.secondsFromGMT(for: date), "\(name) at \(time)")
    }
    let range: ClosedRange<Int64> = 1_000_000_000...3_000_000_000
    for transition in rules.transitions(in: range) {
      #expect(rules.offset(at: transition.time) == transition.offset)
      #expect(rules.offset(at: transition.time - 1) != transition.offset)
    }
  }

  @Test(
    "returns the same UTC offsets from a precomputed table as from the rules, up to the year 9999",
    arguments: [
      "Europe/Zurich", "America/New_York", "Africa/Casablanca", "Asia/Kolkata", "Etc/GMT+5",
      "Europe/Dublin", "Antarctica/Troll",
    ])
  func table(name: String) throws {
    let rules = try Self.rules(name)
    let offsets = TimeZoneOffsets(rules)
    let first = Timestamp.earliest.microseconds / 1_000_000
    let last = Timestamp.latest.microseconds / 1_000_000
    for time in stride(from: first, through: last, by: 86_400 * 1_111 + 4_321) {
      let local = min(max(time + Int64(rules.offset(at: time)), first), last)
      let stamp = try #require(Timestamp(microseconds: time * 1_000_000))
      let found = offsets.local(stamp).microseconds / 1_000_000
      #expect(found == local, "\(name) at \(time)")
    }
  }

  @Test("finds the time range of a day with a clock change")
  func days() throws {
    func hours(_ zone: String, _ day: String) throws -> [Double] {
      let rules = try Self.rules(zone)
      let period = try #require(CalendarPeriod(day))
      return period.instants(in: rules).map { range in
        Double(range.upperBound.microseconds - range.lowerBound.microseconds + 1) / 3_600_000_000
      }
    }
    #expect(try hours("Europe/Zurich", "2026-03-29") == [23])
    #expect(try hours("Europe/Zurich", "2026-10-25") == [25])
    #expect(try hours("Europe/Zurich", "2026") == [8760])
    #expect(try hours("Pacific/Apia", "2011-12-30") == [])
    // At 00:01, clocks were set back to 23:01 of the day before.
    #expect(try hours("America/St_Johns", "2000-10-29") == [1.0 / 60, 24])
    let first = try #require(CalendarPeriod("2026-11-21")).instants(
      in: try Self.rules("Europe/Zurich"))
    #expect(first.map(\.lowerBound.description) == ["2026-11-20T23:00:00.000Z"])
  }

  @Test("converts a local time to one instant, to two instants or to none")
  func instants() throws {
    let zurich = try Self.rules("Europe/Zurich")
    // 2026-12-24T10:00, 2026-10-25T02:30, 2026-03-29T02:30, and 2100-07-01T12:00.
    #expect(zurich.instants(ofLocal: 1_798_106_400) == [1_798_102_800])
    #expect(zurich.instants(ofLocal: 1_792_895_400) == [1_792_888_200, 1_792_891_800])
    #expect(zurich.instants(ofLocal: 1_774_751_400) == [])
    #expect(zurich.instants(ofLocal: 4_118_126_400) == [4_118_119_200])
    #expect(zurich.offset(at: .min) == zurich.firstOffset)
    #expect(zurich.offset(at: .max) == 3_600)
  }

  @Test(
    "parses all forms of the daylight saving rule at the end of a time zone file",
    arguments: [
      ("UTC0", 0, 0), ("<+0530>-5:30", 19_800, 19_800),
      ("EST5EDT,M3.2.0,M11.1.0", -18_000, -14_400),
      ("<-03>3<-02>,M3.5.0/-2,M10.5.0/-1", -10_800, -7_200),
      ("XXX3EDT4,0/0,J365/23", -14_400, -14_400),
      ("AAA-1BBB-3,J60/0,J300/25:30:10", 3_600, 10_800),
    ])
  func rule(text: String, winter: Int, summer: Int) throws {
    let file = Self.file(times: [0], types: [0], offsets: [60], rule: text)
    let rules = try #require(TimeZoneRules(name: "x", parsing: file))
    #expect(rules.offset(at: -1) == 60)
    #expect(rules.offset(at: 1_767_996_000) == winter)
    #expect(rules.offset(at: 1_783_000_000) == summer)
  }

  @Test("rejects invalid and truncated time zone files, and does not crash when a byte is changed")
  func invalidFiles() {
    let valid = Self.file(times: [0, 9], types: [0, 1], offsets: [0, 3_600], rule: "A0")
    #expect(TimeZoneRules(name: "x", parsing: valid) != nil)
    for count in valid.indices {
      #expect(TimeZoneRules(name: "x", parsing: Array(valid[..<count])) == nil, "\(count)")
    }
    for index in valid.indices {
      for byte in [0, 1, 0x7F, 0xFF] as [UInt8] {
        var changed = valid
        changed[index] = byte
        _ = TimeZoneRules(name: "x", parsing: changed)?.instants(ofLocal: 1_800_000_000)
      }
    }
    for rule in ["A", "A0B", "A0B,M3.5.0", "A0B,M13.1.0,M1.1.0", "A0B,J0,J1", "A0 ", "A168", "<A0"]
    {
      let file = Self.file(times: [], types: [], offsets: [0], rule: rule)
      #expect(TimeZoneRules(name: "x", parsing: file) == nil, "\(rule)")
    }
    let unsorted = Self.file(times: [9, 9], types: [0, 0], offsets: [0], rule: "")
    #expect(TimeZoneRules(name: "x", parsing: unsorted) == nil)
  }

  @Test("reads times without a UTC offset as local times in a time zone")
  func conversions() throws {
    let zurich = ValueConversions(zone: try Self.rules("Europe/Zurich"))
    func time(_ text: String) throws(Timestamp.ParseError) -> String {
      try Timestamp(parsing: Array(text.utf8).span, by: zurich).description
    }
    #expect(try time("2026-12-24T10:00:00") == "2026-12-24T09:00:00.000Z")
    #expect(try time("2026-10-25 02:30:00.5") == "2026-10-25T00:30:00.500Z")
    #expect(try time("1969-12-31 23:59:59.25") == "1969-12-31T22:59:59.250Z")
    #expect(try time("2300-03-25 01:59:59.999999") == "2300-03-25T00:59:59.999999Z")
    #expect(throws: Timestamp.ParseError.skippedTime(zone: "Europe/Zurich")) {
      try time("2026-03-29 02:30:00")
    }
    #expect(throws: Timestamp.ParseError.notADateTime) { try time("2026-12-24 10:00") }
    #expect(throws: Timestamp.ParseError.outOfRange) { try time("0001-01-01 00:00:00") }
    #expect(throws: Timestamp.ParseError.noSuchDay) { try time("2026-02-30 00:00:00") }
  }
}
