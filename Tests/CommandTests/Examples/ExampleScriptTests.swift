import Foundation
import ProgramHarness
import Testing

@Suite("Example scripts")
struct ExampleScriptTests {
  @Test("check schemas: exits with different statuses for safe and breaking changes")
  func schemaCheck() throws {
    let example = try Example("schema-check", in: try TestFolder())
    try example.datactl("schema", "apply", "deployed")
    let store = example.folder.address
    try example.run("check.sh", "deployed", store).exits(0)
      .prints("The store has these schemas already.\n")
    try example.run("check.sh", "schemas", store).exits(0).prints(
      """
      + customer.phone
      The deployment will:
      add field customer.phone: text

      """)
    let breaking = try example.run("check.sh", "breaking", store).exits(1)
    #expect(breaking.output.contains("[field-removed]"))
    #expect(breaking.output.contains("[field-demanded]"))
    try example.run("check.sh", "missing", store).exits(2)
    try example.run("check.sh", "schemas", "missing.db").exits(2)
  }

  @Test("check schemas: exits with an error when existing records violate the new schema")
  func schemaCheckOfRecords() throws {
    let example = try Example("schema-check", in: try TestFolder())
    try example.datactl("schema", "apply", "deployed")
    try example.datactl("save", "customer", "ann", "name=Ann")
    let file = example.folder.path("schemas/customer.json")
    let text = try String(contentsOfFile: file, encoding: .utf8)
    try text.replacing(#""max": 40"#, with: #""max": 40, "unique": true, "default": "none""#)
      .write(toFile: file, atomically: true, encoding: .utf8)
    try example.run("check.sh", "schemas", example.folder.address).exits(0)
    try example.datactl("save", "customer", "bob", "name=Bob")
    try example.run("check.sh", "schemas", example.folder.address).exits(1)
      .reports("customer.phone: a new unique field would have the same default")
  }

  @Test("save exports: writes invalid records to a separate file, and saves all others")
  func dailyUpsert() throws {
    let example = try Example("daily-upsert", in: try TestFolder())
    try example.datactl("schema", "apply", "schemas")
    try example.run("upsert.sh", "2026-11-20.csv").exits(0).reports("3 saved: 3 new")
    try example.run("upsert.sh", "2026-11-20.csv").exits(0).reports("3 saved: 3 the same")
    try example.run("upsert.sh", "2026-11-21.csv").exits(6)
      .prints("2026-11-21.csv:4: price: expected at least 0, found -1\n")
      .reports("3 saved: 1 new, 1 changed, 1 the same")
    #expect(try example.folder.files.contains("2026-11-21.csv.rejects"))
    try example.run("upsert.sh", "2026-11-22.json").exits(0).reports("2 saved: 2 changed")
    try example.run("upsert.sh", "missing.csv").exits(3)
    let products = try example.datactl(
      "list", "product", "-o", "csv", "--fields", "name,price,stock")
    #expect(
      products.lines.map { $0.replacing("\r", with: "") } == [
        "product_id,name,price,stock", "mug,Mug,8.5,100", #"pot,"Tea pot, large",24.5,15"#,
        "spoon,Spoon,1.75,850", "tray,Tray,11,40",
      ])
  }

