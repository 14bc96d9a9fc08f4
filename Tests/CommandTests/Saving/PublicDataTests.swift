import Foundation
import ProgramHarness
import Testing

/// Tests with public data files from the Debian packages iso-codes, distro-info-data and ieee-data.
@Suite("Public data sets", .onEveryStoreInAll)
struct PublicDataTests {
  @Test(
    "saves and lists every record of a JSON file with the inferred schema",
    arguments: [
      ("iso_639-3", "iso_639_3"), ("iso_639-2", "iso_639_2"), ("iso_639-5", "iso_639_5"),
      ("iso_3166-1", "iso_3166_1"), ("iso_3166-2", "iso_3166_2"), ("iso_3166-3", "iso_3166_3"),
      ("iso_4217", "iso_4217"), ("iso_15924", "iso_15924"),
    ])
  func languages(file: String, name: String) throws {
    let folder = try TestFolder()
    let path = "/usr/share/iso-codes/json/\(file).json"
    let rejection = try folder.run("schema", "infer", path).exits(6).printsNothing()
    let command = try #require(rejection.errors.firstMatch(of: /jq -c '.*'/)?.0)
    try folder.shell("set -o pipefail; \(command) \(path) > \(file).ndjson").exits(0)
    try savesAndLists("\(file).ndjson", name, in: folder)
  }

  @Test(
    "saves every row of a CSV file whose columns are matched by their names",
    arguments: ["oui", "oui36", "mam", "iab"])
  func addresses(name: String) throws {
    let folder = try TestFolder()
    try folder.tool("cp", "/usr/share/ieee-data/\(name).csv", "\(name).csv")
    try savesAndLists("\(name).csv", name, in: folder)
  }

  @Test(
    "infers date for dates in a CSV file, and text for version numbers",
    arguments: ["debian", "ubuntu"])
  func releases(name: String) throws {
    let folder = try TestFolder()
    // Rows that lack fields at the end are invalid CSV, so add the missing commas.
    let width = name == "debian" ? 8 : 9
    try folder.shell(
      """
      awk -F, -v OFS=, 'NR == 1 { gsub("-", "_") } { $\(width) = $\(width); print }' \
      /usr/share/distro-info/\(name).csv > \(name).csv
      """
    ).exits(0)
    try savesAndLists("\(name).csv", name, in: folder)
    let schema = try folder.run("schema", "show", name).exits(0)
    try schema.requires(
      schema.output.contains(#""release": {"type": "date"}"#), "a date was expected")
  }

  /// Infers a schema from a file, saves the records in the file, and compares the listed records
  /// with them.
  private func savesAndLists(_ file: String, _ name: String, in folder: TestFolder) throws {
    let schema = try folder.run("schema", "infer", name, file).exits(0)
    try folder.write("schema.json", schema.output)
    try folder.prepare("schema", "apply", "schema.json")
    try folder.run("save", name, "--file", file, "-o", "none").exits(0)
    let listed = try folder.run("list", name).exits(0)
    let kept = try listed.lines.map(Self.object).map { Self.values(of: $0, key: "\(name)_id") }
    let given = try Self.records(in: file, of: folder)
    #expect(kept.count == given.count)
    #expect(kept.sorted() == given.sorted())

    let other = folder.program.with(["DATACTL_STORE": "sqlite:other.db"])
    try other.run(["save", name, "--infer", "--file", file, "-o", "none"]).exits(0)
    let second = try other.run(["list", name]).exits(0)
    let again = try second.lines.map(Self.object).map { Self.values(of: $0, key: "\(name)_id") }
    #expect(again.sorted() == given.sorted())
  }

  /// Returns the records in a file, as parsed by Python's csv module or by Foundation.
  private static func records(in file: String, of folder: TestFolder) throws -> [String] {
    if file.hasSuffix(".csv") {
      let script = """
        import csv, json, sys
        for row in csv.DictReader(open(sys.argv[1], newline="", encoding="utf-8")):
            print(json.dumps(row))
        """
      let run = try folder.tool("python3", "-c", script, file)
      return try run.lines.map(object).map { values(of: $0, key: "") }
    }
    let text = try String(contentsOfFile: folder.path(file), encoding: .utf8)
    return try text.split(separator: "\n").map { values(of: try object(String($0)), key: "") }
  }

  private static func object(_ line: String) throws -> [String: Any] {
    try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
  }

  private static let system: Set = [
    "created_at", "created_by", "modified_at", "modified_by", "revision",
  ]

  /// Returns a text for comparing a record: its values sorted by field name, with dates as in the
  /// file.
  private static func values(of record: [String: Any], key: String) -> String {
    record.filter { $0.key != key && !system.contains($0.key) }
      .compactMap { name, value -> String? in
        let text = "\(value)".replacing("T00:00:00.000Z", with: "")
        let field = name.lowercased().replacing(" ", with: "_")
        return value is NSNull || text.isEmpty ? nil : "\(field)=\(text)"
      }.sorted().joined(separator: "|")
  }
}
