import Foundation
import ProgramHarness
import TestSupport
import Testing

@Suite("Batches", .onEveryStore)
struct BatchTests {
  private func folder() throws -> TestFolder {
    let folder = try TestFolder()
    for schema in [
      ["customer", "name:text"],
      ["product", "title:text", "stock:integer", "details:json"],
      ["order", "title:text!", "customer:customer", "total:number"],
      ["line", "order:order", "product:product", "amount:integer"],
      ["cart", "owner:customer", "products:product+"],
    ] {
      try folder.datactl.run(["schema", "create"] + schema).exits(0)
    }
    try folder.prepare("save", "customer", "ann", "name=Ann")
    try folder.prepare("save", "product", "tea", "title=Tea", "stock=5")
    try folder.prepare("save", "product", "milk", "title=Milk", "stock=1")
    try folder.prepare("save", "cart", "c1", "owner=ann", #"products:=["tea","milk"]"#)
    return folder
  }

  private func batch(_ folder: TestFolder, _ text: String, _ options: String...) throws -> Run {
    try folder.program.run(["batch"] + options, input: .text(text))
  }

  /// Returns all products and carts with their system fields.
  private func records(_ folder: TestFolder) throws -> String {
    try ["product", "cart"].map { schema in
      try folder.prepare("list", schema, "-o", "ndjson").output
    }.joined()
  }

  /// Removes the system fields and generated ids from output lines.
  private func withoutSystemFields(_ output: String) -> String {
    output.replacing(/,"created_at":"[^}]*?"revision":\d+/, with: "")
      .replacing(/"[0-9a-f]{8}-[0-9a-f-]{27}"/, with: "\"ID\"")
  }

  @Test("saves a record with the records inside it, and reports their problems with their paths")
  func trees() throws {
    let folder = try folder()
    try folder.prepare("schema", "create", "item", "cart:cart:items:owned", "n:integer")
    let run = try batch(
      folder,
      """
      {"save":"cart","as":"c","deep":true,"record":{"owner":{"name":"Bob"},"items":[{"n":1},{"n":2}]}}
      {"save":"item","record":{"n":3,"cart":{"$ref":"c"}}}
      {"get":"cart","id":{"$ref":"c"},"fields":"owner.name,count(items)"}
      {"save":"cart","id":"c1","deep":true,"record":{"items":[]}}
      """
    ).exits(0)
    #expect(run.lines[2].contains(#""owner.name":"Bob""#), "\(run.lines[2])")
    #expect(run.lines[2].contains(":3}"), "\(run.lines[2])")
    #expect(run.lines[3].contains(#""operation":4,"did":"none""#), "\(run.lines[3])")
    try batch(
      folder,
      """
      {"save":"cart","id":"c1","record":{"owner":"ann"}}
      {"save":"cart","id":"c1","deep":true,"record":{"items":[{"n":"x"},{"cart":"c2"}]}}
      """
    ).exits(6).reports(
      """
      datactl: standard input:2: operation 2: $.items[0].n: expected integer, found text "x"
      datactl: standard input:2: operation 2: $.items[1].cart: expected "c1", whose list contains \
      the record, found "c2"

      """)
    try batch(
      folder, #"{"save":"cart","id":"c1","deep":true,"record":{"items":["z"]}}"#
    ).exits(3).reports(
      "datactl: standard input:1: operation 1: $.items[0]: there is no such record\n")
    try batch(
      folder, #"{"save":"cart","where":"owner = 'ann'","deep":true,"record":{"items":[]}}"#
    ).exits(6)
  }

  @Test("saves, checks, deletes and reads records of several schemas in one batch")
  func everything() throws {
    let folder = try folder()
    let run = try batch(
      folder,
      """
      {"save": "order", "as": "o", "record": {"title": "Tea", "customer": "ann"}}
      {"save": "line", "record": {"order": {"$ref": "o"}, "product": "tea", "amount": 2}}
      {"save": "product", "id": "tea", "record": {"stock": {"$add": -2}}, "mode": "update"}
      {"check": "product", "id": "tea", "where": "stock >= 0"}
      {"delete": "cart", "where": "owner = 'ann'"}
      {"check": "cart", "where": "owner = 'ann'", "count": 0}

      {"get": "order", "id": {"$ref": "o"}, "fields": "title,customer.name"}
      """
    ).exits(0)
    #expect(
      withoutSystemFields(run.output) == """
        {"operation":1,"did":"create","record":{"order_id":"ID","title":"Tea","customer":"ann","total":null}}
        {"operation":2,"did":"create","record":{"line_id":"ID","order":"ID","product":"tea","amount":2}}
        {"operation":3,"did":"change","record":{"product_id":"tea","title":"Tea","stock":3,"details":null}}
        {"operation":4,"did":"check"}
        {"operation":5,"did":"delete","count":1}
        {"operation":6,"did":"check"}
        {"operation":7,"did":"get","record":{"order_id":"ID","title":"Tea","customer.name":"Ann"}}

        """)
    #expect(try folder.prepare("list", "cart", "--count").output == "0\n")
    #expect(try folder.prepare("list", "line", "order.title=Tea", "--count").output == "1\n")
  }

  @Test("prints related records as earlier operations of the batch have changed them")
  func expand() throws {
    let folder = try folder()
    try folder.write(
      "line.json",
      """
      {"schema": "line", "fields": {"line_id": {"type": "id"},
        "order": {"type": "relation", "to": "order", "inverse": "lines"},
        "product": {"type": "relation", "to": "product"}, "amount": {"type": "integer"}}}
      """)
    try folder.prepare("schema", "apply", "line.json")
    let run = try batch(
      folder,
      """
      {"save": "product", "id": "tea", "record": {"title": "Green tea"}}
      {"save": "order", "as": "o", "record": {"title": "Tea", "customer": "ann"}}
      {"save": "line", "id": "l1", "record": {"order": {"$ref": "o"}, "product": "tea"}}
      {"save": "line", "id": "l2", "record": {"order": {"$ref": "o"}}}
      {"get": "line", "id": "l1", "expand": "product,order.customer", "fields": "amount"}
      {"get": "line", "id": "l2", "expand": "product"}
      {"get": "order", "as": "p", "id": {"$ref": "o"}, "expand": "lines", "fields": "title"}
      {"check": "order", "id": {"$ref": "p"}}
      """
    ).exits(0)
    let printed = try folder.shell(
      """
      jq -c 'select(.did == "get").record | del(.. | .created_at?, .created_by?, .modified_at?,
        .modified_by?, .revision?)'
      """, input: .text(run.output)
    ).exits(0).output
    #expect(
      withoutSystemFields(printed) == """
        {"line_id":"l1","amount":null,"order":{"order_id":"ID","title":"Tea","customer":{"customer_id":"ann","name":"Ann"},"total":null},"product":{"product_id":"tea","title":"Green tea","stock":5,"details":null}}
        {"line_id":"l2","order":"ID","product":null,"amount":null}
        {"order_id":"ID","title":"Tea","lines":[{"line_id":"l1","order":"ID","product":"tea","amount":null},{"line_id":"l2","order":"ID","product":null,"amount":null}]}

        """, "\(printed)")
    for (expansion, status) in [("title", 2), ("nothing", 2), ("order.customer.name.x", 2)] {
      try batch(folder, #"{"get": "line", "id": "l1", "expand": "\#(expansion)"}"#).exits(
        Int32(status))
    }
  }

