import PostgresHarness
import ProgramHarness
import Testing

@Suite("Stored values that another tool made invalid", .onEveryStore)
struct InvalidValueTests {
  private let folder: TestFolder

  init() throws {
    folder = try TestFolder()
    try folder.prepare("schema", "create", "tag", "numbers:integer+")
    try folder.prepare(
      "schema", "create", "item", "title:text", "meta:json", "tag:tag", "tags:tag+")
    try folder.prepare(
      "save", "tag", "-o", "none",
      input: .text(#"{"tag_id":"a","numbers":[1,2]}{"tag_id":"b","numbers":[3]}"#))
    try folder.prepare(
      "save", "item", "-o", "none",
      input: .text(
        #"{"item_id":"x","meta":{"k":1},"tag":"a","tags":["b","a"]}"#
          + #"{"item_id":"y","meta":[],"tag":"b"}{"item_id":"z","title":"Z","tag":"b"}"#))
  }

  /// Whether the store is a file, and not a database of a server.
  private var isFile: Bool { !folder.address.hasPrefix("postgres") }

  @Test("names the field and the id of an invalid stored value, and prints all other records")
  func lists() throws {
    try folder.execute(#"update tag set numbers = '["one"]' where tag_id = 'a'"#)
    let message = "tag.numbers: the stored value is invalid, in \"a\"\n"
    let other = #"{"tag_id":"b","numbers":[3]}"#
    for (format, text) in [
      ("ndjson", other + "\n"), ("json", "[\n\(other)\n]\n"),
      ("csv", "tag_id,numbers\r\nb,[3]\r\n"), ("table", "tag_id  numbers\nb       3\n"),
    ] {
      for command in [["list", "tag"], ["get", "tag", "a", "b"]] {
        let run = try folder.program.run(command + ["--fields", "numbers", "-o", format])
        try run.exits(7).prints(text).reports(message)
      }
    }
    try folder.run("get", "tag", "a").exits(7).printsNothing().reports(message)
    let page = try folder.run("list", "tag", "--fields", "numbers", "-o", "page").exits(7)
    #expect(page.output.contains("[\n\(other)\n]"))

    try folder.run("list", "item", "--fields", "tag", "--expand", "tag", "item_id=x").exits(7)
      .prints("{\"item_id\":\"x\",\"tag\":null}\n").reports(message)
    let many = try folder.run("get", "item", "x", "--fields", "tags", "--expand", "tags").exits(7)
      .reports(message)
    #expect(many.output.contains(#""numbers":[3]"#) && many.output.hasSuffix(",null]}\n"))
    try folder.run("list", "tag", "--count").exits(0).prints("2\n")

    // Adding to the value would discard it, and replacing it repairs the record.
    try folder.run("save", "tag", "a", "numbers+=5").exits(7).printsNothing().reports(message)
    try folder.run("save", "tag", "a", "numbers:=[5]", "-o", "none").exits(0)
    try folder.run("get", "tag", "a", "--fields", "numbers").exits(0).prints(
      "{\"tag_id\":\"a\",\"numbers\":[5]}\n")
  }

  @Test("rejects changes of a record with an invalid stored value, and lists all other records")
  func undecodable() throws {
    try folder.prepare(
      "schema", "create", "spot", "price:number", "due:datetime", "place:geopoint", "name:text")
    let records = ["a", "b", "c", "d"].map {
      #"{"spot_id":"\#($0)","price":1,"due":"2026-11-20","place":{"lat":1,"lon":2}}"#
    }
    try folder.prepare("save", "spot", "-o", "none", input: .text(records.joined()))
    for (id, field, assignment) in [
      ("a", "price", isFile ? "price = 9e999" : "price = 'NaN'"),
      ("b", "due", isFile ? "due = 9223372036854775807" : "due = 'infinity'"),
      ("c", "place", #""place.lat" = 91"#),
    ] {
      try folder.execute("update spot set \(assignment) where spot_id = '\(id)'")
      let message = "spot.\(field): the stored value is invalid, in \"\(id)\"\n"
      let listed = try folder.run("list", "spot", "--fields", field, "-o", "csv").exits(7)
        .reports(message)
      #expect(
        listed.lines.map { $0.prefix(1) } == ["s"] + ["a", "b", "c", "d"].filter { $0 != id })
      try folder.run("get", "spot", id, "d", "--fields", "\(field),name").exits(7).reports(message)
      try folder.run("save", "spot", id, "name=x").exits(7).printsNothing().reports(
        "spot.\(field): the stored value is invalid, in \"\(id)\"\n",
        "raise the revision of the record by one, or restore the store from a backup")
    }
  }

  @Test("reports a stored JSON value that contains a line break, and does not print the value")
  func json() throws {
    try folder.execute("update item set meta = '{\"k\":\n1}' where item_id = 'x'")
    let message = "item.meta: the stored value is invalid, in \"x\"\n"
    try folder.run("list", "item", "--fields", "meta", "--limit", "2").exits(7).prints(
      "{\"item_id\":\"y\",\"meta\":[]}\n"
    ).reports(message)
    try folder.run("list", "item", "--fields", "title").exits(0)
    let saved = try folder.run("save", "item", "x", "title=X").exits(7).printsNothing()
    try saved.reports(message, "1 record is saved, but the output is incomplete\n")
    try folder.run("save", "item", "x", "meta:=null", "-o", "none").exits(0)
    try folder.run("list", "item", "--fields", "meta,title", "item_id=x").exits(0).prints(
      "{\"item_id\":\"x\",\"meta\":null,\"title\":\"X\"}\n")
  }

  @Test("names a column or a table that another program has removed")
  func missingParts() throws {
    try folder.execute("alter table tag drop column numbers")
    let hint = "or restore the store from a backup"
    for command in [
      ["list", "tag"], ["get", "tag", "a"], ["get", "tag", "a", "b"],
      ["list", "tag", "--count", "--where", "numbers is null"],
      ["list", "tag", "--fields", "numbers"],
      ["save", "tag", "a", "numbers:=[5]"],
      ["list", "item", "--expand", "tag"],
      ["list", "tag", "--explain"],
    ] {
      let run = try folder.program.run(command)
      try run.exits(7).reports(
        "damaged by another program: the table tag has no column numbers\n", hint)
    }
    try folder.run("schema", "rename", "tag.numbers", "counts").exits(7).reports(
      "damaged by another program: the table tag has no column numbers\n", hint)
    try folder.execute("alter table tag add column numbers " + (isFile ? "text" : "jsonb"))
    try folder.execute("drop table function")
    for command in [["get", "function", "f"], ["list", "function"]] {
      try folder.program.run(command).exits(7).printsNothing().reports(
        "damaged by another program: the table function is missing\n", hint)
    }
    try folder.execute("drop table item")
    for command in [["list", "item"], ["get", "item", "x"], ["save", "item", "x", "title=X"]] {
      try folder.program.run(command).exits(7).printsNothing().reports(
        "damaged by another program: the table ", hint)
    }
  }
}

@Suite("Stored values that another tool made invalid in an SQLite file")
struct InvalidFileValueTests {
  @Test(
    "rejects a stored value that is not valid for the type of its field",
    arguments: [
      ("meta", #"'{"k":'"#), ("meta", "'{} {}'"), ("meta", "'no'"), ("numbers", "'[1,]'"),
      ("numbers", "'[1.5]'"), ("numbers", "'[null]'"), ("numbers", "'{}'"), ("words", "'[1]'"),
      ("words", #"'["a"'"#), ("flags", "'[no]'"), ("done", "7"), ("due", "9223372036854775807"),
      ("price", "9e999"), ("title", "cast(x'ff22' as text)"), ("photo", "'{}'"),
      ("times", #"'["never"]'"#),
    ])
  func values(field: String, value: String) throws {
    let folder = try TestFolder()
    try folder.prepare(
      "schema", "create", "item", "title:text", "meta:json", "numbers:integer+", "words:text+",
      "flags:boolean+", "times:datetime+", "done:boolean", "due:datetime", "price:number",
      "photo:file", "place:geopoint")
    try folder.prepare("save", "item", "a", "place:={\"lat\":47,\"lon\":8}", "title=é")
    try folder.prepare("save", "item", "b", "title=b")
    try folder.tool("sqlite3", "shop.db", "update item set \(field) = \(value) where item_id = 'a'")
    let listed = try folder.run("list", "item", "--fields", field).exits(7)
    try listed.reports("item.\(field): the stored value is invalid, in \"a\"\n")
    #expect(listed.output.hasPrefix("{\"item_id\":\"b\",") && listed.output.hasSuffix("}\n"))
    try folder.run("list", "item", "-o", "ids").exits(0).prints("a\nb\n")
  }

  @Test("does not print groups and distinct values that are not UTF-8")
  func groups() throws {
    let folder = try TestFolder()
    try folder.prepare("schema", "create", "item", "title:text")
    for id in ["a", "b"] { try folder.prepare("save", "item", id, "title=\(id)") }
    try folder.tool(
      "sqlite3", "shop.db", "update item set title = cast(x'ff22' as text) where item_id = 'a'")
    let message = "title: the stored value is invalid\n"
    try folder.run("list", "item", "--distinct", "title").exits(7).prints("\"b\"\n")
      .reports(message)
    try folder.run("list", "item", "--distinct", "title", "-o", "json").exits(7)
      .prints("[\n\"b\"\n]\n").reports(message)
    try folder.run("list", "item", "--group-by", "title", "-o", "csv").exits(7)
      .prints("title,count\r\nb,1\r\n").reports(message)
  }

  @Test("prints the valid records when another tool has changed the type of a column")
  func columnTypes() throws {
    let folder = try TestFolder()
    try folder.prepare(
      "schema", "create", "item", "size:integer", "done:boolean", "title:text", "price:number",
      "due:datetime")
    for id in ["a", "b"] {
      try folder.prepare(
        "save", "item", id, "size=1", "done=true", "title=x", "price=2", "due=2026-11-20")
    }
    try folder.tool(
      "sqlite3", "shop.db", ".dbconfig defensive off", "pragma writable_schema = on",
      "update sqlite_schema set sql = replace(sql, 'strict, ', '') where name = 'item'")
    for field in ["size", "done", "title", "price", "due"] {
      try folder.tool(
        "sqlite3", "shop.db", "update item set \(field) = x'00' where item_id = 'a'")
      for format in ["ndjson", "csv", "table", "xml"] {
        let run = try folder.run("list", "item", "--fields", field, "-o", format).exits(7)
        try run.reports("item.\(field): the stored value is invalid, in \"a\"\n")
        #expect(run.output.contains("b"), "\(field), \(format)")
      }
      try folder.run("get", "item", "a", "--fields", field).exits(7).printsNothing()
    }
  }
}

extension TestFolder {
  /// Executes an SQL statement in the store.
  fileprivate func execute(_ statement: String) throws {
    guard address.hasPrefix("postgres") else {
      _ = try tool("sqlite3", "shop.db", statement)
      return
    }
    let path = address.split(separator: "?")[0]
    let database = String(path.split(separator: "/").last ?? "")
    try PostgresServer.shared.get().run(
      "set search_path = datactl; \(statement)", in: database)
  }
}
