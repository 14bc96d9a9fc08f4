import ProgramHarness
import Testing

@Suite("Related records and computed values on the command line", .onEveryStore)
struct RelatedRecordTests {
  private func world() throws -> TestFolder {
    let folder = try TestFolder()
    try folder.write(
      "country.json",
      """
      {"schema":"country","fields":{"country_id":{"type":"id"},"name":{"type":"text"},
       "area":{"type":"number"},"people":{"type":"integer"},"since":{"type":"datetime"}}}
      """)
    try folder.write(
      "town.json",
      """
      {"schema":"town","fields":{"town_id":{"type":"id"},"name":{"type":"text"},
       "country":{"type":"relation","to":"country","inverse":"towns"}}}
      """)
    try folder.run("schema", "apply", "country.json", "town.json").exits(0)
    try folder.run(
      "save", "country", "-o", "none",
      input: .text(
        """
        {"country_id":"at","name":"Austria","area":83.9,"people":9,"since":"1945-04-27T23:30:00Z"}
        {"country_id":"ch","name":"Switzerland","area":41.3,"people":9,"since":"1848-09-12"}
        {"country_id":"mc","name":"Monaco","area":0.002}

        """)
    ).exits(0)
    try folder.run(
      "save", "town", "-o", "none",
      input: .text(
        """
        {"town_id":"zh","name":"Zurich","country":"ch"}
        {"town_id":"be","name":"Bern","country":"ch"}
        {"town_id":"w","name":"Vienna","country":"at"}
        {"town_id":"x","name":"X"}

        """)
    ).exits(0)
    return folder
  }

  @Test("lists, counts, deletes and changes records that match a condition on referring records")
  func conditions() throws {
    let folder = try world()
    #expect(try folder.ids("country", "--where", "towns is empty") == "mc")
    #expect(try folder.ids("country", "--where", "count(towns) > 1") == "ch")
    #expect(try folder.ids("country", "--where", "any towns (name like 'V%')") == "at")
    #expect(try folder.ids("country", "--where", "all towns (name like 'V%')") == "at mc")
    #expect(try folder.ids("country", "--where", "no town.country (name = 'Bern')") == "at mc")
    try folder.run("list", "country", "--where", "towns is empty", "--count").prints("1\n")
    try folder.run("delete", "country", "--where", "count(towns) = 0", "--yes").exits(0)
    #expect(try folder.ids("country") == "at ch")
    try folder.run("list", "country", "--where", "towns is null").exits(2).reports("never null")
    try folder.run("list", "country", "--where", "count(name) = 1").exits(2).reports(
      "name is text, not a to-many relation")
    try folder.run("list", "country", "--where", "any towns").exits(2).reports(
      "expected a condition in parentheses after any towns", "write any towns (CONDITION)")
    try folder.run("list", "country", "--where", "people in 9").exits(2).reports(
      "write a list in parentheses: in (5, 6)")
  }

  @Test("prints fields, computed columns and referring records in the order of --fields")
  func columnOrder() throws {
    let folder = try world()
    let expand = ["--where", "country_id = 'mc'", "--expand", "towns"]
    for (fields, output) in [
      ("towns,name", "{\"country_id\":\"mc\",\"towns\":[],\"name\":\"Monaco\"}\n"),
      ("people,name", "{\"country_id\":\"mc\",\"people\":null,\"name\":\"Monaco\",\"towns\":[]}\n"),
      (
        "n = count(towns),towns,name,country_id",
        "{\"n\":0,\"towns\":[],\"name\":\"Monaco\",\"country_id\":\"mc\"}\n"
      ),
      (
        "towns,*",
        "{\"country_id\":\"mc\",\"towns\":[],\"name\":\"Monaco\",\"area\":0.002,\"people\":null,"
          + "\"since\":null}\n"
      ),
    ] {
      try folder.program.run(["list", "country", "--fields", fields] + expand).prints(output)
      try folder.run(
        "get", "country", "mc", "--fields", fields, "--expand", "towns", "-o", "ndjson"
      )
      .prints(output)
    }
    try folder.run("list", "country", "--fields", "towns,n = area").exits(2).reports(
      "pass --expand towns")
    try folder.run(
      "get", "country", "mc", "--fields", "towns", "--expand", "towns", "-o", "lines"
    ).prints("[]\n")
    try folder.run("list", "town", "--fields", "country.name", "--order", "name", "-o", "lines")
      .prints("Switzerland\nAustria\n\nSwitzerland\n")
  }

