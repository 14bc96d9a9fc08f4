import ProgramHarness
import Testing

@Suite("Stored functions", .onEveryStore)
struct FunctionTests {
  private func library() throws -> Place {
    let place = try Place()
    try place.keepLibrary()
    return place
  }

  @Test("functions are records, but not listed as a schema")
  func records() throws {
    let place = try library()
    try place.run("list", "function").exits(0).printsNothing()
    try place.prepare(
      "save", "function", "F", "item_type=Book", #"function:={"selectCore":"from book"}"#)
    try place.run("list", "function", "-o", "ids").prints("F\n")
    try place.run("get", "function", "F", "--fields", "function").prints(
      #"{"function_id":"F","function":{"selectCore":"from book"}}"# + "\n")
    try place.run("save", "function", "F", "function_name=All").exits(0).says("1 changed")
    try place.run("schema", "list", "-o", "ids").prints("book\nperson\nshelf\n")
    try place.run("schema", "drop", "function").exits(2).says("cannot be dropped")
    try place.run("schema", "create", "function", "x:text").fails()
    try place.run("delete", "function", "F").exits(0)
    try place.run("list", "--function", "F").exits(3).says("F")
  }

  @Test("reports all errors when a function is saved, and saves nothing")
  func mistakes() throws {
    let place = try library()
    let function = #"""
      {"selectCore": "from book b where b.titel = 'x' and b.pages = 'y'", "tableAlias": "c",
       "conainsWhere": true}
      """#
    let run = try place.run(
      "save", "function", "F", "item_type=Bok", "function_type=Foo", "function:=" + function
    ).exits(6).printsNothing()
    try run.says(
      "function_type", "no schema Bok", "did you mean book?", "selectCore: book has no field titel",
      "did you mean title?", "pages", "did you mean containsWhere?")
    try place.run("list", "function").printsNothing()
    try place.run(
      "save", "function", "F", "item_type=book",
      #"function:={"selectCore":"from book b","orderedBy":"b.tags","segmentedBy":["x"]}"#
    ).exits(6).says("orderedBy: tags", "segmentedBy: book has no field x")
    try place.run(
      "save", "function", "F", "item_type=shelf", #"function:={"selectCore":"from book"}"#
    )
    .exits(6).says("selectCore selects from book, but item_type is shelf")
    try place.run("save", "function", "F", "item_type=book", #"function:={"selectCore":3}"#).exits(
      6
    )
    .says("selectCore: expected text")
    try place.run("list", "function").printsNothing()
  }

  @Test("checks the field of sections when a function is saved, and allows an alias")
  func segments() throws {
    let place = try library()
    func save(_ schema: String, _ segment: String) throws -> Run {
      try place.run(
        "save", "function", "F", "item_type=\(schema)",
        "function:={\"selectCore\":\"from \(schema) x\",\"segmentedBy\":\(segment)}")
    }
    try save("book", "\"pages\"").exits(6).says("segmentedBy: cannot make sections by pages")
    try save("book", "\"tags\"").exits(6)
      .says("segmentedBy: cannot make sections by tags, which may have several")
    try save("shelf", "\"books.title\"").exits(6)
      .says("segmentedBy: cannot make sections by books.title, which may have several")
    try save("book", "[\"title\",\"pages\"]").exits(6)
      .says("segmentedBy: sections need exactly one field")
    try save("book", "\"-title\"").exits(6).says("segmentedBy: sections need exactly one field")
    try place.run("list", "function").printsNothing()
    try save("book", "\"x.author.name\"").exits(0)
    let answer = try place.run("list", "--function", "F", "-o", "json").exits(0).json
    #expect(answer["index"]?.elements.compactMap(\.text) == ["A", "B", "#"])
  }

  @Test("prints invalid values in the function object with one pair of quotes")
  func shown() throws {
    try library().run(
      "save", "function", "F", "item_type=book",
      #"function:={"selectCore":"from book","containsWhere":"x","faultBlocks":[1]}"#
    ).exits(6).says(
      "containsWhere: expected true or false, found text \"x\"\n",
      "faultBlocks: expected true or false, found [1]\n")
  }

  @Test("expands only relations among the selected fields")
  func chosen() throws {
    let place = try library()
    try place.prepare(
      "save", "function", "F", "item_type=shelf",
      #"function:={"selectCore":"from shelf","faultBlocks":true}"#)
    try place.run("list", "--function", "F", "--fields", "keeper").prints(
      "{\"shelf_id\":\"s\",\"keeper\":\"bob\"}\n")
    let shelf = try place.run("list", "--function", "F", "--fields", "books").exits(0).json
    #expect(shelf["books"]?.elements.compactMap { $0["title"]?.text } == ["Bread", "Tea"])
  }

  @Test("completes function ids after --function")
  func completion() throws {
    let place = try library()
    try place.prepare(
      "save", "function", "cheap", "item_type=book", "function_name=Cheap books",
      #"function:={"selectCore":"from book where price < 3"}"#)
    try place.run("completion", "candidates", "2", "--", "list", "--function", "").prints(
      "word\tcheap\tCheap books\n")
  }

  @Test("a function can order, group into sections and expand")
  func shapes() throws {
    let place = try library()
    let function = #"""
      {"selectCore": "from _entity_Shelf", "faultBlocks": true}
      """#
    try place.prepare("save", "function", "F", "item_type=Shelf", "function:=" + function)
    let shelf = try place.run("list", "--function", "F").exits(0).json
    #expect(shelf["books"]?.elements.compactMap { $0["title"]?.text } == ["Bread", "Tea"])
    let sections = #"""
      {"selectCore": "from Book", "orderedBy": ["title"], "segmentedBy": ["title"]}
      """#
    try place.prepare("save", "function", "G", "item_type=book", "function:=" + sections)
    let answer = try place.run("list", "--function", "G", "-o", "json").exits(0).json
    #expect(answer["index"]?.elements.compactMap(\.text) == ["B", "E", "T", "#"])
    try place.run("list", "--function", "G", "-o", "ids").prints("d\nb\na\nc\n")
    try place.run("list", "--function", "G", "--count").prints("4\n")
    try place.run("list", "--function", "G", "--order", "-pages", "-o", "ids").prints(
      "a\nc\nb\nd\n")
    try place.run("list", "book", "--function", "G").exits(2).says("SCHEMA", "--function")
  }

  @Test("get --by accepts only unique fields and the primary key")
  func lookup() throws {
    let place = try library()
    try place.run("get", "book", "--by", "book_id", "a", "b", "-o", "ids").prints("a\nb\n")
    try place.run("get", "book", "--by", "title", "Tea").exits(2).says("unique")
    try place.run("get", "book", "--by", "titel", "Tea").exits(2).says("did you mean title?")
    try place.run("get", "book", "--by", "book_id", "a", "x").exits(3).says("x")
  }
}