  @Test("distinguishes ids that differ only in Unicode normalization")
  func composedLetters() throws {
    let folder = try folder()
    try batch(
      folder,
      """
      {"save": "product", "id": "caf\u{e9}", "record": {"stock": 1}}
      {"save": "product", "id": "cafe\u{301}", "record": {"stock": 2}}
      {"save": "product", "where": "product_id like 'caf%'", "record": {"stock": {"$add": 1}}}
      {"check": "product", "id": "caf\u{e9}", "where": "stock = 2"}
      {"check": "product", "id": "cafe\u{301}", "where": "stock = 3"}
      """
    ).exits(0)
    try batch(
      folder, #"{"save": "product", "id": "caf\#u{e9}", "record": {"product_id": "cafe\#u{301}"}}"#
    ).exits(6).reports("but the record has a different product_id")
  }

  @Test("changes nothing when an operation fails, and reports the line of the operation")
  func failure() throws {
    let folder = try folder()
    let before = try records(folder)
    let run = try batch(
      folder,
      """
      {"save": "product", "id": "tea", "record": {"stock": {"$add": -9}}}
      {"delete": "cart", "all": true}

      {"check": "product", "id": "tea", "where": "stock >= 0"}
      """
    ).exits(5)
    #expect(
      run.errors == """
        datactl: standard input:4: operation 3: product tea: check failed: the record does not \
        meet the condition stock >= 0

        """)
    #expect(run.output == "")
    #expect(try records(folder) == before)
  }

  @Test(
    "a batch fails when a checked record is missing or a checked count is wrong",
    arguments: [
      (#"{"check": "product", "id": "cake"}"#, "there is no such record"),
      (#"{"check": "product", "id": "cake", "where": "stock > 1"}"#, "there is no such record"),
      (
        #"{"check": "product", "where": "stock > 0", "count": 1}"#,
        "expected 1 record with stock > 0, found more"
      ),
      (#"{"check": "product", "count": 3}"#, "expected 3 records, found 2"),
    ])
  func checks(operation: String, message: String) throws {
    let run = try batch(try folder(), operation).exits(5)
    #expect(run.errors.contains("check failed: \(message)"), "\(run.errors)")
  }

  @Test("accepts references to records of later operations, and rejects dangling references")
  func forward() throws {
    let folder = try folder()
    try batch(
      folder,
      """
      {"save": "line", "id": "l", "record": {"order": "o", "product": "cake"}}
      {"save": "order", "id": "o", "record": {"title": "Cake"}}
      {"save": "product", "id": "cake", "record": {"title": "Cake"}}
      """
    ).exits(0)
    let run = try batch(
      folder,
      """
      {"save": "line", "id": "m", "record": {"order": "none"}}
      {"save": "cart", "id": "d", "record": {"products": ["tea", "nothing"]}}
      {"save": "line", "id": "n", "record": {"product": "gone"}}
      """
    ).exits(6)
    #expect(
      run.errors == """
        datactl: standard input:1: operation 1: order: there is no order "none"
        datactl: standard input:2: operation 2: products: there is no product "nothing"
        datactl: standard input:3: operation 3: product: there is no product "gone"

        """)
    #expect(try folder.prepare("list", "line", "-o", "ids").output == "l\n")
  }

  @Test(
    "ignores a dangling reference if a later operation clears it or deletes the referring record")
  func obsoleteReferences() throws {
    let folder = try folder()
    try batch(
      folder,
      """
      {"save": "line", "id": "a", "record": {"order": "none", "product": "none"}}
      {"save": "line", "id": "b", "record": {"order": "none"}}
      {"save": "cart", "id": "d", "record": {"products": ["tea", "nothing"]}}
      {"save": "line", "id": "a", "record": {"order": null, "product": "tea"}}
      {"delete": "line", "id": "b"}
      {"save": "cart", "id": "d", "record": {"products": {"$remove": ["nothing"]}}}
      """
    ).exits(0)
    #expect(try folder.prepare("list", "line", "-o", "ids").output == "a\n")
  }

  @Test("rejects a reference to a record that was deleted earlier in the batch")
  func deletedTargets() throws {
    let folder = try folder()
    let run = try batch(
      folder,
      """
      {"save": "line", "id": "a", "record": {"product": "milk"}}
      {"delete": "product", "id": "milk"}
      {"save": "line", "id": "b", "record": {"product": "milk"}}
      """
    ).exits(6)
    #expect(
      run.errors
        == "datactl: standard input:3: operation 3: product: there is no product \"milk\"\n")
    try batch(
      folder,
      """
      {"delete": "product", "where": "stock > 4"}
      {"delete": "product", "id": "milk"}
      {"delete": "product", "id": "none", "if_exists": true}
      """
    ).exits(0).prints(
      """
      {"operation":1,"did":"delete","count":1,"nullified":1}
      {"operation":2,"did":"delete","count":1,"nullified":1}
      {"operation":3,"did":"delete","count":0}

      """)
  }

  @Test("resolves $ref in fields, ids and parameters, but not in json fields")
  func references() throws {
    let folder = try folder()
    let run = try batch(
      folder,
      """
      {"get": "product", "as": "tea", "id": "tea", "fields": "title"}
      {"save": "product", "as": "copy", "record": {"title": {"$ref": "tea", "field": "title"}, \
      "stock": {"$ref": "tea", "field": "stock"}, "details": {"$ref": "tea"}}}
      {"save": "cart", "as": "cart", "id": "c2", "record": {"products": ["tea", {"$ref": "copy"}]}}
      {"save": "cart", "id": {"$ref": "cart"}, "record": {"products": {"$remove": [{"$ref": "tea"}]}}}
      {"save": "product", "where": "stock >= :stock", "param": {"stock": {"$ref": "copy", "field": "stock"}}, \
      "record": {"title": "sold"}}
      {"get": "product", "id": {"$ref": "copy"}, "fields": "title,stock,details"}
      {"get": "cart", "id": "c2", "fields": "products"}
      """
    ).exits(0)
    let lines = withoutSystemFields(run.output).split(separator: "\n")
    #expect(
      lines.suffix(3) == [
        #"{"operation":5,"did":"change","count":2}"#,
        #"{"operation":6,"did":"get","record":{"product_id":"ID","title":"sold","stock":5,"details":{"$ref":"tea"}}}"#,
        #"{"operation":7,"did":"get","record":{"cart_id":"c2","products":["ID"]}}"#,
      ], "\(run.output)")
  }

  @Test("prints the results of a batch and changes nothing when --dry-run is given")
  func dryRun() throws {
    let folder = try folder()
    let before = try records(folder)
    let run = try batch(
      folder, #"{"save": "product", "id": "tea", "record": {"stock": 1}}"#, "--dry-run"
    ).exits(0)
    #expect(run.output.hasPrefix(#"{"operation":1,"did":"change","record":{"product_id":"tea""#))
    #expect(try records(folder) == before)
  }

  private static let invalidOperations: [(operation: String, status: Int32, message: String)] = [
    (#"["save"]"#, 6, "expected an operation: an object in braces, found an array"),
    (#"{"save": "product"}"#, 6, "save needs \"record\", an object with the fields to save"),
    (
      #"{"insert": "product"}"#, 6,
      "expected one of the keys save, delete, check and get, found none of them"
    ),
    (
      #"{"save": "product", "get": "product"}"#, 6,
      "expected only one of the keys save, delete, check and get, found 2"
    ),
    (#"{"save": "produkt", "record": {}}"#, 3, "no schema produkt"),
    (#"{"save": "product", "record": {}, "were": "x"}"#, 6, "save has no key \"were\""),
    (
      #"{"save": "product", "record": {"stock": "many"}}"#, 6,
      "stock: expected integer, found text"
    ),
    (#"{"save": "product", "record": {"stok": 1}}"#, 6, "product has no field stok"),
    (
      #"{"save": "product", "record": {"title": {"$ref": "x"}}}"#, 6,
      "no earlier operation is named \"x\""
    ),
    (#"{"delete": "product"}"#, 6, "delete needs one of \"id\", \"where\" and \"all\""),
    (#"{"delete": "product", "id": "cake"}"#, 3, "there is no such record"),
    (#"{"delete": "product", "where": "stok = 1"}"#, 2, "product has no field stok"),
    (#"{"check": "product", "id": "tea", "count": 1}"#, 6, "check needs either"),
    (
      #"{"check": "product", "count": -1}"#, 6,
      "\"count\": expected a whole number of at least 0, found -1\n"
    ),
    (
      #"{"check": "product", "count": 9223372036854775807}"#, 5,
      "check failed: expected 9,223,372,036,854,775,807 records, found "
    ),
    (
      #"{"save": "product", "record": {"title": {"$ref": "x", "fld": "z"}}}"#, 6,
      """
      invalid reference in "title"
        write {"$ref": NAME} or {"$ref": NAME, "field": FIELD}
      """
    ),
    (
      #"{"save": "cart", "record": {"products": {"$append": [{"$ref": 3}]}}}"#, 6,
      "invalid reference in \"products\""
    ),
    (#"{"get": "product", "id": {"$ref": null}}"#, 6, "invalid reference in \"id\""),
    (
      #"{"check": "product", "where": "stock < :n", "param": {"n": {"$ref": "a", "field": 1}}, "count": 0}"#,
      6, "invalid reference in \"n\""
    ),
    (
      #"{"check": "product", "where": "stock < :n", "count": 0}"#, 2,
      """
      the parameter n is missing
        add the parameter to the operation: "param": {NAME: VALUE}
      """
    ),
    (
      #"{"save": "product", "where": "true", "record": {"stock": 6, "revision": 8}}"#, 5,
      "changed concurrently: expected revision 8, found 1\n"
    ),
    (
      #"{"save": "product", "id": "tea", "record": {"revision": 8}}"#, 5,
      "  read the record again, or add \"any_revision\": true to the operation\n"
    ),
    (
      #"{"save": "line", "record": {"order": {"title": "x"}}}"#, 6,
      "  add \"deep\": true to the operation\n"
    ),
    (#"{"get": "product", "id": "cake"}"#, 3, "there is no such record"),
    (#"{"get": "product", "id": 7}"#, 6, "\"id\": expected text, found a number"),
    (#"{"save": "product", "record": {"title": "x"}"#, 6, "expected"),
    (
      #"{"save": "product", "id": "a", "record": {"product_id": "b"}}"#, 6,
      "\"id\" is \"a\", but the record has a different product_id"
    ),
    (#"{"save": "product", "id": "tea", "record": {}, "mode": "create"}"#, 5, "already exists"),
    (#"{"save": "product", "id": "tea", "record": {"revision": 9}}"#, 5, "changed concurrently"),
  ]

  @Test("reports the line and saves nothing when an operation is invalid")
  func invalid() throws {
    let folder = try folder()
    for (operation, status, message) in Self.invalidOperations {
      let run = try batch(
        folder, #"{"save": "product", "id": "first", "record": {}}"# + "\n" + operation
      ).exits(status)
      #expect(run.errors.hasPrefix("datactl: standard input:2"), "\(run.errors)")
      #expect(run.errors.contains(": operation 2: "), "\(run.errors)")
      #expect(run.errors.contains(message), "\(run.errors)")
      #expect(try folder.prepare("list", "product", "--count").output == "2\n")
    }
  }

  @Test(
    "prints an error as JSON with the number of the failed operation",
    arguments: [
      (#"{"check": "product", "id": "cake"}"#, "check_failed"),
      (#"{"save": "line", "record": {"product": "cake"}}"#, "dangling_reference"),
      (#"{"sav": "line"}"#, "syntax"),
    ])
  func errorAsJSON(operation: String, code: String) throws {
    let text = "\n" + #"{"save": "product", "id": "first", "record": {}}"# + "\n\n" + operation
    let run = try batch(try folder(), text, "--errors", "json")
    #expect(run.errors.hasPrefix(#"{"code":"\#(code)","#), "\(run.errors)")
    #expect(run.errors.contains(#""line":4,"#), "\(run.errors)")
    #expect(run.errors.hasSuffix(#","operation":2}"# + "\n"), "\(run.errors)")
  }

  @Test("reports that a batch is empty when the input contains no operations")
  func empty() throws {
    let folder = try folder()
    for text in ["", "\n \n"] {
      let run = try batch(folder, text).exits(0).reports("Nothing to do: no operations.\n")
      #expect(run.output == "")
    }
  }

  @Test("reads operations in UTF-16 with a byte order mark")
  func encoding() throws {
    let folder = try folder()
    let text = #"{"save": "product", "id": "café", "record": {}}"#
    let bytes: [UInt8] =
      [0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] as [UInt8] }
    try folder.run("batch", input: .bytes(bytes)).exits(0)
    #expect(try folder.prepare("get", "product", "café", "-o", "ids").output == "café\n")
  }

  @Test(
    "saves thousands of records that refer to records of earlier operations", arguments: [3_000])
  func many(count: Int) throws {
    let folder = try folder()
    var text = ""
    for number in 1...count {
      text += #"{"save": "order", "as": "o\#(number)", "record": {"title": "t\#(number)"}}"# + "\n"
      text +=
        #"{"save": "line", "record": {"order": {"$ref": "o\#(number)"}, "amount": \#(number)}}"#
        + "\n"
    }
    let run = try batch(folder, text).exits(0)
    #expect(run.output.split(separator: "\n").count == 2 * count)
    #expect(
      try folder.prepare("list", "line", "--where", "order.title like 't%'", "--count").output
        == "\(count)\n")
  }

  @Test(
    "commits only one of two concurrent batches when each violates a check of the other",
    arguments: [10])
  func race(rounds: Int) throws {
    let folder = try folder()
    for round in 1...rounds {
      let text = """
        {"check": "cart", "where": "owner = 'ann' and cart_id like 'r\(round)-%'", "count": 0}
        {"check": "product", "id": "tea", "where": "stock >= 0"}
        {"save": "cart", "record": {"cart_id": "r\(round)-NUMBER", "owner": "ann"}}
        """
      let batches = try (1...2).map { number in
        try folder.program.start(
          ["batch"], input: .text(text.replacing("NUMBER", with: "\(number)")))
      }
      let statuses = try batches.map { try $0.finish().status }.sorted()
      #expect(statuses == [0, 5])
    }
    let run = try folder.prepare("list", "cart", "--where", "cart_id like 'r%'", "--count")
    #expect(run.output == "\(rounds)\n")
  }

  @Test("keeps all changes of a batch or none when SIGKILL ends the process")
  func kill() throws {
    var generator = SeededRandom(seed: UInt64.random(in: 1...999_999))
    let folder = try folder()
    var text = ""
    for number in 1...2_000 {
      text +=
        #"{"save": "order", "id": "o\#(number)", "record": {"title": "x", "total": {"$add": 1}}}"#
        + "\n"
      text += #"{"save": "line", "id": "l\#(number)", "record": {"amount": {"$add": 1}}}"# + "\n"
    }
    let whole = try batch(folder, text).exits(0)
    for _ in Seeds.count(test: 10, all: 100) {
      let run = try folder.program.start(["batch"], input: .text(text))
      try run.run(for: .seconds(Double.random(in: 0...1.1, using: &generator) * whole.seconds))
      run.signal(9)
      _ = try run.finish()
      let totals = try ["order total", "line amount"].map { words in
        let (schema, field) = (words.split(separator: " ")[0], words.split(separator: " ")[1])
        let sum = try folder.shell(
          "datactl list \(schema) -o ndjson | jq -s 'map(.\(field)) | add'")
        return try #require(Int(sum.exits(0).output.filter(\.isNumber)))
      }
      #expect(totals[0] == totals[1])
      #expect(totals[0] % 2_000 == 0)
    }
  }
}