  @Test("prints computed columns and referring records in every format")
  func columns() throws {
    let folder = try world()
    try folder.run(
      "list", "country", "--fields", "name, count(towns), density = people * 10, year(since)"
    ).prints(
      """
      {"country_id":"at","name":"Austria","count_towns":1,"density":90,"year_since":1945}
      {"country_id":"ch","name":"Switzerland","count_towns":2,"density":90,"year_since":1848}
      {"country_id":"mc","name":"Monaco","count_towns":0,"density":null,"year_since":null}

      """)
    try folder.run(
      "list", "country", "--fields", "n = length(name)", "-o", "csv", "--order", "-name"
    ).prints("country_id,n\r\nch,11\r\nmc,6\r\nat,7\r\n")
    try folder.run("get", "country", "ch", "--fields", "u = lower(name)", "-o", "ndjson").prints(
      "{\"country_id\":\"ch\",\"u\":\"switzerland\"}\n")
    let expanded = try folder.run(
      "list", "country", "--fields", "name,a = area * 2", "--expand", "towns", "--where",
      "towns is not empty or name = 'Monaco'"
    ).exits(0)
    #expect(
      expanded.lines.map { $0.replacing(#/"(created|last|revision|modified)[^}]*/#, with: "…") }
        == [
          #"{"country_id":"at","name":"Austria","a":167.8,"towns":[{"town_id":"w","name":"Vienna","country":"at",…}]}"#,
          #"{"country_id":"ch","name":"Switzerland","a":82.6,"towns":[{"town_id":"be","name":"Bern","country":"ch",…},{"town_id":"zh","name":"Zurich","country":"ch",…}]}"#,
          #"{"country_id":"mc","name":"Monaco","a":0.004,"towns":[]}"#,
        ])
    try folder.run("list", "country", "--fields", "area * 2").exits(2).reports(
      "a computed column needs a name")
    try folder.run("list", "country", "--fields", "name = area * 2").exits(2).reports(
      "name is a field of country")
    try folder.run("list", "country", "--expand", "towns", "--fields", "towns = area * 2").exits(2)
      .printsNothing().reports("towns is the inverse of a relation to country")
    try folder.run("schema", "create", "street", "country:country").exits(0)
    try folder.run("list", "country", "--expand", "street.country").exits(2).reports(
      "cannot expand street.country: this inverse of the relation has no name",
      "declare \"inverse\" in the schema file of street")
  }

  @Test("computes null if the value of an expression is out of range")
  func outOfRange() throws {
    let folder = try world()
    try folder.run("save", "country", "xx", "people=9223372036854775807", "area=77").exits(0)
    try folder.run("save", "town", "xt", "country=xx").exits(0)
    for (condition, ids) in [
      ("area = 78 and people + 9223372036854775807 > 0", ""),
      ("area > 78 and people + 1 > 0", "at"),
    ] {
      #expect(try folder.ids("country", "--where", condition) == ids, "\(condition)")
    }
    #expect(try folder.ids("country", "--where", "people + 1 > 0") == "at ch")
    #expect(try folder.ids("country", "--where", "people + 1 is null") == "mc xx")
    #expect(try folder.ids("country", "--where", "not people + 1 > 0") == "mc xx")
    #expect(
      try folder.ids("country", "--where", "people < 10 or people * 2 is null") == "at ch mc xx")
    #expect(
      try folder.ids("country", "--where", "since + 9000000d is null and since is not null")
        == "at ch")
    try folder.run("list", "country", "--fields", "n = people * 2", "--order", "-people").prints(
      """
      {"country_id":"xx","n":null}
      {"country_id":"ch","n":18}
      {"country_id":"at","n":18}
      {"country_id":"mc","n":null}

      """)
    try folder.run(
      "schema", "create", "street", "towns:town+", "length:integer", "country:country"
    ).exits(0)
    try folder.run("save", "street", "a", "towns=zh", "length=1", "country=ch").exits(0)
    try folder.run("save", "street", "b", "length=9223372036854775807").exits(0)
    let any = "any street.towns (length + 1 > 0)"
    #expect(try folder.ids("town", "--where", any) == "zh")
    #expect(try folder.ids("town", "--where", "no street.towns (length + 1 > 0)") == "be w x xt")
    #expect(try folder.ids("country", "--where", "any street.country (length + 1 > 0)") == "ch")
    var nested = "length + 1 = 2"
    for level in 0..<6 {
      nested = level % 2 == 0 ? "any street.towns (\(nested))" : "any towns (\(nested))"
    }
    try folder.run("list", "street", "--where", nested, "--count").prints("1\n")
    for option in ["--where=1e308 * 100 > area", "--fields=a = 9223372036854775807 + 1"] {
      try folder.run("list", "country", option, "--limit", "0").exits(2).reports("out of range")
    }
    try folder.run("list", "country", "--group-by", "m = people * 2 + 1", "--where", "people < 10")
      .prints("{\"m\":19,\"count\":2}\n")
  }

  @Test("groups by computed values, and filters groups by the computed columns")
  func groups() throws {
    let folder = try world()
    try folder.run("list", "country", "--group-by", "c = count(towns)", "--sum", "people").prints(
      """
      {"c":0,"count":1,"sum_people":null}
      {"c":1,"count":1,"sum_people":9}
      {"c":2,"count":1,"sum_people":9}

      """)
    try folder.run(
      "list", "country", "--group-by", "month(since)", "--order", "-month_since"
    ).prints(
      """
      {"month_since":9,"count":1}
      {"month_since":4,"count":1}
      {"month_since":null,"count":1}

      """)
    try folder.run(
      "list", "country", "--group-by", "people", "--sum", "area", "--having",
      "count > 1 and sum_area > 100", "--order", "-sum_area"
    ).prints("{\"people\":9,\"count\":2,\"sum_area\":125.2}\n")
    try folder.run(
      "list", "country", "--group-by", "people", "--having", "people is null"
    ).prints("{\"people\":null,\"count\":1}\n")
    try folder.run("list", "country", "--having", "count > 1").exits(2).reports("--group-by")
    try folder.run("list", "country", "--group-by", "people", "--having", "n > 1").exits(2).reports(
      "no column n")
  }

  @Test("interprets days and hours of datetimes in the time zone given by --zone")
  func zones() throws {
    let folder = try world()
    let zone = ["--zone", "Europe/Zurich"]
    #expect(try folder.ids("country", "--where", "since on 1945-04-27") == "at")
    let selected = try folder.run(
      "list", "country", "--where", "since on '1945-04-28'", "--zone", "Europe/Zurich", "-o", "ids")
    #expect(try selected.exits(0).lines == ["at"])
    try folder.program.run(
      ["list", "country", "--where", "since in 1945-04", "--fields", "day(since), hour(since)"]
        + zone
    ).prints("{\"country_id\":\"at\",\"day_since\":28,\"hour_since\":0}\n")
    try folder.program.run(
      ["list", "country", "--group-by", "weekday(since)", "--where", "year(since) > 1900"] + zone
    ).prints("{\"weekday_since\":6,\"count\":1}\n")
    try folder.program.run(
      ["get", "country", "at", "--fields", "h = hour(since)", "-o", "csv"] + zone
    )
    .prints("country_id,h\r\nat,0\r\n")
    let explanation = try folder.program.run(
      ["list", "country", "--where", "since on 1945-04-28", "--explain"] + zone
    ).exits(0).output
    #expect(explanation.contains("zone       Europe/Zurich"))
    #expect(explanation.contains("between '1945-04-27T23:00:00.000Z'"))
    try folder.run("list", "country", "--zone", "../etc/passwd").exits(2).reports(
      "--zone: unknown time zone")
    try folder.run("delete", "country", "at", "--zone", "UTC").exits(2)
    try folder.program.run(
      ["delete", "country", "--where", "since on 1945-04-28", "--yes"] + zone
    ).exits(0)
    #expect(try folder.ids("country") == "ch mc")
  }

  @Test("computes components of datetimes, such as the hour, in the time zone given by --zone")
  func datesInZones() throws {
    let folder = try world()
    let zone = ["--zone", "Europe/Zurich"]
    #expect(try folder.ids("country", "--where", "year(since) < 1900", "--zone", "UTC") == "ch")
    try folder.program.run(
      ["list", "country", "--where", "since is null", "--fields", "y = year(since)"] + zone
    ).prints("{\"country_id\":\"mc\",\"y\":null}\n")
    try folder.run("schema", "create", "event", "day:date").exits(0)
    try folder.run("save", "event", "a", "day=2026-11-20", "-o", "none").exits(0)
    try folder.run("save", "event", "-o", "none", input: .text("{\"event_id\":\"b\"}")).exits(0)
    try folder.program.run(
      ["list", "event", "--fields", "y = year(day), d = day(day)", "-o", "csv"] + zone
    ).prints("event_id,y,d\r\na,2026,20\r\nb,,\r\n")
  }

  @Test("follows a to-many relation and then an inverse relation in one path")
  func inverseAfterRelation() throws {
    let folder = try world()
    let fields = (1...20).map { "\"f\($0)\":{\"type\":\"integer\"}" }.joined(separator: ",")
    try folder.write(
      "visit.json",
      """
      {"schema":"visit","fields":{"visit_id":{"type":"id"},\(fields),
       "town":{"type":"relation","to":"town","inverse":"visits"}}}
      """)
    try folder.run("schema", "apply", "visit.json").exits(0)
    try folder.run("save", "visit", "v", "f1=1", "town=be", "-o", "none").exits(0)
    #expect(try folder.ids("country", "--where", "towns.visits.f1 = 1") == "ch")
    #expect(try folder.ids("country", "--where", "towns.visits.f1 = 2") == "")
    #expect(try folder.ids("country", "--where", "any towns (any visits (f1 = 1))") == "ch")
  }

  @Test("sorts records by the computed columns of --fields")
  func orderByColumn() throws {
    let folder = try world()
    for (column, order, ids) in [
      ("n = count(towns)", "-n", "ch at mc"), ("n = length(name)", "n", "mc at ch"),
      ("n = name", "n desc", "ch mc at"), ("count(towns)", "-count_towns", "ch at mc"),
      ("*,n = area * people", "n", "mc ch at"),
    ] {
      #expect(
        try folder.ids("country", "--fields", column, "--order", order) == ids, "\(column)")
    }
    try folder.run(
      "list", "country", "--fields", "n = area * %?", "--order", "area * %?,n", "--param", "1=2",
      "--param", "2=3", "-o", "none"
    ).exits(0)
    try folder.run("list", "country", "--fields", "n = count(towns)", "--order", "m").exits(2)
      .reports("country has no field m")
  }

  @Test("sorts records and groups by computed values, with and without pages")
  func orders() throws {
    let folder = try world()
    for (order, ids) in [
      ("count(towns) desc", "ch at mc"), ("-length(name), area", "ch at mc"),
      ("year(since)", "mc ch at"), ("-people * area", "at ch mc"),
      ("length(name) - count(towns) asc", "at mc ch"),
    ] {
      #expect(try folder.ids("country", "--order", order) == ids, "\(order)")
      var paged: [String] = []
      var bound: [String] = []
      repeat {
        let page = try folder.program.run(
          ["list", "country", "--order", order, "--limit", "1", "-o", "page"] + bound
        ).exits(0).json
        paged += page["records"]?.elements.compactMap { $0["country_id"]?.text } ?? []
        bound = page["next"]?.text.map { ["--after", $0] } ?? []
      } while !bound.isEmpty
      #expect(paged.joined(separator: " ") == ids, "\(order)")
    }
    try folder.run(
      "list", "country", "--group-by", "c = count(towns)", "--sum", "area", "--order",
      "-sum_area * (c + 1)"
    ).prints(
      """
      {"c":1,"count":1,"sum_area":83.9}
      {"c":2,"count":1,"sum_area":41.3}
      {"c":0,"count":1,"sum_area":0.002}

      """)
    try folder.run(
      "list", "country", "--group-by", "year(since)", "--order", "year(since) desc", "--limit", "1"
    ).prints("{\"year_since\":1945,\"count\":1}\n")
    try folder.run("list", "country", "--order", "people * 2", "--param", "x=1").exits(2)
    #expect(
      try folder.ids("country", "--order", "people * :n, country_id", "--param", "n=2")
        == "mc at ch")
    let explanation = try folder.run("list", "country", "--order", "area * 2", "--explain").exits(0)
    #expect(explanation.output.contains("computed values cannot be indexed"))
  }

  @Test(
    "fails if a value of an aggregate is out of range",
    arguments: ["sum", "avg", "median", "min", "max"])
  func aggregateOutOfRange(option: String) throws {
    let folder = try world()
    try folder.run("save", "country", "big", "people=9223372036854775807", "-o", "none").exits(0)
    let list = ["list", "country", "--\(option)", "n = people * 2"]
    for arguments in [
      [], ["--group-by", "name"], ["--group-by", "name", "--limit", "1"],
      ["--group-by", "name", "--having", "n < 100"],
    ] {
      try folder.program.run(list + arguments).exits(6).printsNothing().reports(
        "n: a computed value is out of range", "leave these records out with --where")
    }
    try folder.program.run(list + ["--where", "people < 10"]).exits(0)
    try folder.run("list", "country", "--group-by", "n = people * 2").prints(
      """
      {"n":null,"count":2}
      {"n":18,"count":2}

      """)
  }
}
