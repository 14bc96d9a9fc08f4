import Foundation
import ProgramHarness
import TestSupport
import Testing

@Suite("Conditions on the command line", .onEveryStore)
struct ConditionTests {
  private func library() throws -> TestFolder {
    let folder = try TestFolder()
    try folder.saveLibrary()
    return folder
  }

  @Test("combines conditions and FIELD=VALUE operands with `and`")
  func joining() throws {
    let folder = try library()
    #expect(try folder.ids("book", "--where", "price > 2 or pages = 50", "lent=false") == "b d")
    #expect(try folder.ids("book", "author.name=Ann", "--where", "tags contains 'new'") == "c")
    #expect(try folder.ids("book", "price=", "--where", "not lent") == "c")
    #expect(try folder.ids("shelf", "--where", "books.author.boss.name = 'Ann'") == "s")
    #expect(try folder.ids("book", "--where", "pages = :n", "--param", "n=50") == "b c")
    #expect(try folder.ids("book", "--order", "author.name,-pages") == "d a c b")
    #expect(try folder.ids("book", "--order", "-author.boss.name") == "b d c a")
  }

  @Test(
    "compares number fields exactly with integers that a double cannot represent",
    arguments: [
      ("f <= 9223372036854775807", "a b"), ("f > 9223372036854775807", "c"),
      ("f >= 9007199254740993", "b c"), ("f < 9007199254740993", "a"),
      ("f = 9007199254740993", ""), ("f != 9007199254740993", "a b c"),
      ("f = 9007199254740992", "a"), ("f in (1, 9007199254740993)", ""),
      ("f in (9007199254740992, 9223372036854775808)", "a c"),
      ("f between 9007199254740993 and 9223372036854775807", "b"),
      ("fs = 9007199254740993", ""), ("fs contains 9007199254740993", ""),
      ("fs contains 9007199254740992", "a"), ("fs > 9007199254740991", "a"),
    ])
  func largeIntegers(condition: String, ids: String) throws {
    let folder = try TestFolder()
    try folder.prepare("schema", "create", "item", "f:number", "fs:number+")
    try folder.prepare(
      "save", "item", "-o", "none",
      input: .text(
        """
        {"item_id": "a", "f": 9007199254740992, "fs": [9007199254740992]}
        {"item_id": "b", "f": 9007199254740994}
        {"item_id": "c", "f": 9223372036854775808}
        """))
    #expect(try folder.ids("item", "--where", condition) == ids)
  }