  @Test("move a store to PostgreSQL: keeps the store that a first run has made")
  func moveToPostgres() throws {
    let example = try Example("move-to-postgres", in: try TestFolder.onPostgres().folder)
    let source = "sqlite:shop.db"
    try example.datactl("schema", "apply", "schemas", "--store", source)
    for (schema, file) in [("author", "authors.ndjson"), ("book", "books.ndjson")] {
      try example.datactl("save", schema, "--file", file, "--store", source)
    }
    let run = try example.run("move.sh", source, example.folder.address).exits(0)
      .reports("4 records of 2 schemas copied")
    #expect(
      run.lines.map { $0.prefix(32) }
        == [
          #"{"schema":"author","records":2,"f"#, #"{"schema":"book","records":2,"fil"#,
          #"{"schema":"function","records":0,"#,
        ].map { $0.prefix(32) })
    try example.datactl("list", "book", "--count").prints("2\n")
    try example.run("move.sh", source, example.folder.address).exits(5)
    try example.run("move.sh", source, "sqlite:/missing/shop.db").exits(7)
  }

  @Test("nightly backup: keeps the newest backups and dumps, which can be restored")
  func nightlyBackup() throws {
    let example = try Example("nightly-backup", in: try TestFolder())
    try example.datactl("schema", "create", "note", "text:text")
    try example.datactl("save", "note", "a", "text=tea")
    try example.folder.tool("mkdir", "backups")
    for day in 1...3 {
      for kind in ["db", "tgz"] {
        try example.folder.write("backups/shop-2026-11-0\(day).\(kind)", "")
      }
    }
    try example.run("backup.sh", "backups", "2").exits(0).reportsNothing().printsNothing()
    let names = try example.files("backups")
    #expect(names.count == 5 && names[0] == "shop-2026-11-03.db", "\(names)")
    let day = names[2].dropLast(3)
    #expect(
      names == [
        "shop-2026-11-03.db", "shop-2026-11-03.tgz", "\(day).db", "\(day).digests", "\(day).tgz",
      ])
    try example.datactl("restore", "backups/\(day).tgz", "--store", "copy.db")
    try example.datactl("delete", "note", "a")
    try example.datactl("restore", "backups/\(day).db", "--replace", "--yes")
    try example.datactl("list", "note", "--count").prints("1\n")
    try example.run("backup.sh", "backups").exits(5)
  }

  @Test("import from cron: exits with 1 for invalid data, and with 75 if the store is missing")
  func cron() throws {
    let example = try Example("cron", in: try TestFolder())
    try example.run("import.sh").exits(75)
    #expect(try example.files("inbox") == ["2026-11-20.ndjson", "2026-11-21.ndjson"])
    try example.datactl("schema", "apply", "schemas")
    try example.run("import.sh").exits(1).reportsNothing().prints(
      """
      inbox/2026-11-21.ndjson:2: at: there is no such time of day: "2026-11-21T25:00:00Z"
      inbox/2026-11-21.ndjson:2: celsius: expected at most 60, found 999

      """)
    #expect(try example.files("inbox") == [])
    #expect(try example.files("done") == ["2026-11-20.ndjson"])
    #expect(try example.files("failed") == ["2026-11-21.ndjson", "2026-11-21.ndjson.errors"])
    try example.run("import.sh").exits(0).printsNothing().reportsNothing()
    try example.datactl("list", "reading", "--count").prints("3\n")
  }

  @Test(
    "maps: writes a document with the content of the one that was read",
    arguments: [
      ("rss", "item"), ("atom", "entry"), ("opml", "folder"), ("gpx", "track"),
      ("cyclonedx", "component"),
    ])
  func maps(name: String, schema: String) throws {
    let example = try Example("maps/\(name)", in: try TestFolder())
    let inferred = try example.datactl(
      "schema", "infer", "--map", "map.json", "--file", "document.xml")
    try example.folder.write("schemas.json", inferred.output)
    try example.datactl("schema", "lint", "--map", "map.json", "schemas.json")
    try example.datactl("schema", "apply", "schemas.json")
    let save = ["save", schema, "--map", "map.json", "-o", "none", "--file"]
    try example.folder.datactl.run(save + ["document.xml"]).exits(0)
    let copy = try example.datactl("list", schema, "--map", "map.json").output
    try example.folder.write("copy.xml", copy)
    let again = try example.folder.datactl.run(save + ["copy.xml"]).exits(0).errors
    #expect(again.contains("the same") && !again.contains("new") && !again.contains("changed"))
    try example.folder.write(
      "compare.py",
      """
      from xml.etree.ElementTree import canonicalize
      texts = [canonicalize(open(name).read(), strip_text=True, rewrite_prefixes=True)
               for name in ("document.xml", "copy.xml")]
      assert texts[0] == texts[1], texts

      """)
    try example.folder.tool("python3", "compare.py")
    try example.datactl(
      "save", schema, "--infer", "--map", "map.json", "--file", "document.xml", "-o", "none",
      "--store", "other.db")
    try example.datactl("list", schema, "--map", "map.json", "--store", "other.db").prints(copy)
  }
}

