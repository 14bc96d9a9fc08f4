import Foundation
import ProgramHarness
import Testing

@Suite("Rejects files of a save")
struct RejectsTests {
  private static let good = #"{"todo_id":"a","title":"tea"}"# + "\n"
  private static let bad = #"{"todo_id":"x"}"# + "\n"

  @Test(
    "rejects the option --rejects when it names the input, the output or a file of the store",
    arguments: [
      "in.ndjson", "link", "hard", "shop.db", "shop.db-wal", "shop.db-lock", "out.ndjson",
    ]
  )
  func ownFiles(name: String) throws {
    let folder = try TestFolder()
    try folder.saveTodos()
    try folder.write("in.ndjson", Self.good + Self.bad)
    try folder.write("out.ndjson", "")
    try folder.tool("ln", "-s", "./shop.db-wal", "link")
    try folder.tool("ln", "in.ndjson", "hard")
    let before = try folder.files
    let run = try folder.run(
      "save", "todo", "--skip-invalid", "--rejects", name,
      input: .file(folder.path("in.ndjson")), output: .file(folder.path("out.ndjson"))
    ).exits(2).reports("--rejects \(name): this is ")
    try run.printsNothing()
    #expect(try folder.files == before)
    #expect(try folder.bytes("in.ndjson") == Array((Self.good + Self.bad).utf8))
    #expect(try folder.todoCount == 3)
  }

  @Test(
    "does not overwrite an existing rejects file until the save has succeeded")
  func replacement() throws {
    let folder = try TestFolder()
    try folder.saveTodos()
    try folder.write("target.ndjson", "old\n")
    try folder.tool("chmod", "600", "target.ndjson")
    try folder.tool("ln", "-s", "target.ndjson", "rejects.ndjson")
    let arguments = ["save", "todo", "--skip-invalid", "--rejects", "rejects.ndjson", "-o", "none"]

    let stopped = try folder.program.start(arguments, input: .open)
    stopped.send(Self.bad)
    try stopped.run(for: .milliseconds(300))
    #expect(try folder.bytes("target.ndjson") == Array("old\n".utf8))
    stopped.signal(2)
    try stopped.finish().exits(130)
    #expect(try folder.bytes("target.ndjson") == Array("old\n".utf8))

    try folder.program.run(arguments + ["--dry-run"], input: .text(Self.good + Self.bad)).exits(6)
      .reports("1 would be saved", "1 record would not be saved", "title: required")
    #expect(try folder.bytes("target.ndjson") == Array("old\n".utf8))

    try folder.program.run(arguments, input: .text(Self.good + Self.bad)).exits(6)
    let kept = String(decoding: try folder.bytes("target.ndjson"), as: UTF8.self)
    #expect(kept.hasPrefix(#"{"text":"{\"todo_id\":\"x\"}","problems":"#))
    #expect(try TestFolder.permissions(folder.path("target.ndjson")) == 0o600)
    let links = try folder.tool("readlink", "rejects.ndjson")
    #expect(links.output == "target.ndjson\n")
    #expect(try folder.files.filter { $0.contains("target") } == ["target.ndjson"])
  }

  @Test(
    "writes rejected records to stdout with --rejects -, but only with --output none")
  func hyphen() throws {
    let folder = try TestFolder()
    try folder.saveTodos()
    let arguments = ["save", "todo", "--skip-invalid", "--rejects", "-"]
    try folder.program.run(arguments, input: .text(Self.bad)).exits(2).printsNothing()
      .reports("--output none")
    try folder.program.run(arguments + ["-o", "none"], input: .text(Self.bad)).exits(6)
      .printsSomething().reports("to standard output")
  }

  @Test(
    "saves the corrected records of a rejects file with the command in the manual",
    arguments: [
      (
        "in.csv", "todo_id,title,done\r\nx,\"two\r\nlines\",true\r\ny,,false\r\nz,tea,maybe",
        "(head -n 1 in.csv; jq -rj .text rejects.ndjson)"
      ),
      (
        "in.csv", "todo_id,title,done\nx,tea,true\n\ny,a \"quote\",true\nz,,false\n",
        "(head -n 1 in.csv; jq -rj .text rejects.ndjson | sed s/a..quote./quote/)"
      ),
      (
        "in.ndjson",
        #"{"todo_id":"x","title":"tea"}"# + "\n" + #"{"todo_id":"y"}"# + "\n" + #"{"todo_id":"z""#,
        #"jq -r .text rejects.ndjson | sed 's/"z"$/"z"}/'"#
      ),
    ])
  func correcting(file: String, text: String, corrected: String) throws {
    let folder = try TestFolder()
    try folder.createTodoSchema()
    try folder.write(file, text)
    try folder.run(
      "save", "todo", "-f", file, "--skip-invalid", "--rejects", "rejects.ndjson", "-o", "ids"
    ).exits(6).prints("x\n").reports("2 records not saved")
    try folder.shell(
      "\(corrected) | sed 's/maybe/true/; s/^\\(.\\),,/\\1,some,/; s/\"}$/\",\"title\":\"some\"}/' | "
        + "datactl save todo -o ids"
    ).exits(0).prints("y\nz\n")
  }

