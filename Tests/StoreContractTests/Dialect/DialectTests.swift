import DataModel
import DataStore
import TestSupport
import Testing

@Suite("SQL dialect for PostgreSQL")
struct DialectTests {
  private static let violations: [(DialectRule, SQL)] = [
    (
      .clock,
      """
      insert into \(table: "t") (a, b) values (\(.integer(1)), \(.integer(2))) \
      on conflict (a) do update set b = now()
      """
    ),
    (.clock, "update \(table: "t") set changed = CURRENT_TIMESTAMP"),
    (.unlistedColumns, "select * from \(table: "t")"),
    (.unlistedColumns, "select a, t.* from \(table: "t") as t"),
    (.unlistedColumns, "insert into \(table: "t") values (\(SQL.parameter))"),
    (.unlistedColumns, "insert into pg_temp.t select a from unnest(\(SQL.parameter)) as n (a)"),
    (.unlistedColumns, "copy \(table: "t") from stdin with (format binary)"),
    (.unlistedColumns, "delete from \(table: "t") returning *"),
    (.sequence, "create sequence \(table: "s")"),
    (.sequence, "select nextval(\(.text("s")))"),
    (.sequence, "create table \(table: "t") (n bigserial, a text)"),
    (.sequence, "create table \(table: "t") (n bigint generated always as identity)"),
    (.advisoryLock, "select pg_advisory_xact_lock(\(.integer(1)))"),
    (.advisoryLock, "select pg_try_advisory_lock(\(.integer(1)))"),
    (.sessionSetting, "set lock_timeout = 1"),
    (.sessionSetting, "set session lock_timeout = 1"),
    (.sessionSetting, "select set_config('a', \(.text("1")), true), set_config('b', '1', false)"),
    (.sessionSetting, "reset all"),
    (.trigger, "create trigger t before insert on \(table: "t") execute function f()"),
    (.domain, "create domain \(table: "d") as text"),
    (.systemColumn, "select a from \(table: "t") where xmin = \(.integer(1))"),
    (.systemColumn, "select \(name: "ctid") from \(table: "t")"),
    (.notification, "listen changes"),
    (.notification, "select pg_notify('a', 'b')"),
    (.skippedLock, "select a from \(table: "t") for update skip locked"),
    (.namedStatement, "prepare p as select 1"),
  ]

  @Test(
    "reports for each forbidden SQL statement exactly the dialect rule that the statement breaks")
  func violations() {
    for (rule, statement) in Self.violations {
      #expect(DialectRule.broken(by: statement.withoutValues) == [rule], "\(statement)")
    }
    #expect(Set(Self.violations.map(\.0)) == Set(DialectRule.allCases))
  }

  @Test(
    "accepts a valid statement that looks similar to a forbidden one",
    arguments: [
      "set local lock_timeout = 1",
      "select set_config('jit', coalesce(\(SQL.parameter), 'off'), true)",
      "insert into \(table: "t") (a) select * from unnest(\(SQL.parameter))",
      "insert into \(table: "t") as o (a) values (\(.text("now()")))",
      "select count(*), a * b, 'now()', \(name: "now"), \(name: "sequence") from \(table: "xmin")",
      "update \(table: "t") set \(name: "xmin:field") = \(SQL.parameter)",
      "copy \(table: "t") (a, b) from stdin with (format binary)",
    ] as [SQL])
  func validStatements(_ statement: SQL) {
    #expect(DialectRule.broken(by: statement.withoutValues) == [])
  }

  @Test("reports a statement that breaks a dialect rule only at the first execution")
  func report() {
    let recorder = StatementRecorder()
    withKnownIssue {
      recorder.record("select * from \(table: "t")")
    } matching: { issue in
      issue.comments.contains { $0.rawValue.contains("unlistedColumns: select * from \"store.t\"") }
    }
    recorder.record("select * from \(table: "t")")
    #expect(recorder.statements == ["select * from \"store.t\""])
  }

  @Test(
    "the dialect check receives every kind of SQL statement that a PostgreSQL store executes",
    .tags(.postgres), .from(.test))
  func record() async throws {
    let fixture = try await StoreFixture(.postgres, [try .test("todo", Field("title", .text))])
    let rows: [Row] = (0..<200).map { number in
      ["todo_id": .value(.text("t\(number)")), "title": "tea"]
    }
    _ = try await fixture.trySave("todo", rows)
    try await fixture.save("todo", ["todo_id": "t1", "title": "bread"])
    try await fixture.delete("todo", .ids(["t1"]))
    #expect(try await fixture.all("todo").count == 199)
    let recorded = fixture.location.recorder.statements
    for keywords in [
      "create table", "copy", "insert into", "update", "delete from", "select", "declare",
    ] {
      #expect(recorded.contains { $0.hasPrefix(keywords) }, "nothing begins with \(keywords)")
    }
  }
}
