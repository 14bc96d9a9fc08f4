import ProgramHarness
import Testing

@Suite("Stalled readers", .onEveryStore)
struct StalledReaderTests {
  private static let count = 30_000

  @Test("waits for space when stdout is nonblocking")
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
    "a signal ends a list at once while it waits for its reader",
    arguments: [(Int32(2), Int32(130)), (15, 143)])
  func signals(signal: Int32, status: Int32) throws {
    let place = try Place()
    try place.keepManyTodos(Self.count)
    for command in [["list", "todo"], ["list", "todo", "-o", "csv"]] {
      for output in [Output.captured, .capturedAtOnce] {
        let list = try place.program.start(command, output: output)
        try list.waitUntilOutputStalls()
        list.signal(signal)
        // A command that ignored the signal would be killed later, and print another message.
        let run = try list.finish().exits(status)
        #expect(run.errors == "datactl: interrupted\n")
      }
    }
  }

  /// Writes a file with the same records, each of them changed, and returns its path.
  private func changed(in place: Place) throws -> String {
    let text = String(decoding: Place.todos(Self.count, title: "another title"), as: UTF8.self)
    try place.write("changed.ndjson", text)
    return place.path("changed.ndjson")
  }
}