  /// A document that a map describes, with one valid record and two rejected ones, and the command
  /// that prints the rejected records after their errors are fixed.
  struct MappedDocument: CustomTestStringConvertible, Sendable {
    var map: String
    var text: String
    var corrected: String
    var texts: [String]

    var testDescription: String { map }
  }

  @Test(
    "writes rejected records in the format of the map, so that they can be corrected",
    arguments: [
      MappedDocument(
        map: #""format":"csv""#,
        text: "id,n,d\nx,1,02.01.2026\ny,5,2.1.26\nz,six,02.01.2026\n",
        corrected: "(head -n 1 in; jq -rj .text z) | sed 's/2.1.26/02.01.2026/; s/six/6/'",
        texts: ["y,5,2.1.26\n", "z,six,02.01.2026\n"]),
      MappedDocument(
        map: #""format":"csv""#,
        text: "id,n,d\r\nx,1,02.01.2026\r\ny,5\r\nz,\"6\"6,02.01.2026\r\n",
        corrected: "(head -n 1 in; jq -rj .text z) | sed 's/y,5/&,02.01.2026/; s/\"6\"6/6/'",
        texts: ["y,5\r\n", "z,\"6\"6,02.01.2026\r\n"]),
      MappedDocument(
        map: #""format":"json""#,
        text: """
          {"id":"x","n":1,"d":"02.01.2026"}
          {"id":"y","n":5,"d":"soon"}
          {"id":"z","n":6,"d":"02.01.2026"

          """,
        corrected: "jq -r .text z | sed 's/soon/02.01.2026/; s/\"$/\"}/'",
        texts: [#"{"id":"y","n":5,"d":"soon"}"#, #"{"id":"z","n":6,"d":"02.01.2026""# + "\n"]),
      MappedDocument(
        map: #""format":"json","records":"a.items[]","unknown":"ignore""#,
        text: """
          {"a": {"items": [{"id": "x", "n": 1, "d": "02.01.2026"},
            {"id": "y", "n": 5,
             "d": "soon", "u": 1}, {"id": "z", "n": "six", "d": "02.01.2026"}]}}
          """,
        corrected: "jq -r .text z | sed 's/soon/02.01.2026/; s/\"six\"/6/'",
        texts: [
          #"{"a":{"items":[{"id": "y", "n": 5,"# + "\n   " + #""d": "soon", "u": 1}]}}"#,
          #"{"a":{"items":[{"id": "z", "n": "six", "d": "02.01.2026"}]}}"#,
        ]),
      MappedDocument(
        map: #""format":"json","records":"items{}""#,
        text: """
          {"items": {"x": {"n": 1, "d": "02.01.2026"}, "y": {"n": 5, "d": "soon"},
            "z": {"n": "six", "d": "02.01.2026"}}}
          """,
        corrected: "jq -r .text z | sed 's/soon/02.01.2026/; s/\"six\"/6/'",
        texts: [
          #"{"items":{"y":{"n": 5, "d": "soon"}}}"#,
          #"{"items":{"z":{"n": "six", "d": "02.01.2026"}}}"#,
        ]),
      MappedDocument(
        map: #""format":"xml","records":"/r/c/item""#,
        text: """
          <r><c><item id="x"><n>1</n><d>02.01.2026</d></item>
            <item id="y"><n>5</n><d>soon</d></item>
            <item id="z"><n>six &amp;</n><d>02.01.2026</d></item></c></r>
          """,
        corrected: "(echo '<r><c>'; jq -r .text z | sed 's/soon/02.01.2026/; s/six &amp;/6/'; "
          + "echo '</c></r>')",
        texts: [
          #"<item id="y"><n>5</n><d>soon</d></item>"#,
          #"<item id="z"><n>six &amp;</n><d>02.01.2026</d></item>"#,
        ]),
    ])
  func mapped(document: MappedDocument) throws {
    let folder = try TestFolder()
    try folder.prepare("schema", "create", "r", "n:integer", "d:date")
    let key =
      document.map.contains("{}") ? "{}key" : document.map.contains("xml") ? "@id" : "id"
    try folder.write(
      "map.json",
      """
      {"map":"m",\(document.map),"fields":{"r_id":"\(key)","n":"n",
        "d":{"at":"d","as":"dd.MM.yyyy"}},"system":{}}
      """)
    try folder.write("in", document.text)
    try folder.run(
      "save", "r", "--map", "map.json", "-f", "in", "--skip-invalid", "--rejects", "z", "-o", "ids"
    ).exits(6).prints("x\n").reports("2 records not saved")
    let texts = try folder.shell("jq -c .text z").output.split(separator: "\n").map {
      try JSONDecoder().decode(String.self, from: Data($0.utf8))
    }
    #expect(texts == document.texts)
    try folder.shell("\(document.corrected) | datactl save r --map map.json -o none").exits(0)
      .reports("2 saved: 2 new")
    try folder.run("list", "r", "--where", "d = '2026-01-02' and n in (1, 5, 6)", "-o", "ids")
      .prints("x\ny\nz\n")
  }

  @Test("uses the format of the map to write a record that the store rejects", .onEveryStore)
  func mappedRefusals() throws {
    let folder = try TestFolder()
    try folder.program.run(["schema", "create", "step", "label:text!"]).exits(0)
    try folder.program.run(["schema", "create", "r", "n:integer", "up:r", "steps:step+"]).exits(0)
    try folder.write(
      "map.json",
      """
      {"map":"m","fields":{"r_id":"id","n":"n","up":"u",
        "steps":{"at":"s[]","fields":{"label":"t"}}},"system":{},"unknown":"ignore"}
      """)
    try folder.write(
      "flat.json", #"{"map":"f","fields":{"r_id":"id","n":"n","up":"u"},"system":{}}"#)
    let rows = [#"{"id":"x", "n":1}"#, #"{"id":"y", "n":2, "u":"gone"}"#]
    for (map, text) in [
      ("flat.json", rows), ("map.json", rows + [#"{"id":"z", "k":1, "s":[{"t":null}]}"#]),
    ] {
      let run = try folder.program.run(
        ["save", "r", "--map", map, "--skip-invalid", "--rejects", "-", "-o", "none"],
        input: .text(text.joined(separator: "\n"))
      ).exits(6)
      let texts = run.lines.compactMap { line in
        (try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])?["text"]
          as? String
      }
      #expect(texts == Array(text.dropFirst()), "\(run.output)")
    }
  }

  @Test(
    "skips only the malformed rows when --skip-invalid and --map are given",
    arguments: [
      (#""format":"csv""#, "id,n\n1,1\n2\n3,3\n", "1\n3\n", [":3:1: r: expected 2 cells"]),
      (
        #""format":"csv""#, "id,n\n1,1\n2,a\"\nx,\"a\nb\"c\ny,\r\r\n3,3",
        "1\n3\n",
        [":3:4: r: quote in an unquoted cell", ":5:3: r: expected a sep", ":6:3: r: carriage ret"]
      ),
      (
        #""format":"json""#, #"{"id":1,"n":1}"# + "\n{\"id\":2,\n[]\n" + #"{"id":3,"n":3}"#,
        "1\n3\n", [":2", ":3: $: expected an object, found an array"]
      ),
    ])
  func malformedRows(
    format: String, text: String, ids: String, errors: [String]
  ) throws {
    let folder = try TestFolder()
    try folder.prepare("schema", "create", "r", "n:integer")
    try folder.write(
      "map.json", #"{"map":"m",\#(format),"fields":{"r_id":"id","n":"n"},"system":{}}"#)
    let arguments = ["save", "r", "--map", "map.json", "--skip-invalid", "-o", "ids"]
    let run = try folder.program.run(
      arguments + (format.contains("json") ? ["--input", "ndjson"] : []), input: .text(text)
    ).exits(6).prints(ids)
    for error in errors { #expect(run.errors.contains("standard input\(error)"), "\(run.errors)") }
  }

  @Test("prints what was wrong by field, code and kind of value, with counts", .onEveryStore)
  func summary() throws {
    let folder = try TestFolder()
    try folder.program.run([
      "schema", "create", "game", "title:text!", "year:integer", "price:decimal:6,2", "tags:text+",
      "on:boolean", "day:date", "up:game",
    ]).exits(0)
    let text = """
      game_id,title,year,price,tags,on,day,up
      a,A,1999,1.50,"[""x""]",true,2020-01-01,
      b,B,x,1.5055,town,maybe,1.2.2020,
      c,C,y,1.234,city,maybe,2020-02-31,
      d,D,1.5,10000.5,x,maybe,2020-02-30,
      e,E
      f,,,,,,,
      g,G,,,,,,zz
      h,H,,,,,,yy

      """
    let arguments = ["save", "game", "--skip-invalid", "--rejects", "r", "-o", "none"]
    let run = try folder.program.run(arguments, input: .text(text)).exits(6)
    #expect(
      run.errors == """
        1 saved: 1 new
        3 × tags: expected an array as JSON, found text (first: line 3)
        3 × on: expected true or false, found text (first: line 3)
        2 × year: expected integer, found text (first: line 3)
        2 × price: expected at most 2 digits after the point, found another number (first: line 3)
        2 × day: there is no such day (first: line 4)
        2 × up: there is no game … (first: line 8)
        1 × day: expected date, found text (first: line 3)
        1 × year: expected integer, found another number (first: line 5)
        1 × price: expected at most 4 digits before the point, found another number (first: line 5)
        1 × expected 8 cells as in the header, found 2 (first: line 6)
        1 × title: expected a value, found null (first: line 7)
        datactl: 7 records not saved
          the records were written to r, each with its errors

        """)
    let json = try folder.program.run(arguments + ["--errors", "json"], input: .text(text)).exits(6)
    #expect(
      json.errors.split(separator: "\n").contains(
        #"{"code":"invalid","message":"expected integer, found text","hint":null,"schema":"game","#
          + #""id":null,"field":"year","file":"-","line":null,"column":null,"count":2,"first":3}"#))
    let quiet = try folder.program.run(arguments + ["--quiet"], input: .text(text)).exits(6)
    #expect(!quiet.errors.contains("×"))
  }

  @Test("prints at most 20 kinds of errors, and names the file if there are several")
  func manyKinds() throws {
    let folder = try TestFolder()
    try folder.createTodoSchema()
    try folder.write("good.ndjson", Self.good)
    let records = (0..<1_100).map { #"{"todo_id":"b\#($0)","title":"x","key_\#($0)":1}"# + "\n" }
    try folder.write("bad.ndjson", records.joined())
    let run = try folder.run(
      "save", "todo", "-f", "good.ndjson", "-f", "bad.ndjson", "--skip-invalid", "--rejects", "r",
      "-o", "none"
    ).exits(6).reports(
      "1 × todo has no field key_0 (first: line 1 of bad.ndjson)\n",
      "\nand 1,080 problems of other kinds\n")
    #expect(run.errors.split(separator: "\n").count { $0.contains("×") } == 20)
  }

  @Test("rejects only the truncated record when each line is a record")
  func truncated() throws {
    let folder = try TestFolder()
    try folder.createTodoSchema()
    let text =
      #"{"todo_id":"a","title":"# + "\n" + #"{"todo_id":"b","title":"tea"}"# + "\n" + Self.good
    let arguments = ["save", "todo", "-o", "ids", "--input", "ndjson"]
    let run = try folder.program.run(arguments, input: .text(text)).exits(6).printsNothing()
    #expect(run.errors.split(separator: "\n").count == 1, "\(run.errors)")
    try folder.program.run(arguments + ["--skip-invalid"], input: .text(text)).exits(6)
      .prints("b\na\n").reports("1 record not saved")
  }

  @Test(
    "reports that no record was read when the CSV header is invalid",
    arguments: [
      ("todo_id,town\na,x\nb,y\n", "1: todo has no field town"),
      ("todo_id,title,title\na,x,y\n", "the columns title and title set the same field"),
      ("todo_id,\"title\na,x\n", "unterminated quote"),
    ])
  func header(text: String, message: String) throws {
    let folder = try TestFolder()
    try folder.createTodoSchema()
    let run = try folder.run(
      "save", "todo", "--skip-invalid", "--rejects", "rejects", input: .text(text)
    ).exits(6).printsNothing().reports(message, "datactl: no record was read\n")
    #expect(!run.errors.contains("not saved"))
    #expect(try !folder.files.contains("rejects"))
  }

  @Test(
    "reports the line at which reading stopped because of a syntax error",
    arguments: [
      (
        #"[{"todo_id":"a","title":"x"},"# + "\n" + #"{"todo_id":"b","title":},"# + "\n"
          + #"{"todo_id":"c","title":"x"}]"#,
        2
      ),
      ("todo_id,title\na,x\nb,\"y\nc,z\nd,x\n", 3),
    ])
  func unread(text: String, line: Int) throws {
    let folder = try TestFolder()
    try folder.createTodoSchema()
    let run = try folder.run(
      "save", "todo", "--skip-invalid", "--rejects", "rejects", "-o", "ids", input: .text(text)
    ).exits(6).prints("a\n")
    try run.reports("1 record not saved, and reading stopped at line \(line)\n")
    #expect(String(decoding: try folder.bytes("rejects"), as: UTF8.self).contains("b"))
  }

  @Test(
    "exits with 1 when the rejected records cannot be written", arguments: [".", "no/such/file"])
  func unwritable(path: String) throws {
    let folder = try TestFolder()
    try folder.createTodoSchema()
    try folder.run("save", "todo", "--skip-invalid", "--rejects", path, input: .text(Self.good))
      .exits(1).printsNothing().reports("\(path): ")
    #expect(try folder.todoCount == 0)
  }
}
