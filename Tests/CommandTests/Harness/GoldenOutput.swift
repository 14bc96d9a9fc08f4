import Foundation
import ProgramHarness

/// Expected outputs of commands, stored in `Tests/CommandTests/Golden`.
///
/// If the tests run with `DATACTL_RECORD=1`, they write these files instead of comparing with them.
enum GoldenOutput {
  static let commands: [(name: String, arguments: [String])] =
    ["json", "ndjson", "csv", "ids", "table"].map { ("list.\($0)", ["list", "sample", "-o", $0]) }
    + [
      ("get.json", ["get", "sample", "full", "-o", "json"]), ("help.json", ["help", "--json"]),
      ("schema.json", ["schema", "show", "sample"]),
      ("types.txt", ["schema", "types"]),
    ]

  /// Saves a record with a value of every type and a record without values. Their timestamps are
  /// fixed.
  static func prepare(_ folder: TestFolder) throws {
    try folder.write("sample.json", SampleStore.schema)
    try folder.prepare("schema", "create", "friend", "name:text")
    try folder.prepare("save", "friend", input: .text(#"[{"friend_id":"f1"},{"friend_id":"f2"}]"#))
    try folder.prepare("schema", "apply", "sample.json")
    try folder.prepare(
      "save", "sample", "--keep-system-fields", input: .text(SampleStore.records(friends: true)))
  }

  static func compare(_ run: Run, with name: String, in folder: TestFolder) throws {
    try compare(run, withFile: "Tests/CommandTests/Golden/\(name)", in: folder)
  }

  static func compare(_ run: Run, withFile name: String, in folder: TestFolder) throws {
    let path = Binary.file(name)
    let records = ProcessInfo.processInfo.environment["DATACTL_RECORD"] == "1"
    if records, folder.program.command == folder.datactl.command, StoreKind.current == .file {
      try Data(run.outputBytes).write(to: URL(filePath: path))
    }
    guard let kept = FileManager.default.contents(atPath: path) else {
      throw Violation("there is no golden output \(name)")
    }
    try run.requires(Array(kept) == run.outputBytes, "the golden output \(name) was expected")
  }
}
