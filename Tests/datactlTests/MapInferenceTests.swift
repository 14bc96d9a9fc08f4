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

  @Test("rejects --infer with a map of nested records, and suggests creating the schemas first")
  func relations() async throws {
    let folder = try CommandFolder()
    try folder.write(
      "map.json",
      #"{"map": "m", "fields": {"$key": "id", "steps": {"at": "s[]", "fields": {"text": "t"}}}}"#)
    try await folder.run("save", "game", "--map", "map.json", "--infer", input: .text("{}")).exits(
      2
    )
    .reports(
      """
      datactl: --infer cannot be used with --map m, which reads nested records
        create the schemas first: datactl schema infer game --map MAP --file FILE | datactl \
      schema apply -
      """)
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
