import Foundation
import ProgramHarness
import Testing

@Suite("Example scripts")
struct ExampleScriptTests {
  @Test("check schemas: exits with different statuses for safe and breaking changes")
  func schemaCheck() throws {
    let example = try Example("schema-check", in: try TestFolder())
    try example.datactl("schema", "apply", "deployed")
    let store = example.folder.address
    try example.run("check.sh", "deployed", store).exits(0)
      .prints("The store has these schemas already.\n")
    try example.run("check.sh", "schemas", store).exits(0).prints(
      """
      + customer.phone
      The deployment will:
      add field customer.phone: text

      """)
    let breaking = try example.run("check.sh", "breaking", store).exits(1)
    #expect(breaking.output.contains("[field-removed]"))
    #expect(breaking.output.contains("[field-demanded]"))
    try example.run("check.sh", "missing", store).exits(2)
    try example.run("check.sh", "schemas", "missing.db").exits(2)
  }

  @Test("check schemas: exits with an error when existing records violate the new schema")
  func schemaCheckOfRecords() throws {
    let example = try Example("schema-check", in: try TestFolder())
    try example.datactl("schema", "apply", "deployed")
    try example.datactl("save", "customer", "ann", "name=Ann")
    let file = example.folder.path("schemas/customer.json")
    let text = try String(contentsOfFile: file, encoding: .utf8)
    try text.replacing(#""max": 40"#, with: #""max": 40, "unique": true, "default": "none""#)
      .write(toFile: file, atomically: true, encoding: .utf8)
    try example.run("check.sh", "schemas", example.folder.address).exits(0)
    try example.datactl("save", "customer", "bob", "name=Bob")
    try example.run("check.sh", "schemas", example.folder.address).exits(1)
      .reports("customer.phone: a new unique field would have the same default")
  }

  @Test("save exports: writes invalid records to a separate file, and saves all others")
  func dailyUpsert() throws {
    let example = try Example("daily-upsert", in: try TestFolder())
    try example.datactl("schema", "apply", "schemas")
    try example.run("upsert.sh", "2026-11-20.csv").exits(0).reports("3 saved: 3 new")
    try example.run("upsert.sh", "2026-11-20.csv").exits(0).reports("3 saved: 3 the same")
    try example.run("upsert.sh", "2026-11-21.csv").exits(6)
      .prints("2026-11-21.csv:4: price: expected at least 0, found -1\n")
      .reports("3 saved: 1 new, 1 changed, 1 the same")
    #expect(try example.folder.files.contains("2026-11-21.csv.rejects"))
    try example.run("upsert.sh", "2026-11-22.json").exits(0).reports("2 saved: 2 changed")
    try example.run("upsert.sh", "missing.csv").exits(3)
    let products = try example.datactl(
      "list", "product", "-o", "csv", "--fields", "name,price,stock")
    #expect(
      products.lines.map { $0.replacing("\r", with: "") } == [
        "product_id,name,price,stock", "mug,Mug,8.5,100", #"pot,"Tea pot, large",24.5,15"#,
        "spoon,Spoon,1.75,850", "tray,Tray,11,40",
      ])
  }

  @Test("move a store to PostgreSQL: changes nothing in a second run")
  func moveToPostgres() throws {
    let example = try Example("move-to-postgres", in: try TestFolder.onPostgres().folder)
    let source = "sqlite:shop.db"
    try example.datactl("schema", "apply", "schemas", "--store", source)
    for (schema, file) in [("author", "authors.ndjson"), ("book", "books.ndjson")] {
      try example.datactl("save", schema, "--file", file, "--store", source)
    }
    for message in ["2 saved: 2 new", "2 saved: 2 the same"] {
      let run = try example.run("move.sh", source, example.folder.address, "author", "book")
        .exits(0).reports(message)
      #expect(
        run.lines.suffix(2) == [
          "author: 2 records, the same in both stores", "book: 2 records, the same in both stores",
        ])
    }
    try example.run("move.sh", source, "sqlite:/missing/shop.db", "author", "book").exits(7)
  }

  @Test("import from cron: exits with 1 for invalid data, and with 75 if the store is missing")
  func cron() throws {
    let example = try Example("cron", in: try TestFolder())
    try example.run("import.sh").exits(75)
    #expect(try example.files("inbox") == ["2026-11-20.ndjson", "2026-11-21.ndjson"])
    try example.datactl("schema", "apply", "schemas")
    try example.run("import.sh").exits(1).reportsNothing().prints(
      """
      inbox/2026-11-21.ndjson:2: at: there is no such time of day: "2026-11-21T25:00:00Z"
      inbox/2026-11-21.ndjson:2: celsius: expected at most 60, found 999

      """)
    #expect(try example.files("inbox") == [])
    #expect(try example.files("done") == ["2026-11-20.ndjson"])
    #expect(try example.files("failed") == ["2026-11-21.ndjson", "2026-11-21.ndjson.errors"])
    try example.run("import.sh").exits(0).printsNothing().reportsNothing()
    try example.datactl("list", "reading", "--count").prints("3\n")
  }
}

/// A copy of a folder in `Tests/Examples`. Its scripts run the program under test.
private struct Example {
  let folder: TestFolder

  init(_ name: String, in folder: TestFolder) throws {
    self.folder = folder
    try folder.tool("cp", "-r", Binary.file("Tests/Examples/\(name)/."), ".")
  }

  /// Runs a script of the example.
  func run(_ script: String, _ arguments: String...) throws -> Run {
    try folder.withDatactlInPath("/bin/bash").run([script] + arguments)
  }

  /// Runs datactl, which must succeed.
  @discardableResult
  func datactl(_ arguments: String...) throws -> Run {
    try folder.datactl.run(arguments).exits(0)
  }

  /// The names of the files in a subfolder, sorted.
  func files(_ name: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path(name)).sorted()
  }
}
