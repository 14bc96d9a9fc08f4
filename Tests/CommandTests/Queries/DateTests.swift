import Foundation
import ProgramHarness
import Testing

@Suite("Dates", .onEveryStore)
struct DateTests {
  private func folder() throws -> TestFolder {
    let folder = try TestFolder()
    try folder.prepare(
      "schema", "create", "trip", "start:date", "stop:date", "at:datetime", "days:date+")
    try folder.prepare(
      "save", "trip",
      input: .text(
        """
        {"trip_id":"a","start":"2026-11-20","stop":"2026-12-01","at":"2026-11-20T00:00:00Z"}
        {"trip_id":"b","start":"2026-11-21","stop":"2026-11-21","at":"2026-11-20T23:59:59.999999Z",
         "days":["2026-11-21","2024-02-29"]}
        {"trip_id":"c","start":"0001-01-01","at":"2026-11-20T00:00:00Z","days":[]}
        {"trip_id":"d","stop":"9999-12-31"}
        """))
    return folder
  }

  @Test("prints dates in every format, and reads the output back")
  func formats() throws {
    let folder = try folder()
    for format in ["json", "ndjson", "csv", "tsv", "xml"] {
      let before = try folder.run("list", "trip", "-o", format).exits(0).output
      #expect(before.contains("2026-11-20") && !before.contains("2026-12-01T"))
      try folder.run("save", "trip", "-o", "none", input: .text(before)).exits(0)
        .reports("4 the same")
    }
    try folder.run("get", "trip", "b", "--fields", "start,days").exits(0).prints(
      "{\"trip_id\":\"b\",\"start\":\"2026-11-21\",\"days\":[\"2026-11-21\",\"2024-02-29\"]}\n")
  }

  @Test(
    "rejects text that is not a date",
    arguments: [
      ("2026-11-20T00:00:00Z", "expected a date without a time"), ("2026-02-29", "no such day"),
      ("soon", "expected date"), ("0000-01-01", "outside 0001 to 9999"),
    ])
  func rejected(text: String, message: String) throws {
    let folder = try folder()
    try folder.run("save", "trip", "x", "start=\(text)").exits(6).reports(message)
    try folder.run("save", "trip", "x", "days+=\(text)").exits(6).reports(message)
    try folder.run("list", "trip", "--where", "start = '\(text)'").exits(2).reports(message)
    try folder.run("save", "trip", input: .text("{\"start\":5}")).exits(6).reports("expected date")
  }

  @Test(
    "compares dates with dates, datetimes and now()",
    arguments: [
      ("start = '2026-11-20'", "a"), ("start >= '2026-11-20'", "a b"), ("start < stop", "a"),
      ("start = stop", "b"), ("start != stop", "a c d"), ("start = at", "a"), ("at < start", "b"),
      ("start < at", "c"), ("at <= start", "a b"),
      ("stop > now()", "d a"), ("start <= now()", "a b c"), ("now() >= start", "a b c"),
      ("start on 2026-11-20", "a"), ("start in 2026-11", "a b"), ("start in 2026", "a b"),
      ("stop in 9999-12", "d"), ("start in ('2026-11-21', '2026-11-22')", "b"),
      ("start between '2026-11-20' and '2026-11-21'", "a b"), ("start is null", "d"),
      ("start + 11d = stop", "a"), ("stop - 1w < start", "b"), ("start + 1d > at", "a b"),
      ("start + 1d > at + 1d", "b"),
      ("year(start) = 2026 and month(start) = 11 and day(start) = 21", "b"),
      ("weekday(start) = 6", "b"), ("weekday(start) = 1", "c"), ("year(stop) = 9999", "d"),
      ("days = '2024-02-29'", "b"), ("days contains '2026-11-21'", "b"), ("days is empty", "c"),
      ("days < start", "b"), ("days > at", "b"), ("days in 2024", "b"), ("length(days) = 2", "b"),
    ])
  func conditions(condition: String, ids: String) throws {
    let folder = try folder()
    let found = try folder.run("list", "trip", "--where", condition, "-o", "ids").exits(0).output
    let expected = ids.split(separator: " ").sorted()
    // Whether the other dates are before today depends on the day of the test.
    if condition.contains("now()"), expected.contains("a") {
      #expect(Set(found.split(separator: "\n")).isSubset(of: ["a", "b", "c", "d"]))
    } else {
      #expect(found.split(separator: "\n").sorted() == expected, "\(condition)")
    }
  }

