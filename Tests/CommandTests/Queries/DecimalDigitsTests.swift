import Foundation
import ProgramHarness
import Testing

/// Saves and prints decimals of 18 digits in every format and through every interface. None of them
/// may round the numbers, as a double does.
@Suite("Decimals of 18 digits", .onEveryStore)
struct DecimalDigitsTests {
  private static let schemas = """
    {"schema": "item",
     "fields": {"item_id": {"type": "id"},
       "n": {"type": "decimal", "digits": 18, "scale": 0},
       "f": {"type": "decimal", "digits": 18, "scale": 18},
       "m": {"type": "decimal", "digits": 18, "scale": 9}},
     "access": {"read": "anyone", "create": "anyone", "update": "anyone", "delete": "anyone"}}
    {"schema": "shelf",
     "fields": {"shelf_id": {"type": "id"},
       "items": {"type": "relation", "to": "item", "many": true}},
     "access": {"read": "anyone"}}
    {"schema": "rule",
     "fields": {"rule_id": {"type": "id"},
       "n": {"type": "decimal", "digits": 18, "scale": 0, "default": -123456789012345678,
         "min": -999999999999999999, "max": 123456789012345678},
       "f": {"type": "decimal", "digits": 18, "scale": 18, "default": 0.123456789012345678,
         "one_of": [0.123456789012345678, -0.123456789012345679]}}}

    """

  private static let records = """
    {"item_id":"a","n":123456789012345678,"f":0.123456789012345678,"m":123456789.012345678}
    {"item_id":"b","n":-123456789012345678,"f":-0.123456789012345678,"m":-123456789.012345678}
    {"item_id":"c","n":999999999999999999,"f":0.999999999999999999,"m":999999999.999999999}
    {"item_id":"d","n":-999999999999999999,"f":-0.999999999999999999,"m":-999999999.999999999}
    {"item_id":"e","n":1,"f":0.000000000000000001,"m":0.000000001}

    """

  private static let numbers = records.split { !"-.0123456789".contains($0) }.filter {
    $0.count > 2
  }

  private func folder() throws -> TestFolder {
    let folder = try TestFolder()
    try folder.write("schemas.json", Self.schemas)
    try folder.prepare("schema", "apply", "schemas.json")
    try folder.prepare("save", "item", "-o", "none", input: .text(Self.records))
    try folder.write(
      "csv.json",
      """
      {"map": "m", "format": "csv", "schema": "item", "separator": ";", "system": {},
       "fields": {"item_id": "Id", "n": "N", "f": {"at": "F", "as": "lenient"}, "m": "M"}}
      """)
    try folder.write(
      "xml.json",
      """
      {"map": "m", "format": "xml", "schema": "item", "records": "/r/i", "system": {},
       "fields": {"item_id": "@id", "n": "@n", "f": "f", "m": {"at": "d/m"}}}
      """)
    try folder.write(
      "json.json",
      """
      {"map": "m", "schema": "item", "records": "r[]", "system": {},
       "fields": {"item_id": "id", "n": "a.n", "f": {"at": "f", "as": "lenient"}, "m": "b.c.m"}}
      """)
    try folder.write(
      "nested.json",
      """
      {"map": "m", "schema": "shelf", "system": {}, "fields": {"shelf_id": "id",
       "items": {"at": "items[]", "fields": {"item_id": "id", "n": "n", "f": "f", "m": "m"}}}}
      """)
    return folder
  }

