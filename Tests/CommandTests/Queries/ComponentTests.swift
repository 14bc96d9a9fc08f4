import ProgramHarness
import Testing

@Suite("Components of geopoints and files", .onEveryStore)
struct ComponentTests {
  private func spots() throws -> TestFolder {
    let folder = try TestFolder()
    try folder.prepare("schema", "create", "spot", "home:geopoint", "photo:file", "info:json")
    try folder.prepare(
      "save", "spot",
      input: .text(
        """
        {"spot_id":"a","home":{"lat":1,"lon":9},"photo":{"name":"x.png","type":"image/png","data":"AAAA"}}
        {"spot_id":"b","home":{"lat":2,"lon":8}}
        {"spot_id":"c"}
        {"spot_id":"d","home":{"lat":2,"lon":7},"photo":{"name":"a.txt","type":"text/plain","data":"AA=="}}
        """))
    return folder
  }

  @Test("prints components of geopoints and files under keys such as home.lat and photo.size")
  func fields() throws {
    let folder = try spots()
    try folder.run("list", "spot", "--fields", "home.lat,photo.size,photo.name", "--limit", "2")
      .prints(
        """
        {"spot_id":"a","home.lat":1,"photo.size":3,"photo.name":"x.png"}
        {"spot_id":"b","home.lat":2,"photo.size":null,"photo.name":null}

        """)
  }

  @Test("prints the distance from a point, and sorts and filters records by distance")
  func distances() throws {
    let folder = try spots()
    let distance = "distance(home, (2, 8))"
    #expect(try folder.ids("spot", "--order", distance) == "b d a c")
    #expect(try folder.ids("spot", "--order", "-" + distance) == "a d b c")
    #expect(try folder.ids("spot", "--order", distance, "--limit", "2") == "b d")
    #expect(try folder.ids("spot", "--where", "\(distance) < 150") == "b d")
    try folder.run(
      "list", "spot", "--fields", "distance(home, :p), km = \(distance) * 1", "--limit", "2",
      "--param", "p=2,8"
    ).prints(
      """
      {"spot_id":"a","distance_home":157.225649,"km":157.225649}
      {"spot_id":"b","distance_home":0,"km":0}

      """)
    try folder.run("list", "spot", "--order", "distance(info, (2, 8))").exits(2).reports(
      "distance() cannot be used with json")
    try folder.run("list", "spot", "--order", "distance(home)").exits(2).reports("expected a comma")
  }

  @Test("sorts and groups by values in json fields in the same order as jq")
  func json() throws {
    let folder = try spots()
    try folder.prepare(
      "save", "spot", "-o", "none",
      input: .text(
        """
        {"spot_id":"a","info":{"x":"b","n":1.50}}
        {"spot_id":"b","info":{"x":"B","n":9007199254740993}}
        {"spot_id":"c","info":{"x":true,"n":9007199254740992}}
        {"spot_id":"d","info":{"x":12,"n":null}}
        {"spot_id":"e","info":{"x":12.0,"n":-3}}
        {"spot_id":"f","info":[1]}
        """))
    try folder.run("list", "spot", "--fields", "info.n,n = info.x", "--limit", "2").prints(
      """
      {"spot_id":"a","info.n":1.50,"n":"b"}
      {"spot_id":"b","info.n":9007199254740993,"n":"B"}

      """)
    // In CSV, a string keeps its quotes, which distinguish it from a number or a boolean.
    try folder.run("list", "spot", "--group-by", "info.x", "-o", "csv").prints(
      "info.x,count\r\n,1\r\ntrue,1\r\n12,2\r\n\"\"\"B\"\"\",1\r\n\"\"\"b\"\"\",1\r\n")
    #expect(try folder.ids("spot", "--order", "info.x") == "f c d e b a")
    #expect(try folder.ids("spot", "--order", "-info.n") == "b c a e f d")
    var paged: [String] = []
    var bound: [String] = []
    repeat {
      let page = try folder.program.run(
        ["list", "spot", "--order", "info.n", "--limit", "1", "-o", "page"] + bound
      ).exits(0).json
      paged += page["records"]?.elements.compactMap { $0["spot_id"]?.text } ?? []
      bound = page["next"]?.text.map { ["--after", $0] } ?? []
    } while !bound.isEmpty
    #expect(paged == ["d", "f", "e", "a", "c", "b"])
    try folder.run(
      "list", "spot", "--group-by", "info.x", "--sum", "info.n", "--max", "info.x", "--having",
      "info.x = 12 or info.x = 'b'", "--order", "-info.x"
    ).prints(
      """
      {"info.x":"b","count":1,"sum_info.n":1.5,"max_info.x":"b"}
      {"info.x":12,"count":2,"sum_info.n":-3,"max_info.x":12}

      """)
    try folder.run("list", "spot", "--min", "info.x", "--max", "info.x", "--median", "info.n")
      .prints(
        "{\"count\":6,\"median_info.n\":4503599627370497,\"min_info.x\":true,\"max_info.x\":\"b\"}\n"
      )
    try folder.run("list", "spot", "--distinct", "info.x").prints(
      "null\ntrue\n12\n\"B\"\n\"b\"\n")
    try folder.prepare(
      "save", "spot", "-o", "none", input: .text(#"{"spot_id":"g","info":{"x":{},"n":"1"}}"#))
    for arguments in [["--order", "info.x"], ["--group-by", "info.x"], ["--sum", "info.n"]] {
      try folder.program.run(["list", "spot"] + arguments).exits(6).printsNothing().reports(
        "a value in a json field has a type that the query does not support")
    }
    #expect(
      try folder.ids("spot", "--order", "info.x", "--where", "spot_id < 'g'") == "f c d e b a")
    try folder.run("list", "spot", "--group-by", "info").exits(2).reports("cannot group by info")
    try folder.run("list", "spot", "--order", "info").exits(2).reports("has no order")
  }

  @Test(
    "sorts by a component of a date, such as the month, in the same order with and without pages",
    arguments: ["-home.lat", "home.lat,-home.lon", "photo.size", "-photo.name", "photo.sha256"])
  func pages(order: String) throws {
    let folder = try spots()
    let all = try folder.run("list", "spot", "--order", order, "-o", "ids").exits(0).lines
    #expect(all.count == 4)
    var ids: [String] = []
    var bound: [String] = []
    repeat {
      let page = try folder.program.run(
        ["list", "spot", "--order", order, "--limit", "1", "-o", "page"] + bound
      ).exits(0).json
      ids += page["records"]?.elements.compactMap { $0["spot_id"]?.text } ?? []
      bound = page["next"]?.text.map { ["--after", $0] } ?? []
    } while !bound.isEmpty
    #expect(ids == all)
  }

  @Test(
    "makes sections by a text component such as photo.name, but rejects a number such as home.lat")
  func sections() throws {
    let folder = try spots()
    let answer = try folder.run("list", "spot", "--section-by", "photo.name", "-o", "json").exits(0)
    #expect(try answer.json["index"]?.elements.compactMap(\.text) == ["A", "X", "#"])
    try folder.run("list", "spot", "--section-by", "home.lat").exits(2).reports("is a number")
  }
}
