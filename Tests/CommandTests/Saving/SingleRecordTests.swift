import ProgramHarness
import Testing

@Suite("Saving a single record", .onEveryStore)
struct SingleRecordTests {
  private func folder() throws -> TestFolder {
    let folder = try TestFolder()
    try folder.prepare(
      "schema", "create", "item", "title:text!", "place:geopoint", "first:file", "other:file")
    return folder
  }

  @Test(
    "names the field in the error when a FIELD=VALUE argument is invalid",
    arguments: [
      (
        ["tea", "title=x", "item_id=cup"], 2,
        "datactl: item_id: the id is given twice, \"tea\" and \"cup\"\n"
          + "  pass the id only once; the id of a record cannot be changed\n"
      ),
      (
        ["tea", "first@=-", "other@=-"], 2,
        "datactl: first, other: only one field can read standard input\n"
          + "  read from a file: other@=PATH\n"
      ),
      (
        ["tea", "created_at=2026-11-20", "title=x", "title=y"], 2,
        "datactl: created_at: a system field cannot be set on the command line\n"
          + "  to set a system field, read records from a file with --keep-system-fields\n"
          + "datactl: title: assigned twice\n"
      ),
      (
        ["id=5", "title=x"], 2,
        "datactl: item has no field id\n  did you mean item_id?\n"
      ),
      (
        ["item_id=", "title=x"], 6,
        "datactl: item.item_id: expected an id of 1 to 255 bytes without control characters, "
          + "found \"\"\n"
      ),
      (
        ["tea", "title@="], 2,
        "datactl: item.title: \"@=\" needs the path of a file, or \"-\" for standard input\n"
      ),
      (["tea", "title+=x"], 6, "datactl: item.title: cannot add to text\n"),
      (["tea", "title-=x"], 6, "datactl: item.title: cannot subtract from text\n"),
      (
        ["tea", "place=91,0"], 6,
        "datactl: item.place: expected LAT,LON with -90 ≤ LAT ≤ 90, found \"91,0\"\n"
          + "datactl: item.title: required\n"
      ),
    ] as [([String], Int32, String)])
  func rejected(arguments: [String], status: Int32, errors: String) throws {
    let folder = try folder()
    let run = try folder.program.run(["save", "item"] + arguments).exits(status).printsNothing()
    #expect(run.errors == errors)
  }

  @Test("rejects an assignment to the id when --where is given")
  func idWithCondition() throws {
    let folder = try folder()
    try folder.prepare("save", "item", "tea", "title=x")
    for id in ["tea", "milk"] {
      try folder.run("save", "item", "--where", "title = 'y'", "item_id=\(id)", "title=z", "--yes")
        .exits(2).printsNothing()
        .reports("item_id: --where selects the records to change, and their ids cannot be changed")
    }
    try folder.run("list", "item", "--fields", "title").exits(0)
      .prints("{\"item_id\":\"tea\",\"title\":\"x\"}\n")
  }

  @Test(
    "accepts an id both as an operand and as an assignment such as item_id=tea if both are equal")
  func sameID() throws {
    let folder = try folder()
    try folder.run("save", "item", "tea", "title=x", "item_id=tea", "-o", "ids").exits(0)
      .prints("tea\n")
  }

  @Test("saves a record that has only an id, given as an assignment such as author_id=ann")
  func onlyID() throws {
    let folder = try TestFolder()
    try folder.prepare("schema", "create", "author", "name:text")
    try folder.run("save", "author", "author_id=ann", "-o", "ids").exits(0).prints("ann\n")
  }

  @Test(
    "shows a valid example, such as [1, 2], when a CSV cell is not valid JSON",
    arguments: [
      ("tags", "town", #"tags: expected an array as JSON, such as ["town"]"#),
      ("counts", "five", "counts: expected an array as JSON, such as [1, 2]"),
      ("items", "tea", #"items: expected an array as JSON, such as ["tea"]"#),
      (
        "place", "Zurich",
        #"place: expected geopoint, such as {"lat": 47.37, "lon": 8.54}, found "Zurich""#
      ),
    ])
  func cells(field: String, cell: String, message: String) throws {
    let folder = try folder()
    try folder.prepare(
      "schema", "create", "shop", "tags:text+", "counts:integer+", "items:item+", "place:geopoint")
    let run = try folder.run("save", "shop", input: .text("shop_id,\(field)\na,\(cell)\n")).exits(6)
    #expect(run.errors == "datactl: standard input:2: \(message)\n")
  }

  @Test("suggests $append when $add contains an array")
  func addedArray() throws {
    let folder = try TestFolder()
    try folder.prepare("schema", "create", "item", "tags:text+")
    try folder.run("save", "item", input: .text(#"{"item_id":"a","tags":{"$add":["x"]}}"#)).exits(6)
      .reports("to append elements to an array, use $append")
  }

  @Test("requires exactly one record on stdin when an id is given")
  func oneRecord() throws {
    let folder = try folder()
    let none = try folder.run("save", "item", "tea", input: .text("\n")).exits(6)
    #expect(
      none.errors == """
        datactl: standard input: item tea: expected one record, found none
          to save a record that has only an id, assign the id: item_id=ID

        """)
    let two = try folder.run(
      "save", "item", "tea", input: .text("{\"title\":\"a\"}\n{\"title\":\"b\"}\n")
    ).exits(6)
    #expect(
      two.errors == """
        datactl: standard input:2: item tea: found a second record, but only one id was given
          omit ID, and give each record its own item_id

        """)
    try folder.run("list", "item").prints("")
  }

  @Test("names the records that save --where would make invalid")
  func matching() throws {
    let folder = try folder()
    try folder.write(
      "part.json",
      """
      {
        "schema": "part",
        "fields": {"part_id": {"type": "id"}, "size": {"type": "integer", "max": 5}}
      }
      """)
    try folder.prepare("schema", "apply", "part.json")
    try folder.prepare(
      "save", "part",
      input: .text(
        """
        {"part_id":"a","size":4}
        {"part_id":"b","size":5}
        {"part_id":"c","size":3}
        """))
    let run = try folder.run("save", "part", "--where", "size > 0", "size+=2", "--yes").exits(6)
    #expect(run.errors.contains("in \"a\"") && run.errors.contains("in \"b\""))
    #expect(!run.errors.contains("in \"c\""))
  }

  @Test("rejects - as an id, because - means standard input")
  func hyphenAsID() throws {
    let folder = try TestFolder()
    try folder.saveTodos()
    for arguments in [["-"], ["-", "title=x"], ["-", "--file", "none"]] {
      try folder.program.run(["save", "todo"] + arguments, input: .text("{}")).exits(2)
        .reports(#""-" is not accepted as an id"#, "omit it to read records from standard input")
    }
    try folder.run("save", "todo", "todo_id=-", "title=x", "-o", "ids").exits(0).prints("-\n")
  }

  @Test("reports a missing store with the same message in every command")
  func missingStore() throws {
    let folder = try TestFolder()
    let message = try folder.run("list", "todo").exits(7).reports("there is no such store").errors
    for arguments in [
      ["get", "todo", "a"], ["save", "todo", "title=x"], ["delete", "todo", "a"],
      ["schema", "list"],
    ] {
      #expect(try folder.program.run(arguments).exits(7).printsNothing().errors == message)
    }
  }
}
