import Conditions
import DataModel
import Foundation
import TestSupport
import Testing

@Suite("Conditions: canonical form")
struct ConditionPrintingTests {
  @Test(
    "writes equivalent conditions in the same canonical form",
    arguments: [
      ("title = 'tea'", "title = 'tea'"),
      ("  TITLE_ = 1 or title='it''s'", nil),
      ("title='it''s'", "title = 'it''s'"),
      ("'tea' = title", "title = 'tea'"),
      ("5 > priority", "priority < 5"),
      ("priority <> 5", "priority != 5"),
      ("not priority = 5", "priority != 5"),
      ("not not priority = 5", "priority = 5"),
      ("not (priority < 5)", "not priority < 5"),
      ("NOT (done OR priority IN (1,2,3))", "not (done = true or priority in (1, 2, 3))"),
      ("done", "done = true"),
      ("not done", "done != true"),
      ("(done and (title = 'a' and (note = 'b')))", "done = true and title = 'a' and note = 'b'"),
      ("done and (title = 'a' or note = 'b')", "done = true and (title = 'a' or note = 'b')"),
      ("done and title = 'a' or note = 'b'", "done = true and title = 'a' or note = 'b'"),
      ("note is not null and tags is empty", "note is not null and tags is empty"),
      ("steps is not empty", "steps is not empty"),
      ("price = 5", "price = 5"), ("price = -0.50", "price = -0.5"),
      ("price/2/ 4 > 1", "(price / (2)) / (4) > 1"),
      ("Round(price) = ROUND(price, 2)", "round(price) = round(price, 2)"),
      ("abs(-priority) < 2", "abs(-(priority)) < 2"),
      ("substr(upper(title), 1, 2) = 'TE'", "substr(upper(title), 1, 2) = 'TE'"),
      ("coalesce(done, false) = true", "coalesce(done, false) = true"),
      ("coalesce(note, 'x') = 'x'", "coalesce(note, 'x') = 'x'"),
      ("due - created_at > 7d", "due - created_at > 604800"),
      ("-12 h <= abs(due - created_at)", "abs(due - created_at) >= -43200"),
      (
        "due - created_at between -1h and 2 d or due - created_at in (1w, 5)",
        "due - created_at between -3600 and 172800 or due - created_at in (604800, 5)"
      ),
      (
        "max(todo.parent.due - todo.parent.created_at) > 1m",
        "max(todo.parent.due - todo.parent.created_at) > 60"
      ),
      ("now() - due > 0", "('2026-11-20T12:00:00.000Z') - due > 0"),
      ("due - '2026-11-20' > 0.5s", nil),
      (
        "due - '2026-11-20' > 1s and coalesce(due, now()) > due",
        "due - ('2026-11-20T00:00:00.000Z') > 1 and "
          + "coalesce(due, '2026-11-20T12:00:00.000Z') > due"
      ),
      (
        "date(due) = '2026-11-20'",
        "due between '2026-11-20T00:00:00.000Z' and '2026-11-20T23:59:59.999999Z'"
      ),
      ("date(due) < '2026-11-20'", "due < '2026-11-20T00:00:00.000Z'"),
      ("date(due) is null", "date(due) is null"),
      ("priority = 1e3", "priority = 1000"),
      ("due < now()", "due < '2026-11-20T12:00:00.000Z'"),
      ("due < now() - 7d + 1h", "due < '2026-11-13T13:00:00.000Z'"),
      ("due<now()-2 w", "due < '2026-11-06T12:00:00.000Z'"),
      (
        "due between '2026-11-20' and now() + 90s",
        "due between '2026-11-20T00:00:00.000Z' and '2026-11-20T12:01:30.000Z'"
      ),
      ("created_at > '2026-01-01T00:00:00+01:00'", "created_at > '2025-12-31T23:00:00.000Z'"),
      ("createdAt is null or revision > 3", "created_at is null or revision > 3"),
      ("assignee.fullName ilike 'ann%'", "owner.full_name ilike 'ann%'"),
      (
        "owner = 'ann' or owner.username not in ('ann', 'bob')",
        "owner = 'ann' or owner.username not in ('ann', 'bob')"
      ),
      ("created_by.full_name = 'Ann'", "created_by.full_name = 'Ann'"),
      ("parent.parent.owner.home.lat >= 47", "parent.parent.owner.home.lat >= 47"),
      ("steps.title contains 'x'", "steps.title contains 'x'"),
      ("tags contains 'urgent'", "tags contains 'urgent'"),
      ("sizes not contains 5", "sizes not contains 5"),
      ("place within 5 km of (47.37, 8.54)", "place within 5000 m of (47.37, 8.54)"),
      ("place within 1mi of (-47.37,-8)", "place within 1609.344 m of (-47.37, -8)"),
      ("place not within box (-10, 170, 10, -170)", "place not within box (-10, 170, 10, -170)"),
      ("place = (47.37, 8.54)", "place = (47.37, 8.54)"),
      (
        "details.color = 'red' and details.\"a b\".x = 5",
        "details.color = 'red' and details.\"a b\".x = 5"
      ),
      ("details = json '{ \"a\" : 1 }'", "details = json '{\"a\":1}'"),
      ("details.n = json '5.0'", "details.n = 5"),
      (
        "photo.size > 1000 and photo.type = 'image/png'",
        "photo.size > 1000 and photo.type = 'image/png'"
      ),
      ("\"in\" = 'x'", "\"in\" = 'x'"),
      ("details.\"a\"\"b\" = 'x'", "details.\"a\"\"b\" = 'x'"),
      ("story_points = priority", "story_points = priority"),
      ("due <= created_at", "due <= created_at"),
      ("sum(steps.count*2)+1>5", "sum(steps.count * (2)) + (1) > 5"),
      ("MAX(todo.parent.owner.fullName) = 'Ann'", "max(todo.parent.owner.full_name) = 'Ann'"),
      ("sum(count) > 5", nil), ("sum(steps) > 5", nil), ("sum(steps.title) > 5", nil),
      ("sum(2) > 5", nil), ("sum(steps.count * priority) > 5", nil),
      ("sum(steps.count * todo.parent.priority) > 5", nil), ("max(steps.count, 2) > 5", nil),
      ("sum(todo.parent.tags) > 5", nil), ("sum(max(steps.count)) > 5", nil),
      ("sum(count(steps)) > 5", nil), ("median(steps.count) > 5", nil),
      ("true", "true"), ("false and done", "false and done = true"),
    ] as [(String, String?)])
  func normal(written: String, expected: String?) throws {
    let shop = try Shop()
    guard let expected else {
      #expect(shop.errorText(written) != nil)
      return
    }
    let condition = try shop.condition(written)
    let text = ConditionWriter.text(of: condition)
    #expect(text == expected)
    #expect(try shop.condition(text) == condition)
  }

