import ProgramHarness
import Testing

@Suite("Stored functions", .onEveryStore)
struct FunctionTests {
  private func library() throws -> TestFolder {
    let folder = try TestFolder()
    try folder.saveLibrary()
    return folder
  }

  @Test("saves stored functions as records, but omits their schema from the list of schemas")
  func records() throws {
    let folder = try library()
    try folder.run("list", "function").exits(0).printsNothing()
    try folder.prepare(
      "save", "function", "F", "item_type=Book", #"function:={"selectCore":"from book"}"#)
    try folder.run("list", "function", "-o", "ids").prints("F\n")
    try folder.run("get", "function", "F", "--fields", "function").prints(
      #"{"function_id":"F","function":{"selectCore":"from book"}}"# + "\n")
    try folder.run("save", "function", "F", "function_name=All").exits(0).reports("1 changed")
    try folder.run("schema", "list", "-o", "ids").prints("book\nperson\nshelf\n")
    try folder.run("schema", "drop", "function").exits(2).reports("cannot be dropped")
    try folder.run("schema", "create", "function", "x:text").fails()
    try folder.run("delete", "function", "F").exits(0)
    try folder.run("list", "--function", "F").exits(3).reports("F")
  }

  @Test("a stored function can contain a parameter in place of a day, a month or an edge of a box")
  func periods() throws {
    let folder = try TestFolder()
    try folder.prepare("schema", "create", "ev", "at:datetime", "place:geopoint")
    try folder.prepare("save", "ev", "a", "at=2026-11-20T10:00:00Z", "place=47,8")
    try folder.prepare("save", "ev", "b", "at=2026-12-01T10:00:00Z", "place=50,8")
    for (id, condition, parameter, found) in [
      ("on", "e.at on :d", "d=2026-11-20", "a"), ("in", "e.at in :d", "d=2026-12", "b"),
      ("box", "e.place within box (40, 5, :n, 10)", "n=48", "a"),
    ] {
      try folder.prepare(
        "save", "function", id, "item_type=ev",
        "function:={\"selectCore\":\"from ev e where \(condition)\"}")
      try folder.run("list", "--function", id, "--param", parameter, "-o", "ids").prints(
        found + "\n")
    }
    try folder.run("list", "--function", "on", "--param", "d=x").fails().reports(
      "expected a day, month or year")
  }

  @Test("list --function accepts an operand with a path, such as town.name=Zug")
  func paths() throws {
    let folder = try TestFolder()
    try folder.prepare("schema", "create", "town", "name:text")
    try folder.prepare("schema", "create", "ev", "town:town")
    try folder.prepare("save", "town", "z", "name=Zug")
    try folder.prepare("save", "ev", "a", "town=z")
    try folder.prepare("save", "ev", "ev_id=b")
    try folder.prepare(
      "save", "function", "all", "item_type=ev", #"function:={"selectCore":"from ev e"}"#)
    try folder.run("list", "--function", "all", "town.name=Zug", "-o", "ids").prints("a\n")
  }

  @Test("reports all errors in a stored function when the function is saved, and saves nothing")
  func mistakes() throws {
    let folder = try library()
    let function = #"""
      {"selectCore": "from book b where b.titel = 'x' and b.pages = 'y'", "tableAlias": "c",
       "conainsWhere": true}
      """#
    let run = try folder.run(
      "save", "function", "F", "item_type=Bok", "function_type=Foo", "function:=" + function
    ).exits(6).printsNothing()
    try run.reports(
      "function_type", "no schema Bok", "did you mean book?", "selectCore: book has no field titel",
      "did you mean title?", "pages", "did you mean containsWhere?")
    try folder.run("list", "function").printsNothing()
    try folder.run(
      "save", "function", "F", "item_type=book",
      #"function:={"selectCore":"from book b","orderedBy":"b.tags","segmentedBy":["x"]}"#
    ).exits(6).reports("orderedBy: cannot order by tags", "segmentedBy: book has no field x")
    try folder.run(
      "save", "function", "F", "item_type=shelf", #"function:={"selectCore":"from book"}"#
    )
    .exits(6).reports("selectCore selects from book, but item_type is shelf")
    try folder.run("save", "function", "F", "item_type=book", #"function:={"selectCore":3}"#).exits(
      6
    )
    .reports("selectCore: expected text")
    try folder.run("list", "function").printsNothing()
  }

  @Test("rejects a stored function whose segmentedBy is invalid, and explains why")
  func segments() throws {
    let folder = try library()
    func save(_ schema: String, _ segment: String) throws -> Run {
      try folder.run(
        "save", "function", "F", "item_type=\(schema)",
        "function:={\"selectCore\":\"from \(schema) x\",\"segmentedBy\":\(segment)}")
    }
    try save("book", "\"pages\"").exits(6).reports("segmentedBy: cannot make sections by pages")
    try save("book", "\"tags\"").exits(6)
      .reports("segmentedBy: cannot order by tags, which may have several")
    try save("shelf", "\"books.title\"").exits(6)
      .reports("segmentedBy: cannot order by books.title, which may have several")
    try save("book", "[\"title\",\"pages\"]").exits(6)
      .reports("segmentedBy: expected exactly one field, found 2")
    try save("book", "\"-title\"").exits(6)
      .reports("segmentedBy: expected exactly one field, without a sort direction")
    try folder.run("list", "function").printsNothing()
    try save("book", "\"x.author.name\"").exits(0)
    let answer = try folder.run("list", "--function", "F", "-o", "json").exits(0).json
    #expect(answer["index"]?.elements.compactMap(\.text) == ["A", "B", "#"])
  }

  @Test("puts no backslashes before quotation marks in an error about an invalid stored function")
  func shown() throws {
    try library().run(
      "save", "function", "F", "item_type=book",
      #"function:={"selectCore":"from book","containsWhere":"x","faultBlocks":[1]}"#
    ).exits(6).reports(
      "containsWhere: expected true or false, found text \"x\"\n",
      "faultBlocks: expected true or false, found [1]\n")
  }

  @Test("expands only the relations in --fields, even if the stored function expands all relations")
  func chosen() throws {
    let folder = try library()
    try folder.prepare(
      "save", "function", "F", "item_type=shelf",
      #"function:={"selectCore":"from shelf","faultBlocks":true}"#)
    try folder.run("list", "--function", "F", "--fields", "keeper").prints(
      "{\"shelf_id\":\"s\",\"keeper\":\"bob\"}\n")
    let shelf = try folder.run("list", "--function", "F", "--fields", "books").exits(0).json
    #expect(shelf["books"]?.elements.compactMap { $0["title"]?.text } == ["Bread", "Tea"])
  }

  @Test("completes the ids of stored functions after --function")
  func completion() throws {
    let folder = try library()
    try folder.prepare(
      "save", "function", "cheap", "item_type=book", "function_name=Cheap books",
      #"function:={"selectCore":"from book where price < 3"}"#)
    try folder.run("completion", "candidates", "2", "--", "list", "--function", "").prints(
      "word\tcheap\tCheap books\n")
  }

  @Test("sorts records, forms sections and expands relations as the stored function specifies")
  func shapes() throws {
    let folder = try library()
    let function = #"""
      {"selectCore": "from _entity_Shelf", "faultBlocks": true}
      """#
    try folder.prepare("save", "function", "F", "item_type=Shelf", "function:=" + function)
    let shelf = try folder.run("list", "--function", "F").exits(0).json
    #expect(shelf["books"]?.elements.compactMap { $0["title"]?.text } == ["Bread", "Tea"])
    let sections = #"""
      {"selectCore": "from Book", "orderedBy": ["title"], "segmentedBy": ["title"]}
      """#
    try folder.prepare("save", "function", "G", "item_type=book", "function:=" + sections)
    let answer = try folder.run("list", "--function", "G", "-o", "json").exits(0).json
    #expect(answer["index"]?.elements.compactMap(\.text) == ["B", "E", "T", "#"])
    try folder.run("list", "--function", "G", "-o", "ids").prints("d\nb\na\nc\n")
    try folder.run("list", "--function", "G", "--count").prints("4\n")
    try folder.run("list", "--function", "G", "--order", "-pages", "-o", "ids").prints(
      "a\nc\nb\nd\n")
    try folder.run("list", "book", "--function", "G").exits(2).reports("SCHEMA", "--function")
  }

  @Test("accepts only unique fields and the primary key in get --by")
  func lookup() throws {
    let folder = try library()
    try folder.run("get", "book", "--by", "book_id", "a", "b", "-o", "ids").prints("a\nb\n")
    try folder.run("get", "book", "--by", "title", "Tea").exits(2).reports("unique")
    try folder.run("get", "book", "--by", "titel", "Tea").exits(2).reports("did you mean title?")
    try folder.run("get", "book", "--by", "book_id", "a", "x").exits(3).reports("x")
  }
}