@Suite("Example plugins")
struct ExamplePluginTests {
  @Test("xlsx: saves an exported spreadsheet without a change")
  func spreadsheets() throws {
    let example = try Example("plugins", in: try TestFolder())
    let folder = example.folder
    try folder.saveTodos()
    let odd =
      #"{"todo_id":"d","title":" <&> \u0007 _x0041_\r\n","price":1e-7,"priority":12345678901234567}"#
    try folder.prepare("save", "todo", input: .text(odd))
    try folder.prepare("save", "todo", "e", "title=")
    let before = try folder.todos
    try example.plugin("xlsx", "export", "todo", "todos.xlsx").exits(0).printsNothing()
      .reportsNothing()
    try example.plugin("xlsx", "import", "todo", "todos.xlsx", "-o", "none").exits(0)
      .reports("5 saved: 5 the same")
    #expect(try folder.todos == before)
    try example.plugin("xlsx", "export", "todo", "some.xlsx", "done=true").exits(0)
    try example.plugin("xlsx", "import", "todo", "some.xlsx", "-n", "-o", "ids").exits(0)
      .prints("b\n")
    try example.plugin("xlsx", "export", "todo", "some.xlsx", "--limit", "1").exits(0)
    try example.plugin("xlsx", "import", "todo", "some.xlsx", "-n", "-o", "ids").exits(0)
      .prints("a\n")
    try example.plugin("xlsx", "export", "nope", "nope.xlsx").exits(3)
    try example.plugin("xlsx", "import", "todo", "missing.xlsx").exits(1)
    try example.plugin("xlsx", "export", "todo").exits(2)
    #expect(try folder.files.filter { $0.hasSuffix(".xlsx") } == ["some.xlsx", "todos.xlsx"])
    let help = try example.plugin("help", "xlsx").exits(0)
    #expect(help.output.contains("usage: datactl xlsx export SCHEMA FILE.xlsx"))
    let complete = Program(
      ["./datactl-xlsx", "--complete"],
      environment: folder.datactl.with(["DATACTL_BIN": Binary.path]).environment,
      directory: folder.directory)
    try complete.run(["import", "to"]).exits(0).prints("todo\n")
    #expect(try complete.run(["i"]).lines.contains("import\tsave the records of a file"))
  }