  @Test("accepts todoID instead of todo_id in conditions, assignments and input")
  func keyProperty() throws {
    let folder = try TestFolder()
    try folder.prepare("schema", "create", "todo", "title:text")
    try folder.run("save", "todo", "-o", "ids", input: .text(#"{"todoID":"a"}"#)).exits(0)
      .prints("a\n")
    try folder.run("save", "todo", "todoID=b", "-o", "ids").exits(0).prints("b\n")
    try folder.run("save", "todo", "-o", "ids", input: .text("todoId\nc\n")).exits(0).prints("c\n")
    #expect(try folder.ids("todo", "todoID=a") == "a")
    #expect(try folder.ids("todo", "--where", "todoID > 'a'") == "b c")
    try folder.run("save", "todo", input: .text(#"{"todoID":"a","todo_id":"a"}"#)).exits(6)
      .reports("todoID and todo_id are the same field in a record")
  }

  @Test("reports an invalid condition with its position")
  func errors() throws {
    let folder = try library()
    try folder.run("list", "book", "--where", "titel = 'x'").exits(2).printsNothing().reports(
      "datactl: book has no field titel\n  titel = 'x'\n  ^\n  did you mean title?\n")
    try folder.run("list", "book", "--where", "pages = 1 adn lent").exits(2).reports(
      "  pages = 1 adn lent\n            ^\n")
    try folder.run("list", "book", "--where", "now < created_at").exits(2).reports(
      "  now < created_at\n  ^\n  did you mean now()?\n")
    try folder.run("list", "book", "--where", "pages = :n").exits(2).reports(
      "parameter n is missing")
    try folder.run("list", "book", "--param", "n=1").exits(2).reports("parameter n")
    try folder.run("list", "book", "--param", "n").exits(2).reports("NAME=VALUE")
    try folder.run("list", "book", "--param", "n=1", "--param", "n=2").exits(2).reports("twice")
    try folder.run("list", "book", "--order", "tags").exits(2).reports("tags")
    try folder.run("list", "book", "pages=many").exits(6).reports("pages", "many")
    try folder.run("list", "book", "author.nme=x").exits(2).reports("did you mean name?")
    try folder.run("list").exits(2).reports("SCHEMA", "--function")
  }

  @Test("requires JSON notation, as in p:=3, for a parameter that is compared with a json field")
  func parameters() throws {
    let folder = try TestFolder()
    try folder.prepare("schema", "create", "thing", "meta:json", "size:integer")
    try folder.prepare("save", "thing", "a", #"meta:={"n":3,"s":"3","b":true}"#, "size=3")
    func count(_ condition: String, _ parameter: String) throws -> String {
      try folder.run("list", "thing", "--count", "--where", condition, "--param", parameter).exits(
        0
      )
      .output
    }
    #expect(try count("meta.n = :p and size = :p", "p:=3") == "1\n")
    #expect(try count("meta.s = :p", "p:=\"3\"") == "1\n")
    #expect(try count("meta.n = :p", "p:=\"3\"") == "0\n")
    #expect(try count("meta.b = :p", "p:=true") == "1\n")
    #expect(try count("size = %?", "1:=3") == "1\n")
    try folder.run("list", "thing", "--where", "meta.n = :p", "--param", "p=3").exits(2)
      .printsNothing().reports("meta.n is json", "--param p:='\"text\"', or p:=3")
    try folder.run("list", "thing", "--where", "meta.n = :p", "--param", "p:=x").exits(2)
      .reports("--param: the value of p is not valid JSON")
    try folder.run("list", "thing", "--param", ":=3").exits(2).reports("NAME:=JSON")
  }

  @Test(
    "the error names the field that cannot be printed or grouped, or the id that does not exist")
  func subjects() throws {
    let folder = try library()
    try folder.run("get", "book", "--by", "title", "Tea").exits(2).reports(
      "datactl: book.title is not unique, so it cannot identify a record")
    try folder.run("list", "shelf", "--fields", "books.title").exits(2).reports(
      "datactl: cannot print books.title: it follows a to-many relation")
    try folder.run("list", "shelf", "--group-by", "books.title").exits(2).reports(
      "datactl: cannot group by books.title: it follows a to-many relation")
    try folder.run("list", "book", "--where", "created_by.username = 'ann'").exits(2).reports(
      "created_by refers to a user, but there is no user schema", "schema create user --user")
    let run = try folder.run("delete", "book", "pages=50", "unknown").exits(3)
    try run.reports("book pages=50: there is no such record", "--where \"pages = 50\"")
    #expect(run.errors.components(separatedBy: "--where").count == 2)
    try folder.run("delete", "book", "pages=many").exits(3).reports(
      "write the condition after --where")
  }

  @Test("shows how many records delete --where deletes, and how many referring records change")
  func delete() throws {
    let folder = try library()
    let arguments = ["delete", "book", "--where", "pages = 50"]
    try folder.program.run(arguments).exits(2).printsNothing().reports("2 records of book", "--yes")
    try folder.program.run(arguments + ["--dry-run"]).exits(0).reports("2 would be deleted")
    try folder.program.run(arguments, input: .typed("n\n"), errors: .terminal).exits(1).reports(
      "Really delete 2 records of book in ", "\(folder.storeName)? [y/N]")
    #expect(try folder.ids("book") == "a b c d")
    try folder.program.run(arguments + ["--yes"]).exits(0).printsNothing().reports("2 deleted")
    #expect(try folder.ids("book") == "a d")
    try folder.run("delete", "book", "a", "--where", "pages = 50").exits(2)
    try folder.run("delete", "person", "--where", "name = 'Ann'", "--dry-run").exits(0).reports(
      "2 records that referred to them would be changed\n")
    try folder.run("delete", "person", "ann").exits(0).reports(
      "1 deleted\n2 records that referred to them changed\n")
    try folder.run("delete", "book", "--where", "pges = 50", "--yes").exits(2).reports("pages")
  }

  @Test("changes all matching records with save --where after confirmation")
  func save() throws {
    let folder = try library()
    let arguments = ["save", "book", "--where", "author.name = 'Ann'", "price=1", "tags+=old"]
    try folder.program.run(arguments).exits(2).printsNothing().reports("2 records of book", "--yes")
    try folder.program.run(arguments, input: .typed("n\n"), errors: .terminal).exits(1)
    #expect(try folder.ids("book", "price=1") == "")
    let run = try folder.program.run(arguments + ["--yes", "-o", "ids"]).exits(0)
    try run.prints("a\nc\n").reports("2 saved: 2 changed")
    #expect(try folder.ids("book", "price=1", "tags=old", "revision=2") == "a c")
    try folder.run("save", "book", "--where", "pages = 7", "price=1").exits(0).reports(
      "Nothing to save")
    try folder.run("save", "book", "--where", "pages = 7").exits(2).reports("FIELD=VALUE")
    try folder.run("save", "book", "a", "--where", "pages = 7", "price=1").exits(2)
  }

  @Test("rejects passwords in conditions without printing them")
  func passwords() throws {
    let folder = try TestFolder()
    try folder.prepare("schema", "create", "user", "--user")
    for arguments in [
      ["--where", "password = 'secret-canary'"], ["password=secret-canary"],
      ["--where", "usernam = 'a' or password like 'secret-canary'"],
    ] {
      let run = try folder.program.run(["list", "user"] + arguments).exits(2)
      try run.requires(!run.errors.contains("secret-canary"), "no password was expected")
    }
  }

  @Test(
    "prints the normalized condition, the query plan and the sort order when --explain is given")
  func explanation() throws {
    let folder = try library()
    let run = try folder.run(
      "list", "book", "--where", "NOT (pages<>50)", "lent=true", "--order", "-price", "--explain")
    try run.exits(0)
    #expect(run.lines[0] == "schema     book")
    #expect(run.lines[1] == "condition  lent = true and pages = 50")
    #expect(run.lines[2] == "order      -price,-book_id")
    #expect(
      run.lines.suffix(2) == [
        "sorting    all matching records: no index supports the condition with the order -price",
        """
        index      an index on ["lent", "pages", "-price"] would speed up this condition and \
        order
        """,
      ])
    let order = try folder.run("list", "book", "--order", "title,-price", "--explain").exits(0)
    #expect(
      order.lines.last
        == #"index      an index on ["title", "-price"] would speed up this order"#)
    let equality = try folder.run("list", "book", "pages=50", "--count", "--explain").exits(0)
    #expect(
      equality.lines.last == #"index      an index on ["pages"] would speed up this condition"#)
    let groups = try folder.run(
      "list", "book", "--group-by", "lent,author.name", "--sum", "price", "--explain"
    ).exits(0)
    #expect(groups.lines[2] == "groups     lent,author.name")
    #expect(groups.lines[3] == "aggregates count,sum_price")
    let distinct = try folder.run("list", "book", "--distinct", "lent", "--explain").exits(0)
    #expect(distinct.lines[2] == "groups     lent")
    #expect(distinct.lines[3].hasPrefix("plan       "))
    try folder.run("list", "book", "--group-by", "lnt", "--explain").exits(2).reports("lent")
    let grouped = try folder.run(
      "list", "book", "--distinct", "pages", "--explain", "-o", "json"
    ).exits(0).json
    #expect(
      grouped.keys == ["condition", "groups", "index", "plan", "schema", "sorts", "sums"])
    let json = try folder.run("list", "book", "--explain", "-o", "json").exits(0).json
    #expect(json.keys == ["condition", "index", "order", "plan", "schema", "sorts"])
  }

  private func events() throws -> TestFolder {
    let folder = try TestFolder()
    try folder.write(
      "event.json",
      """
      {"schema": "event", "fields": {"event_id": {"type": "id"}, "at": {"type": "datetime"},
        "day": {"type": "date"}}, "indexes": [["at"], ["day"]]}
      """)
    try folder.prepare("schema", "apply", "event.json")
    return folder
  }

  @Test("uses the index of a field when its year or day is compared with a constant")
  func yearPlan() throws {
    let folder = try events()
    let records = (0..<2_000).map { "{\"at\":\"\(1_500 + $0 / 4)-05-0\($0 % 4 + 1)T00:00:00Z\"}\n" }
    try folder.program.run(["save", "event", "-o", "none"], input: .text(records.joined())).exits(0)
    for (condition, isSelective) in [
      ("year(at) = 1726", true), ("1726 = year(at)", true), ("year(at) >= 1999", false),
      ("year(at) between 1720 and 1721", true), ("year(day) < 2", false),
      ("year(at) in (1600, 1601)", true), ("date(at) = '1726-05-01'", true),
      ("'1726-05-01' = date(at)", true), ("date(at) >= '1999-01-01'", false),
      ("date(at) between '1726-05-01' and '1726-05-03'", true),
      ("date(at) in ('1600-05-01', '1601-05-02')", true), ("date(at) on 1726-05-01", true),
      ("date(day) = '1726-05-01'", true),
    ] {
      for zone in [[], ["--zone", "Europe/Zurich"]] {
        let run = try folder.program.run(
          ["list", "event", "--where", condition, "--explain"] + zone
        ).exits(0)
        let plan = run.lines.filter { $0.hasPrefix("plan") || $0.hasPrefix("  ") }.joined()
        // PostgreSQL assumes that an open range contains a third of the records.
        let isRange = plan.firstMatch(of: /\((at|day) (>=|<) '/) != nil
        #expect(
          !plan.contains("SCAN") && (!plan.contains("Seq Scan") || !isSelective && isRange),
          "\(condition): \(plan)")
      }
    }
    let other = try folder.run("list", "event", "--where", "month(at) = 5", "--explain").exits(0)
    #expect(other.output.contains("SCAN") || other.output.contains("Seq Scan"))
  }

  @Test("selects the same records by a year or a day as by the computed value, nulls included")
  func years() throws {
    let folder = try events()
    let cases = [
      (
        "year", "+ 0",
        [
          "= 2026", "<> 2026", "< 2026", "<= 2025", "> 2025", ">= 2026", "between 2025 and 2026",
          "not between 2025 and 2026", "in (2024, 2026)", "not in (2024, 2026)", "= 0", "< 10000",
        ]
      ),
      (
        "date", "+ 0d",
        [
          "= '2026-01-01'", "<> '2026-01-01'", "< '2026-01-02'", "<= '2025-12-30'",
          "> '2025-12-31'", ">= '2026-01-01'", "between '2025-12-31' and '2026-01-01'",
          "not between '2025-12-31' and '2026-01-01'", "in ('2024-01-01', '2026-12-31')",
          "not in ('2024-01-01', '2026-12-31')", "on 2026-12-31", "not on 2026-12-31", "in 2026-12",
          "> '0001-01-01'", "<= '9999-12-31'",
        ]
      ),
    ]
    var generator = SeededRandom(seed: 26)
    let records = (0..<200).map { index -> String in
      let year = generator.number(2024...2027)
      let date = generator.pick(["01-01", "01-02", "12-30", "12-31", "06-15"])
      let time = generator.pick(["00:00:00", "09:59:59.999999", "10:00:00", "12:59:59", "23:59:59"])
      let at = generator.chance(10) ? "null" : "\"\(year)-\(date)T\(time)Z\""
      let day = generator.chance(10) ? "null" : "\"\(year)-\(date)\""
      return "{\"event_id\":\"\(index)\",\"at\":\(at),\"day\":\(day)}\n"
    }
    try folder.program.run(["save", "event", "-o", "none"], input: .text(records.joined())).exits(0)
    for zone in ["UTC", "Pacific/Auckland", "America/New_York"] {
      for (function, nothing, tests) in cases {
        for test in tests {
          func ids(_ value: String) throws -> String {
            try folder.run(
              "list", "event", "--where", "\(value) \(test)", "--zone", zone, "-o", "ids"
            ).exits(0).output
          }
          for value in ["\(function)(at)", "\(function)(day)"] {
            #expect(try ids(value) == ids("\(value) \(nothing)"), "\(value) \(test) in \(zone)")
          }
        }
      }
    }
  }

  @Test("suggests with --explain only indexes that a schema file can declare")
  func advice() throws {
    let folder = try library()
    func last(_ arguments: String...) throws -> String? {
      try folder.datactl.run(["list"] + arguments + ["--explain"]).exits(0).lines.last
    }
    #expect(
      try last("book", "author=ann", "--order", "-price")
        == #"index      an index on ["author", "-price"] would speed up this condition and order"#)
    #expect(try last("book", "author=ann", "--count")?.hasPrefix("index") == false)
    #expect(
      try last("book", "--order", "author.name")?.hasSuffix("related records cannot be indexed")
        == true)
    #expect(
      try last("book", "--where", "pages > 10")
        == #"index      an index on ["pages"] would speed up this condition"#)
    #expect(
      try last("book", "--where", "pages between 10 and 60 and price < 5", "lent=true")
        == #"index      an index on ["lent", "pages"] would speed up this condition"#)
    try folder.prepare("schema", "create", "spot", "home:geopoint", "photo:file")
    for part in ["home.lat", "photo.name"] {
      #expect(
        try last("spot", "--order", part)?.hasSuffix(
          "parts of geopoints and files cannot be indexed")
          == true)
    }
    let count = try folder.run("list", "book", "pages=50", "lent=true", "--count", "--explain")
    #expect(
      try count.exits(0).lines.filter { $0.first != " " }.map { $0.prefix(6) }
        == ["schema", "condit", "plan  ", "index "])
  }
}
