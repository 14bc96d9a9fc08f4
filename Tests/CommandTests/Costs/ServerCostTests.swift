import Foundation
import ProgramHarness
import TestSupport
import Testing

/// Tests that no request costs a server much more than a save of the same size, on a store without
/// records. Costs are counted in instructions.
@Suite(
  "Costs of requests", .serialized, .tags(.process),
  .needs(Binary.path.contains("/release/"), "only a release costs what it should"))
struct ServerCostTests {
  private typealias Request = CountedServer.Request

  /// A kind of request that can have any size.
  private struct Case {
    let name: String
    /// Returns the request whose variable part has about the given size in bytes.
    let request: (Int) throws -> Request

    init(_ name: String, _ request: @escaping (Int) throws -> Request) {
      self.name = name
      self.request = request
    }

    /// Creates a request for records with parameters in its body.
    init(form: String, of schema: String = "pub") {
      name = "\(schema)?\(form)"
      request = { size in
        let parameters = SizedText(form).text(size).split(separator: "&").map { parameter in
          let parts = parameter.split(separator: "=", maxSplits: 1)
          let value = parts.dropFirst().first.map(String.init) ?? ""
          return parts[0] + "="
            + (value.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")
        }
        return Request(
          method: "POST", target: "/v1/records/\(schema)/query",
          headers: ["Content-Type: application/x-www-form-urlencoded"],
          body: Array(parameters.joined(separator: "&").utf8))
      }
    }

    init(_ method: String, _ target: String, body: String) {
      name = "\(method) \(target): \(body)"
      request = { size in
        Request(
          method: method, target: target, headers: ["Content-Type: application/json"],
          body: Array(SizedText(body).text(size).utf8))
      }
    }

    /// Creates a request that sends a command line, with texts as its files.
    init(
      _ command: String, _ inputs: [(name: String, value: String)],
      files: [(path: String, text: String)]
    ) {
      name = ([command] + inputs.map(\.value) + files.map(\.text)).joined(separator: " ")
      request = { size in
        try .command(
          command, inputs.map { ($0.name, SizedText($0.value).text(size)) },
          files: files.map { ($0.path, .file(SizedText($0.text).text(size))) })
      }
    }
  }

