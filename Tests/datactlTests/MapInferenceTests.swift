import ProgramHarness
import TestSupport
import Testing

@Suite("Schemas that are inferred by maps")
struct MapInferenceTests {
  /// A map and a document whose schemas are inferred.
  struct Case: CustomStringConvertible, Sendable {
    let description: String
    var schema = "game"
    /// The keys of the map after its name, or nil for a built-in map.
    var keys: String?
    var builtIn = "map.json"
    let document: String
    /// The number of records inside the record.
    var inside = 0
  }

  static let cases = [
    Case(
      description: "keys that are null everywhere, by a rule for names", builtIn: "camel",
      document: #"{"gameID":"a","yearBorn":null,"topScore":3}"#),
    Case(
      description: "listed fields that are absent",
      keys: #"""
        "fields": {"$key": "id", "title": "t", "due": {"at": "d", "as": "seconds"},
          "place": {"at": "p", "as": "lat,lon"}, "photo": {"at": "f", "as": "base64"},
          "extra": {"at": "x", "as": "json_text"}, "tags": "tags[]",
          "days": {"at": "days[]", "as": "dd.MM.yyyy"}, "old": {"at": "o", "as": "lenient"},
          "rest": "*"}
        """#, document: #"{"id":"a","old":null}"#),
    Case(
      description: "notations that determine the type",
      keys: #"""
        "fields": {"$key": "id", "photo": {"at": "f", "as": "base64"},
          "extra": {"at": "x", "as": "json_text"}, "old": {"at": "o", "as": "lenient"},
          "list": "list[]", "other": "other[]"}
        """#,
      document: #"[{"id":"a","f":"eA==","x":"5","o":1,"list":[],"other":[{"a":1}]},"#
        + #"{"id":"b","o":"x","other":["y"]},{"id":"c","o":true}]"#),
    Case(
      description: "relations without records",
      keys: #"""
        "fields": {"$key": "id", "steps": {"at": "steps[]", "fields": {"text": "t"}},
          "owner": {"at": "owner", "fields": {"$key": "id", "name": "n"}},
          "lines": {"at": "lines{}", "fields": {"label": "{}key", "number": "nr"}}}
        """#, document: #"{"id":"a","steps":[],"owner":null}"#),
    Case(
      description: "an inner record without values",
      keys: #"""
        "fields": {"$key": "id", "steps": {"at": "steps[]", "fields": {"text": "t"}}}
        """#, document: #"{"id":"a","steps":[{}]}"#, inside: 1),
    Case(
      description: "a key id that is not the primary key of the map", builtIn: "pascal",
      document: #"[{"GameID":"a","Id":"1"},{"GameID":"b","Id":"2"}]"#),
    Case(
      description: "a key id of records without a key", builtIn: "same.json",
      document: #"{"id":"1"}"#
    ),
    Case(
      description: "keys that need properties", builtIn: "camel",
      document: #"{"gameId":"a","URL":"x","todoID":"y"}"#),
    Case(
      description: "keys in snake case, by a rule for camel case", builtIn: "backendless",
      document: #"{"objectId":"a","first_name":"x","top_score":3}"#),
    Case(
      description: "a primary key and system fields in snake case, by a rule for camel case",
      builtIn: "camel",
      document: #"{"game_id":"a","first_name":"x","created_at":"2026-01-02T03:04:05Z"}"#),
    Case(
      description: "keys in snake case inside an object, by a rule for camel case",
      keys: #""names": {"rule": "first_lower", "in": "data"}, "fields": {"$key": "id"}"#,
      document: #"{"id":"a","data":{"first_name":"x","topScore":3}}"#),
    Case(
      description: "elements that are sometimes repeated",
      keys: #"""
        "format": "xml", "records": "/games/game", "names": "same"
        """#,
      document: """
        <games><game><game_id>a</game_id><tag>1</tag><tag>2</tag><note/><more><x>1</x></more></game>
        <game><game_id>b</game_id><tag>3</tag><more>text</more></game></games>
        """),
    Case(
      description: "listed elements that are absent or repeated",
      keys: #"""
        "format": "xml", "records": "/games/game", "system": {},
        "fields": {"$key": "@id", "tags": "tag[]", "at": {"at": "at", "as": "rfc2822"},
          "steps": {"at": "step[]", "fields": {"text": "text()", "kind": "@kind"}}}
        """#,
      document: """
        <games><game id="a"><step>A</step><step kind="x"/></game><game id="b"><tag/></game></games>
        """, inside: 2),
    Case(
      description: "a column that is always empty",
      keys: #"""
        "format": "csv", "names": "pascal", "fields": {"due": {"at": "Due", "as": "seconds"}}
        """#, document: "GameID,Name,Empty\na,x,\n"),
  ]

  @Test("saves the records of the document from which the schemas were inferred", arguments: cases)
  func saves(of example: Case) async throws {
    let folder = try CommandFolder()
    try folder.write("same.json", #"{"map": "same", "names": "same"}"#)
    if let keys = example.keys { try folder.write("map.json", #"{"map": "m", \#(keys)}"#) }
    try folder.write("document", example.document)
    let map = ["--map", example.builtIn]
    let inferred = try await folder.prepare(
      "schema", "infer", "game", "--map", example.builtIn, "--file", "document")
    try await folder.prepare("schema", "apply", "-", input: .bytes(inferred.outputBytes))
    let save = ["save", "game", "--file", "document", "-o", "none"] + map
    let run = try await folder.run(save).exits(0)
    if example.inside > 0 {
      #expect(run.errors.contains("and \(example.inside) nested"), "\(run.errors)")
    }
    guard !run.errors.contains(" nested: "),
      example.keys?.contains("\"fields\": {\"text\"") != true,
      example.keys?.contains("\"lines\"") != true
    else { return }
    let store = ["--store", "sqlite:other.db"]
    try await folder.run(save + store + ["--infer"]).exits(0)
    try await folder.run(save + store).exits(0)
  }

  @Test("infers geopoints from objects such as GeoJSON points if the map declares this format")
  func places() async throws {
    for (map, key, point) in [
      ("telerik", "Id", #"{"latitude":47.5,"longitude":8.5}"#),
      ("backendless", "objectId", #"{"type":"Point","coordinates":[8.5,47.5]}"#),
    ] {
      let folder = try CommandFolder()
      let name = map == "telerik" ? ["Place", "Other"] : ["place", "other"]
      let document = """
        [{"\(key)":"a","\(name[0])":\(point),"\(name[1])":\(point)},
         {"\(key)":"b","\(name[0])":null,"\(name[1])":{"x":1}}]
        """
      try await folder.run(
        "save", "stop", "--map", map, "--infer", "-o", "none", input: .text(document)
      )
      .exits(0).reports("place geopoint, other json")
      try await folder.run("list", "stop", "--fields", "place,other").exits(0).prints(
        """
        {"stop_id":"a","place":{"lat":47.5,"lon":8.5},"other":\(point)}
        {"stop_id":"b","place":null,"other":{"x":1}}

        """)
    }
  }

  @Test("creates the schemas of nested records with --infer, with or without --deep")
  func relations() async throws {
    for options in [[], ["--deep"]] {
      let folder = try CommandFolder()
      try folder.write(
        "map.json",
        """
        {"map": "m", "format": "xml", "records": "/r/game", "system": {}, "fields": {"$key": "@id",
          "steps": {"at": "step[]", "schema": "step", "fields": {
            "place": {"at": ["@y", "@x"], "as": "lat,lon"}, "owner": {"at": "by", "schema": "owner",
              "fields": {"$key": "@id", "name": "text()"}}}}}}
        """)
      let document = """
        <r><game id="a"><step y="1" x="2"><by id="ann">Ann</by></step><step/></game></r>
        """
      let save = ["save", "game", "--map", "map.json", "--infer", "-o", "none"] + options
      try await folder.run(save, input: .text(document)).exits(0).reports(
        """
        Schema game created: game_id id, steps relation
        Schema step created: step_id id, place geopoint, owner relation
        Schema owner created: owner_id id, name text
        1 saved: 1 new (and 3 nested: 3 new)

        """)
      try await folder.run(save, input: .text(document)).exits(0).reports(
        "1 saved: 1 the same (and 3 nested: 3 the same)\n")
    }
  }

  @Test("infers two fields for an XML element with text and an attribute, and saves both")
  func attributes() async throws {
    let folder = try CommandFolder()
    try folder.write(
      "map.json",
      #"{"map": "m", "format": "xml", "records": "/r/game", "names": "camel", "system": {}}"#)
    let document = """
      <r><game><gameID>a</gameID><title type="html" xml:lang="en">A</title><link href="x"/>\
      <created at="soon">b</created><game id="q">c</game></game>
      <game><gameID>b</gameID><title>B</title></game></r>
      """
    let save = ["save", "game", "--map", "map.json", "-o", "none"]
    try await folder.run(save + ["--infer"], input: .text(document)).exits(0).reports(
      "title text, title_type text, title_lang text, link json, created json, game json")
    try await folder.run("list", "game", "--fields", "title,title_type,title_lang,created").prints(
      """
      {"game_id":"a","title":"A","title_type":"html","title_lang":"en","created":{"text()":"b",\
      "@at":"soon"}}
      {"game_id":"b","title":"B","title_type":null,"title_lang":null,"created":null}

      """)
    try await folder.run(save, input: .text(document)).exits(0).reports("2 saved: 2 the same")
    let written = try await folder.run("list", "game", "--map", "map.json").exits(0).output
    try await folder.run(save, input: .text(written)).exits(0).reports("2 saved: 2 the same")
    for (element, message) in [
      (#"<title kind="x">A</title>"#, "title/@kind: no field of game is mapped to the attribute"),
      (#"<title type="x">A</title><titleType>y</titleType>"#, "titleType: given twice"),
    ] {
      try await folder.run(save, input: .text("<r><game>\(element)</game></r>")).exits(6)
        .reports("datactl: standard input:1: /r/game[1]/\(message)")
    }
  }

  @Test("reports repeated XML elements that the map omits, and keys that yield no field name")
  func names() async throws {
    let folder = try CommandFolder()
    try folder.write("map.json", #"{"map": "m", "names": "same", "system": {}}"#)
    try await folder.run(
      "schema", "infer", "game", "--map", "map.json",
      input: .text(#"{"game_id":"a","# + "\n" + #""yearBorn":1,"created_at":"x"}"#)
    ).exits(6).reports(
      """
      datactl: standard input:2: $.yearBorn: the rule for names produces no field name for "yearBorn"
        add it to the fields of the map
      """)
    try folder.write(
      "map.json", #"{"map": "m", "format": "xml", "records": "/a/b", "names": "same"}"#)
    try await folder.run(
      "schema", "infer", "game", "--map", "map.json",
      input: .text("<a><b><c x=\"1\"/>\n<c x=\"2\"/></b></a>")
    ).exits(6).reports(
      """
      datactl: standard input:1: /a/b[1]/c: a repeated element with attributes or child \
      elements must be listed in the map
        add c[] to the fields of the map
      """)
  }

  @Test("rejects a document with two keys for the same field, such as firstName and first_name")
  func repeatedKeys() async throws {
    let folder = try CommandFolder()
    try await folder.prepare("schema", "create", "game", "first_name:text")
    let document = "{\"gameID\":\"a\",\"firstName\":\"x\",\n\"first_name\":\"y\"}"
    for command in [["save", "game"], ["schema", "infer", "game"]] {
      try await folder.run(command + ["--map", "camel"], input: .text(document)).exits(6)
        .reports("datactl: standard input:2: $.first", "given twice, first in line 1")
    }
    try await folder.run(
      "save", "game", "--map", "camel", "-o", "none",
      input: .text(#"{"gameID":"a","first_name":"y"}"#)
    ).exits(0)
    try await folder.run("get", "game", "a", "--map", "camel", "--fields", "first_name").prints(
      #"{"gameID":"a","firstName":"y"}"# + "\n")
  }

  @Test("names the value, with its line, that determined an inferred type")
  func lines() async throws {
    let folder = try CommandFolder()
    try folder.write("map.json", #"{"map": "m", "records": "Result", "names": "same"}"#)
    let run = try await folder.run(
      "schema", "infer", "game", "--map", "map.json",
      input: .text(
        """
        {"Count": 2, "Result": [
          {"game_id": "a", "score": 1},
          {"game_id": "b",
            "score": "high"}
        ]}
        """)
    ).exits(0)
    #expect(run.errors.contains("1 text (line 4: \"high\")"), "\(run.errors)")
  }
}