  @Test(
    "rejects operators and functions that cannot be used with dates",
    arguments: [
      ("hour(start) = 1", "hour() cannot be used with a date"),
      ("start + 1h = stop", "only days (d) and weeks (w) can be added to a date"),
      ("start < now() + 90m", "only days (d) and weeks (w) can be added to a date"),
      ("start = 5", "expected a date as text"), ("start like '2026%'", "cannot be used with"),
      ("start + 1 = 2", "expected a number, found a date"),
      ("start > 2026-11", "write a day or a datetime in single quotes, or use on or in"),
      ("start between 2026-01-01 and 2026-02-01", "write a day or a datetime in single quotes"),
    ])
  func impossible(condition: String, message: String) throws {
    try folder().run("list", "trip", "--where", condition).exits(2).reports(message)
  }

  @Test("computes null if a date is after the year 9999")
  func outOfRange() throws {
    #expect(
      try folder().ids("trip", "--where", "stop + 1d is null and stop is not null") == "d")
  }

  @Test("sorts, pages and groups records by dates, and computes with dates")
  func queries() throws {
    let folder = try folder()
    let order = [
      "list", "trip", "--order", "-start", "--limit", "2", "-o", "page", "--fields", "start",
    ]
    let page = try folder.program.run(order).exits(0).json
    #expect(page["records"]?.elements.compactMap { $0["trip_id"]?.text } == ["b", "a"])
    let next = try #require(page["next"]?.text)
    let second = try folder.program.run(order + ["--after", next]).exits(0).json
    #expect(second["records"]?.elements.compactMap { $0["trip_id"]?.text } == ["c", "d"])
    try folder.run("list", "trip", "--group-by", "month(start)", "--min", "stop", "--max", "start")
      .exits(0).prints(
        """
        {"month_start":null,"count":1,"min_stop":"9999-12-31","max_start":null}
        {"month_start":1,"count":1,"min_stop":null,"max_start":"0001-01-01"}
        {"month_start":11,"count":2,"min_stop":"2026-11-21","max_start":"2026-11-21"}

        """)
    try folder.run("list", "trip", "--fields", "n = start + 1w,weekday(start)", "--limit", "1")
      .exits(0).prints("{\"trip_id\":\"a\",\"n\":\"2026-11-27\",\"weekday_start\":5}\n")
    try folder.run("list", "trip", "--distinct", "start", "--limit", "2").exits(0).prints(
      "null\n\"0001-01-01\"\n")
    try folder.run("list", "trip", "--sum", "start").exits(2)
  }

  @Test("infers the type date only if no value contains a time")
  func inference() throws {
    let folder = try folder()
    try folder.run(
      "save", "day", "--infer", "-o", "none",
      input: .text(
        #"{"on":"2026-11-20","at":"2026-11-20","all":["2026-11-20"]}"#
          + #"{"on":"2024-02-29","at":"2026-11-20T03:05:00Z","all":[]}"#)
    ).exits(0).reports("on date, at datetime, all [date]")
    try folder.run("list", "day", "--where", "\"on\" < '2026-01-01'", "--count").exits(0).prints(
      "1\n")
  }

  @Test("enforces rules such as min and applies the defaults of date fields")
  func rules() throws {
    let folder = try folder()
    try folder.write(
      "rule.json",
      """
      {"schema":"rule","fields":{"rule_id":{"type":"id"},
       "day":{"type":"date","required":true,"unique":true,"min":"2026-01-01","max":"2026-12-31"},
       "of":{"type":"date","default":"2026-11-20","one_of":["2026-11-20","2026-11-21"]}}}
      """)
    try folder.prepare("schema", "apply", "rule.json")
    try folder.run("save", "rule", "a", "day=2026-01-01", "-o", "csv").exits(0).reports("1 new")
    try folder.run("save", "rule", "b", "day=2026-01-01").exits(5)
    try folder.run("save", "rule", "b", "day=2025-12-31", "of=2026-11-22").exits(6).reports(
      "expected a date no earlier than 2026-01-01, found 2025-12-31", "expected one of")
    try folder.run("get", "rule", "--by", "day", "2026-01-01", "--fields", "of").exits(0).prints(
      "{\"rule_id\":\"a\",\"of\":\"2026-11-20\"}\n")
    let shown = try folder.run("schema", "show", "rule").exits(0).output
    try folder.run("schema", "diff", "-", input: .text(shown)).exits(0)
    for format in ["swift", "typescript", "json-schema", "markdown", "sql", "openapi"] {
      _ = try folder.run("schema", "export", "--format", format)
    }
  }

  @Test("rejects the reserved name `date` for a new or renamed schema")
  func reservedName() throws {
    let folder = try folder()
    try folder.run("schema", "create", "date", "x:text").exits(6).reports("date is a reserved name")
    try folder.run("schema", "rename", "trip", "date").exits(6).reports("date is a reserved name")
    try folder.run("save", "date", "--infer", input: .text("{\"x\":1}")).exits(6).reports(
      "date is a reserved name")
  }
}