  @Test(
    "parses the text of a random condition into the same condition", .tags(.random),
    arguments: Seeds.count(test: 60, all: 200))
  func roundTrip(seed: Int) throws {
    var sampleData = try SampleData(seed: UInt64(seed))
    for _ in 0..<50 {
      let sampleQuery = try sampleData.sampleQuery()
      let text = ConditionWriter.text(of: sampleQuery.condition)
      var reader = ConditionReader(sampleData.catalog, now: Shop.now)
      let condition = try reader.read(text, of: sampleQuery.schema)
      #expect(condition == sampleQuery.condition, "seed \(seed): \(text)")
      #expect(ConditionWriter.text(of: condition) == text, "seed \(seed)")
    }
  }

  @Test(
    "replaces now() with the day in the query's time zone in comparisons with dates",
    arguments: [
      (nil, "day = '2026-11-20'"), ("Pacific/Kiritimati", "day = '2026-11-21'"),
      ("America/Los_Angeles", "day = '2026-11-20'"),
    ])
  func today(zone: String?, canonical: String) throws {
    let shop = try Shop()
    let rules = try zone.map { zone in
      let file = try Data(contentsOf: URL(filePath: "/usr/share/zoneinfo/\(zone)"))
      return try #require(TimeZoneRules(name: zone, parsing: Array(file)))
    }
    for condition in ["day = now()", "now() = day", "day = now() + 1d - 24h"] {
      var reader = shop.reader(zone: rules)
      let parsed = try reader.read(condition, of: shop.todo)
      #expect(ConditionWriter.text(of: parsed) == canonical, "\(condition)")
    }
  }

  @Test("generates random conditions, most of which select some records but not all")
  func selective() throws {
    var counts = (selective: 0, all: 0)
    for seed in 0..<40 {
      var sampleData = try SampleData(seed: UInt64(seed) + 1_000)
      for _ in 0..<50 {
        counts.selective += try sampleData.sampleQuery().isSelective ? 1 : 0
        counts.all += 1
      }
    }
    #expect(counts.selective * 10 > counts.all * 6, "\(counts)")
  }
}
