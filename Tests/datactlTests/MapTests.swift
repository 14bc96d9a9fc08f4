import Foundation
import ProgramHarness
import TestSupport
import Testing

@Suite("Maps")
struct MapTests {
  /// A document in `Cases/Maps`, and the map and the schema of its records.
  struct Document: CustomStringConvertible, Sendable {
    let name: String
    let schema: String
    /// The name of a built-in map, or nil for the map in the folder of the document.
    var builtIn: String?
    /// Whether the document is XML.
    var isXML = false

    var description: String { [name, builtIn].compactMap(\.self).joined(separator: ", ") }
  }

  static let documents = [
    Document(name: "camel", schema: "plant"), Document(name: "pascal", schema: "sensor"),
    Document(name: "camel", schema: "plant", builtIn: "camel"),
    Document(name: "pascal", schema: "sensor", builtIn: "pascal"),
    Document(name: "stackmob", schema: "game"),
    Document(name: "stackmob", schema: "game", builtIn: "stackmob"),
    Document(name: "stackmob-export", schema: "superpower"),
    Document(name: "telerik", schema: "book"), Document(name: "backendless", schema: "person"),
    Document(name: "liquid", schema: "account"),
    Document(name: "liquid", schema: "account", builtIn: "liquid"),
    Document(name: "geojson", schema: "stop"),
    Document(name: "geojson-place", schema: "stop", builtIn: "geojson"),
    Document(name: "podcast", schema: "episode", isXML: true),
    Document(name: "atom", schema: "entry", isXML: true),
    Document(name: "mime", schema: "media_type", isXML: true),
  ]

