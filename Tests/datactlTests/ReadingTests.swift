import Foundation
import ProgramHarness
import Testing

@Suite("Reading tables and files of other programs")
struct ReadingTests {
  private func folder() async throws -> CommandFolder {
    let folder = try CommandFolder()
    try await folder.prepare(
      "schema", "create", "country", "name:text", "area:integer", "alpha_2:text",
      "seen:datetime", "place:geopoint", "member:boolean")
    return folder
  }

  /// Lists the names and the areas by id.
  private func list(_ folder: CommandFolder, _ fields: String = "name,area") async throws -> String
  {
    try await folder.run("list", "country", "--fields", fields, "-o", "csv").exits(0).output
      .replacing("\r\n", with: "\n")
  }

  @Test("saves TSV, and CSV whose cells are separated by semicolons or other characters")
  func separators() async throws {
    let folder = try await folder()
    try await folder.run(
      "save", "country", "-o", "none",
      input: .text("country_id\tname\tarea\nch\tSay \"Grüezi\", all\t41285\n")
    ).exits(0).reports("1 saved: 1 new\n")
    try await folder.run(
      "save", "country", "-o", "none", input: .text("country_id;name;area\r\nde;\"a;b\";2\r\n")
    ).exits(0)
    try await folder.run(
      "save", "country", "-o", "none", "--delimiter", "|",
      input: .text("country_id|name|area\nfr|{x}|3\n")
    ).exits(0)
    try await folder.run(
      "save", "country", "-o", "none", "--input", "tsv",
      input: .text("country_id\nit\n")
    ).exits(0)
    #expect(
      try await list(folder) == """
        country_id,name,area
        ch,"Say ""Grüezi"", all",41285
        de,a;b,2
        fr,{x},3
        it,,

        """)
    for delimiter in ["", "ab", "\"", "\n", "é"] {
      try await folder.run("save", "country", "--delimiter", delimiter, input: .text("x")).exits(2)
        .reports("--delimiter: expected one character of ASCII")
    }
    try await folder.run(
      "save", "country", "--delimiter", ";", "--input", "json", input: .text("{}")
    )
    .exits(2).reports("cannot be used with --input json")
    try await folder.run("save", "country", "--delimiter", ";", "--input", "tsv", input: .text("x"))
      .exits(2)
    try await folder.run("schema", "infer", "x", input: .text("a;b\n1;x\n")).exits(0).reports(
      "x: 1 record")
    try await folder.run(
      "schema", "infer", "x", "--delimiter", "\\t", input: .text("a\tb;c,d\n1\tx\n")
    )
    .exits(0).reports("b_c_d (b;c,d)")
  }

  @Test("takes the names of CSV columns from --header, or from the schema if --no-header is given")
  func headers() async throws {
    let folder = try await folder()
    try await folder.run(
      "save", "country", "--no-header", "-o", "none", input: .text("ch,Schweiz,1\nde,\"Land\",2\n")
    ).exits(0).reports("2 saved: 2 new\n")
    try await folder.run(
      "save", "country", "--header", "area,country_id", "-o", "none", input: .text("5;ch\n")
    ).exits(0)
    #expect(try await list(folder) == "country_id,name,area\nch,Schweiz,5\nde,Land,2\n")
    try await folder.run("save", "country", "--no-header", input: .text("ch,x\nde\n")).exits(6)
      .reports("standard input:2:1:", "expected 2 cells as in the first row, found 1")
    let inference = try await folder.run(
      "schema", "infer", "x", "--header", "a b", input: .text("1\n"))
    try inference.exits(0).reports("a_b (a b)")
    #expect(!inference.errors.contains("sed"))
    try await folder.run("save", "country", "--header", "a,,b", input: .text("x")).exits(2)
    try await folder.run("save", "country", "--header", "country_id,nam", input: .text("x,y"))
      .exits(6)
      .reports("did you mean name?")
    try await folder.run("save", "country", "--header", "a", "--no-header", input: .text("x"))
      .exits(2)
    try await folder.run(
      "save", "town", "--infer", "--header", "name,area", "-o", "none",
      input: .text("x,1\ny,2\n")
    ).exits(0)
    try await folder.run("list", "town", "--count").prints("2\n")
  }

  @Test("says how to repair a CSV row that has fewer cells than the header")
  func raggedRows() async throws {
    let folder = try await folder()
    try folder.write(
      "map.json",
      #"{"map": "m", "format": "csv", "fields": {"country_id": "country_id", "name": "name"}}"#)
    for command in [["save", "country"], ["schema", "infer", "x"]] {
      for options in [[], ["--map", "map.json"]] {
        let run = try await folder.run(
          command + options, input: .text("country_id,name\nch,Schweiz\nde\n"))
        try run.exits(6).reports(
          "expected 2 cells as in the header, found 1\n  add a separator for each missing cell at "
            + "the end of the row, or pass --ragged\n")
      }
    }
    let long = try await folder.run("save", "country", input: .text("country_id\nch,x\n")).exits(6)
    #expect(
      long.errors.hasSuffix("expected 1 cell as in the header, found 2\n"), "\(long.errors)")
  }

  @Test("saves input in encodings other than UTF-8, and input that is compressed with gzip")
  func encodings() async throws {
    let folder = try await folder()
    let text = "country_id,name\nch,Zürich €\n"
    let utf16: [UInt8] =
      [0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] as [UInt8] }
    let windows: [UInt8] =
      Array("country_id,name\nch,Z".utf8) + [0xFC] + Array("rich ".utf8) + [0x80, 0x0A]
    for (input, encoding) in [(utf16, "utf-16"), (windows, "windows-1252")] {
      try await folder.run(
        "save", "country", "-o", "none", "--encoding", encoding, input: .bytes(input)
      ).exits(0)
      #expect(try await list(folder, "name") == "country_id,name\nch,Zürich €\n")
      try await folder.prepare("delete", "country", "ch")
    }
    try await folder.run("save", "country", "-o", "none", input: .bytes(utf16)).exits(0)
    try await folder.run("save", "country", input: .bytes(windows)).exits(6).reports(
      "2:5", "invalid UTF-8\n", "pass it: --encoding windows-1252\n")
    try await folder.run(
      "save", "country", "--encoding", "windows-1252",
      input: .bytes(Array("country_id\na\n".utf8) + [0x81])
    ).exits(6).reports("standard input:3: the byte 0x81 is not a character of windows-1252")
    try await folder.run("save", "country", "--encoding", "ebcdic", input: .text("x")).exits(2)
    let xml = "<?xml version='1.0' encoding='ISO-8859-1'?><records><country country_id='x'><name>Z"
    try await folder.run(
      "save", "country", "-o", "none", "--encoding", "latin-1",
      input: .bytes(Array(xml.utf8) + [0xFC] + Array("</name></country></records>".utf8))
    ).exits(0)
    #expect(try await list(folder, "name").contains("x,Zü\n"))
  }

  @Test("renames and skips columns, and uses columns as ids with --key")
  func columns() async throws {
    let folder = try await folder()
    let csv = "Name,alpha_2,Area,flag\nSchweiz,CH,41285,x\nDeutschland,DE,3,\n"
    try await folder.run(
      "save", "country", "--key", "alpha_2", "--rename", "Name=name", "--rename", "Area=area",
      "--skip", "flag", "-o", "none", input: .text(csv)
    ).exits(0).reports("2 saved: 2 new\n")
    #expect(
      try await list(folder, "name,area,alpha_2")
        == "country_id,name,area,alpha_2\nCH,Schweiz,41285,CH\nDE,Deutschland,3,DE\n")
    try await folder.run(
      "save", "country", "--key", "alpha_2,Area", "--rename", "Name=name", "-o", "ids",
      "--skip", "Area", "--skip", "x",
      input: .text(#"{"alpha_2":"FR","Area":7,"Name":"x","x":[]}"#)
    ).exits(0).prints("FR:7\n")
    try await folder.run(
      "save", "country", "--key", "alpha", input: .text("alpha_2,name\nx,y\n")
    ).exits(6).reports(#"the input has no column or key "alpha""#, #"did you mean "alpha_2"?"#)
    try await folder.run("save", "country", "x", "--key", "name", input: .text("{}")).exits(2)
    try await folder.run("save", "country", "--rename", "name", input: .text("{}")).exits(2)
      .reports("--rename: expected COLUMN=FIELD, found \"name\"")
    try await folder.run(
      "save", "country", "--key", "name", input: .text("<r><country/></r>")
    ).exits(2).reports("the input is XML")
    try await folder.run(
      "save", "land", "--infer", "--key", "Code", "--rename", "Land name=name", "-o", "ids",
      input: .text("Code,Land name\na,A\nb,B\n")
    ).exits(0).prints("a\nb\n")
    try await folder.run(
      "schema", "infer", "x", "--key", "n", "--skip", "a b", input: .text("n,a b\n1,2\n1,3\n")
    )
    .exits(6).reports("\"1\" is repeated on line 3")
  }

  @Test("uses a column as the id with --key even if --skip names the same column")
  func keys() async throws {
    let folder = try await folder()
    for input in ["country_id,name\nx,A\ny,B\n", #"[{"country_id":"x"},{"country_id":"y"}]"#] {
      try await folder.run(
        "save", "country", "--key", "country_id", "--skip", "country_id", "-o", "ids",
        input: .text(input)
      ).exits(0).prints("x\ny\n")
    }
    try await folder.run(
      "save", "land", "--infer", "--key", "code", "--skip", "code", "-o", "ids",
      input: .text("code,name\na,A\nb,B\n")
    ).exits(0).prints("a\nb\n")
    try await folder.run("save", "country", "--key", "name,name", input: .text("{}")).exits(2)
      .reports(
        "--key: \"name\" is named twice")
    for value in ["true", "1.5", "{}"] {
      try await folder.run(
        "save", "country", "--key", "name", input: .text(#"{"name":\#(value)}"#)
      ).exits(6).reports(#"expected a part of the id in "name""#)
    }
    let unused = try await folder.run(
      "save", "country", "--rename", "name=alpha_2", input: .text(#"{"country_id":"x"}"#)
    ).exits(6).reports(#"the input has no column or key "name""#)
    #expect(!unused.errors.contains("did you mean"))
  }

  @Test("suggests --encoding if the input contains NUL bytes, as in UTF-16")
  func unmarkedUTF16() async throws {
    let folder = try CommandFolder()
    try await folder.prepare("schema", "create", "t", "name:text")
    let bytes = Array("t_id,name\na,x\n".utf8).flatMap { [$0, UInt8(0)] }
    try await folder.run("save", "t", input: .bytes(bytes)).exits(6).reports("--encoding utf-16le")
    try await folder.run("save", "t", "--encoding", "utf-16le", "-o", "ids", input: .bytes(bytes))
      .exits(0).prints("a\n")
  }

  @Test("accepts 1'234 as a number in arrays and in schema inference only with --lenient")
  func lenientArrays() async throws {
    let folder = try CommandFolder()
    try await folder.prepare(
      "schema", "create", "t", "flags:[boolean]", "times:[datetime]", "numbers:[number]",
      "counts:[integer]", "flag:boolean", "n:number", "at:datetime")
    let record = """
      {"t_id":"a","flags":["yes",0],"times":[1700000000,"2026-12-24 10:00Z"],
       "numbers":["1'234.5"],"counts":["1'000"]}
      """
    try await folder.run("save", "t", input: .text(record)).exits(6)
    try await folder.run("save", "t", "--lenient", "-o", "none", input: .text(record)).exits(0)
    try await folder.run("get", "t", "a", "--fields", "flags,times,numbers,counts").prints(
      """
      {"t_id":"a","flags":[true,false],\
      "times":["2023-11-14T22:13:20.000Z","2026-12-24T10:00:00.000Z"],"numbers":[1234.5],\
      "counts":[1000]}

      """)
    for value in [#""flag":"yes""#, #""n":"1'234.5""#, #""at":"2026-12-24 10:00Z""#] {
      try await folder.run("save", "t", input: .text("{\(value)}")).exits(6).reports("--lenient")
    }
    let csv = "id,ok,sum,at,code,name\n1,yes,1'234,2026-12-24 10:00Z,007,no\n2,no,5,,008,x\n"
    let types = #""ok": {"type": "boolean"}"#
    let inferred = try await folder.run("schema", "infer", "u", "--lenient", input: .text(csv))
      .exits(0)
    #expect(inferred.output.contains(types), "\(inferred.output)")
    #expect(inferred.output.contains(#""sum": {"type": "integer"}"#))
    #expect(inferred.output.contains(#""at": {"type": "datetime"}"#))
    #expect(inferred.output.contains(#""code": {"type": "text"}"#))
    #expect(inferred.output.contains(#""name": {"type": "text"}"#))
    let plain = try await folder.run("schema", "infer", "u", input: .text(csv)).exits(0)
    #expect(plain.output.contains(#""ok": {"type": "text"}"#))
    try await folder.run("save", "u", "--infer", "--lenient", "-o", "none", input: .text(csv))
      .exits(0)
    try await folder.run("get", "u", "1", "--fields", "ok,sum,at").prints(
      #"{"u_id":"1","ok":true,"sum":1234,"at":"2026-12-24T10:00:00.000Z"}"# + "\n")
    try await folder.run("schema", "infer", "v", "--no-header", input: .text("a,1\nb,2\n")).exits(0)
      .reports("column_1", "column_2")
  }

  @Test("reads a geopoint as JSON or as LAT,LON in every format, argument and parameter")
  func placeNotations() async throws {
    let folder = try CommandFolder()
    try await folder.prepare("schema", "create", "p", "place:geopoint")
    let json = #"{"lat": 47.37, "lon": 8.54}"#
    try await folder.prepare("save", "p", "a", "place=" + json)
    try await folder.prepare("save", "p", "b", "place=47.37,8.54")
    for (id, text) in [("c", " 47.37,8.54 "), ("d", json)] {
      try await folder.run(
        "save", "p", "-o", "none",
        input: .text("<records><p p_id='\(id)'><place>\(text)</place></p></records>")
      ).exits(0)
    }
    #expect(try await folder.ids("p", "place=" + json) == "a b c d")
    for parameter in ["p=" + json, "p=47.37,8.54", "p:=" + json, #"p:="47.37,8.54""#] {
      #expect(
        try await folder.ids("p", "--where", "place within 1 m of :p", "--param", parameter)
          == "a b c d")
    }
    for text in ["{", "{}", "97,8", "x", #"{"lat":1,"lon":2,"x":3}"#] {
      try await folder.run("save", "p", "e", "place=" + text).exits(6).printsNothing()
      try await folder.run("list", "p", "place=" + text).exits(6).printsNothing()
      try await folder.run(
        "save", "p", input: .text("<records><p><place>\(text)</place></p></records>")
      ).exits(6).reports("place")
    }
  }

  @Test("accepts 1'234 as a number only with --lenient, and local times only with --assume-zone")
  func values() async throws {
    let folder = try await folder()
    let csv = "country_id,area,seen,member\na,1'234,2026-12-24 10:00,yes\n"
    try await folder.run("save", "country", input: .text(csv)).exits(6)
    try await folder.run("save", "country", "--lenient", input: .text(csv)).exits(6)
      .reports("the datetime has no UTC offset", "--assume-zone")
    try await folder.run(
      "save", "country", "--lenient", "--assume-zone", "Europe/Zurich", "-o", "none",
      input: .text(csv)
    ).exits(0)
    #expect(
      try await list(folder, "area,seen,member")
        == "country_id,area,seen,member\na,1234,2026-12-24T09:00:00.000Z,true\n")
    try await folder.run(
      "save", "country", "b", "seen=2026-03-29T02:30:00", "--assume-zone", "Europe/Zurich"
    ).exits(6).reports("clocks in Europe/Zurich skip this time")
    try await folder.run(
      "save", "visit", "--infer", "--assume-zone", "Europe/Zurich", "-o", "none",
      input: .text("at\n2026-12-24 10:00:00\n2026-12-24T10:00:00Z\n")
    ).exits(0).reports("at datetime")
    for zone in ["", "Europe/Zuric", "/etc/passwd", "../zoneinfo/UTC", "Europe", "zone.tab"] {
      try await folder.run("save", "country", "b", "name=x", "--assume-zone", zone).exits(2)
        .reports("--assume-zone: unknown time zone")
    }
  }

  @Test("restores geopoints from list output with latitude and longitude in two columns")
  func places() async throws {
    let folder = try await folder()
    try await folder.prepare("save", "country", "a", "place=47.37,8.54")
    try await folder.prepare("save", "country", "b", "name=x")
    let stored = try await folder.run("list", "country").output
    for format in ["csv", "json", "ndjson"] {
      let output = try await folder.run(
        "list", "country", "--fields", "place.lat,place.lon", "-o", format
      ).exits(0).output
      try await folder.run("save", "country", "-o", "none", input: .text(output)).exits(0)
        .reports("2 saved: 2 the same\n")
    }
    #expect(try await folder.run("list", "country").output == stored)
    try await folder.run(
      "save", "country", "-o", "ids", input: .text("country_id,place\nc,\"1,2\"\n")
    )
    .exits(0)
  }

  @Test("reads several files, each in its own format, and names the file of each error")
  func severalFiles() async throws {
    let folder = try await folder()
    try FileManager.default.createDirectory(
      atPath: folder.path("in"), withIntermediateDirectories: true)
    try folder.write("in/b.csv", "country_id,name\nb,B\n")
    try folder.write("in/a.csv", "country_id;name\na;A\n")
    try folder.write("in/.hidden.csv", "nonsense")
    try folder.write("c.json", #"[{"country_id":"c","name":"C"}]"#)
    try folder.write("x*.xml", "<records><country country_id='x'/></records>")
    try await folder.run(
      "save", "country", "--file", "c.json", "--file", "in/*.csv", "-f", "x*.xml", "-o", "ids"
    ).exits(0).prints("c\na\nb\nx\n")
    try folder.write("in/b.csv", "country_id,area\n\nb,B\n")
    try folder.write("c.json", #"[{"country_id":"c","area":"C"}]"#)
    try await folder.run("save", "country", "--file", "c.json", "--file", "in/?.csv").exits(6)
      .reports("datactl: c.json:1: area: ", "in/b.csv:3: area: ")
    try await folder.run("save", "country", "--file", "in/*.tsv").exits(3)
      .reports("in/*.tsv: no file matches the pattern")
    try await folder.run("save", "country", "--file", "in/a.csv", "--file", "missing").exits(3)
      .reports("missing: ")
    try await folder.run("save", "country", "--file", "-", "--file", "-", input: .text("{}")).exits(
      2)
    try await folder.run("save", "country", "k", "--file", "in/*.csv").exits(2)
    try await folder.prepare("schema", "create", "flag", "country:country!")
    try folder.write("f.ndjson", "{\"country\":\"a\"}\n")
    try folder.write("g.ndjson", "{\"country\":\"a\"}\n{\"country\":\"nowhere\"}\n")
    try await folder.run("save", "flag", "--file", "?.ndjson").exits(6).reports(
      "g.ndjson:2: country: ")
  }

  @Test("restores with get --into the files that save --files has saved")
  func contents() async throws {
    let folder = try CommandFolder()
    try await folder.prepare("schema", "create", "photo", "data:file", "note:text")
    try FileManager.default.createDirectory(
      atPath: folder.path("img"), withIntermediateDirectories: true)
    for name in ["a.jpg", "b.jpg", ".c.jpg", "ü %.jpg"] { try folder.write("img/\(name)", name) }
    try await folder.run(
      "save", "photo", "--files", "img/*.jpg", "--files", "img/.c.jpg", "-o", "none"
    ).exits(0).reports("4 saved: 4 new\n")
    try await folder.run("save", "photo", "--files", "img/*.jpg", "--field", "data", "-o", "none")
      .exits(0).reports("3 saved: 3 the same\n")
    try folder.write("target", "unchanged")
    try FileManager.default.createDirectory(
      atPath: folder.path("out"), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("out/a.jpg"), withDestinationPath: "../target")
    let ids = try await folder.prepare("list", "photo", "-o", "ids")
    try await folder.run(
      "get", "photo", "-", "--content", "data", "--into", "out", input: .bytes(ids.outputBytes)
    ).exits(0).reports("4 files written\n")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path("out")).sorted()
        == ["%2Ec.jpg", "%C3%BC%20%25.jpg", "a.jpg", "b.jpg"])
    #expect(try folder.bytes("out/a.jpg") == Array("a.jpg".utf8))
    #expect(try folder.bytes("out/%C3%BC%20%25.jpg") == Array("ü %.jpg".utf8))
    #expect(try folder.bytes("target") == Array("unchanged".utf8))
    try await folder.prepare("save", "photo", "empty", "note=x")
    try await folder.run(
      "get", "photo", "x", "empty", "b.jpg", "--content", "data", "--into", "new"
    )
    .exits(3).reports("the record has no file in data", "there is no such record")
    #expect(try folder.bytes("new/b.jpg") == Array("b.jpg".utf8))
    try await folder.run("get", "photo", "a", "b", "--content", "data").exits(2).reports(
      "--into FOLDER")
    try await folder.run("get", "photo", "a", "--into", "out").exits(2)
    try await folder.run("save", "photo", "--files", "img/a.jpg", "--files", "./img/a.jpg").exits(6)
      .reports("another file has the same name")
    try await folder.run("save", "photo", "--files", "img/*.png").exits(3)
    try await folder.run("save", "photo", "--files", "img/*.jpg", "--field", "note").exits(2)
    try await folder.run("save", "photo", "--files", "img").exits(7)
  }
}