  @Test(
    "reads the output of every format as the same records",
    arguments: [
      ("-o ndjson", ""), ("-o json", ""), ("-o csv", ""), ("-o tsv", ""), ("-o xml", ""),
      ("-o csv", "--lenient"), ("-o json", "--lenient"), ("-o json", "--round-decimals"),
      ("-o json --numbers text", ""), ("-o csv --numbers text", ""), ("--map csv.json", nil),
      ("--map xml.json", nil), ("--map json.json", nil), ("--map camel", nil),
      ("--map pascal", nil), ("--map telerik", nil), ("--map stackmob", nil),
      ("--map backendless", nil), ("--map liquid", nil),
    ])
  func formats(_ output: String, _ input: String?) throws {
    let folder = try folder()
    let text = try folder.shell("datactl list item \(output) --fields n,f,m").exits(0).output
    for number in Self.numbers { #expect(text.contains(number)) }
    try folder.write("copy", text)
    try folder.prepare(
      "save", "item", "--where", "item_id is not null", "n=5", "f=0.5", "m=5.5", "--yes",
      "-o", "none")
    try folder.shell("datactl save item \(input ?? output) --file copy -o none").exits(0)
    try folder.run("list", "item", "--fields", "n,f,m").exits(0).prints(Self.records)
  }

  @Test("reads and prints nested records")
  func trees() throws {
    let folder = try folder()
    let items = Self.records.split(separator: "\n").joined(separator: ",")
    try folder.write("shelf.json", #"{"shelf_id":"s","items":[\#(items)]}"#)
    try folder.run("save", "shelf", "--deep", "--file", "shelf.json").exits(0)
      .reports("(and 5 nested: 5 the same)")
    for output in ["-o ndjson", "-o xml", "-o json --numbers text"] {
      try folder.shell(
        "datactl list shelf --expand items \(output) | datactl save shelf --deep -o none"
      ).exits(0).reports("(and 5 nested: 5 the same)")
    }
    try folder.shell(
      """
      datactl list shelf --map nested.json > copy
      datactl save shelf --map nested.json --file copy -o none
      """
    ).exits(0).reports("(and 5 nested: 5 the same)")
    let csv = try folder.run("list", "shelf", "--expand", "items", "-o", "csv").exits(0).output
    for number in Self.numbers { #expect(csv.contains(number)) }
  }

  @Test(
    "computes and compares all digits",
    arguments: [
      ("list item --where 'n = 123456789012345678' -o ids", "a"),
      ("list item --where 'n > 123456789012345677' -o ids", "a c"),
      ("list item --where 'f < -0.123456789012345677' -o ids", "b d"),
      ("list item --where 'f = 0.123456789012345678' -o ids", "a"),
      ("list item --where 'f != 0.123456789012345678' -o ids", "b c d e"),
      ("list item --where 'm in (123456789.012345678, 5)' -o ids", "a"),
      ("list item --where 'm between -123456789.0123456785 and 1' -o ids", "b e"),
      ("list item --where 'n + f = 123456789012345678.123456789012345678' -o ids", "a"),
      ("list item --where 'n = :n' --param n=-123456789012345678 -o ids", "b"),
      ("list item f=0.123456789012345678 -o ids", "a"),
      ("list item --order n -o ids", "d b e a c"), ("list item --order -f -o ids", "c a e b d"),
      ("list item --distinct m --order -m --limit 2", "999999999.999999999 123456789.012345678"),
      (
        "list item --group-by f --having 'f < -0.123456789012345678'",
        #"{"f":-0.999999999999999999,"count":1}"#
      ),
      (
        "list item --group-by n --sum f --order -n --limit 1 -o csv",
        "n,count,sum_f 999999999999999999,1,0.999999999999999999"
      ),
      (
        "list item --sum n --sum f,m --min n --max f --median m",
        #"{"count":5,"sum_n":1,"sum_f":0.000000000000000001,"sum_m":0.000000001,"#
          + #""median_m":0.0000000010,"min_n":-999999999999999999,"max_f":0.999999999999999999}"#
      ),
      (
        "list item item_id=a --fields 's = n + f, p = f * f, q = n * 2' -o csv",
        "item_id,s,p,q a,123456789012345678.123456789012345678,"
          + "0.015241578753238836527968299765279684,246913578024691356"
      ),
      (
        "get item a --fields n,m",
        #"{"item_id":"a","n":123456789012345678,"m":123456789.012345678}"#
      ),
      (
        "list item item_id=b -o md --fields n,f",
        "| item_id | n | f | | --- | ---: | ---: | "
          + "| b | -123456789012345678 | -0.123456789012345678 |"
      ),
      (
        "list item item_id=b --section-by item_id --fields f",
        #"{"section":"B","count":1} {"item_id":"b","f":-0.123456789012345678}"#
      ),
      (
        "save item a n+=1 f-=0.000000000000000001 -o diff",
        #"{"item_id":"a","did":"change","changes":{"n":[123456789012345678,123456789012345679],"#
          + #""f":[0.123456789012345678,0.123456789012345677]}}"#
      ),
      (
        "save rule r --create -o csv n=-123456789012345678 | cut -d, -f1-3",
        """
        rule_id,n,f r,-123456789012345678,0.123456789012345678
        """
      ),
    ])
  func queries(_ command: String, _ output: String) throws {
    let lines = try folder().shell("datactl \(command)").exits(0).output
      .split(whereSeparator: \.isNewline)
    #expect(lines.joined(separator: " ") == output)
  }

  @Test(
    "continues after the last record of a page",
    arguments: [
      "n", "-f", "m,n", "n * 1", "-f * 1", "n + f", "x",
    ])
  func pages(order: String) throws {
    let folder = try folder()
    let query = [
      "list", "item", "--order", order, "--fields", "n,x = m * 2", "-o", "page", "--limit", "1",
    ]
    func page(_ position: [String]) throws -> (id: String, next: String?, previous: String?) {
      let json = try folder.datactl.run(query + position).exits(0).json
      return (
        json["records"]?.elements.first?["item_id"]?.text ?? "", json["next"]?.text,
        json["previous"]?.text
      )
    }
    var ids: [String] = []
    var (id, next, previous) = try page([])
    ids.append(id)
    while let token = next, ids.count < 5 {
      (id, next, previous) = try page(["--after", token])
      ids.append(id)
    }
    #expect(ids == (order.hasPrefix("-") ? ["c", "a", "e", "b", "d"] : ["d", "b", "e", "a", "c"]))
    #expect(try page(["--before", try #require(previous)]).id == ids.dropLast().last)
  }

  @Test(
    "reads numbers and text in every notation",
    arguments: [
      (#"printf '{"n":1234567890123456.78e2,"f":"0.123456789012345678"}'"#, ""),
      (#"printf '{"n":"1.23456789012345678e17","f":1234567890123456.78e-16}'"#, ""),
      (#"printf '{"n":123456789012345678.0,"f":0.1234567890123456780}'"#, ""),
      (#"printf "n;f\n123'456'789'012'345'678;0.123456789012345678\n""#, "--lenient"),
      (#"printf '{"n":123456789012345677.9,"f":0.1234567890123456784999}'"#, "--round-decimals"),
    ])
  func notations(_ input: String, _ option: String) throws {
    let folder = try folder()
    try folder.shell("\(input) | datactl save item \(option) -o csv | cut -d, -f2-3").prints(
      "n,f\n123456789012345678,0.123456789012345678\n")
  }

  @Test("executes batches without rounding")
  func batch() throws {
    let folder = try folder()
    let output = try folder.run(
      "batch",
      input: .text(
        """
        {"check":"item","where":"f = 0.123456789012345678","count":1}
        {"save":"item","id":"a","record":{"n":{"$add":1},"f":{"$add":-0.000000000000000001}}}
        {"save":"item","where":"m = -123456789.012345678","record":{"m":123456789.012345679}}
        {"get":"item","id":"a","fields":"n,f"}
        {"get":"item","id":"b","fields":"m"}

        """)
    ).exits(0).output
    #expect(output.contains(#"{"item_id":"a","n":123456789012345679,"f":0.123456789012345677}"#))
    #expect(output.contains(#"{"item_id":"b","m":123456789.012345679}"#))
  }

  @Test("sends and receives all digits over HTTP")
  func server() throws {
    let folder = try folder()
    let server = try TestServer(folder)
    let a = #""n":123456789012345678,"f":0.123456789012345678"#
    let b = #""n":-123456789012345678,"f":-0.123456789012345678"#
    for (method, path, body, output) in [
      ("GET", "/item/a?fields=n,f", nil, "{\"item_id\":\"a\",\(a)}\n"),
      (
        "GET", "/item?fields=n,f&where=f%3D-0.123456789012345678", nil, "{\"item_id\":\"b\",\(b)}\n"
      ),
      ("GET", "/item?order=-n&limit=1&distinct=n", nil, "999999999999999999\n"),
      (
        "GET", "/item?group_by=n&sum=f&having=n%3D123456789012345678", nil,
        #"{"n":123456789012345678,"count":1,"sum_f":0.123456789012345678}"# + "\n"
      ),
      (
        "GET", "/item?id=b&fields=n&numbers=text", nil,
        #"{"item_id":"b","n":"-123456789012345678"}"# + "\n"
      ),
      (
        "GET", "/item?id=b&fields=n,f&output=csv", nil,
        "item_id,n,f\r\nb,-123456789012345678,-0.123456789012345678\r\n"
      ),
      (
        "POST", "/item/query", "where=n%3D:x&param.x=-123456789012345678&fields=n,f",
        "{\"item_id\":\"b\",\(b)}\n"
      ),
      ("POST", "/item", "{\"item_id\":\"p\",\(a)}", "\"item_id\":\"p\",\(a),"),
      (
        "PATCH", "/item/p", #"{"n":{"$add":1}}"#,
        #""n":123456789012345679,"f":0.123456789012345678"#
      ),
      ("PATCH", "/item/p", "{\(b)}", b), ("PUT", "/item/p", "{\(a)}", a),
      ("POST", "/item", "{\"item_id\":\"q\",\(b)}", b),
    ] as [(String, String, String?, String)] {
      let reply = try server.request(method, "/records\(path)", body: body)
      #expect((200...201).contains(reply.status), "\(method) \(path): \(reply.body)")
      #expect(reply.body.contains(output), "\(method) \(path): \(reply.body)")
    }
    let batch = try server.request(
      "POST", "/batch", body: #"{"get":"item","id":"q","fields":"n,f"}"#)
    #expect(batch.body.contains(b))
    for output in ["ndjson", "csv", "xml"] {
      try folder.shell(
        """
        datactl list item --store \(server.address) -o \(output) --fields n,f,m > copy
        datactl save item --store \(server.address) --file copy -o none
        """
      ).exits(0).reports("7 saved: 7 the same")
    }
    try folder.run("get", "item", "q", "--fields", "n,f", "--store", server.address).exits(0)
      .prints("{\"item_id\":\"q\",\(b)}\n")
  }

  @Test("exports, copies and completes the numbers in schemas")
  func schemas() throws {
    let folder = try folder()
    let text = try folder.run("schema", "export").exits(0).output
    for (format, numbers) in [
      ("jsonschema", ["default\": 0.123456789012345678", "\"minimum\": -999999999999999999"]),
      (
        "openapi",
        ["\"default\":-123456789012345678", "[0.123456789012345678,-0.123456789012345679"]
      ),
      ("swift", ["DecimalValue(\"0.123456789012345678\")"]),
      ("typescript", ["f: 0.123456789012345678 | -0.123456789012345679"]),
      ("markdown", ["max `123456789012345678`", "default `0.123456789012345678`"]),
    ] {
      let output = try folder.run("schema", "export", "--format", format).exits(0).output
      for number in numbers { #expect(output.contains(number), "\(format): \(number)") }
    }
    let copy = try TestFolder()
    try copy.prepare("schema", "apply", "-", input: .text(text))
    try copy.run("schema", "export").exits(0).prints(text)
    let fields = try folder.run("completion", "candidates", "2", "--", "save", "rule", "f=").output
    let condition = try folder.run(
      "completion", "candidates", "3", "--", "list", "rule", "--where", "n > 0 and f = "
    ).output
    for number in ["0.123456789012345678", "-0.123456789012345679"] {
      #expect(fields.contains("f=\(number)") && condition.contains("f = \(number)"))
    }
    try folder.run("save", "rule", "x", "f=0.12345678901234567").exits(6)
    try folder.run("save", "rule", "x", "n=123456789012345679").exits(6)
      .reports("at most 123456789012345678")
  }
}
