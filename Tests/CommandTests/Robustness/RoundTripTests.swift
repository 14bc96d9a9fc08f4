import ProgramHarness
import Testing

@Suite("Round trips of every type", .onEveryStore)
struct RoundTripTests {
  /// Creates the store of the golden outputs, with boundary values of every type, and returns its
  /// records as NDJSON.
  private func sample() throws -> (folder: TestFolder, records: String) {
    let folder = try TestFolder()
    try GoldenOutput.prepare(folder)
    return (folder, try list(folder.program))
  }

  private func list(_ program: Program) throws -> String {
    try program.run(["list", "sample", "-o", "ndjson"]).exits(0).output
  }

  @Test(
    "does not increment revisions when the output of list is saved",
    arguments: ["ndjson", "json", "csv"])
  func same(_ format: String) throws {
    let (folder, before) = try sample()
    let listed = try folder.run("list", "sample", "-o", format).exits(0)
    try folder.run(
      "save", "sample", "--input", format, "-o", "none", input: .bytes(listed.outputBytes)
    ).exits(0).reports("4 saved: 4 the same")
    #expect(try list(folder.program) == before)
  }

  @Test(
    "copies a store with its system fields and files in every format",
    arguments: ["ndjson", "json", "csv"])
  func copy(_ format: String) throws {
    let (folder, before) = try sample()
    let whole = try folder.run("list", "sample", "-o", format, "--with-files").exits(0)
    let other = folder.program.with(["DATACTL_STORE": "sqlite:copy.db"])
    try other.run(["schema", "create", "friend", "name:text"]).exits(0)
    let friends = try folder.run("list", "friend").exits(0)
    try other.run(
      ["save", "friend", "--keep-system-fields"], input: .bytes(friends.outputBytes)
    ).exits(0)
    try other.run(["schema", "apply", "sample.json"]).exits(0)
    try other.run(
      ["save", "sample", "--input", format, "--keep-system-fields", "-o", "none"],
      input: .bytes(whole.outputBytes)
    ).exits(0).reports("4 saved: 4 new")
    #expect(try list(other) == before)
    let bytes = try other.run(["get", "sample", "full", "--content", "photo"]).exits(0).outputBytes
    #expect(bytes == [0, 1, 2, 255])
  }

  @Test(
    "changes exactly one record when one value in the output of list is edited and saved",
    arguments: ["ndjson", "json", "csv"])
  func oneByte(_ format: String) throws {
    let (folder, before) = try sample()
    let listed = try folder.run("list", "sample", "-o", format).exits(0)
    let changed = listed.output.replacing("a,b", with: "a,c")
    try folder.run(
      "save", "sample", "--input", format, "-o", "ids", input: .text(changed)
    ).exits(0).reports("4 saved: 1 changed, 3 the same")
    let after = try list(folder.program)
    let pairs = zip(before.split(separator: "\n"), after.split(separator: "\n"))
    let changedRecords = pairs.filter { $0 != $1 }.map { String($1) }
    #expect(changedRecords.count == 1)
    #expect(
      changedRecords.allSatisfy {
        $0.contains(#""sample_id":"full""#) && $0.contains(#""revision":4"#)
      })
  }
}
