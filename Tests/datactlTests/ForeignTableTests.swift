import ProgramHarness
import Testing

@Suite("Tables of other programs")
struct ForeignTableTests {
  private func folder() async throws -> CommandFolder {
    let folder = try CommandFolder()
    try await folder.prepare(
      "schema", "create", "item", "title:text!", "price:number", "stock:integer", "sold:boolean",
      "due:date", "seen:datetime", "tags:text+", "sizes:integer+", "next:item+",
      "cost:decimal:10,2")
    try folder.write(
      "map.json",
      #"""
      {"map": "m", "format": "csv", "unknown": "ignore",
        "fields": {"item_id": "ID", "title": "T", "price": "P", "tags": "Tags", "due": "D"}}
      """#)
    return folder
  }

  /// Saves a text, and returns the records.
  private func saved(
    _ text: String, _ options: [String], fields: String, in folder: CommandFolder
  ) async throws -> String {
    try await folder.run(["save", "item", "-o", "none"] + options, input: .text(text)).exits(0)
    return try await folder.run("list", "item", "--fields", fields).exits(0).output
  }

  @Test("reads columns whose names are converted to those of fields, and reports them")
  func names() async throws {
    let folder = try CommandFolder()
    try await folder.prepare(
      "schema", "create", "package", "installed_size:integer", "pre_depends:text",
      "original_revision:text", "column_5:text")
    let text = "Package-ID,Installed-Size,Pre (Depends),Revision,2nd\na,5,x,7,y\n"
    let run = try await folder.run("save", "package", "-o", "csv", input: .text(text)).exits(0)
    #expect(run.output.contains("a,5,x,7,y,"))
    try run.reports(
      "Columns matched by their names: Package-ID → package_id, Installed-Size → installed_size, "
        + "Pre (Depends) → pre_depends, Revision → original_revision, 2nd → column_5\n1 saved")
    try await folder.run(
      "save", "package", input: .text("package_id,Installed-Size,installed_size\na,1,2\n")
    ).exits(6).reports("the columns Installed-Size and installed_size set the same field")
    try await folder.run("save", "package", input: .text("package_id,Size\na,1\n")).exits(6)
      .reports("package has no field Size")
    try await folder.run("save", "package", input: .text(#"{"Installed-Size":5}"#)).exits(6)
      .reports("package has no field Installed-Size")
    // A column that an option names is not converted.
    try await folder.run(
      "save", "package", "--rename", "Installed-Size=installed", input: .text(text)
    ).exits(6).reports("package has no field installed")
    try await folder.run(
      "save", "package", "--key", "Package", "-o", "ids", "--skip", "Installed-Size",
      input: .text("Package,Installed-Size\nb,x\n")
    ).exits(0).prints("b\n")
  }

  @Test("infers fields from names of columns that save reads")
  func inferredNames() async throws {
    let folder = try CommandFolder()
    let text =
      "\u{FEFF}ID,Installed-Size,Größe (cm),,3D,,Created At,place.lat\n"
      + "a,1,2,x,y,z,t,1\n"
    try folder.write("t.csv", text)
    let inferred = try await folder.run("schema", "infer", "thing", "t.csv").exits(0)
    for field in [
      "installed_size", "gr_e_cm", "column_4", "column_5", "column_6", "original_created_at",
      "place_lat",
    ] {
      #expect(inferred.output.contains("\"\(field)\""), "\(field)")
    }
    try inferred.reports("installed_size (Installed-Size)")
    try folder.write("thing.json", inferred.output)
    try await folder.prepare("schema", "apply", "thing.json")
    try await folder.run("save", "thing", "-f", "t.csv", "-o", "ids").exits(0).prints("a\n")
    try await folder.run("save", "other", "--infer", "-f", "t.csv", "-o", "none").exits(0)
      .reports("Schema other created: other_id id, installed_size integer, gr_e_cm integer")
    try await folder.run("save", "other", "--infer", "-f", "t.csv", "-o", "none").exits(0)
      .reports("1 saved: 1 the same")
    try await folder.run("schema", "infer", "x", input: .text("a b,a-b\n1,2\n")).exits(6)
      .reports("would get the same field name")
  }

  @Test("accepts rows that end early only with --ragged, and ignores empty cells beyond the header")
  func ragged() async throws {
    let folder = try await folder()
    try await folder.prepare("save", "item", "a", "title=old", "price=1", "stock=2")
    let text = "item_id,title,price,stock\na,new\nb,B,,,,\nc,C,3\n"
    try await folder.run("save", "item", input: .text(text)).exits(6)
      .reports(":2:1: item: expected 4 cells as in the header, found 2")
    #expect(
      try await saved(text, ["--ragged"], fields: "title,price,stock", in: folder) == """
        {"item_id":"a","title":"new","price":1,"stock":2}
        {"item_id":"b","title":"B","price":null,"stock":null}
        {"item_id":"c","title":"C","price":3,"stock":null}

        """)
    try await folder.run("save", "item", "--ragged", input: .text("item_id,title\nx,y,z\n"))
      .exits(6).reports("expected 2 cells as in the header, found 3")
    try await folder.run("save", "item", "--ragged", input: .text("title,item_id\nx\n"))
      .exits(6).reports("found 1\n  only cells after the id can be missing")
    try await folder.run("save", "item", "--ragged", input: .text("item_id,price,title\nx\n"))
      .exits(6).reports("title: required")
    try await folder.run(
      "save", "item", "--ragged", "--key", "title,stock", input: .text("title,stock\nx\n")
    ).exits(6)
    let inferred = try await folder.run("schema", "infer", "x", "--ragged", input: .text(text))
      .exits(0)
    #expect(inferred.output.contains(#""stock": {"type": "text"}"#), "\(inferred.output)")
    let mapped = "ID,T,P,X\na,mapped\nb,B,2,,\n"
    try await folder.run("save", "item", "--map", "map.json", input: .text(mapped)).exits(6)
    #expect(
      try await saved(
        mapped, ["--map", "map.json", "--ragged"], fields: "title,price", in: folder
      ).hasPrefix(#"{"item_id":"a","title":"mapped","price":1}"# + "\n"))
    try await folder.run(
      "save", "item", "--map", "map.json", "--ragged", input: .text("T,ID\nx\n")
    ).exits(6).reports("expected 2 cells as in the header, found 1")
  }

  @Test("skips lines that begin with --comment, and counts them")
  func comments() async throws {
    let folder = try await folder()
    let text = "# made by; x\n\n#\nitem_id,title,price\n# it's \"odd\na,A,1\n\"#b\",B,2\n#c,d"
    #expect(
      try await saved(text, ["--comment", "#"], fields: "title,price", in: folder) == """
        {"item_id":"#b","title":"B","price":2}
        {"item_id":"a","title":"A","price":1}

        """)
    try await folder.run(
      "save", "item", "--comment", "#", input: .text("#\nitem_id,title,price\n# x\na,A,x\n")
    ).exits(6).reports("standard input:4: price: expected number")
    try await folder.run(
      "save", "item", "--comment", "//", "-o", "ids",
      input: .text("// x\nitem_id\ttitle\n/a\tA\n//\n")
    ).exits(0).prints("/a\n")
    let inferred = try await folder.run(
      "schema", "infer", "x", "--comment", "#", input: .text(text))
    try inferred.exits(0).reports("x: 2 records")
    try await folder.run(
      "save", "item", "--map", "map.json", "--comment", "#", "-o", "ids",
      input: .text("#1\nID,T\n#2\nm,M\n")
    ).exits(0).prints("m\n")
    for comment in ["", "a\nb", "\""] {
      try await folder.run("save", "item", "--comment", comment, input: .text("x")).exits(2)
        .reports("--comment: expected a text")
    }
  }

  @Test("reads the elements of cells with --split-cells")
  func split() async throws {
    let folder = try await folder()
    let text = "item_id,title,Tags,sizes,next\na,A,x; y ;;z,1;2,\nb,B,,,a; b\nc,C,\"\",3,\n"
    let options = [
      "--split-cells", "Tags=;", "--split-cells", "sizes=;", "--split-cells", "next=;",
    ]
    #expect(
      try await saved(text, options, fields: "tags,sizes,next", in: folder) == """
        {"item_id":"a","tags":["x","y","z"],"sizes":[1,2],"next":[]}
        {"item_id":"b","tags":null,"sizes":null,"next":["a","b"]}
        {"item_id":"c","tags":[],"sizes":[3],"next":[]}

        """)
    try await folder.run(
      "save", "item", "--split-cells", "sizes=|", input: .text("item_id,title,sizes\na,A,1|x\n")
    ).exits(6).reports("sizes: expected integers, found text \"x\"")
    try await folder.run(
      "save", "item", "--split-cells", "title=;", input: .text("item_id,title\na,A\n")
    ).exits(2).reports("--split-cells: title is text, not a list")
    try await folder.run(
      "save", "item", "--split-cells", "x=;", input: .text("item_id,title\na,A\n")
    )
    .exits(6).reports("the input has no column or key \"x\"")
    for (split, message) in [("x", "expected COLUMN=SEPARATOR"), ("=;", "expected COLUMN")] {
      try await folder.run("save", "item", "--split-cells", split, input: .text("x")).exits(2)
        .reports(message)
    }
    let inferred = try await folder.run(
      "schema", "infer", "x", "--split-cells", "a==", "--split-cells", "b=\\t", "--split-cells",
      "c=, ",
      input: .text("a;b;c\n1=2;x\ty;\n3;007;\n"))
    try inferred.exits(0)
    for type in [
      #""a": {"type": "[integer]"}"#, #""b": {"type": "[text]"}"#, #""c": {"type": "[text]"}"#,
    ] {
      #expect(inferred.output.contains(type), "\(inferred.output)")
    }
    #expect(
      try await saved(
        "ID,T,Tags\na,A,p/q\n", ["--map", "map.json", "--split-cells", "Tags=/"], fields: "tags",
        in: folder
      ).hasPrefix(#"{"item_id":"a","tags":["p","q"]}"# + "\n"))
  }

  @Test("reads only the columns that --only, --key and --rename name")
  func only() async throws {
    let folder = try await folder()
    let text = "Name,code,x,price,y\nA,a,?,1,\n"
    #expect(
      try await saved(
        text, ["--only", "price", "--key", "code", "--rename", "Name=title"],
        fields: "title,price", in: folder)
        == #"{"item_id":"a","title":"A","price":1}"# + "\n")
    try await folder.run("save", "item", "--only", "a", "--skip", "b", input: .text("x")).exits(2)
      .reports("--skip", "--only")
    try await folder.run("save", "item", "--only", "prise", "--key", "code", input: .text(text))
      .exits(6).reports("no column or key \"prise\"", "did you mean \"price\"?")
    try await folder.run("save", "item", "--only", "a,,b", input: .text("x")).exits(2)
      .reports("--only: expected names")
    let inferred = try await folder.run(
      "schema", "infer", "x", "--only", "code,y", input: .text(text)
    )
    .exits(0)
    #expect(inferred.output.contains("code") && !inferred.output.contains("price"))
    try await folder.run(
      "save", "item", "--map", "map.json", "--only", "ID,T", "-o", "ids",
      input: .text("ID,T,P\nm,M,not a number\n")
    ).exits(0).prints("m\n")
    try await folder.run(
      "save", "item", "--map", "map.json", "--only", "ID,t", input: .text("ID,T\nm,M\n")
    ).exits(6).reports("the input has no column or key \"t\"")
    try await folder.run(
      "save", "item", "--skip", "", "-o", "ids", input: .text("item_id,title,\nz,Z,x\n")
    ).exits(0).prints("z\n")
  }

  @Test(
    "rejects the options for tables with JSON and XML, and with what reads no table",
    arguments: [["--ragged"], ["--comment", "#"], ["--split-cells", "a=;"], ["--only", "a"]])
  func otherInputs(option: [String]) async throws {
    let folder = try await folder()
    for command in [["save", "item"], ["schema", "infer", "item"]] {
      for (text, format) in [
        (#" {"item_id":"a"}"#, "JSON"), ("\u{FEFF}[]", "JSON"), ("<r><item/></r>", "XML"),
      ] {
        try await folder.run(command + option, input: .text(text)).exits(2).reports(
          "\(option[0]) is for CSV and TSV, but the input is \(format)",
          "if the input is CSV, pass --input csv")
      }
      try await folder.run(command + option + ["--input", "json"], input: .text("{}")).exits(2)
        .reports("\(option[0]) is for CSV, and cannot be used with --input json")
      try await folder.run(command + option + ["--map", "camel"], input: .text("{}")).exits(2)
        .reports("--map camel reads json: \(option[0]) cannot be used with it")
    }
    try await folder.run(["save", "item", "--deep"] + option, input: .text("{}")).exits(2)
    try await folder.run(["save", "item", "a", "title=x"] + option).exits(2)
    try await folder.run(["save", "item", "--files", "x"] + option).exits(2)
  }

  @Test("reads numbers with --decimal-mark, also if they look like JSON")
  func decimalMark() async throws {
    let folder = try await folder()
    let comma =
      "item_id;title;price;stock;cost;sizes\n"
      + "a;A;1.234,5;1.500;12,50;[1]\nb;B;1 234 567;7;1'000,00;\nc;C;-1,5e3;\u{00A0}\n"
    try await folder.run("save", "item", "--decimal-mark", ",", input: .text(comma)).exits(6)
    let text = comma.replacing(";\u{00A0}\n", with: ";-1.000;0;\n")
    #expect(
      try await saved(text, ["--decimal-mark", ","], fields: "price,stock,cost", in: folder) == """
        {"item_id":"a","price":1234.5,"stock":1500,"cost":12.50}
        {"item_id":"b","price":1234567,"stock":7,"cost":1000.00}
        {"item_id":"c","price":-1500,"stock":-1000,"cost":0.00}

        """)
    for number in ["1.5", "1,234,5", "12.34,5", ",5", "1..500", "1.50"] {
      try await folder.run(
        "save", "item", "--decimal-mark", ",", input: .text("item_id;title;price\na;A;\(number)\n")
      ).exits(6).reports("price: expected number, found text \"\(number)\"")
    }
    #expect(
      try await saved(
        #"[{"item_id":"a","price":"1,234.5","cost":"1 000.5"},{"item_id":"b","price":1.5}]"#,
        ["--decimal-mark", "."], fields: "price,cost", in: folder
      ).hasPrefix(
        #"{"item_id":"a","price":1234.5,"cost":1000.50}"# + "\n"
          + #"{"item_id":"b","price":1.5,"cost":1000.00}"# + "\n"))
    for (input, map) in [
      ("<records><item><item_id>a</item_id><price>1.500</price></item></records>", nil),
      ("ID;T;P\na;A;1.500\n", "map.json"),
    ] {
      #expect(
        try await saved(
          input,
          ["--decimal-mark", ","] + (map.map { ["--map", $0, "--delimiter", ";"] } ?? []),
          fields: "price", in: folder
        ).hasPrefix(#"{"item_id":"a","price":1500}"# + "\n"))
    }
    let inferred = try await folder.run(
      "schema", "infer", "x", "--decimal-mark", ",",
      input: .text("a;b;c;d\n1,50;1.000;1,5;1.5\n2.000,25;2;1.000;x\n"))
    try inferred.exits(0)
    for type in [
      #""a": {"type": "decimal", "digits": 12, "scale": 2}"#, #""b": {"type": "integer"}"#,
      #""c": {"type": "number"}"#, #""d": {"type": "text"}"#,
    ] {
      #expect(inferred.output.contains(type), "\(inferred.output)")
    }
  }

  @Test("reads dates in the order that --dates names")
  func dates() async throws {
    let folder = try await folder()
    let cases = [
      ("dmy", "3.4.2026"), ("dmy", "03/04/2026"), ("dmy", "3-04-2026"), ("mdy", "4/3/2026"),
      ("ymd", "2026/4/3"), ("ymd", "2026.04.03"), ("dmy", "2026-04-03"),
    ]
    for (order, date) in cases {
      let text = "item_id,title,due,seen\na,A,\(date),\(date)\nb,B,,\(date) 10:05Z\n"
      #expect(
        try await saved(text, ["--dates", order], fields: "due,seen", in: folder) == """
          {"item_id":"a","due":"2026-04-03","seen":"2026-04-03T00:00:00.000Z"}
          {"item_id":"b","due":null,"seen":"2026-04-03T10:05:00.000Z"}

          """, "\(order) \(date)")
    }
    for date in ["3.4.26", "31.4.2026", "3.4/2026", "4/30/2026", "3.4.2026 x", "3.4.2026 10:00Z"] {
      try await folder.run(
        "save", "item", "--dates", "dmy", input: .text("item_id,title,due\na,A,\(date)\n")
      ).exits(6).reports("due: ")
    }
    try await folder.run("save", "item", input: .text("item_id,title,due\na,A,3.4.2026\n"))
      .exits(6).reports("pass --dates dmy, mdy or ymd to save")
    let inferred = try await folder.run(
      "schema", "infer", "x", "--dates", "mdy", "--assume-zone", "UTC",
      input: .text("a,b,c\n4/30/2026,4/30/2026,30/4/2026\n,4/1/2026 10:00,\n"))
    try inferred.exits(0)
    for type in [
      #""a": {"type": "date"}"#, #""b": {"type": "datetime"}"#, #""c": {"type": "text"}"#,
    ] {
      #expect(inferred.output.contains(type), "\(inferred.output)")
    }
    try await folder.run(
      "save", "item", "--map", "map.json", "--dates", "dmy", "-o", "ids",
      input: .text("ID,T,D\nm,M,1.2.2026\n")
    ).exits(0).prints("m\n")
  }

  @Test("reads the words of --true and --false as booleans")
  func words() async throws {
    let folder = try await folder()
    let words = ["--true", "ja", "--true", "Wahr", "--false", "nein"]
    #expect(
      try await saved(
        "item_id,title,sold\na,A,JA\nb,B,Nein\nc,C,wahr\nd,D,yes\ne,E,\n", words, fields: "sold",
        in: folder) == """
          {"item_id":"a","sold":true}
          {"item_id":"b","sold":false}
          {"item_id":"c","sold":true}
          {"item_id":"d","sold":true}
          {"item_id":"e","sold":null}

          """)
    try await folder.run(
      "save", "item", "--true", "ja", input: .text("item_id,title,sold\na,A,nein")
    )
    .exits(6).reports("sold: expected true or false, found text \"nein\"")
    try await folder.run(["schema", "infer", "x"] + words, input: .text("a\nja\nnein\n1\n"))
      .exits(0).printsSomething().reports("boolean")
    for (option, word, other) in [
      ("--true", "No", "false"), ("--false", "1", "true"), ("--false", "JA", "true"),
    ] {
      try await folder.run(
        "save", "item", "--true", "ja", option, word, input: .text("x")
      ).exits(2).reports("\(option): \"\(word)\" also means \(other)")
    }
  }
}
