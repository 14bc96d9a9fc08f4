import ProgramHarness
import Testing

@Suite("Saving with save --infer")
struct InferTests {
  @Test("creates the store, the schema and the records in the first save with --infer")
  func first() async throws {
    let folder = try CommandFolder()
    try await folder.run(
      "save", "todo", "--infer", "-o", "ids",
      input: .text(#"{"id":1,"dueDate":"2026-11-20","note":null}{"id":2,"tags":["a"]}"#)
    ).exits(0).prints("1\n2\n").reports(
      "Schema todo created: todo_id id, due_date date, tags [text]\n",
      "note: only null values; left out\n", "2 saved: 2 new\n")
    try await folder.run("list", "todo", "--fields", "due_date,tags").exits(0).prints(
      """
      {"todo_id":"1","due_date":"2026-11-20","tags":null}
      {"todo_id":"2","due_date":null,"tags":["a"]}

      """)
  }

  @Test("keeps all digits of numbers, or fails if a later number has too many digits")
  func digits() async throws {
    let folder = try CommandFolder()
    try await folder.run(
      "save", "m", "--infer", "-o", "none",
      input: .text(#"{"amount":79791028006462.35}{"amount":[0.25,9007199254740993.5]}"#)
    ).exits(0)
    try await folder.run("list", "m", "--fields", "amount", "--order", "created_at,m_id").exits(0)
    let listed = try await folder.run("list", "m", "--fields", "amount").exits(0)
    #expect(listed.lines.count { $0.contains("006462.35") } == 1)
    let records = (1...1_500).map { #"{"v":\#($0).25}"# }.joined(separator: "\n")
    try await folder.run(
      "save", "n", "--infer", "-o", "none",
      input: .text(records + "\n" + #"{"v":0.12345678901234567890123}"#)
    ).exits(6).reports(
      """
      datactl: standard input:1501: v: the number has more digits than the type number keeps: \
      0.12345678901234567890123

      """)
  }

  @Test("adds the fields that an existing schema lacks, and keeps the existing fields unchanged")
  func addition() async throws {
    let folder = try CommandFolder()
    try await folder.prepare("schema", "create", "todo", "title:text!", "stock:integer")
    try await folder.run(
      "save", "todo", "--infer", "-o", "none", input: .text(#"{"title":"a","price":1.5}"#)
    ).exits(0).reports("Added to todo: price number\n", "1 saved: 1 new\n")
    try await folder.run(
      "save", "todo", "--infer", "-o", "none", input: .text(#"{"title":"a","stock":1.5,"x":1}"#)
    ).exits(6).reports("datactl: standard input:1: stock: expected integer, found 1.5\n")
    try await folder.run("schema", "show", "todo").exits(0).prints(
      """
      {
        "schema": "todo",
        "fields": {
          "todo_id": {"type": "id"},
          "title": {"type": "text", "required": true},
          "stock": {"type": "integer"},
          "price": {"type": "number"}
        }
      }

      """)
    try await folder.run(
      "save", "todo", "--infer", "-o", "none", input: .text(#"{"title":"a","price":2}"#)
    ).exits(0).reports("1 saved: 1 new\n")
    let log = try await folder.run("schema", "log", "-o", "json").exits(0).json
    let steps = log.elements.flatMap { $0["steps"]?.elements ?? [] }
    #expect(steps.map { $0["step"]?.text } == ["create_schema", "add_field"])
    #expect(steps.map { $0["field"]?.text } == [nil, "price"])
  }

  @Test("creates no schema and no store when the save fails")
  func failedSave() async throws {
    let folder = try CommandFolder()
    let good = (1...1_500).map { "{\"n\":\($0)}\n" }.joined()
    let run = try await folder.run(
      "save", "todo", "--infer", input: .text(good + "{\"n\":1.5}\n{\"m\":1}\n")
    ).exits(6).printsNothing()
    try run.requires(
      run.errors == """
        datactl: standard input:1501: n: expected integer, found 1.5
        datactl: standard input:1502: todo has no field m
          --infer used the first 1,000 records; to use all records: datactl schema infer todo < FILE

        """, "the errors were expected")
    #expect(try !folder.files.contains("shop.db"))
    #expect(try !folder.files.contains("shop.db-new"))
    try await folder.run("list", "todo").exits(7)

    try await folder.prepare("schema", "create", "todo", "x:text")
    try await folder.run("save", "todo", "--infer", input: .text(good + "{\"n\":1.5}\n")).exits(6)
    let shown = try await folder.run("schema", "show", "todo").exits(0)
    try shown.requires(!shown.output.contains("\"n\""), "the schema was to stay as it was")
  }

  @Test("infers the schema from all files, and names the file of each error")
  func severalFiles() async throws {
    let folder = try CommandFolder()
    try folder.write("a.csv", "code,size\na,1\n")
    try folder.write("b.csv", "size;code;late\n1.5;b;2026-01-02\n")
    try await folder.run("save", "part", "--infer", "--key", "code", "--file", "?.csv", "-o", "ids")
      .exits(0).prints("a\nb\n").reports(
        "Schema part created: part_id id, size number, late date\n", "2 saved: 2 new\n")
    try folder.write("c.csv", "code,size\n\nc,x\n")
    try await folder.run("save", "part", "--infer", "--key", "code", "--file", "?.csv").exits(6)
      .reports("datactl: c.csv:3: size: expected number, found")
    try folder.write("d.json", #"{"code":"d","size":1}"#)
    try await folder.run(
      "save", "part", "--infer", "--key", "code", "--file", "a.csv", "--file", "d.json"
    ).exits(6).reports(
      "datactl: d.json: the format is JSON, but that of an earlier file is CSV",
      "infer the schema from files of the same format")
    try folder.write("e.csv", "id,size\n1,1\n")
    try folder.write("f.csv", "id,size\n2,1\n3,2\n")
    try folder.write("g.csv", "id,size\n" + (1...1_000).map { "\($0),1\n" }.joined())
    try folder.write("h.csv", "id,size\nx,1\ny,1\n5,7\n")
    try await folder.run("save", "rec", "--infer", "--file", "g.csv", "--file", "h.csv").exits(6)
      .reports("datactl: h.csv:4: rec 5: the id occurs twice, first in line 6 of g.csv\n")
    try await folder.run(
      "save", "key", "--infer", "-f", "e.csv", "-f", "-", "-o", "ids",
      input: .file(folder.path("f.csv"))
    ).exits(0).prints("1\n2\n3\n")
  }

  @Test("reports that --infer used only the first records when a record in a later file is invalid")
  func laterFile() async throws {
    let folder = try CommandFolder()
    try folder.write("a.ndjson", (1...1_000).map { "{\"n\":\($0)}\n" }.joined())
    try folder.write("b.ndjson", "{\"n\":1}\n{\"n\":1.5}\n")
    try await folder.run("save", "todo", "--infer", "--file", "?.ndjson").exits(6).reports(
      """
      datactl: b.ndjson:2: n: expected integer, found 1.5
        --infer used the first 1,000 records; to use all records: datactl schema infer todo --file \
      '?.ndjson'
      """)
    try await folder.run("schema", "infer", "todo", "--file", "?.ndjson").exits(0).reports(
      "n      number      0        0  1.5      1,001 integer (a.ndjson:1: 1)\n")
  }

  @Test("infers the same schema in save --infer as in schema infer when several files are read")
  func severalFilesInferred() async throws {
    let folder = try CommandFolder()
    try folder.write("a.csv", "id,size,note\n1,1,\n2,2,x\n")
    try folder.write("b.csv", "id;size;late\n\n3;1.5;2026-01-02\n2;4;\n")
    try folder.write("empty.csv", "")
    let note = "id: not usable as the primary key, since \"2\" is repeated on line 4 of b.csv\n"
    try await folder.run("save", "part", "--infer", "-n", "-o", "none", "--file", "*.csv").exits(0)
      .reports(
        "Schema part would be created: "
          + "part_id id, id integer, size number, note text, late date\n", note)
    let inferred = try await folder.run("schema", "infer", "part", "--file", "*.csv").exits(0)
      .prints(
        """
        {
          "schema": "part",
          "fields": {
            "part_id": {"type": "id"},
            "id": {"type": "integer"},
            "size": {"type": "number"},
            "note": {"type": "text"},
            "late": {"type": "date"}
          }
        }

        """)
    #expect(
      inferred.errors == """
        part: 4 records
        field  type     nulls  missing  example       other types
        id     integer      0        0  1
        size   number       0        0  1.5           3 integer (a.csv:2: 1)
        note   text         1        2  "x"
        late   date         1        2  "2026-01-02"
        \(note)\
        part_id: added as the primary key; save assigns each record a new id

        """)
  }

  @Test("names the file of each error when schema infer reads several files")
  func errorsOfSeveralFiles() async throws {
    let folder = try CommandFolder()
    try folder.write("a.csv", "code,size\na,1\n")
    try folder.write("b.csv", "name,size\nb,1\n")
    try folder.write("c.csv", "code,size\nc\n")
    try folder.write("d.csv", "code,size\nd,1\n\na,1\n")
    try folder.write("e.xml", "<records><part><code>e</code></part></records>")
    try await folder.run("schema", "infer", "part", "--key", "code", "-f", "a.csv", "-f", "b.csv")
      .exits(6).reports("datactl: b.csv:1: the input has no column or key \"code\"\n")
    try await folder.run("schema", "infer", "part", "-f", "a.csv", "-f", "c.csv").exits(6).reports(
      "datactl: c.csv:2:1: expected 2 cells as in the header, found 1\n")
    try await folder.run("schema", "infer", "part", "--key", "code", "-f", "a.csv", "-f", "d.csv")
      .exits(6).reports(
        "datactl: d.csv:4: code: code must be the primary key of part, but its values cannot be "
          + "ids: \"a\" is repeated on line 4 of d.csv\n")
    try await folder.run("schema", "infer", "part", "-f", "a.csv", "-f", "e.xml").exits(6).reports(
      "datactl: e.xml: the format is XML, but that of an earlier file is CSV\n",
      "infer the schema from files of the same format\n")
    try await folder.run("schema", "infer", "--file", "?.csv").exits(2).reports(
      "datactl: expected the name of the schema\n",
      "pass a name: datactl schema infer NAME --file FILE\n")
    try await folder.run("schema", "infer", "part", "--file", "z*").exits(3).reports(
      "datactl: z*: no file matches the pattern\n")
  }

  @Test("names columns column_1, column_2 and so on when --infer reads CSV without a header")
  func numberedColumns() async throws {
    let folder = try CommandFolder()
    let text = "a,1\nb,2\n"
    try await folder.run(
      "save", "part", "--infer", "--no-header", "--key", "column_1", "-o", "ids",
      input: .text(text)
    ).exits(0).prints("a\nb\n").reports("Schema part created: part_id id, column_2 integer\n")
    try await folder.run(
      "save", "part", "--infer", "--no-header", "--key", "column_1", "-o", "none",
      input: .text(text)
    ).exits(0).reports("2 saved: 2 the same\n")
    try await folder.run("save", "part", "--infer", "--no-header", input: .text("a,1,2\n")).exits(2)
      .reports(
        "datactl: --no-header would add the field column_3 to the existing schema part\n",
        "omit --infer to read the columns in the order of the fields")
    try await folder.run("save", "wide", "--infer", "--no-header", input: .text("a,1\nb\n")).exits(
      6
    )
    .reports("standard input:2:1: wide: expected 2 cells as in the first row, found 1")
  }

  @Test("reports in a dry run which schema or fields --infer would create, and creates nothing")
  func dryRun() async throws {
    let folder = try CommandFolder()
    try await folder.run("save", "todo", "--infer", "-n", "-o", "ids", input: .text(#"{"id":7}"#))
      .exits(0).prints("7\n").reports(
        "Schema todo would be created: todo_id id\n", "1 would be saved: 1 new\n")
    #expect(try folder.files == [])
    try await folder.prepare("schema", "create", "todo", "x:text")
    try await folder.run("save", "todo", "--infer", "-n", "-o", "none", input: .text(#"{"y":7}"#))
      .exits(0).reports("Would be added to todo: y integer\n")
    let shown = try await folder.run("schema", "show", "todo").exits(0)
    try shown.requires(!shown.output.contains("\"y\""), "the schema was to stay as it was")
  }

  @Test("creates no store and no schema when the input of --infer is empty")
  func nothing() async throws {
    let folder = try CommandFolder()
    try await folder.run("save", "todo", "--infer").exits(0).printsNothing()
      .reports("Nothing to save: no records.\n")
    #expect(try folder.files == [])
  }

  @Test("reports invalid records, and skips them with --skip-invalid")
  func broken() async throws {
    let folder = try CommandFolder()
    let text = "{\"a\":1}\n{\"a\":oops}\n{\"a\":\"\\u0000\"}\n5\n{\"a\":2,\"b\":true}\n"
    try await folder.run("save", "todo", "--infer", input: .text(text)).exits(6).reports(
      "standard input:2: a: expected a value",
      "standard input:3: a: expected text without NUL",
      "standard input:4:1: todo: expected a record")
    try await folder.run(
      "save", "todo", "--infer", "--skip-invalid", "-o", "none", input: .text(text)
    ).exits(6).reports("2 saved: 2 new\n", "3 records not saved")
    try await folder.run("list", "todo", "--count").exits(0).prints("2\n")
  }

  @Test("recreates a store from the output of list, including system fields")
  func copy() async throws {
    let folder = try CommandFolder()
    try await folder.prepare(
      "schema", "create", "todo", "title:text", "price:number", "due:datetime")
    try await folder.prepare(
      "save", "todo", input: .text(#"{"title":"a","price":1.5,"due":"2026-11-20"}{"price":2}"#))
    let listed = try await folder.run("list", "todo").exits(0)
    let copy = folder.with(["DATACTL_STORE": "sqlite:copy.db"])
    try await copy.run(
      ["save", "todo", "--infer", "--keep-system-fields", "-o", "none"],
      input: .bytes(listed.outputBytes)
    ).exits(0)
    try await copy.run(["list", "todo"]).exits(0).prints(listed.output)
  }

  @Test("warns when a field named password is inferred as plain text")
  func password() async throws {
    let folder = try CommandFolder()
    let record = Input.text(#"{"name":"ann","password":"secret"}"#)
    let warning = "password: plain text, which list prints; a user schema stores it as a hash\n"
    try await folder.run("save", "member", "--infer", "-o", "none", input: record).exits(0).reports(
      warning)
    try await folder.run("schema", "infer", "member", input: record).exits(0).reports(warning)
    let again = try await folder.run("save", "member", "--infer", "-o", "none", input: record)
      .exits(0)
    #expect(again.errors == "1 saved: 1 new\n")
  }

  @Test(
    "infers the schema from the first records, and rejects a duplicate id in a later record",
    arguments: [("{\"id\":%,\"n\":1}\n", "", 0), ("%,1\n", "id,n\n", 1)])
  func repeatedID(line: String, header: String, headerLines: Int) async throws {
    let folder = try CommandFolder()
    func records(_ ids: some Sequence<Int>) -> String {
      ids.map { line.replacing("%", with: "\($0)") }.joined()
    }
    let text = header + records(Array(1...1_500) + [7])
    try folder.write("todos", text)
    let second = 1_501 + headerLines
    let message = "rec 7: the id occurs twice, first in line \(7 + headerLines)\n"
    let run = try await folder.run("save", "rec", "--infer", "--file", "todos").exits(6)
      .printsNothing()
    #expect(
      run.errors == """
        datactl: todos:\(second): \(message)\
          --infer used the first 1,000 records; to use all records: datactl schema infer rec \
        --file todos

        """)
    try await folder.run("list", "rec").exits(7)
    try await folder.run("schema", "infer", "rec", "--file", "todos").exits(0).reports(
      "id: not usable as the primary key, since \"7\" is repeated on line \(second)\n")

    try await folder.run(
      "save", "rec", "--infer", "--skip-invalid", "-o", "none", "--file", "todos"
    ).exits(6).reports(message, "1,500 saved: 1,500 new\n")
    try await folder.run("get", "rec", "7", "--fields", "n").exits(0).prints(
      "{\"rec_id\":\"7\",\"n\":1}\n")
    // In an existing schema, a repeated id is a change of the record.
    try await folder.run("save", "rec", "--infer", "-o", "none", "--file", "todos").exits(0)
  }

  @Test("infers a geopoint from two columns named like at.lat and at.lon, or renamed to such names")
  func coordinates() async throws {
    let folder = try CommandFolder()
    try folder.write("a.csv", "id,at.lat,at.lon\n1,47.5,8\n")
    try folder.write("b.csv", "id,LAT,LON\n2,46,7.25\n")
    try await folder.run("save", "spot", "--infer", "--file", "a.csv", "-o", "none").exits(0)
      .reports(
        "Schema spot created: spot_id id, at geopoint\n")
    try await folder.run(
      "save", "other", "--infer", "--rename", "LAT=at.lat", "--rename", "LON=at.lon", "--file",
      "b.csv", "-o", "none"
    ).exits(0)
    try await folder.run("list", "spot", "--fields", "at").prints(
      "{\"spot_id\":\"1\",\"at\":{\"lat\":47.5,\"lon\":8}}\n")
    try await folder.run("list", "other", "--fields", "at").prints(
      "{\"other_id\":\"2\",\"at\":{\"lat\":46,\"lon\":7.25}}\n")
  }

  @Test("infers datetimes from times without UTC offset if --assume-zone is given")
  func assumedZone() async throws {
    let folder = try CommandFolder()
    let input = Input.text("at\n2026-07-01 10:00:00\n")
    try await folder.run("schema", "infer", "visit", input: input).exits(0).reports(
      "at: text, since a datetime needs an offset, such as Z, unless --assume-zone is given\n")
    let zone = ["--assume-zone", "Europe/Zurich"]
    let schema = try await folder.run(["schema", "infer", "visit"] + zone, input: input)
    #expect(try schema.exits(0).output.contains(#""at": {"type": "datetime"}"#))
  }

  @Test("suggests another column when the texts in the column of --key are not unique")
  func repeatedKey() async throws {
    let folder = try CommandFolder()
    try folder.write("a.csv", "code,n\n080030,1\n080030,2\n")
    try await folder.run("save", "a", "--infer", "--key", "code", "--file", "a.csv").exits(6)
      .reports(
        """
        datactl: a.csv:3: a 080030: the id occurs twice, first in line 2
          choose another column for --key, or skip these records: --skip-invalid --rejects FILE

        """)
    try await folder.run("schema", "infer", "a", "--key", "code", "--file", "a.csv").exits(6)
      .reports(
        "\"080030\" is repeated on line 3\n  choose another column for --key\n")
    let cells = (1...1_500).map { "\($0),1\n" }.joined()
    try folder.write("b.csv", "code,n\n" + cells + "7,1\n")
    try await folder.run("save", "b", "--infer", "--key", "code", "--file", "b.csv").exits(6)
      .reports(
        """
        datactl: b.csv:1502: b 7: the id occurs twice, first in line 8
          choose another column for --key, or skip these records: --skip-invalid --rejects FILE

        """)
    try await folder.run(
      "save", "b", "--infer", "--key", "code", "--file", "b.csv", "--skip-invalid", "-o", "none"
    ).exits(6).reports(
      "b_id: the primary key, from code, which is unique in the first 1000 records\n",
      "1,500 saved", "1 record not saved")
  }

  @Test("reports or skips a record whose column for --key is empty")
  func missingKey() async throws {
    let folder = try CommandFolder()
    try folder.write("a.csv", "Nr,n\n1,1\n,2\n1,3\n2,4\n")
    try await folder.run("schema", "infer", "a", "--key", "Nr", "--file", "a.csv").exits(6).reports(
      "datactl: a.csv:3: Nr: ", "its values cannot be ids: 1 is null on line 3\n")
    let arguments = ["save", "a", "--infer", "--key", "Nr", "--file", "a.csv", "-o", "ids"]
    try await folder.run(arguments).exits(6).printsNothing().reports("a.csv:3: ")
    let run = try await folder.run(arguments + ["--skip-invalid", "--rejects", "z"]).exits(6)
      .prints("1\n2\n").reports("a_id: the primary key, from Nr\n", "2 records not saved")
    #expect(!run.errors.contains("unique"), "\(run.errors)")
  }

  @Test("rejects a later record that lacks the primary key inferred from the first records")
  func missingID() async throws {
    let folder = try CommandFolder()
    let text = (1...1_000).map { "{\"id\":\($0)}\n" }.joined() + "{}\n"
    try await folder.run("save", "rec", "--infer", input: .text(text)).exits(6).reports(
      "standard input:1001: rec_id: required\n  --infer used the first 1,000 records")
    try await folder.run("schema", "infer", "rec", input: .text(text)).exits(0).reports(
      "id: not usable as the primary key, since 1 record lacks it\n")
  }

  @Test("saves created_at and revision of the input as original_created_at and original_revision")
  func originalValues() async throws {
    let folder = try CommandFolder()
    let records = [
      #"{"id":"a","created_at":"2019-05-01","revision":7,"Modified_By":"ann"}"#,
      "id,created_at,revision,Modified_By\na,2019-05-01,7,ann\n",
    ]
    let note =
      "created_at, revision, Modified_By: save --infer keeps them as original_created_at, original_revision, "
      + "original_modified_by, since the store sets the system fields\n"
    try await folder.run("save", "todo", "--infer", "-o", "none", input: .text(records[0])).exits(0)
      .reports(note, "1 saved: 1 new\n")
    let values = """
      {"todo_id":"a","original_created_at":"2019-05-01","original_revision":7,\
      "original_modified_by":"ann"}

      """
    let fields = "original_created_at,original_revision,original_modified_by"
    try await folder.run("list", "todo", "--fields", fields).exits(0).prints(values)
    for record in records {
      let run = try await folder.run("save", "todo", "--infer", "-o", "none", input: .text(record))
        .exits(0)
      #expect(run.errors == "1 saved: 1 the same\n")
    }
    let listed = try await folder.run("list", "todo").exits(0)
    for options in [[], ["--infer"]] {
      let run = try await folder.run(
        ["save", "todo", "-o", "none"] + options, input: .bytes(listed.outputBytes)
      ).exits(0)
      #expect(run.errors == "1 saved: 1 the same\n")
    }
    try await folder.run("list", "todo", "--fields", fields).exits(0).prints(values)
    try await folder.run(
      "save", "kept", "--infer", "--keep-system-fields", "-o", "none",
      input: .text(#"{"id":"a","created_at":"2019-05-01","revision":7}"#)
    ).exits(0)
    try await folder.run("list", "kept", "--fields", "created_at,revision").exits(0).prints(
      "{\"kept_id\":\"a\",\"created_at\":\"2019-05-01T00:00:00.000Z\",\"revision\":7}\n")
  }

  @Test("ignores system fields such as created_at only in records that have all system fields")
  func mixedSystemFields() async throws {
    let folder = try CommandFolder()
    try await folder.prepare("schema", "create", "old", "x:integer")
    try await folder.prepare("save", "old", "a", "x=1")
    let listed = try await folder.run("list", "old").exits(0).output.replacing(
      "old_id", with: "thing_id")
    let text = listed + #"{"thing_id":"b","x":2,"created_at":"spring","revision":7}"#
    try await folder.run("save", "thing", "--infer", "-o", "none", input: .text(text)).exits(0)
      .reports(
        "left out of the 1 record with all these keys", "created_at, revision: save --infer keeps")
    try await folder.run("list", "thing", "--fields", "x,original_created_at,original_revision")
      .exits(0)
      .prints(
        """
        {"thing_id":"a","x":1,"original_created_at":null,"original_revision":null}
        {"thing_id":"b","x":2,"original_created_at":"spring","original_revision":7}

        """)
  }

  @Test(
    "rejects an outdated revision in list output even if the schema has a field original_revision")
  func listedRevision() async throws {
    let folder = try CommandFolder()
    try await folder.prepare(
      "schema", "create", "todo", "title:text", "original_revision:integer",
      "original_created_at:datetime")
    try await folder.prepare("save", "todo", "a", "title=x", "original_revision:=7")
    for format in ["ndjson", "csv"] {
      let listed = try await folder.run(
        "list", "todo", "--fields", "revision,created_at", "-o", format
      ).exits(0)
      for options in [[], format == "csv" ? [] : ["--deep"]] {
        let run = try await folder.run(
          ["save", "todo", "-o", "none"] + options, input: .bytes(listed.outputBytes)
        ).exits(0)
        #expect(run.errors == "1 saved: 1 the same\n")
      }
    }
    let old = try await folder.run("list", "todo", "--fields", "revision").exits(0)
    try await folder.prepare("save", "todo", "a", "title=y")
    try await folder.run("save", "todo", input: .bytes(old.outputBytes)).exits(5).reports(
      "revision 1")
    try await folder.run("list", "todo", "--fields", "original_revision,original_created_at").exits(
      0
    )
    .prints("{\"todo_id\":\"a\",\"original_revision\":7,\"original_created_at\":null}\n")
  }

  @Test("rejects the key created_at when it first occurs after the records used for inference")
  func lateOriginal() async throws {
    let folder = try CommandFolder()
    let text = (1...1_000).map { "{\"id\":\($0)}\n" }.joined()
    try await folder.run(
      "save", "todo", "--infer", input: .text(text + #"{"id":"z","created_at":"2019-05-01"}"#)
    ).exits(6).reports("standard input:1001: todo has no field created_at\n")
  }

  @Test("rejects options that cannot be combined with --infer")
  func rules() async throws {
    let folder = try CommandFolder()
    try await folder.run("save", "todo", "--infer", "title=x").exits(2).reports("--infer")
    try await folder.run("save", "todo", "--infer", "--commit-every", "5").exits(2).reports(
      "--commit-every")
    try await folder.run("save", "text", "--infer", input: .text("{\"a\":1}")).exits(6)
    #expect(try folder.files == [])
  }
}
