import ProgramHarness
import Testing

@Suite("Division, differences of times and functions on the command line", .onEveryStore)
struct ExpressionTests {
  private func tickets() throws -> TestFolder {
    let folder = try TestFolder()
    try folder.run(
      "schema", "create", "ticket", "size:integer", "price:decimal:8,2", "rate:number",
      "opened:datetime", "closed:datetime", "day:date", "title:text"
    ).exits(0)
    try folder.run(
      "save", "ticket", "-o", "none",
      input: .text(
        """
        {"ticket_id":"a","size":7,"price":2.45,"rate":2.675,"opened":"2026-03-01T23:30:00Z",
         "closed":"2026-03-09T23:30:00.5Z","day":"2026-03-01","title":"Tea pot"}
        {"ticket_id":"b","size":0,"price":-1.05,"rate":-0.5,"opened":"2026-03-02T08:00:00Z",
         "closed":"2026-03-02T07:00:00Z","day":"2026-02-27","title":"ünder"}
        {"ticket_id":"c"}

        """)
    ).exits(0)
    return folder
  }

  @Test("prints the values in every place that takes an expression")
  func values() throws {
    let folder = try tickets()
    for (expression, values) in [
      ("size / 2", "3.5\n0\n\n"), ("1 / size", "0.14285714285714285\n\n\n"),
      ("round(rate, 2)", "2.68\n-0.5\n\n"), ("round(price, 1)", "2.5\n-1.1\n\n"),
      ("round(size / 2)", "4\n0\n\n"), ("round(price, 3)", "2.450\n-1.050\n\n"),
      ("abs(price)", "2.45\n1.05\n\n"), ("upper(title)", "TEA POT\nüNDER\n\n"),
      ("substr(title, 2, 3)", "ea \nnde\n\n"), ("substr(title, 90, 3)", "\n\n\n"),
      ("closed - opened", "691200.5\n-3600\n\n"), ("day - '2026-02-28'", "1\n-1\n\n"),
      ("opened - day", "84600\n288000\n\n"), ("coalesce(title, ticket_id)", "Tea pot\nünder\nc\n"),
      ("coalesce(price, 0)", "2.45\n-1.05\n0.00\n"), ("date(opened)", "2026-03-01\n2026-03-02\n\n"),
    ] {
      try folder.run("list", "ticket", "--fields", "v = \(expression)", "-o", "lines").exits(0)
        .prints(values)
    }
    try folder.run(
      "list", "ticket", "--fields", "date(opened),round(rate)", "--zone", "Europe/Zurich",
      "--limit",
      "1"
    ).prints("{\"ticket_id\":\"a\",\"date_opened\":\"2026-03-02\",\"round_rate\":3}\n")
    try folder.run(
      "list", "ticket", "--group-by", "date(opened)", "--zone", "Europe/Zurich", "-o", "csv"
    ).prints("date_opened,count\r\n,1\r\n2026-03-02,2\r\n")
    try folder.run("list", "ticket", "--avg", "t = closed - opened", "-o", "lines").prints(
      "343800.25\n")
    #expect(try folder.ids("ticket", "--order", "-abs(rate),coalesce(size, 9)") == "a b c")
  }

  @Test("finds records by differences, durations and days")
  func conditions() throws {
    let folder = try tickets()
    for (condition, ids) in [
      ("closed - opened > 7d", "a"), ("1d < closed - opened", "a"), ("closed - opened < -30m", "b"),
      ("closed - opened between 1w and 9 d", "a"), ("closed - opened in (-1h, 2h)", "b"),
      ("day - '2026-02-28' > 8h", "a"), ("day - '2026-02-28' <= 8h", "b"),
      ("abs(closed - opened) + 0 = 1h", "b"), ("now() - opened > 1d", "a b"),
      ("size < now() - '2020-01-01'", "a b"),
      ("opened - day > 1d", "b"), ("day - '2026-02-28' >= 1d", "a"),
      ("day - '2026-02-28' > 1d", ""), ("date(opened) = '2026-03-02'", "b"),
      ("date(opened) in ('2026-03-01', '2026-03-02')", "a b"), ("date(opened) < '2026-03-02'", "a"),
      ("date(opened) on 2026-03-01", "a"), ("size / 0 is null", "a b c"),
      ("coalesce(size, 5) > 3", "a c"), ("round(price, 1) = 2.5", "a"),
      ("substr(title, 1, 3) = 'Tea'", "a"), ("not size / 2 > 3", "b c"),
    ] {
      #expect(try folder.ids("ticket", "--where", condition) == ids, "\(condition)")
    }
    #expect(
      try folder.ids(
        "ticket", "--where", "date(opened) = '2026-03-02'", "--zone", "Europe/Zurich") == "a b")
  }

  @Test("fails if an aggregated value is out of range, but leaves out a division by zero")
  func outOfRange() throws {
    let folder = try tickets()
    try folder.run("list", "ticket", "--sum", "v = 1 / size", "-o", "lines").prints(
      "0.14285714285714285\n")
    try folder.run("list", "ticket", "--max", "v = 1e308 / rate").exits(6).reports("out of range")
    try folder.run("list", "ticket", "--max", "v = coalesce(1e308 / rate, 0)").exits(0)
  }

  @Test("keeps fields that are named like functions, and names an expression in place of a field")
  func names() throws {
    let folder = try TestFolder()
    try folder.run(
      "schema", "create", "thing", "round:integer", "abs:integer", "upper:text", "substr:text",
      "coalesce:integer", "date:date"
    ).exits(0)
    try folder.run(
      "save", "thing", "x", "round=1", "abs=2", "upper=U", "substr=s", "coalesce=3",
      "date=2026-03-01"
    ).exits(0)
    #expect(
      try folder.ids(
        "thing", "--where",
        "round = 1 and abs in (2) and upper like 'U' and coalesce - round = 2 and date on 2026-03-01"
      )
        == "x")
    try folder.run(
      "list", "thing", "--fields", "date,coalesce,round(round / abs, 1)", "--order", "round,-date"
    ).exits(2).reports("needs a name")
    try folder.run("list", "thing", "--fields", "date,v = round(round / abs, 1),substr").prints(
      "{\"thing_id\":\"x\",\"date\":\"2026-03-01\",\"v\":0.5,\"substr\":\"s\"}\n")
    for arguments in [
      ["list", "thing", "--section-by"], ["edit", "thing", "x", "--fields"],
    ] {
      try folder.program.run(arguments + ["abs / 1000.5"]).exits(2).reports(
        "abs / 1000.5 is an expression, not a field of thing")
    }
    try folder.run("list", "thing", "abs / 1000.5=3").exits(2).reports(
      #"write the condition after --where: --where "abs / 1000.5 = 3""#)
    for option in ["--sum", "--distinct", "--group-by", "--fields"] {
      try folder.run("list", "thing", option, "abs / 1000.5").exits(2).reports(
        "a computed column needs a name")
    }
    try folder.run("list", "thing", "--distinct", "v = abs / 4", "-o", "lines").prints("0.5\n")
  }
}
