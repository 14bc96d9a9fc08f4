import ProgramHarness
import Testing

@Suite("A reader that stalls", .onEveryStore)
struct StalledReaderTests {
  private static let count = 30_000

  @Test("output that lets nobody wait is waited for")
  func nonBlocking() throws {
    let place = try Place()
    try place.keepManyTodos(Self.count)
    let expected = try place.prepare("list", "todo", "-o", "json").outputBytes
    let list = try place.program.start(["list", "todo", "-o", "json"], output: .capturedAtOnce)
    try list.waitUntilOutputStalls()
    let run = try list.finish().exits(0).saysNothing()
    #expect(run.outputBytes == expected)

    let save = try place.program.start(
      ["save", "todo"], input: .file(try changed(in: place)), output: .capturedAtOnce)
    try save.waitUntilOutputStalls()
    let saved = try save.finish().exits(0)
    #expect(saved.lines.count == Self.count)
    #expect(saved.errors == "30,000 saved: 30,000 changed\n")
  }

  @Test(
    "a signal ends a list that waits for its reader at once",
    arguments: [(Int32(2), Int32(130)), (15, 143)])
  func signals(signal: Int32, status: Int32) throws {
    let place = try Place()
    try place.keepManyTodos(Self.count)
    for command in [["list", "todo"], ["list", "todo", "-o", "csv"]] {
      for output in [Output.captured, .capturedAtOnce] {
        let list = try place.program.start(command, output: output)
        try list.waitUntilOutputStalls()
        list.signal(signal)
        let began = ContinuousClock.now
        let run = try list.finish().exits(status)
        #expect(run.errors == "datactl: interrupted\n")
        // Whoever does not heed a signal ends two seconds behind it.
        #expect(ContinuousClock.now - began < .seconds(1.5))
      }
    }
  }

  /// A file with the same records, in which each is another one now.
  private func changed(in place: Place) throws -> String {
    let text = String(decoding: Place.todos(Self.count, title: "another title"), as: UTF8.self)
    try place.write("changed.ndjson", text)
    return place.path("changed.ndjson")
  }
}
