import ProgramHarness
import TestSupport
import Testing

@Suite("Errors in maps")
struct MapErrorTests {
  private func folder(_ map: String, _ schemas: [String]...) async throws -> CommandFolder {
    let folder = try CommandFolder()
    for schema in schemas { try await folder.run(["schema", "create"] + schema).exits(0) }
    try folder.write("map.json", map)
    return folder
  }

  private func save(_ folder: CommandFolder, _ schema: String, _ text: String) async throws -> Run {
    try await folder.run("save", schema, "--map", "map.json", "-o", "none", input: .text(text))
  }

  @Test("reports both lines when a map contains a name twice")
  func repeated() async throws {
    let folder = try await folder(
      #"{"map": "m", "records": "items{}", "fields": {"$key": "{}key", "title": "t", "tags": "g[]"}}"#,
      ["item", "title:text", "tags:text+"])
    try await save(folder, "item", "{\"items\":{\"a\":{\"t\":\"x\"},\n\"b\":{},\n\"a\":{}}}").exits(
      6
    )
    .reports("datactl: standard input:3: $.items.a: given twice, first in line 1")
    try await save(folder, "item", "{\"items\":{},\n\"items\":{}}").exits(6).reports(
      "datactl: standard input:2: item: \"items\" is given twice, first in line 1")
    try await save(folder, "item", "{\"items\":{\"a\":{\"t\":\"x\",\n\"t\":\"y\"}}}").exits(6)
      .reports(
        "datactl: standard input:2: $.items.a.t: given twice, first in line 1")
    try await save(folder, "item", "{\"items\":{\"a\":{\"g\":[\"x\"],\n\"g\":[\"y\"]}}}").exits(6)
      .reports("datactl: standard input:2: $.items.a.g: given twice, first in line 1")
  }

