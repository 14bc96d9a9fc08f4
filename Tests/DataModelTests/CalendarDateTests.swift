import DataModel
import Testing

@Suite("Dates")
struct CalendarDateTests {
  private func date(_ text: String) throws -> CalendarDate {
    try CalendarDate(parsing: text.utf8.span)
  }

  private func error(_ text: String) -> CalendarDate.ParseError? {
    do throws(CalendarDate.ParseError) {
      _ = try CalendarDate(parsing: text.utf8.span)
      return nil
    } catch {
      return error
    }
  }

  @Test("returns a date unchanged after printing and parsing it")
  func roundTrip() throws {
    for days in stride(from: CalendarDate.earliest.days, through: CalendarDate.latest.days, by: 89)
    {
      let date = try #require(CalendarDate(days: days))
      #expect(try self.date("\(date)") == date)
      #expect(CalendarDate(date.start) == date)
      #expect(CalendarDate(year: date.year, month: date.month, day: date.day) == date)
    }
    #expect("\(CalendarDate.earliest)" == "0001-01-01")
    #expect("\(CalendarDate.latest)" == "9999-12-31")
    #expect(CalendarDate(days: CalendarDate.latest.days + 1) == nil)
    #expect(CalendarDate(days: CalendarDate.earliest.days - 1) == nil)
  }

  @Test("rejects text that is not a date, and says why")
  func rejected() {
    #expect(error("2026-11-20") == nil)
    for text in ["", "2026-11", "20261120", "2026-11-2", "2026/11/20", " 2026-11-20", "soon"] {
      #expect(error(text) == .notADate, "\(text)")
    }
    for text in [
      "2026-11-20T00:00:00Z", "2026-11-20 10:00:00", "2026-11-20T00:00:00.1234567Z",
      "2026-11-20T25:00:00Z",
    ] {
      #expect(error(text) == .hasTime, "\(text)")
    }
    #expect(error("2026-02-29") == .noSuchDay)
    #expect(error("0000-01-01") == .outOfRange)
    #expect(error("12026-01-01") == .outOfRange)
    #expect(CalendarDate(year: 2026, month: 2, day: 29) == nil)
    #expect(CalendarDate(year: 0, month: 1, day: 1) == nil)
  }

  @Test("returns the weekday of a date, and the date of a time in UTC")
  func parts() throws {
    #expect(try date("2026-11-23").weekday == 1)
    #expect(try date("2026-11-22").weekday == 7)
    #expect(CalendarDate.earliest.weekday == 1)
    let time = try Timestamp(parsing: "1969-12-31T23:59:59.999999Z".utf8.span)
    #expect(CalendarDate(time) == (try date("1969-12-31")))
  }
}
