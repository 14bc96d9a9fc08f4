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

  @Test("prints each component under its path, such as place.lat")
  func fields() throws {
    let folder = try spots()
    try folder.run("list", "spot", "--fields", "home.lat,photo.size,photo.name", "--limit", "2")
      .prints(
        """
        {"spot_id":"a","home.lat":1,"photo.size":3,"photo.name":"x.png"}
        {"spot_id":"b","home.lat":2,"photo.size":null,"photo.name":null}

        """)
    try folder.run("list", "spot", "--fields", "info.x").exits(2).printsNothing().reports(
      "cannot show info.x, which is json")
  }

  @Test(
    "sorts by components in the same order with and without pages",
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

  @Test("divides a list into sections by a text component, but rejects a number component")
  func sections() throws {
    let folder = try spots()
    let answer = try folder.run("list", "spot", "--section-by", "photo.name", "-o", "json").exits(0)
    #expect(try answer.json["index"]?.elements.compactMap(\.text) == ["A", "X", "#"])
    try folder.run("list", "spot", "--section-by", "home.lat").exits(2).reports("is a number")
  }
}