  @Test("saves an empty XML element as a nested record if the map derives ids from positions")
  func emptyElements() async throws {
    let folder = try await folder(
      """
      {"map": "m", "format": "xml", "records": "/feeds/feed", "fields": {"$key": "@id",
        "parts": {"at": "part[]", "fields": {"size": "@size"}}}}
      """, ["part", "title:text"], ["feed", "parts:part+"])
    try folder.write(
      "part.json",
      """
      {"schema": "part", "fields": {"part_id": {"type": "id"}, "title": {"type": "text"},
        "size": {"type": "integer", "default": 1}}}
      """)
    try await folder.prepare("schema", "apply", "part.json")
    try await save(folder, "feed", "<feeds><feed id=\"f\"><part/><part size=\"2\"/></feed></feeds>")
      .exits(0).reports("1 saved: 1 new (and 2 nested: 2 new)")
    try await folder.run("list", "part", "--fields", "size").prints(
      """
      {"part_id":"f.parts.0","size":1}
      {"part_id":"f.parts.1","size":2}

      """)
    let keyed = try await self.folder(
      #"{"map": "m", "fields": {"$key": "id", "owner": {"at": "o", "fields": {"$key": "id", "name": "n"}}}}"#,
      ["owner", "name:text"], ["item", "owner:owner"])
    try await keyed.prepare("save", "owner", "ann", "name=Ann")
    try await save(keyed, "item", #"{"id":"a","o":{"id":"ann"}}"#).exits(0)
    try await keyed.run("list", "owner", "--fields", "name").prints(
      #"{"owner_id":"ann","name":"Ann"}"# + "\n")
  }

  @Test("reports all errors of a record even if a value is not in the format that the map declares")
  func allErrors() async throws {
    let folder = try await folder(
      """
      {"map": "m", "fields": {"$key": "id", "title": "title", "due": {"at": "due", "as": "seconds"},
        "steps": {"at": "s[]", "fields": {"text": "t", "at": {"at": "a", "as": "seconds"}}}}}
      """, ["step", "text:text!", "at:datetime!"],
      ["item", "title:text!", "due:datetime", "steps:step+"])
    try await save(
      folder, "item",
      """
      {"id":"a","due":"soon","s":[{"a":"x"},
        {"t":"y","a":1}],"title":5}
      """
    ).exits(6).reports(
      """
      datactl: standard input:1: $.s[0].a: expected a date, found "x"
      datactl: standard input:1: $.s[0].t: required
      datactl: standard input:1: $.due: expected a date, found "soon"
      datactl: standard input:2: $.title: expected text, found number 5
      """)
  }

  @Test("names a missing required field that the map does not read")
  func unmappedField() async throws {
    let folder = try await folder(
      #"{"map": "m", "fields": {"$key": "id", "steps": {"at": "s[]", "fields": {"at": "a"}}}}"#,
      ["step", "text:text!", "at:datetime"], ["item", "title:text!", "steps:step+"])
    try await save(folder, "item", #"[{"id":"a","s":[]},{"id":"b","s":[{}]}]"#).exits(6).reports(
      """
      datactl: standard input:1: $[0]: title: required
      datactl: standard input:1: $[1]: title: required
      datactl: standard input:1: $[1].s[0]: text: required
        the map m does not read this field
      """)
  }

  @Test("reports the line and the column of a syntax error")
  func syntax() async throws {
    let folder = try await folder(
      #"{"map": "m", "records": "Result", "fields": {"$key": "id", "a": "a"}}"#, ["item", "a:text"])
    try await save(folder, "item", "{\"Result\":[\n  {\"id\":\"a\"},\n  {]}").exits(6).reports(
      "datactl: standard input:3:4: item: expected a key in double quotes")
    try folder.write(
      "map.json", #"{"map": "m", "format": "csv", "fields": {"$key": "id", "a": "a"}}"#)
    for (text, message) in [
      ("id,id\n1,2\n", "standard input:1:4: item: "),
      ("id,a\n1,\u{1}\n2\n", "standard input:3:1: "),
      ("id,a\n1,x\"\n", "standard input:2:4: item: "),
      ("id,a\n1,\"x\n\ny\n", "standard input:2:3: "),
    ] {
      let run = try await save(folder, "item", text).exits(6)
      #expect(run.errors.contains("datactl: " + message), "\(run.errors)")
    }
    let bytes = Array("id,a\n1,x\n2,".utf8) + [0xFF, 0x0A]
    let run = try await folder.run("save", "item", "--map", "map.json", input: .bytes(bytes)).exits(
      6)
    #expect(run.errors.contains("datactl: standard input:3:3: "), "\(run.errors)")
  }

  @Test(
    "rejects a map if documents written with it could not be read back",
    arguments: [
      (#""names": "same", "fields": {"a": {"at": "x[]", "as": "json_text"}}"#, "[]"),
      (
        #""names": {"rule": "same", "in": "d"}, "system": {}, "fields": {"$key": "i", "a": "d", "b": "b", "rest": "r"}"#,
        "the path of the fields that are not listed is also used by a: \"d\""
      ),
      (#""format": "xml", "records": "/r/@x", "names": "same""#, "expected a path to elements"),
      (#""format": "xml", "records": "/r/i", "fields": {"a": "@xmlns"}"#, "not a valid path"),
      (#""format": "xml", "records": "/r/i", "fields": {"a": "b²"}"#, "not a valid path"),
      (
        #""format": "xml", "records": "/r/i", "fields": {"a": "itunes:duration"}"#,
        "does not declare the prefix"
      ),
      (
        #""format": "xml", "records": "/r/i[]", "names": "same""#,
        "the path to the records cannot contain []"
      ),
      (#""records": "a[].b[]", "names": "same""#, "expected a path to one list of records"),
      (#""format": "csv", "separator": "\n", "names": "same""#, "expected one character"),
      (#""format": "csv", "separator": "\r", "names": "same""#, "expected one character"),
      (#""format": "csv", "separator": "1", "names": "same""#, "expected one character"),
      (#""format": "csv", "separator": "\"", "names": "same""#, "expected one character"),
      (#""records": "a.b", "names": "same", "frame": {"a": 1}"#, "overlaps the path \"a.b\""),
      (#""records": "a.b", "names": "same", "frame": {"a.b.c": 1}"#, "overlaps the path \"a.b\""),
      (#""records": "a", "names": "same", "frame": {"b": 1, "b.c": 2}"#, "overlaps the path \"b\""),
      (#""names": "same", "frame": {"b": 1}"#, "needs \"records\""),
      (
        #""format": "xml", "records": "/r/i", "names": "same", "frame": {"/s/x": 1}"#,
        "expected a path in the element /r"
      ),
      (
        #""format": "xml", "records": "/r/i", "fields": {"b": "k/@b"}, "extra": {"k": {"x": 1}}"#,
        "the path is also used by an extra value"
      ),
      (
        #""format": "xml", "records": "/r/i", "names": "same", "extra": {"k": {"x y": 1}}"#,
        "XML cannot contain this value"
      ),
      (
        #""format": "xml", "records": "/r/i", "fields": {"p": {"at": "p", "as": "[lat,lon]"}}"#,
        "p: XML cannot contain a point such as [47.37,8.54]"
      ),
      (
        #""format": "xml", "records": "/r/i", "fields": {"p": {"at": "p", "as": "geojson"}}"#,
        "p: XML cannot contain a point such as {"
      ),
      (
        #""format": "xml", "records": "/r/i", "fields": {"p": {"at": "p", "as": ["l t", "lon"]}}"#,
        "p: XML cannot contain a point with l t and lon"
      ),
      (
        #""format": "xml", "records": "/r/i", "fields": {"b": "p/@b", "p": {"at": "p", "as": ["x", "y"]}}"#,
        "the path is also used by b: \"p\""
      ),
      (
        #""format": "xml", "records": "/r/i", "fields": {"a": "k", "b": "k/@b"}"#,
        "the path is also used by a: \"k/@b\""
      ),
      (
        #""format": "xml", "records": "/r/i", "fields": {"b": "k/@b", "l": {"at": "k", "fields": {"n": "n"}}}"#,
        "the path is also used by b: \"k\""
      ),
      (
        #""format": "xml", "records": "/r/i", "fields": {"a": "@a"}"#,
        "a: the value has attributes or child elements, so its path must be that of an element"
      ),
      (
        #""format": "xml", "records": "/r/i", "fields": {"a": "text()"}"#,
        "a: the value has attributes or child elements, so its path must be that of an element"
      ),
      (#""fields": {"b": {"constant": 3}}"#, "b: expected text, found number 3"),
      (
        #""format": "csv", "fields": {"p": {"constant": "here"}}"#,
        "p: expected geopoint, such as"
      ),
      (
        #""fields": {"o": {"at": "o", "fields": {"role": "r"}}}"#,
        """
        o: the map has no path for username, and the ids of users are never derived
          add "$key" to the fields of o in the map
        """
      ),
      (
        #""fields": {"b": {"at": "b", "as": "dd.MM.yyyy at"}}"#,
        """
        unknown notation "dd.MM.yyyy at"
          a pattern consists of yyyy MM dd M d HH mm ss SSS Z; put other letters and digits in \
        apostrophes
        """
      ),
      (
        "\"fields\": {\"a\": \"" + repeatElement("k", count: 50_000).joined(separator: ".") + "\"}",
        "a path can have at most 64 steps, found 50000"
      ),
    ])
  func unreadable(keys: String, message: String) async throws {
    let folder = try await folder(
      "{\"map\": \"m\", \(keys)}", ["user", "--user", "role:text"], ["line", "n:text"],
      ["item", "a:json", "b:text", "rest:json", "p:geopoint", "o:user", "l:line"])
    let run = try await folder.run("list", "item", "--map", "map.json").exits(6)
    #expect(run.errors.contains(message), "\(run.errors)")
  }

  @Test("warns when a map does not map the primary key")
  func mapWithoutKey() async throws {
    let folder = try await folder(
      #"{"map": "m", "fields": {"title": "t"}}"#, ["item", "title:text"])
    try await folder.prepare("schema", "export", "schemas")
    #expect(
      try await folder.run("schema", "lint", "schemas", "--map", "map.json").exits(1).output
        .contains(
          "map.json:1: warning: item_id: the map does not map the primary key [map-without-key]"))
  }

  @Test("does not print a record that could not be read back unchanged")
  func unreadableRecords() async throws {
    let folder = try await folder("", ["item", "a:text", "rest:json"])
    try await folder.prepare("save", "item", "x", "a= ", "rest:=null")
    for (keys, message) in [
      (
        #""format": "xml", "records": "/r/i", "fields": {"$key": "@id", "a": "text()"}"#,
        "item.a: XML cannot contain blank text in an element that can have attributes, in the record \"x\""
      ),
      (
        #""fields": {"$key": "id", "rest": "*"}"#,
        "item.rest: expected an object, because the map stores unmapped values here, in the record \"x\""
      ),
      (
        #""format": "csv", "fields": {"rest": "rest"}"#,
        "item.rest: CSV with a single column cannot contain null, in the record \"x\""
      ),
      (
        #""fields": {"$key": "id", "a": {"constant": "y"}}"#,
        "item.a: expected the constant of the map, found \" \", in the record \"x\""
      ),
    ] {
      try folder.write("map.json", "{\"map\": \"m\", \(keys)}")
      try await folder.run("list", "item", "--map", "map.json").exits(6).reports(
        "datactl: " + message)
    }
    try folder.write(
      "map.json", #"{"map": "m", "format": "xml", "records": "/i", "fields": {"$key": "@id"}}"#)
    try await folder.run("list", "item", "--map", "map.json").exits(6).reports(
      """
      datactl: map.json: item: the map writes each record as the root element /i, but an XML \
      document has only one root element
        in the map, change "records" to a path with an enclosing element, or print one record with get
      """)
    try await folder.run("get", "item", "x", "--map", "map.json").exits(0)
  }

  @Test("rejects writing JSON as XML elements if unnecessary escapes in the JSON would be lost")
  func escapes() async throws {
    let folder = try await folder(
      #"{"map": "m", "format": "xml", "records": "/r/i", "fields": {"$key": "@id", "x": "x", "rest": "*"}}"#,
      ["item", "x:json", "rest:json"])
    for (x, rest, field) in [
      (#"{"a":"\u00e9\/"}"#, "{}", "x"), (#""\u00e9""#, "{}", "x"),
      (#"{"\u00e9":"a"}"#, "{}", "x"), (#"{"b":{"@c":"\u00e9"}}"#, "{}", "x"),
      ("null", #"{"a":"\/"}"#, "rest"), ("null", #"{"\u00e9":"a"}"#, "rest"),
      (#"{"a":"é\n\t\"\\"}"#, #"{"é":"a"}"#, nil),
    ] as [(String, String, String?)] {
      try await folder.run(
        "save", "item", "-o", "none",
        input: .text("{\"item_id\":\"a\",\"x\":\(x),\"rest\":\(rest)}")
      ).exits(0)
      let run = try await folder.run("get", "item", "a", "--map", "map.json")
      if let field {
        try run.exits(6)
          .reports("datactl: item.\(field): ", " cannot be written as ", "in the record \"a\"")
      } else {
        try await save(folder, "item", "<r>\(run.exits(0).output.split(separator: "<r>")[1])")
          .exits(0)
          .reports("1 saved: 1 the same")
      }
    }
  }

  @Test("writes no XML attribute that is too long to be read back")
  func longAttributes() async throws {
    let folder = try await folder(
      #"{"map": "m", "format": "xml", "records": "/r/i", "fields": {"$key": "@id", "a": "@a"}}"#,
      ["item", "a:text"])
    let record = { (count: Int) in
      "{\"item_id\":\"x\",\"a\":\"\(String(repeating: "<", count: count))\"}"
    }
    // Each character is written as `&lt;`.
    try await folder.run("save", "item", "-o", "none", input: .text(record(65_000))).exits(0)
    let document = try await folder.run("list", "item", "--map", "map.json").exits(0).output
    #expect(document.utf8.count > 260_000)
    try await save(folder, "item", document).exits(0).reports("1 saved: 1 the same")
    try await folder.run("save", "item", "-o", "none", input: .text(record(66_000))).exits(0)
    try await folder.run("list", "item", "--map", "map.json").exits(6).reports(
      "datactl: item x: the attributes of an element can have at most 256 KiB")
  }

  @Test("keeps the namespaces of XML elements in a json field unchanged")
  func namespaces() async throws {
    let folder = try await folder(
      #"{"map": "m", "format": "xml", "records": "/r/i", "fields": {"$key": "@id", "x": "x", "rest": "*"}}"#,
      ["item", "x:json", "rest:json"])
    let document = """
      <r xmlns:a="http://a.org/x" xmlns:b="urn:b"><i id="1"><x a:k="1" b:l="2" xml:lang="en"><b:y
      a:z="3">t</b:y></x><a:more b:n="4">u</a:more></i></r>
      """
    try await save(folder, "item", document).exits(0).reports("1 saved: 1 new")
    let copy = try await folder.run("list", "item", "--map", "map.json").exits(0).output
    try await save(folder, "item", copy).exits(0).reports("1 saved: 1 the same")
  }

  @Test("rejects a JSON document that contains neither the path to the records nor a record")
  func missingRecords() async throws {
    let folder = try CommandFolder()
    try await folder.prepare("schema", "create", "peak", "name:text", "place:geopoint")
    for text in [#"{"type":"FeatureCollection"}"#, #"{"type":"x","nmae":"y"}"#, "{}"] {
      for options in [[], ["--infer"]] {
        let run = try await folder.run(
          ["save", "peak", "--map", "geojson"] + options, input: .text("\n" + text))
        try run.exits(6).reports(
          "standard input:2:", "no features in the input, where the map expects the records")
      }
    }
    try await folder.run("list", "peak", "--count").prints("0\n")
    try await folder.run(
      "save", "peak", "--map", "geojson", "-o", "none",
      input: .text(#"{"type":"Feature","properties":{"name":"x"}}"#)
    ).exits(0).reports("1 saved: 1 new")
  }

  @Test("does not redact the namespace prefix of an attribute as if it were a password")
  func prefixes() async throws {
    let folder = try await folder(
      """
      {"map": "m", "format": "xml", "records": "/r/i",
        "fields": {"$key": "@id", "image": "itunes:image/@href", "kind": "a/@itunes:kind"}}
      """, ["item", "image:text", "kind:text"])
    let run = try await save(folder, "item", "<r/>").exits(6)
    #expect(
      run.errors == """
        datactl: map.json:2:38: "namespaces" does not declare the prefix of the path: "itunes:image"
        datactl: map.json:2:68: "namespaces" does not declare the prefix of the path: "@itunes:kind"
          add "itunes" with its namespace to "namespaces"

        """, "\(run.errors)")
  }

  @Test("names the reason when a GeoJSON geometry is not a point with two coordinates")
  func geometries() async throws {
    let folder = try CommandFolder()
    try await folder.prepare("schema", "create", "peak", "place:geopoint")
    for (geometry, found) in [
      (#"{"type":"Point","coordinates":[8.5,47.5,400]}"#, "3 coordinates"),
      (#"{"type":"Point","coordinates":[8.5]}"#, "1 coordinate"),
      (#"{"type":"Point","coordinates":[8.5,47.5],"bbox":[1,2,3,4]}"#, #"the key "bbox""#),
      (#"{"type":"LineString","coordinates":[[8.5,47.5],[8,47]]}"#, #"the type "LineString""#),
      (#"{"type":5,"coordinates":[8.5,47.5]}"#, "an object"),
      (#"{"coordinates":[8.5,47.5]}"#, "an object"),
      (#"[8.5,47.5]"#, "an array"),
    ] {
      try await folder.run(
        "save", "peak", "--map", "geojson",
        input: .text(#"{"features":[{"id":"a","geometry":\#(geometry)}]}"#)
      ).exits(6).reports(
        "datactl: standard input:1: $.features[0].geometry: expected a point such as "
          + #"{"type":"Point","coordinates":[8.54,47.37]}, found \#(found)"# + "\n")
    }
  }

  @Test("names the right weekday when the weekday of a date is wrong")
  func weekdays() async throws {
    let folder = try await folder(
      #"{"map": "m", "fields": {"$key": "id", "at": {"at": "d", "as": "rfc2822"}}}"#,
      ["item", "at:datetime"])
    try await save(folder, "item", #"{"id":"a","d":"Mon, 20 Nov 2026 23:30:00 -0500"}"#).exits(6)
      .reports(
        #"datactl: standard input:1: $.d: expected a date, found "Mon, 20 Nov 2026 23:30:00 -0500", "#
          + "but the weekday of this date is Fri\n")
    // In UTC, this time is on Saturday.
    try await save(folder, "item", #"{"id":"a","d":"Fri, 20 Nov 2026 23:30:00 -0500"}"#).exits(0)
  }

  @Test("rejects a record that contains different ids at two paths of the map")
  func differentIDs() async throws {
    let folder = try CommandFolder()
    try await folder.prepare("schema", "create", "game", "title:text")
    func save(_ text: String) async throws -> Run {
      try await folder.run("save", "game", "--map", "stackmob", "-o", "ids", input: .text(text))
    }
    try await save(#"{"game_id":"a","_id":"b"}"#).exits(6).reports(
      #"datactl: standard input:1: $.game_id: the id is "a", "#
        + #"but at another path of the map it is "b""# + "\n")
    try await save(#"{"game_id":"a","_id":"a"}{"_id":"b"}"#).exits(0).prints("a\nb\n")
  }

  @Test("reports an invalid value in a map without further errors that the value causes")
  func causes() async throws {
    for (map, errors) in [
      (
        #"{"map": "m", "format": "xml", "records": "/r/i", "fields": {"#
          + #""lines": {"at": "x:a[]", "fields": {"n": "@n"}}}}"#,
        """
        datactl: map.json:1:77: "namespaces" does not declare the prefix of the path: "x:a"
          add "x" with its namespace to "namespaces"

        """
      ),
      (
        #"{"map": "m", "format": "xml", "records": "r/i", "frame": {"/r/@a": 1, "/r/@b": 2}, "#
          + #""fields": {"$key": "@id"}}"#,
        """
        datactl: map.json:1:42: expected a path that begins with /, found "r/i"

        """
      ),
      (
        #"{"map": "m", "format": "yaml", "records": "/r/i", "separator": ";", "#
          + #""frame": {"/r/@a": 1}, "fields": {"$key": "{u}id", "#
          + #""lines": {"at": "{u}a[]", "fields": {"n": "@n"}}}}"#,
        """
        datactl: map.json:1:24: expected json, xml, csv as "format", found "yaml"

        """
      ),
    ] {
      let folder = try await folder(map, ["line", "n:text"], ["item", "lines:line+"])
      let run = try await save(folder, "item", "{}").exits(6)
      #expect(run.errors == errors, "\(run.errors)")
    }
  }

  @Test("names the elements that an XML document contains where the map expects the records")
  func otherElements() async throws {
    let folder = try await folder(
      #"{"map": "m", "format": "xml", "records": "/rss/channel/items", "fields": {"$key": "id"}}"#,
      ["item", "title:text"])
    try folder.write(
      "feed.xml", "<rss><channel><title/><item id=\"a\"/><item/></channel></rss>")
    let warning =
      "feed.xml: no items in /rss/channel, where the map expects the records; found title, item\n"
    for options in [["-o", "none"], ["--infer"]] {
      let run = try await folder.run(
        ["save", "item", "--map", "map.json", "--file", "feed.xml"] + options
      ).exits(0)
      #expect(run.errors == "Nothing to save: no records.\n" + warning)
    }
    try await folder.run("schema", "infer", "item", "--map", "map.json", "--file", "feed.xml")
      .exits(6)
      .reports("no records to infer a schema from\n  " + warning)
    let empty = try await save(folder, "item", "<rss><channel></channel></rss>").exits(0)
    #expect(empty.errors == "Nothing to save: no records.\n")
    try await save(folder, "item", "<rss><chanel/></rss>").exits(6).reports("no /rss/channel/items")
  }

  @Test("rejects XML for a json field if elements alternate with text or with other elements")
  func mixedContent() async throws {
    let folder = try await folder(
      """
      {"map": "m", "format": "xml", "records": "/r/i",
        "fields": {"$key": "@id", "body": "body", "parts": "part[]", "rest": "*"}}
      """, ["item", "body:json", "parts:json", "rest:json"])
    for (text, message) in [
      (
        "\n<body>Mixed <b>content</b> here <i>x</i></body>",
        #"2: /r/i[1]/body: mixed content cannot be stored as json: "Mixed  here " and elements"#
      ),
      (
        "<body><p>a</p><q>b</q>\n<p>c</p></body>",
        "2: /r/i[1]/body/p: interleaved elements cannot be stored as json: p follows q"
      ),
      (
        "<part><a/></part><part><u>t<v/></u></part>",
        #"1: /r/i[1]/part[2]/u: mixed content cannot be stored as json: "t" and elements"#
      ),
      ("text<x/>", #"1: /r/i[1]: mixed content cannot be stored as json: "text" and elements"#),
      (
        "<x><p/><q/><p/></x>",
        "1: /r/i[1]/x/p: interleaved elements cannot be stored as json: p follows q"
      ),
    ] {
      try await save(folder, "item", "<r><i id=\"a\">\(text)</i></r>").exits(6).reports(
        "datactl: standard input:\(message)")
    }
    try await folder.run("list", "item", "--count").prints("0\n")
    let document = """
      <r><i id="a"><body k="1">
        <p>a</p> <p>b</p>
        <q>c</q>
      </body><x>only text</x></i></r>
      """
    try await save(folder, "item", document).exits(0).reports("1 saved: 1 new")
    let copy = try await folder.run("list", "item", "--map", "map.json").exits(0).output
    try await save(folder, "item", copy).exits(0).reports("1 saved: 1 the same")
    try await folder.prepare(
      "save", "item", "b", #"body={"text()":"t","b":"x"}"#, #"rest={"x":"t"}"#)
    try await folder.run("get", "item", "b", "--map", "map.json").exits(6).reports(
      "the JSON cannot be written as elements")
  }

  @Test("prints the path of an invalid value with its XML namespaces, and shortens a long path")
  func paths() async throws {
    let folder = try await folder(
      """
      {"map": "m", "format": "xml", "records": "/{http://a.org/x}r/{http://a.org/x}i",
        "fields": {"$key": "@id", "due": {"at": "{http://b.org/y}at/@due", "as": "seconds"}}}
      """, ["item", "due:datetime"])
    try await save(
      folder, "item",
      #"<r xmlns="http://a.org/x"><i id="1"><at xmlns="http://b.org/y" due="soon"/></i></r>"#
    ).exits(6).reports(
      "datactl: standard input:1: /{http://a.org/x}r/{http://a.org/x}i[1]/{http://b.org/y}at/@due: "
        + "expected a date, found \"soon\"")
    let steps = (1...40).map { "element\($0)" }.joined(separator: "/")
    try folder.write(
      "map.json",
      """
      {"map": "m", "format": "xml", "records": "/r/i",
        "fields": {"$key": "@id", "due": {"at": "\(steps)/due", "as": "seconds"}}}
      """)
    let opening = (1...40).map { "<element\($0)>" }.joined()
    let closing = (1...40).reversed().map { "</element\($0)>" }.joined()
    let run = try await save(
      folder, "item", "<r><i id=\"1\">\(opening)<due>soon</due>\(closing)</i></r>"
    ).exits(6)
    #expect(run.errors.contains("/element40/due: expected a date"), "\(run.errors)")
    #expect(run.errors.contains("1: /r/i[1]/element1/"), "\(run.errors)")
  }

  @Test("prints a built-in map, such as telerik, in a form that --map accepts as a file")
  func builtInMaps() async throws {
    let folder = try CommandFolder()
    try await folder.prepare("schema", "create", "item", "first_name:text")
    try folder.write("map.json", await folder.prepare("help", "maps", "telerik").output)
    try await folder.prepare("save", "item", "x", "first_name=Ann")
    #expect(
      try await folder.run("list", "item", "--map", "map.json").output
        == folder.run("list", "item", "--map", "telerik").output)
    try await folder.run("help", "maps", "telerk").exits(2).reports(
      "datactl: the topic maps has no part telerk", "did you mean telerik?")
  }
}