  private static let cases = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "CommandTests/Cases/Maps")

  private static func folder(_ document: Document) async throws -> CommandFolder {
    let folder = try CommandFolder()
    let source = cases.appending(path: document.name)
    for name in try FileManager.default.contentsOfDirectory(atPath: source.path) {
      try FileManager.default.copyItem(
        at: source.appending(path: name), to: URL(filePath: folder.path(name)))
    }
    try await folder.prepare("schema", "apply", "schemas.json")
    return folder
  }

  /// Returns the records of a schema without their system fields.
  private static func records(_ schema: String, in folder: CommandFolder) async throws -> String {
    try await folder.run("list", schema).exits(0).output.split(separator: "\n").map { line in
      "\(line[..<(line.range(of: ",\"created_at\":")?.lowerBound ?? line.endIndex)])}\n"
    }.joined()
  }

  @Test("reads LDPlatform items with further headers")
  func liquidHeaders() async throws {
    let folder = try CommandFolder()
    let item = #"""
      {"headers": {"category": "/Function", "id": "8a1", "clientId": "c1", "created": 1},
       "data": {"functionId": "AccountsByType", "function": "{\"tableAlias\": \"t\"}",
         "functionType": "/Function/functionType[SQLiteQuery]", "order": 0.0}}
      """#
    for _ in 1...2 {
      try await folder.run(
        ["save", "task", "--infer", "--map", "liquid", "-o", "none"], input: .text(item)
      ).exits(0)
    }
    try await folder.run("list", "task", "--fields", "h_id,h_client_id,function_id", "-o", "csv")
      .exits(0).reportsNothing()
    let printed = try await folder.run("list", "task", "--map", "liquid").exits(0).output
    #expect(printed.contains(#""headers":{"id":"8a1","clientId":"c1"}"#))
    try await folder.run(
      ["save", "task", "--map", "liquid"], input: .text(#"{"headers":{},"data":{"b":1}}"#)
    ).exits(6).reports("$.data.b: no field of task")
    // A schema without the ids of the headers ignores them.
    try await folder.prepare("schema", "create", "bare", "name:text")
    try await folder.run(
      ["save", "bare", "--map", "liquid", "-o", "none"],
      input: .text(#"{"headers":{"id":"a","category":"b"},"data":{"name":"x"}}"#)
    ).exits(0)
  }

  @Test("writes the class and whole milliseconds to Backendless")
  func backendlessObjects() async throws {
    let folder = try CommandFolder()
    try await folder.prepare("schema", "create", "blog_post", "at:datetime")
    for (id, time) in [("a", "2026-11-20T12:00:00.123999Z"), ("b", "1969-12-31T23:59:59.9995Z")] {
      try await folder.prepare("save", "blog_post", id, "at=\(time)")
    }
    let output = try await folder.run("list", "blog_post", "--map", "backendless").exits(0).output
    #expect(output.contains(#""___class":"BlogPost""#))
    #expect(output.contains(#""at":1795176000123,"#) && output.contains(#""at":-1,"#), "\(output)")
    #expect(output.firstMatch(of: /"created":[0-9]+,"updated":[0-9]+,/) != nil, "\(output)")
    try await folder.run(
      ["save", "blog_post", "--map", "backendless", "-o", "none"], input: .text(output)
    ).exits(0)
  }

  @Test("infers json for XML elements that have only attributes")
  func attributesOnly() async throws {
    let folder = try CommandFolder()
    try folder.write(
      "feed.xml",
      """
      <feed><entry id="1"><link href="a" rel="x"/><title lang="en">t</title></entry>
      <entry id="2"><link href="b"/><title>u</title></entry></feed>
      """)
    try folder.write(
      "map.json",
      """
      {"map": "feed", "format": "xml", "records": "/feed/entry", "system": {}, "unknown": "ignore",
       "fields": {"$key": "@id", "link": "link", "title": "title"}}
      """)
    let run = try await folder.run(
      "save", "entry", "--infer", "--map", "map.json", "--file", "feed.xml"
    ).exits(0)
    #expect(run.output.hasPrefix(#"{"entry_id":"1","link":{"@href":"a","@rel":"x"},"title":"t","#))
    #expect(run.errors.contains("link json, title text"))
  }

  @Test("reads RFC 2822 dates with zones, comments and years of two or three digits")
  func mailDates() async throws {
    let folder = try CommandFolder()
    try await folder.prepare("schema", "create", "mail", "at:datetime")
    try folder.write(
      "map.json",
      #"{"map": "m", "fields": {"mail_id": "id", "at": {"at": "date", "as": "rfc2822"}}}"#)
    let dates = [
      ("Fri, 20 Nov 2026 03:05:09 +0130", "2026-11-20T01:35:09.000Z"),
      ("1 Jan 49 00:00 GMT", "2049-01-01T00:00:00.000Z"),
      ("31 Dec 50 23:59:59 EST (New York)", "1951-01-01T04:59:59.000Z"),
      ("29 Feb 00 12:00 -0000", "2000-02-29T12:00:00.000Z"),
      ("1 Jul 126 00:00 PDT", "2026-07-01T07:00:00.000Z"),
    ]
    let input = dates.enumerated().map { #"{"id":"\#($0)","date":"\#($1.0)"}"# + "\n" }.joined()
    try await folder.run("save", "mail", "--map", "map.json", "-o", "none", input: .text(input))
      .exits(0)
    let expected = dates.enumerated().map { #"{"mail_id":"\#($0)","at":"\#($1.1)"}"# + "\n" }
    try await folder.run("list", "mail", "--fields", "at").prints(expected.joined())
  }

  @Test(
    "reads each sample document, writes the records again, and reads the same records back",
    arguments: documents)
  func document(document: Document) async throws {
    let folder = try await Self.folder(document)
    let map = document.builtIn ?? "map.json"
    let file = document.isXML ? "document.xml" : "document.json"
    try await folder.run(
      "save", document.schema, "--map", map, "--file", file, "-o", "none"
    ).exits(0)
    let expected = try folder.files.filter { $0.hasSuffix("expected.ndjson") }
    for name in expected {
      let schema =
        name == "expected.ndjson"
        ? document.schema : String(name.dropLast(".expected.ndjson".count))
      #expect(
        try await Self.records(schema, in: folder)
          == String(decoding: folder.bytes(name), as: UTF8.self), "\(schema)")
    }
    let written = try await folder.run("list", document.schema, "--map", map).exits(0).output
    let again = try await folder.run(
      "save", document.schema, "--map", map, "-o", "none", input: .text(written)
    ).exits(0).errors
    #expect(!again.contains("new") && !again.contains("changed"), "\(again)")
    let copy = try await Self.folder(document)
    try await copy.run(
      "save", document.schema, "--map", map, "--keep-system-fields", "-o", "none",
      input: .text(written)
    ).exits(0)
    #expect(try await copy.run("list", document.schema, "--map", map).exits(0).output == written)
  }

  @Test("a map that reads missing values as null does not change missing system fields")
  func missingSystemFields() async throws {
    let folder = try CommandFolder()
    try await folder.prepare("schema", "create", "line", "text:text", "note:text")
    try await folder.prepare("save", "line", "z", "note=old")
    try folder.write("q.json", #"{"map": "q", "names": "camel", "missing": "null"}"#)
    try await folder.run(
      "save", "line", "--map", "q.json", input: .text(#"{"lineID":"z","text":"new"}"#)
    ).exits(0)
    try await folder.run("get", "line", "z", "--fields", "text,note,revision").prints(
      #"{"line_id":"z","text":"new","note":null,"revision":2}"# + "\n")
  }

  @Test("reports the line and the path in the document when a value is invalid")
  func location() async throws {
    let folder = try await Self.folder(
      Document(name: "podcast", schema: "episode"))
    try await folder.run(
      "save", "episode", "--map", "map.json", "--file", "invalid.xml"
    ).exits(6).reports(
      "datactl: invalid.xml:14: /rss/channel/item[3]/pubDate: expected a date, found \"soon\"")
    let error = try await folder.run(
      "save", "episode", "--map", "map.json", "--file", "invalid.xml", "--errors", "json"
    ).exits(6).errors
    #expect(error.contains(#""field":"published","file":"invalid.xml","line":14,"column":null"#))
    #expect(error.contains(#""path":"/rss/channel/item[3]/pubDate""#))
    try await folder.run("list", "episode", "--count").prints("0\n")
  }

  @Test("reports the line and the path in the document when a nested value or a key is invalid")
  func laterLocations() async throws {
    let folder = try CommandFolder()
    try await folder.prepare("schema", "create", "step", "text:text!", "minutes:integer")
    try await folder.prepare("schema", "create", "todo", "title:text!", "steps:step+", "code:text")
    try folder.write(
      "map.json",
      """
      {"map": "m", "schema": "todo", "records": "Result", "names": "pascal", "fields": {
        "steps": {"at": "Steps[]", "fields": {"text": "T", "minutes": "M"}}}}
      """)
    let run = try await folder.run(
      "save", "todo", "--map", "map.json", "-o", "none",
      input: .text(
        """
        {"Count": 2, "Result": [
          {"TodoID": "a", "Title": "A", "Steps": [{"T": "x"}, {"T": "y",
            "M": "soon"}]},
          {"TodoID": "b", "Colour": 1, "Steps": [{"M": 3}]}
        ]}
        """)
    ).exits(6)
    for line in [
      "standard input:3: $.Result[0].Steps[1].M: expected integer, found text \"soon\"",
      "standard input:4: $.Result[1].Colour: no field of todo is mapped to the key \"Colour\"",
    ] {
      #expect(run.errors.contains(line), "\(run.errors)")
    }
    #expect(try await folder.run("list", "todo", "--count").output == "0\n")
    try await folder.run(
      "save", "todo", "--map", "map.json", input: .text("{\"Items\": []}")
    ).exits(6).reports(
      "datactl: standard input:1: todo: no Result in the input, where the map expects the records")
    try await folder.run("save", "todo", "--map", "map.json", input: .text("[{\"Items\": []}]"))
      .exits(6).reports(
        "datactl: standard input:1: $[0].Items: no field of todo is mapped to the key \"Items\"")
    try await folder.run("save", "todo", "--map", "map.json", input: .text("{\"Result\": [{]}"))
      .exits(6)
      .reports("datactl: standard input:1:14: todo: expected a key in double quotes")
  }

  @Test("derives the ids of nested records from the generated id of the outer record")
  func generatedIDs() async throws {
    let folder = try CommandFolder()
    try await folder.prepare("schema", "create", "part", "name:text")
    try await folder.prepare("schema", "create", "line", "label:text", "part:part")
    try await folder.prepare("schema", "create", "customer", "name:text", "lines:line+")
    try folder.write(
      "map.json",
      """
      {"map": "book", "schema": "customer", "fields": {"customer_id": "id", "name": "name",
        "lines": {"at": "lines[]", "fields": {"label": "l",
          "part": {"at": "p", "fields": {"name": "n"}}}}}}
      """)
    let document = #"{"name":"Ann","lines":[{"l":"a"},{"p":{"n":"x"}}]}"#
    for options in [[], ["--skip-invalid"]] {
      let run = try await folder.run(
        ["save", "customer", "--map", "map.json", "-o", "ids"] + options, input: .text(document)
      ).exits(0)
      #expect(run.errors == "1 saved: 1 new (and 3 nested: 3 new)\n")
      let id = run.output.dropLast()
      try await folder.run("get", "customer", "\(id)", "--fields", "lines").exits(0).prints(
        "{\"customer_id\":\"\(id)\",\"lines\":[\"\(id).lines.0\",\"\(id).lines.1\"]}\n")
      try await folder.run("get", "line", "\(id).lines.1", "--fields", "part").exits(0).prints(
        "{\"line_id\":\"\(id).lines.1\",\"part\":\"\(id).lines.1.part.0\"}\n")
    }
    let copy = try await folder.run("list", "customer", "--map", "map.json").exits(0).output
    let again = try await folder.run(
      "save", "customer", "--map", "map.json", "-o", "none", input: .text(copy)
    ).exits(0)
    #expect(again.errors == "2 saved: 2 the same (and 6 nested: 6 the same)\n")
  }

  @Test("writes no enclosing XML element, such as `tags`, for an empty list")
  func emptyLists() async throws {
    let folder = try CommandFolder()
    try await folder.prepare("schema", "create", "chapter", "title:text")
    try await folder.prepare("schema", "create", "episode", "tags:text+", "chapters:chapter+")
    try folder.write(
      "map.json",
      """
      {"map": "m", "format": "xml", "records": "/r/e", "fields": {"$key": "@id",
        "tags": "{urn:t}tags/tag[]",
        "chapters": {"at": "{urn:t}all/chapter[]", "fields": {"title": "@title"}}}}
      """)
    try await folder.prepare(
      "save", "episode", input: .text(#"{"episode_id":"a","tags":[],"chapters":[]}"#))
    let document = try await folder.run("list", "episode", "--map", "map.json").exits(0).output
    #expect(document.hasSuffix("<e id=\"a\"/>\n</r>\n"), "\(document)")
    try await folder.run(
      "save", "episode", "--map", "map.json", "-o", "none", input: .text(document)
    )
    .exits(0).reports("1 saved: 1 the same")
  }

  @Test("writes even a single record as a list if the map requires one, such as GeoJSON features")
  func singleRecords() async throws {
    let folder = try CommandFolder()
    try await folder.prepare("schema", "create", "peak", "name:text", "place:geopoint")
    try await folder.prepare("schema", "create", "flat", "name:text")
    try await folder.prepare("save", "peak", "a", "name=x", "place=47,8")
    try await folder.prepare("save", "peak", "b", "name=y")
    try await folder.prepare("save", "flat", "c", "name=z")
    for (schema, id, feature) in [
      (
        "peak", "a",
        #"{"type":"Feature","id":"a","geometry":{"type":"Point","coordinates":[8,47]},"#
          + #""properties":{"name":"x"}}"#
      ),
      ("peak", "b", #"{"type":"Feature","id":"b","geometry":null,"properties":{"name":"y"}}"#),
      ("flat", "c", #"{"type":"Feature","id":"c","properties":{"name":"z"},"geometry":null}"#),
    ] {
      let document = try await folder.run("get", schema, id, "--map", "geojson").exits(0).prints(
        "{\"type\":\"FeatureCollection\",\"features\":[\n\(feature)\n]}\n"
      ).output
      try await folder.run("save", schema, "--map", "geojson", "-o", "none", input: .text(document))
        .exits(0).reports("1 saved: 1 the same")
    }
    try folder.write(
      "map.json", #"{"map": "m", "records": "[]", "fields": {"$key": "id", "name": "n"}}"#)
    for command in [["get", "flat", "c"], ["list", "flat"]] {
      try await folder.run(command + ["--map", "map.json"]).exits(0).prints(
        "[\n{\"id\":\"c\",\"n\":\"z\"}\n]\n")
    }
  }

  @Test("derives the ids of nested records, such as ann.lines.0, from their positions")
  func entries() async throws {
    let folder = try CommandFolder()
    try await folder.prepare("schema", "create", "line", "label:text!", "number:text!")
    try await folder.prepare("schema", "create", "customer", "name:text!", "lines:line+")
    try folder.write(
      "map.json",
      """
      {"map": "book", "schema": "customer", "fields": {"customer_id": "id", "name": "name",
        "lines": {"at": "lines{}", "fields": {"label": "{}key", "number": "nr"}}}}
      """)
    let text = #"{"id":"ann","name":"Ann","lines":{"home":{"nr":"1"},"work":{"nr":"2"}}}"# + "\n"
    try await folder.run(
      "save", "customer", "--map", "map.json", "-o", "none", input: .text(text)
    ).exits(0).reports("1 saved: 1 new (and 2 nested: 2 new)")
    try await folder.run("get", "customer", "ann", "--map", "map.json").exits(0).prints(text)
    try await folder.run("list", "line", "-o", "ids").prints("ann.lines.0\nann.lines.1\n")
    try await folder.run(
      "save", "customer", "--map", "map.json", "-o", "none",
      input: .text(#"{"id":"bob","name":"Bob","lines":{"home":{"nr":1}}}"#)
    ).exits(6).reports(
      "datactl: standard input:1: $.lines.home.nr: expected text, found number 1")
    try await folder.run(
      "save", "customer", "--map", "map.json", "-o", "none",
      input: .text(
        """
        {"id":"bob","name":"Bob","lines":{"home":{"nr":"1"},"work":{"nr":"2"},
          "home":{"nr":"3"}}}
        """)
    ).exits(6).reports(
      "datactl: standard input:2: $.lines.home: given twice, first in line 1")
    try await folder.prepare("save", "customer", "ann", "lines-=ann.lines.0", "-o", "none")
    try await folder.run("get", "customer", "ann", "--map", "map.json").exits(6).reports(
      """
      datactl: customer.lines: the map has no path for the id "ann.lines.1" of a nested record, in \
      the record "ann"
        add "$key" to the fields of lines in the map
      """)
  }

  @Test("saves unmapped values in a json field, and adds the constants that the map declares")
  func rest() async throws {
    let folder = try CommandFolder()
    try await folder.prepare("schema", "create", "item", "title:text", "rest:json", "source:text")
    try folder.write(
      "map.json",
      """
      {"map": "m", "fields": {"$key": "id", "title": "a.title", "rest": "*",
        "source": {"constant": "feed"}}, "extra": {"kind": "item", "old": null},
        "nulls": "omit", "missing": "null"}
      """)
    let text = #"{"kind":"item","id":"1","a":{"title":"T","b":[1]},"c":{"d":null}}"# + "\n"
    try await folder.run(
      "save", "item", "--map", "map.json", "-o", "none",
      input: .text(text + #"{"id":"2","old":5}"#)
    ).exits(0)
    try await folder.run("list", "item", "--fields", "title,rest,source").prints(
      """
      {"item_id":"1","title":"T","rest":{"a":{"b":[1]},"c":{"d":null}},"source":"feed"}
      {"item_id":"2","title":null,"rest":{},"source":"feed"}

      """)
    try await folder.run("list", "item", "--map", "map.json").prints(
      text + #"{"kind":"item","id":"2"}"# + "\n")
  }

  @Test(
    "reads and writes CSV with the column names, separator and date format that the map declares")
  func csv() async throws {
    let folder = try CommandFolder()
    try await folder.prepare("schema", "create", "row", "name:text", "at:datetime", "tags:text+")
    try folder.write(
      "map.json",
      """
      {"map": "t", "format": "csv", "separator": "\\t", "fields": {"row_id": "Id",
        "name": "Full name", "at": {"at": "When", "as": "dd.MM.yyyy"}, "tags": "Tags"}}
      """)
    let text = "Id\tFull name\tWhen\tTags\r\n1\t\"a\tb\"\t02.01.2026\t[\"x\"]\r\n2\t\"\"\t\t\r\n"
    try await folder.run("save", "row", "--map", "map.json", input: .text(text)).exits(0)
    try await folder.run("list", "row", "--map", "map.json").exits(0).prints(text)
    try await folder.run(
      "save", "row", "--map", "map.json", input: .text("Id\tWhen\n1\t2026\n")
    ).exits(6).reports("datactl: standard input:2: When: expected a date, found \"2026\"")
    try await folder.prepare("save", "row", "1", "at=2026-01-02T03:00:00Z")
    try await folder.run("list", "row", "--map", "map.json").exits(6).reports(
      """
      datactl: row.at: 2026-01-02T03:00:00.000Z is too precise for the notation of the map, in \
      the record "1"
      """)
  }

  @Test("reads and writes dates whose days and months have no leading zeros")
  func shortDates() async throws {
    let folder = try CommandFolder()
    try await folder.prepare("schema", "create", "row", "on:date")
    try folder.write(
      "map.json",
      """
      {"map": "t", "format": "csv", "system": {}, "fields": {"row_id": "Id",
        "on": {"at": "On", "as": "d.M.yyyy"}}}
      """)
    try await folder.run(
      "save", "row", input: .text("row_id,on\n1,3.4.1981\n")
    ).exits(6).reports("write 2026-11-20, or pass --dates", "or name the notation in a map")
    let text = "Id,On\r\n1,3.4.1981\r\n2,24.12.1981\r\n"
    try await folder.run("save", "row", "--map", "map.json", input: .text(text)).exits(0)
    try await folder.run("list", "row", "--map", "map.json").exits(0).prints(text)
    for invalid in ["33.4.1981", "3..1981", "3.4.81"] {
      try await folder.run(
        "save", "row", "--map", "map.json", input: .text("Id,On\n3,\(invalid)\n")
      ).exits(6).reports("On: expected a date")
    }
  }

  @Test("reads and writes dates in formats that a map declares, such as dd.MM.yyyy")
  func dates() async throws {
    let folder = try CommandFolder()
    try await folder.prepare(
      "schema", "create", "trip", "start:date", "stop:date", "at:date", "days:date+")
    try folder.write(
      "map.json",
      """
      {"map": "t", "types": {"date": {"as": "milliseconds"}}, "fields": {"trip_id": "id",
        "start": {"at": "s", "as": "dd.MM.yyyy"}, "stop": {"at": "e", "as": "iso8601"},
        "at": "at", "days": {"at": "d[]", "as": "yyyy年MM月dd日 'at' H'4"}}}
      """)
    try await folder.run("list", "trip", "--map", "map.json").exits(6).reports("unknown notation")
    try folder.write(
      "map.json",
      String(decoding: try folder.bytes("map.json"), as: UTF8.self)
        .replacingOccurrences(of: "H'4", with: "HH'4'"))
    let text =
      #"{"id":"a","s":"02.01.2026","e":"2026-01-03","at":1767571200000,"#
      + #""d":["2026年01月06日 at 004"]}"# + "\n"
    try await folder.run("save", "trip", "--map", "map.json", "-o", "none", input: .text(text))
      .exits(0)
    try await folder.run("list", "trip", "--fields", "start,stop,at,days").exits(0).prints(
      #"{"trip_id":"a","start":"2026-01-02","stop":"2026-01-03","at":"2026-01-05","#
        + #""days":["2026-01-06"]}"# + "\n")
    try await folder.run("list", "trip", "--map", "map.json").exits(0).prints(text)
    for (value, found) in [
      (#""at":1767571200001"#, "1767571200001, which is not the start of a day in UTC"),
      (
        #""e":"2026-01-03T00:00:00Z""#, "\"2026-01-03T00:00:00Z\", which also contains a time"
      ),
      (#""s":"2026-01-02""#, "\"2026-01-02\""),
    ] {
      try await folder.run(
        "save", "trip", "--map", "map.json", input: .text("{\"id\":\"b\",\(value)}")
      ).exits(6).reports("expected a date, found \(found)")
    }
  }

  @Test("prints nested records only in the relations that --fields names")
  func chosenFields() async throws {
    let folder = try CommandFolder()
    try await folder.prepare("schema", "create", "part", "n:integer")
    try await folder.prepare("schema", "create", "item", "title:text", "parts:part+", "best:part")
    try folder.write(
      "map.json",
      """
      {"map": "m", "fields": {"$key": "id", "title": "t",
        "parts": {"at": "p[]", "fields": {"$key": "id", "n": "n"}},
        "best": {"at": "b", "fields": {"$key": "id", "n": "n"}}}}
      """)
    let text = #"{"id":"a","t":"T","p":[{"id":"x","n":1}],"b":{"id":"y","n":2}}"# + "\n"
    try await folder.run("save", "item", "--map", "map.json", "-o", "none", input: .text(text))
      .exits(0)
    for (fields, output) in [
      ("title", #"{"id":"a","t":"T"}"#), ("best", #"{"id":"a","b":{"id":"y","n":2}}"#),
      ("-title,-best", #"{"id":"a","p":[{"id":"x","n":1}]}"#),
    ] {
      for command in [["list", "item"], ["get", "item", "a"]] {
        try await folder.run(command + ["--map", "map.json", "--fields", fields]).exits(0)
          .prints(output + "\n")
      }
    }
    try await folder.run("list", "item", "--map", "map.json").prints(text)
  }

  @Test("reads XML with more different element names than the parser keeps in memory")
  func manyNames() async throws {
    let folder = try CommandFolder()
    try await folder.prepare("schema", "create", "item", "title:text", "size:integer")
    try folder.write(
      "map.json",
      """
      {"map": "m", "format": "xml", "records": "/r/i", "unknown": "ignore",
       "fields": {"$key": "@id", "title": "t", "size": "t/@size"}}
      """)
    let items = (0..<6).map { item in
      let others = (0..<4_000).map { "<n\(item)-\($0) a\(item)-\($0)=\"\"/>" }.joined()
      return "<i id=\"\(item)\">\(others)<t size=\"\(item)\">T\(item)</t></i>"
    }
    let others = (0..<12_000).map { "<o\($0)/>" }.joined()
    let text = "<r>\(items.joined())\(others)<i id=\"last\"><t size=\"9\">T</t></i></r>"
    try await folder.run(
      ["save", "item", "--map", "map.json", "-o", "none"], input: .text(text)
    ).exits(0).reports("7 saved: 7 new")
    try await folder.run("list", "item", "--fields", "title,size", "-o", "csv").prints(
      "item_id,title,size\r\n"
        + (0..<6).map { "\($0),T\($0),\($0)\r\n" }.joined() + "last,T,9\r\n")
  }

  @Test("reads the text of XML elements that have attributes, also in lists")
  func attributesOfText() async throws {
    let folder = try CommandFolder()
    try await folder.prepare("schema", "create", "item", "title:text", "tags:text+", "days:date+")
    func write(_ unknown: String) throws {
      try folder.write(
        "map.json",
        """
        {"map": "m", "format": "xml", "records": "/r/i", "unknown": "\(unknown)", "fields": {
          "$key": "@id", "title": "t", "tags": "tag[]", "days": {"at": "d[]/v", "as": "dd.MM.yyyy"}}}
        """)
    }
    try folder.write(
      "in.xml",
      """
      <r><i id="a"><t k="1">T</t><tag>x</tag><tag domain="http://x">y</tag>
        <d><v k="2">03.04.2026</v></d></i></r>
      """)
    let save = ["save", "item", "--map", "map.json", "--file", "in.xml"]
    try write("error")
    let run = try await folder.run(save).exits(6)
    for path in ["1: /r/i[1]/t/@k", "1: /r/i[1]/tag[2]/@domain", "2: /r/i[1]/d[1]/v/@k"] {
      #expect(run.errors.contains("datactl: in.xml:\(path): no field of item"), "\(run.errors)")
    }
    try write("ignore")
    let schema = try await folder.run("schema", "infer", "item", "--map", "map.json", "in.xml")
      .exits(0)
    #expect(schema.output.contains(#""tags": {"type": "[text]"}"#), "\(schema.output)")
    try await folder.run(save + ["-o", "none"]).exits(0).reports("1 saved: 1 new")
    try await folder.run("list", "item", "--fields", "title,tags,days").prints(
      #"{"item_id":"a","title":"T","tags":["x","y"],"days":["2026-04-03"]}"# + "\n")
    try folder.write(
      "in.xml", "<r><i id=\"a\"><d><v>03.04.2026</v><v>04.04.2026</v></d></i></r>")
    try await folder.run(save).exits(6).reports("in.xml:1: /r/i[1]/d[1]/v: given twice")
  }

  @Test("reads and writes geopoints in XML as elements and as attributes")
  func placesInXML() async throws {
    let folder = try CommandFolder()
    try await folder.prepare("schema", "create", "stop", "here:geopoint", "there:geopoint")
    try folder.write(
      "map.json",
      """
      {"map": "m", "format": "xml", "records": "/r/i", "types": {"geopoint": {"as": ["@lat", "@lon"]}},
        "fields": {"$key": "@id", "here": "h", "there": {"at": "{urn:x}t", "as": ["y", "x"]}}}
      """)
    let text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <r xmlns:n1="urn:x">
      <i id="a"><h lat="47.5" lon="-8"/><n1:t><y>1</y><x>2.5</x></n1:t></i>
      <i id="b"/>
      </r>

      """
    try await folder.run("save", "stop", "--map", "map.json", "-o", "none", input: .text(text))
      .exits(0)
    try await folder.run("list", "stop", "--fields", "here,there").prints(
      """
      {"stop_id":"a","here":{"lat":47.5,"lon":-8},"there":{"lat":1,"lon":2.5}}
      {"stop_id":"b","here":null,"there":null}

      """)
    try await folder.run("list", "stop", "--map", "map.json").exits(0).prints(text)
    let schema = try await folder.run(
      "schema", "infer", "stop", "--map", "map.json", input: .text(text)
    ).exits(0).output
    #expect(schema.contains("\"here\": {\"type\": \"geopoint\"}"), "\(schema)")
    #expect(schema.contains("\"there\": {\"type\": \"geopoint\"}"), "\(schema)")
    for point in ["lat=\"1\"", "lat=\"1\" lon=\"x\"", "lat=\"1\" lon=\"2\" z=\"3\""] {
      try await folder.run(
        "save", "stop", "--map", "map.json", input: .text("<r><i id=\"a\"><h \(point)/></i></r>")
      ).exits(6).reports("1: /r/i[1]/h: expected a point with @lat and @lon")
    }
  }

  @Test(
    "leaves no values of one nested record in another when nested records change their positions")
  func positions() async throws {
    let folder = try CommandFolder()
    try await folder.prepare("schema", "create", "part", "title:text", "link:text")
    try await folder.prepare("schema", "create", "feed", "parts:part+")
    try folder.write(
      "map.json",
      """
      {"map": "feed", "fields": {"feed_id": "id",
        "parts": {"at": "parts[]", "fields": {"title": "title", "link": "link"}}}}
      """)
    func save(_ parts: String) async throws -> String {
      try await folder.run(
        "save", "feed", "--map", "map.json", "-o", "none",
        input: .text(#"{"id":"f","parts":[\#(parts)]}"#)
      ).exits(0)
      return try await folder.run("list", "part", "--fields", "title,link").exits(0).output
    }
    let last = #"{"title":"B","link":"b"}"#
    #expect(try await save(last) == #"{"part_id":"f.parts.0","title":"B","link":"b"}"# + "\n")
    #expect(
      try await save(#"{"title":"A"},"# + last) == """
        {"part_id":"f.parts.0","title":"A","link":null}
        {"part_id":"f.parts.1","title":"B","link":"b"}

        """)
  }

  @Test("distinguishes keys that are canonically equivalent in Unicode but have different bytes")
  func equivalentNames() async throws {
    let folder = try CommandFolder()
    try await folder.prepare("schema", "create", "unit", "a:text", "b:text")
    try folder.write(
      "map.json",
      #"{"map": "m", "format": "csv", "fields": {"unit_id": "id", "a": "\u00e9", "b": "e\u0301"}}"#)
    let table = "id,\u{e9},e\u{301}\r\n1,A,B\r\n"
    try await folder.run("save", "unit", "--map", "map.json", "-o", "none", input: .text(table))
      .exits(0)
    let written = try await folder.run("list", "unit", "--map", "map.json").exits(0)
    #expect(written.outputBytes == Array(table.utf8))
  }

  @Test("rejects a duplicate key in the unmapped values of a record")
  func repeatedKeys() async throws {
    let folder = try CommandFolder()
    try await folder.prepare("schema", "create", "unit", "rest:json")
    try folder.write("map.json", #"{"map": "m", "fields": {"unit_id": "id", "rest": "*"}}"#)
    try await folder.run(
      "save", "unit", "--map", "map.json", input: .text(#"{"id":"1","x":1,"x":2}"#)
    ).exits(6).reports("$.rest: duplicate key in an object")
  }

  @Test("infers schemas from documents that are read with --map, in save and in schema infer")
  func inference() async throws {
    let folder = try await Self.folder(Document(name: "stackmob", schema: "game"))
    let store = ["--store", "sqlite:new.db"]
    try await folder.run(
      ["save", "game", "--map", "stackmob", "--infer", "--file", "document.json", "-o", "none"]
        + store
    ).exits(0)
    let written = try await folder.run(["list", "game", "--map", "stackmob"] + store).exits(0)
    #expect(written.output.contains(#""createddate":1358409900000"#))
    try await folder.run(
      ["save", "game", "--map", "stackmob", "-o", "none"] + store, input: .text(written.output)
    ).exits(0).reports("10 saved: 10 the same")
    let podcast = try await Self.folder(Document(name: "podcast", schema: "episode"))
    let schemas = try await podcast.run("schema", "infer", "--map", "map.json", "document.xml")
      .exits(0)
      .output
    #expect(
      schemas.contains(#""chapters": {"type": "relation", "to": "episode_chapters", "many": true}"#)
    )
    #expect(schemas.contains(#""start": {"type": "number"}"#))
    #expect(schemas.contains(#""published": {"type": "datetime"}"#))
  }

  @Test("rejects a missing or invalid map, and options that cannot be used with a map")
  func invalidMaps() async throws {
    let folder = try CommandFolder()
    try await folder.prepare(
      "schema", "create", "todo", "title:text", "due:datetime", "place:geopoint")
    try await folder.run("list", "todo", "--map", "camle").exits(3).reports(
      """
      datactl: camle: no such file or built-in map
        did you mean camel?
      """)
    try folder.write(
      "map.json",
      """
      {"map": "m",
        "fields": {
          "title": "x",
          "due": {"at": "x", "as": "lat,lon"},
          "plase": "p",
          "place": {"at": "y", "as": "milliseconds"}},
        "unknown": "ignor"}
      """)
    try await folder.run("list", "todo", "--map", "map.json").exits(6).reports(
      """
      datactl: map.json:7:14: expected error, ignore as "unknown", found "ignor"
        did you mean ignore?
      """)
    try folder.write(
      "map.json",
      String(decoding: try folder.bytes("map.json"), as: UTF8.self)
        .replacingOccurrences(of: "ignor", with: "ignore"))
    let message = """
      map.json:5: todo: no field plase
        did you mean place?
      datactl: map.json:4: due: a datetime cannot be a point such as "47.37,8.54"
      datactl: map.json:6: place: a geopoint cannot be a date
      """
    try await folder.run("list", "todo", "--map", "map.json").exits(6).reports(
      "datactl: " + message)
    try await folder.prepare("schema", "export", "schemas")
    #expect(
      try await folder.run("schema", "lint", "schemas", "--map", "map.json").exits(1).output
        .contains(
          "map.json:5: error: no field plase [invalid-map]"))
    try await folder.run("schema", "lint", "schemas", "--map", "camel").exits(0)
    for (arguments, message) in [
      (
        ["list", "todo", "--map", "camel", "-o", "table"],
        "--map camel writes json: -o table is not supported"
      ),
      (
        ["list", "todo", "--map", "camel", "--count"],
        "--map and --count cannot be used together"
      ),
      (
        ["save", "todo", "--map", "camel", "--input", "csv", "--file", "map.json"],
        "--map camel reads json: --input csv cannot be used with it"
      ),
    ] {
      try await folder.run(arguments).exits(2).reports("datactl: " + message)
    }
  }
}