  @Test("xlsx: saves an exported record without a change, whatever the types of its fields")
  func spreadsheetTypes() throws {
    let example = try Example("plugins", in: try TestFolder())
    let folder = example.folder
    try folder.prepare("schema", "create", "shop", "name:text")
    try folder.prepare("save", "shop", "s", "name=x")
    let fields = """
      text:text whole:integer real:number price:decimal:12,2 yes:boolean day:date at:datetime \
      place:geopoint photo:file any:json shop:shop shops:shop+ texts:text+ wholes:integer+ \
      reals:number+ yeses:boolean+ days:date+ times:datetime+
      """
    try folder.datactl.run(
      ["schema", "create", "k"] + fields.split(separator: " ").map(String.init)
    ).exits(0)
    let full =
      #"{"k_id":"full","text":"5","whole":9007199254740993,"real":1.5,"price":12.30,"yes":true"#
      + #","day":"2026-11-20","at":"2026-11-20T03:05:00Z","place":{"lat":1.5,"lon":2}"#
      + #","photo":{"name":"p.bin","type":"application/octet-stream","data":"AAEC/w=="}"#
      + #","any":{"a":1.0,"b":"\u0041","c":[2,"3"]},"shop":"s","shops":["s"],"texts":["a","1"]"#
      + #","wholes":[9007199254740993],"reals":[1.5],"yeses":[true,false]"#
      + #","days":["2026-11-20"],"times":["2026-11-20T03:05:00Z"]}"#
    let values = [
      "5", #""5""#, "true", #""true""#, #""null""#, #""text""#, #""""#, "null", #"[1,"2",null]"#,
      "12345678901234567890.10", #""\u0007 _x0041_""#,
    ]
    let others = values.enumerated().map { #"{"k_id":"\#($0)","any":\#($1)}"# }
    try folder.prepare("save", "k", input: .text(([full] + others).joined(separator: "\n")))
    let before = try folder.prepare("list", "k").output
    try example.plugin("xlsx", "export", "k", "k.xlsx").exits(0).reportsNothing()
    try example.plugin("xlsx", "import", "k", "k.xlsx", "-o", "none").exits(0)
      .reports("12 saved: 12 the same")
    #expect(try folder.prepare("list", "k").output == before)
  }

  @Test("xlsx: reads shared texts, cells with positions, and dates of spreadsheet programs")
  func foreignSpreadsheet() throws {
    let example = try Example("plugins", in: try TestFolder())
    try example.folder.createTodoSchema()
    try example.folder.write(
      "make.py",
      #"""
      import zipfile
      main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
      with zipfile.ZipFile("made.xlsx", "w") as file:
          file.writestr("xl/workbook.xml", f'<workbook {main} xmlns:r="urn:r"><sheets>'
              '<sheet name="a" sheetId="1" r:id="x"/></sheets></workbook>')
          file.writestr("xl/_rels/workbook.xml.rels",
              '<Relationships><Relationship Id="x" Target="/xl/s.xml"/></Relationships>')
          file.writestr("xl/sharedStrings.xml", f'<sst {main}><si><t>todo_id</t></si><si><t>title</t></si>'
              '<si><r><t>Buy </t></r><r><t>tea</t></r><rPh sb="0" eb="1"><t>bai</t></rPh></si>'
              '<si><t>due</t></si></sst>')
          file.writestr("xl/styles.xml", f'<styleSheet {main}><cellXfs><xf/><xf numFmtId="14"/></cellXfs></styleSheet>')
          file.writestr("xl/s.xml", f'<worksheet {main}><sheetData>'
              '<row><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="C1" t="str"><v>done</v></c>'
              '<c r="D1" t="s"><v>3</v></c><c r="E1" s="1"/></row><row/>'
              '<row><c r="A3"><v>7</v></c><c r="B3" t="s"><v>2</v></c><c r="D3" s="1"><v>46350.25</v></c></row>'
              '<row><c r="A4"><v>8</v></c><c r="B4" t="inlineStr"><is><t>x</t></is></c><c r="C4" t="b"><v>1</v></c>'
              '<c r="D4" s="1"><v>45000.3333333333</v></c></row>'
              '</sheetData></worksheet>')

      """#)
    try example.folder.tool("python3", "make.py")
    try example.plugin("xlsx", "import", "todo", "made.xlsx", "-o", "none").exits(0)
      .reports("2 saved: 2 new")
    #expect(
      try example.datactl("list", "todo", "--fields", "title,done,due").lines == [
        #"{"todo_id":"7","title":"Buy tea","done":null,"due":"2026-11-24T06:00:00.000Z"}"#,
        #"{"todo_id":"8","title":"x","done":true,"due":"2023-03-15T08:00:00.000Z"}"#,
      ])
    try example.folder.tool(
      "sed", "-i", #"s|<row/>|<row r="2"><c r="AB2"><v>5</v></c></row>|"#, "make.py")
    try example.folder.tool("python3", "make.py")
    try example.plugin("xlsx", "import", "todo", "made.xlsx").exits(1)
      .reports("made.xlsx: the cell AB2 has a value, but its column has no name")
  }

  @Test("top: prints the number of records and of changes")
  func top() throws {
    let example = try Example("plugins", in: try TestFolder())
    try example.folder.saveTodos()
    let run = try example.plugin("top", "-n", "2", "-s", "0").exits(0)
    let table = [
      "SCHEMA                  RECORDS    CHANGED", "todo                          3          3",
    ]
    #expect(run.lines == table + table)
    for arguments in ["-x", "-n x", "-n 08", "-s abc", "-s .", "extra -n 1", "-n 1 extra"] {
      let words = ["top"] + arguments.split(separator: " ").map(String.init)
      try example.plugin(words).exits(2).reports("usage: datactl top").printsNothing()
    }
    try example.plugin("top", "-n", "0", "-s", "0.5").exits(0).printsNothing()
    try example.plugin("--store", "missing.db", "top", "-n", "1").exits(7).printsNothing()
  }
}

extension Example {
  /// Runs datactl with the folder of the example in `PATH`.
  fileprivate func plugin(_ arguments: String...) throws -> Run { try plugin(arguments) }

  fileprivate func plugin(_ arguments: [String]) throws -> Run {
    let path = folder.datactl.environment["PATH"] ?? ""
    return try folder.datactl.with(["PATH": "\(folder.directory):\(path)"]).run(arguments)
  }
}

/// A copy of a folder in `Tests/Examples`. Its scripts run the program under test.
private struct Example {
  let folder: TestFolder

  init(_ name: String, in folder: TestFolder) throws {
    self.folder = folder
    try folder.tool("cp", "-r", Binary.file("Tests/Examples/\(name)/."), ".")
  }

  /// Runs a script of the example.
  func run(_ script: String, _ arguments: String...) throws -> Run {
    try folder.withDatactlInPath("/bin/bash").run([script] + arguments)
  }

  /// Runs datactl, which must succeed.
  @discardableResult
  func datactl(_ arguments: String...) throws -> Run {
    try folder.datactl.run(arguments).exits(0)
  }

  /// The names of the files in a subfolder, sorted.
  func files(_ name: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path(name)).sorted()
  }
}