  private static let schemas = #"""
    {"schema": "user", "kind": "user", "roles": "roles",
     "fields": {"user_id": {"type": "id"}, "password": {"type": "password"},
       "roles": {"type": "[text]"}}}
    {"schema": "pub",
     "fields": {"pub_id": {"type": "id"}, "title": {"type": "text"}, "n": {"type": "integer"},
       "x": {"type": "number"}, "d": {"type": "datetime"}, "ok": {"type": "boolean"},
       "tags": {"type": "[text]"}, "data": {"type": "json"}, "place": {"type": "geopoint"},
       "owner": {"type": "relation", "to": "pub"},
       "others": {"type": "relation", "to": "pub", "many": true}, "photo": {"type": "file"}},
     "access": {"read": "anyone", "create": "anyone", "update": "anyone", "delete": "anyone"}}
    """#

  // MARK: - Conditions and lists

  private static let conditions = [
    "«zz=1 or »n=1", "«zz#=1 or »n=1", "«title='a' or »n=1", "«title='a#' and »n=1", "«not »ok",
    "«(»", "«)»", "«n+»1", "«-»n", "«a.»b", "«owner.»n=1", "«any others (»", "«any »",
    "«:p# or »n=1", "«n=:p# or »n=1", "«n=%? or »n=1", "«title like '%a%' or »n=1",
    "title like '«%a»'", "title = '«a»'", "«n+1=n or »n=1", "«length(title)=# or »n=1",
    "«distance(place,(1,2))<3 or »n=1", "«n in 2026-11 or »n=1", "«n='a' or »n=1",
    "«any others (title='a#') or »n=1", "«others.title=1 or »n=1",
    "«n within 5 km of (1,2) or »n=1",
    "«zz='postgres://a:b@c' or »n=1", "«zz=1 or\n»n=1", "«data.a.b='x#' or »n=1", "«(n=1) or »n=1",
    "«= »", "«!»", "«é»", "«n between # and 2 or »n=1", "«owner.title='a#' or »n=1", "«a»", "«1»",
    "«''»", "«,»", "«password=»", "«//a:1/»@", "«n=1 and (n=2 or »", "«year(d)=# or »n=1",
    "title in («'a#'¦,»)", "n in («'a#'¦,»)",
  ]
  private static let items = [
    "title", "zz#", "owner", "-title", "a#=n+1", "data.k#", "year(d)", "n*2", "", "owner.title",
    "count(others)", "password=",
  ]
  private static let lists = ["fields", "order", "expand", "group_by", "distinct", "section_by"]
  private static let aggregates = ["sum", "avg", "median", "min", "max"]

  private static func formCases(_ parameters: [String]) -> [Case] {
    let long =
      conditions.map { Case(form: "where=\($0)") }
      + conditions.prefix(8).flatMap { condition in
        ["order=", "group_by=title&having="].map { Case(form: $0 + condition) }
      }
    let listed = items.flatMap { item in
      lists.map { Case(form: "\($0)=«\(item)¦,»") }
        + aggregates.map { Case(form: "group_by=title&\($0)=«\(item)¦,»") }
    }
    let repeated = (parameters + ["zz#", "param.p#", "param.p"]).flatMap { name in
      [Case(form: "«\(name)=a¦&»"), Case(form: "\(name)=«é»")]
    }
    let others = [
      "where=«n=:p# or »n=1&«param.p#=1¦&»", "where=data=:N&param.N=:=[«1¦,»]",
      "fields=«a#=n+1¦,»&order=«-a#¦,»",
    ]
    return long + listed + repeated + others.map { Case(form: $0) }
      + [Case(form: "«param.N=¦&»", of: "nosuch")]
  }

  // MARK: - Bodies

  private static let records = [
    #"{«"z#":1¦,»}"#, #"{«"title":"a"¦,»}"#, #"{"title":"«a»"}"#, #"{"title":"«\u00e9\n»"}"#,
    #"{"tags":[«"a#"¦,»]}"#, #"{"tags":{"$append":[«"a#"¦,»]}}"#,
    #"{"tags":{"$remove":[«"a#"¦,»]}}"#, #"{"others":[«"a#"¦,»]}"#,
    #"{"others":{"$remove":[«"a#"¦,»],"$append":[«"a#"¦,»]}}"#, #"{"data":{«"k#":1¦,»}}"#,
    #"{"data":[«{"a":1}¦,»]}"#, #"{"data":«[»"#, #"«{"owner":»"#, #"{"n":«1»}"#, #"{"d":"«1»"}"#,
    #"{"n":{«"$k#":1¦,»}}"#, #"{"place":{«"k#":1¦,»}}"#, #"{"photo":{«"k#":1¦,»}}"#,
    "«{\"zz#\":1}¦\n»", "«{\"n\":\"x\"}¦\n»", "«{\"pub_id\":\"a\"}¦\n»", "«{\"owner\":\"a#\"}¦\n»",
    "«{\"pub_id\":\"a#\",\"owner\":\"a0\"}¦\n»", #"{"others":[«{"title":"a"}¦,»]}"#,
    #"{"others":[«{"z#":1}¦,»]}"#, "«{\"owner\":{\"owner\":{\"title\":\"a\"}}}¦\n»", "«\n»{}",
    "«x»", "«\0»", "«\"»", "«z#¦,»\n«1¦,»", "«title¦,»\n1", "title,n\n«a,1¦\n»",
    "title,n\n«a,b¦\n»",
    "title,n\n«a¦\n»", "title,n\n\"«\"\"»", "<r><pub>«<a#/>»</pub></r>",
    "<r><pub>«<title>a</title>»</pub></r>", "<r><pub «a#='1'¦ »/></r>", "«<a>»",
    "<r «xmlns:a#='u#'¦ »/>", "<!DOCTYPE r [«<!ENTITY e# 'x'>»]><r/>",
    "<r><pub><title>«<!--a-->»</title></pub></r>",
  ]
  private static let operations = [
    "«{\"save\":\"pub\",\"record\":{\"title\":\"a\"}}¦\n»",
    "«{\"save\":\"pub\",\"as\":\"r#\",\"record\":{}}¦\n»", "«{\"save\":\"s#\",\"record\":{}}¦\n»",
    "«{\"delete\":\"pub\",\"id\":\"a#\"}¦\n»", #"{"delete":"pub","ids":[«"a#"¦,»]}"#,
    "«{\"delete\":\"pub\",\"where\":\"n=1\"}¦\n»", #"{"delete":"pub","where":"«zz=1 or »n=1"}"#,
    #"{"delete":"pub","where":"n=1","params":{«"a#":1¦,»}}"#,
  ]
  /// The bodies of requests for a path are some of `records`, and some that only this path accepts.
  private static let bodies: [(method: String, targets: [String], texts: [String])] = [
    (
      "POST",
      [
        "/v1/records/pub", "/v1/records/pub?deep=true", "/v1/records/pub?skip_invalid=true",
        "/v1/records/pub?where=n%3D1", "/v1/records/pub?map=camel", "/v1/records/nosuch",
        "/v1/records/pub/query", "/v1/login", "/v1/logout", "/v1/password", "/v1/schemas/rename",
      ], []
    ), ("PATCH", ["/v1/records/pub/a"], []), ("PUT", ["/v1/records/pub/a"], []),
    ("PUT", ["/v1/records/pub/a/photo/content"], []), ("POST", ["/v1/batch"], operations),
    ("POST", ["/v1/schemas/plan", "/v1/schemas/apply"], newSchemas + declarations),
  ]

  private static var bodyCases: [Case] {
    bodies.flatMap { entry in
      entry.targets.flatMap { target -> [Case] in
        // The store remains empty.
        let isDry = target.hasPrefix("/v1/records/") || target == "/v1/batch"
        let query = isDry || target.hasSuffix("apply") ? "dry_run=true" : ""
        let separator = query.isEmpty ? "" : target.contains("?") ? "&" : "?"
        // SQLite reads the definitions of all tables whenever it creates one.
        let texts = entry.texts.filter { !target.hasSuffix("apply") || !newSchemas.contains($0) }
        // All records are saved in one way, and every fourth of them in the others.
        let saved = records.enumerated().filter { index, _ in
          target == "/v1/records/pub" || index % 4 == 0
        }.map(\.element)
        return (texts + saved).map { Case(entry.method, target + separator + query, body: $0) }
      }
    }
  }

  // MARK: - Schemas and maps

  private static func schema(_ fields: String, _ more: String = "") -> String {
    #"{"schema":"s","fields":{"s_id":{"type":"id"}\#(fields)}\#(more)}"#
  }
  private static func schemas(_ fields: String, _ more: String = "") -> String {
    "«" + #"{"schema":"s#","fields":{"s#_id":{"type":"id"}\#(fields)}\#(more)}"# + "¦\n»"
  }
  private static let text = #","a":{"type":"text"}"#

  private static let newSchemas = [
    schemas(""), schemas(#","r":{"type":"relation","to":"s0"}"#),
    schemas(#","r":{"type":"relation","to":"s#","inverse":"i"}"#),
    schemas("", #","was":"s1#""#), schemas(text, #","access":{"read":"a = 'x'"}"#),
  ]
  private static let declarations = [
    "«{\"schema\":\"s#\",\"fields\":{}}¦\n»", "«\(schema(""))¦\n»",
    schemas(#","r":{"type":"relation","to":"z#"}"#),
    schemas(#","r":{"type":"relation","to":"s0","inverse":"i#"}"#),
    schemas("", #","access":{"read":"zz = 'x'"}"#), schema(#"«,"f#":{"type":"text"}»"#),
    schema(#"«,"F#":{"type":"text"}»"#), schema(#"«,"f#":{"type":"zz"}»"#),
    schema(#"«,"f#":{"type":"relation","to":"z#"}»"#),
    schema(#"«,"f#":{"type":"relation","to":"s","inverse":"i#"}»"#),
    schema(#"«,"f#":{"type":"text","was":"f1#"}»"#), schema(text, #","indexes":[«["a"]¦,»]"#),
    schema(text, #","indexes":[«["a#"]¦,»]"#), schema(text, #","indexes":[[«"a#"¦,»]]"#),
    schema(text, #","properties":{«"P#":"a"¦,»}"#),
    schema(#"«,"f#":{"type":"text"}»"#, #","properties":{«"P#":"f#"¦,»}"#),
    schema(#","a":{"type":"text","one_of":[«"v#"¦,»]}"#),
    schema(#","a":{"type":"[text]","default":[«"v#"¦,»]}"#), schema("", #"«,"k#":1»"#),
    schema(#","a":{"type":"text"«,"k#":1»}"#), schema("", #","access":{"read":[«"s_id='a#'"¦,»]}"#),
    schema("", #","access":{"read":[«"role:r#"¦,»]}"#),
    schema("", #","access":{"read":[«"zz='a#'"¦,»]}"#),
    schema("", #","access":{"read":"«s_id='a' or »s_id='b'"}"#),
    schema("", #","access":{"read":"«zz=1 or »zz=1"}"#), schema("", #","doc":"«a»""#),
    #"{"version":1,"program":"x","schemas":[«{"schema":"s#"}¦,»]}"#,
  ]

  private static func map(_ fields: String, _ more: String = "") -> String {
    #"{"map":"x","format":"json","schema":"pub","fields":{\#(fields)}\#(more)}"#
  }
  private static let title = #""title":"a""#

  private static let maps = [
    map(#"«"f#":"a"¦,»"#), map("«\"f#\":\"a\"¦,\n»"), map(#""title":{"at":"a"«,"k#":1»}"#),
    map(title, #"«,"k#":1»"#), map(#""title":"«a¦.»""#),
    map(#""title":{"at":"a","or":[«"a#"¦,»]}"#),
    map(title, #","extra":{«"k#":1¦,»}"#), map(title, #","extra":{«"k.l#":1¦,»}"#),
    map(title, #","records":"r","frame":{«"k.l#":1¦,»}"#), map(title, #","system":{«"k#":"v"¦,»}"#),
    map(title, #","types":{«"k#":{"as":"x"}¦,»}"#),
    map(#""others":{"at":"x[]","fields":{«"f#":"a"¦,»}}"#), map(#"«"owner":{"at":"a","fields":{»"#),
  ]

  private static var documentCases: [Case] {
    let lints = (newSchemas + declarations).flatMap { text in
      ["schema lint", "schema diff"].map { Case($0, [("PATH", "-")], files: [("-", text)]) }
    }
    let mapped = maps.flatMap { map in
      ["list", "save", "get", "schema lint"].map { command in
        Case(
          command, required[command, default: []] + [("--map", "m.json")],
          files: [("m.json", map), ("-", schemas)])
      }
    }
    let mappedRecords = records.map { record in
      Case(
        "save", required["save", default: []] + [("--map", "m.json")],
        files: [("m.json", map(#""title":"g.title","n":"n""#)), ("-", record)])
    }
    return lints + mapped + mappedRecords
  }

  // MARK: - Queries and headers

  private static let targets = [
    ("GET", "/v1"), ("GET", "/v1/schemas"), ("GET", "/v1/schemas/pub"), ("GET", "/v1/schemas/log"),
    ("GET", "/v1/records/pub"), ("GET", "/v1/records/pub/a"), ("GET", "/v1/whoami"),
    ("GET", "/v1/sessions"), ("GET", "/v1/health"), ("GET", "/v1/metrics"),
    ("GET", "/v1/openapi.json"), ("GET", "/v1/records/pub/a/photo/content"),
    ("DELETE", "/v1/records/pub"), ("DELETE", "/v1/records/pub/a"),
    ("DELETE", "/v1/schemas/nosuch"), ("DELETE", "/v1/records/pub/a/photo/content"),
    ("GET", "/v1/methods/a"),
  ]

  private static var headerCases: [Case] {
    targets.flatMap { method, target -> [Case] in
      // A header has room for few parameters, so each is long.
      let padding = String(repeating: "a", count: 30)
      let queries = [
        "«fields=a#\(padding)¦&»", "«id=a#\(padding)¦&»", "«zz#=\(padding)¦&»",
        "«where=n%3D#\(padding)¦&»", "«param.p#=\(padding)¦&»", "fields=«a»", "id=«a»", "where=«a»",
      ]
      let headers = [
        "Accept: «a/b#;q=0.5¦,»", "Accept-Encoding: «a#;q=0.5¦,»", "If-None-Match: «\"#-a\"¦,»",
        "If-Match: «\"#-a\"¦,»", "Range: bytes=«#-#¦,»", "«Accept: a/b¦\r\n»", "«X-A#: a¦\r\n»",
      ]
      func size(_ size: Int) -> Int { min(size / 4, 8_000) }
      return queries.map { query in
        Case("\(method) \(target)?\(query)") {
          Request(method: method, target: "\(target)?" + SizedText(query).text(size($0)))
        }
      }
        + headers.map { header in
          Case("\(method) \(target) \(header)") {
            Request(method: method, target: target, headers: [SizedText(header).text(size($0))])
          }
        }
    }
  }

  // MARK: - Commands

  /// The inputs that a command needs, so that it reads the others.
  private static let required: [String: [(name: String, value: String)]] = [
    "get": [("SCHEMA", "pub"), ("ID", "a")], "list": [("SCHEMA", "pub")],
    "save": [("SCHEMA", "pub"), ("--dry-run", "")],
    "delete": [("SCHEMA", "pub"), ("ID", "a"), ("--if-exists", ""), ("--dry-run", "")],
    "batch": [("FILE", "-"), ("--dry-run", "")],
    "access": [("USER", "root"), ("VERB", "read"), ("SCHEMA", "pub")],
    "schema show": [("SCHEMA", "pub")], "schema export": [("--format", "json-schema")],
    "schema lint": [("PATH", "-")], "schema plan": [("PATH", "-")], "schema diff": [("PATH", "-")],
    "schema create": [("NAME", "foo"), ("--dry-run", "")],
    "schema apply": [("PATH", "-"), ("--dry-run", "")],
    "schema rename": [("SCHEMA[.FIELD]", "pub"), ("NEW", "bup"), ("--dry-run", "")],
    "schema drop": [("SCHEMA", "pub"), ("--dry-run", "")],
  ]

  private static func commandCases(_ tree: JSON) -> [Case] {
    let entries = tree["commands"]?.elements ?? []
    let commands = entries.flatMap { entry in entry["commands"].map { $0.elements } ?? [entry] }
    let completion = [
      commandCase("completion", "WORD", "n=", [("INDEX", "1"), ("WORD", "list"), ("WORD", "pub")])
    ]
    return commands.reduce(into: completion) { cases, command in
      guard let name = command["name"]?.text, let known = required[name] ?? known[name] else {
        return
      }
      for input in (command["operands"]?.elements ?? []) + (command["options"]?.elements ?? []) {
        guard let inputName = input["name"]?.text else { continue }
        let others = known.filter { $0.name != inputName }
        let isRepeated = input["repeated"]?.flag == true
        let units = ["a#"] + (isRepeated ? ["title=a", "tags+=a#", "a#=1", "f#:text", ""] : [])
        let texts = ["«a#¦,»"] + (isRepeated ? ["«zz=1 or »n=1", "«(»", "«a/»"] : [])
        cases += units.map { commandCase(name, inputName, $0, others) }
        cases += texts.map {
          Case(name, others + [(inputName, $0)], files: [("-", schemas)])
        }
        let kind = input["value"]?["kind"]?.text ?? ""
        if ["file", "folder", "store"].contains(kind) {
          cases += fileCases(name, inputName, others)
        }
      }
    }
  }

  /// The commands without required inputs that servers execute.
  private static let known: [String: [(name: String, value: String)]] = [
    "whoami": [], "schema list": [], "schema log": [],
  ]

  /// Returns requests that give an input of a command many times.
  private static func commandCase(
    _ command: String, _ input: String, _ unit: String, _ others: [(name: String, value: String)]
  ) -> Case {
    Case("\(command) \(input) \(unit) …") { size in
      let count = max(1, size / (unit.utf8.count + input.utf8.count + 8))
      return try .command(
        command,
        others + (0..<count).map { (input, unit.replacingOccurrences(of: "#", with: "\($0)")) },
        files: [("-", .file(schemas))])
    }
  }

  private static func fileCases(
    _ command: String, _ input: String, _ others: [(name: String, value: String)]
  ) -> [Case] {
    func schema(_ number: Int) -> String {
      #"{"schema":"s\#(number)","fields":{"s\#(number)_id":{"type":"id"}}}"#
    }
    typealias File = (path: String, content: Request.Attachment)
    func filesCase(
      _ what: String, _ fileSize: Int, paths: @escaping (Int) -> [String],
      files: @escaping (Int) -> [File]
    ) -> Case {
      Case("\(command) \(input), \(what)") { size in
        let count = max(1, size / fileSize)
        return try .command(
          command, others + paths(count).map { (input, $0) },
          files: files(count) + [("-", .file(schemas))],
          expansions: [("*.json", (0..<count).map { "f\($0).json" })])
      }
    }
    return [
      filesCase(
        "many files", 110, paths: { (0..<$0).map { "f\($0).json" } },
        files: { (0..<$0).map { ("f\($0).json", .file(schema($0))) } }),
      filesCase(
        "many folders", 170, paths: { (0..<$0).map { "f\($0)" } },
        files: { count in
          (0..<count).flatMap { number -> [File] in
            [("f\(number)", .folder(["x.json"])), ("f\(number)/x.json", .file(schema(number)))]
          }
        }),
      filesCase(
        "a folder", 110, paths: { _ in ["d"] },
        files: { count in
          [("d", .folder((0..<count).map { "s\($0).json" }))]
            + (0..<count).map { ("d/s\($0).json", .file(schema($0))) }
        }),
      filesCase(
        "subfolders", 60, paths: { _ in ["d"] },
        files: { count in
          [
            ("d", .folder(["x.json"] + (0..<count).map { "s\($0)" })),
            ("d/x.json", .file(schema(0))),
          ] + (0..<count).map { ("d/s\($0)", .folder([])) }
        }),
      filesCase(
        "a pattern", 50, paths: { _ in ["*.json"] },
        files: { (0..<$0).map { ("f\($0).json", .file("")) } }),
    ]
  }

  // MARK: - Tests

  /// Measures requests of a size, of twice this size, and of the smallest size.
  private static func check(_ cases: [Case], on server: CountedServer, size: Int) throws {
    let saving = Case("POST", "/v1/records/pub?dry_run=true", body: "«{\"title\":\"tea\"}¦\n»")
    _ = try server.cost(of: try saving.request(size))
    let save = try server.cost(of: try saving.request(size)).instructions
    for item in cases {
      let (small, large) = (try item.request(size), try item.request(2 * size))
      let least: Int
      let cost: Int
      let reply: Reply
      let doubled: Int
      do {
        least = try server.cost(of: try item.request(1)).instructions
        (cost, reply) = try server.cost(of: small)
        doubled = try server.cost(of: large).instructions
      } catch {
        throw Violation("\(item.name): \(error)")
      }
      let limit = 10 * save * max(small.size, size) / size + least
      #expect(
        cost <= limit,
        "\(item.name): \(cost) instructions, limit \(limit); \(reply.body.prefix(200))")
      let growth = Double(doubled) / Double(cost)
      #expect(
        growth <= 1.1 * max(2, Double(large.size) / Double(small.size)),
        "\(item.name): grows from \(cost) to \(doubled), \(growth); \(reply.body.prefix(200))")
    }
  }

  @Test("a request costs at most ten times a save of the same size, and grows like its size")
  func selection() throws {
    let server = try CountedServer(try TestFolder(), schemas: Self.schemas)
    let cases =
      [
        "where=«zz=1 or »n=1", "where=«title='a#' and »n=1", "where=«n=:p# or »n=1&«param.p#=1¦&»",
        "fields=«-title¦,»", "group_by=title&sum=«n*2¦,»", "«param.N=¦&»",
      ].map { Case(form: $0) }
      + [
        Case(form: "«param.N=¦&»", of: "nosuch"),
        Case(
          "POST", "/v1/records/pub?dry_run=true&where=n%3D1",
          body: #"{"tags":{"$append":[«"a#"¦,»]}}"#),
        Self.commandCase("schema lint", "PATH", "f#.json", []),
        Case("schema lint", [("PATH", "-")], files: [("-", Self.newSchemas[0])]),
        Case(
          "schema lint", [("PATH", "-")],
          files: [
            (
              "-",
              Self.schema(
                #"«,"f#":{"type":"text","was":"f1#"}»"#, #","properties":{«"P#":"f#"¦,»}"#)
            )
          ]),
        Case("list", [("SCHEMA", "pub"), ("--map", "m.json")], files: [("m.json", Self.maps[0])]),
        Case("list", [("SCHEMA", "pub"), ("--map", "m.json")], files: [("m.json", Self.maps[7])]),
      ]
    try Self.check(cases, on: server, size: 8_000)
  }

  @Test(
    "every request costs at most ten times a save of the same size, and grows like its size",
    .tags(.slow), .from(.all))
  func everything() throws {
    let folder = try TestFolder()
    let server = try CountedServer(folder, schemas: Self.schemas)
    let tree = try JSON(try folder.datactl.run(["help", "--json"]).exits(0).output)
    let api = try JSON(
      try server.cost(of: Request(method: "GET", target: "/v1/openapi.json")).reply.body)
    let query = api["components"]?["schemas"]?["Query"]?["properties"]
    let parameters = query?.keys ?? []
    #expect(parameters.contains("where"))
    // Each route of the description has a case.
    let known = Set(
      (Self.targets + Self.bodies.flatMap { entry in entry.targets.map { (entry.method, $0) } })
        .map { "\($0) \($1)" })
    for name in (api["paths"]?.keys ?? []) where !name.hasPrefix("/v1/records/user") {
      let path = name.replacingOccurrences(of: "{id}", with: "a")
        .replacingOccurrences(of: "{schema}", with: "pub")
        .replacingOccurrences(of: "{method}", with: "a")
      for method in api["paths"]?[name]?.keys ?? [] where method != "parameters" {
        #expect(
          known.contains("\(method.uppercased()) \(path)")
            || path == "/v1/schemas/pub" && method == "delete", "\(method) \(path) has no case")
      }
    }
    try Self.check(
      Self.formCases(parameters) + Self.bodyCases + Self.headerCases + Self.documentCases
        + Self.commandCases(tree), on: server, size: 8_000)
  }
}
