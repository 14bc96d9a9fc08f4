private import Glibc
import ProgramHarness
import Testing

@Suite("Readers that stop reading", .onEveryStore)
struct StalledReaderTests {
  private static let count = 30_000

  @Test("waits until the pipe has space when stdout is nonblocking")
  func nonBlocking() throws {
    let folder = try TestFolder()
    try folder.saveManyTodos(Self.count)
    let expected = try folder.prepare("list", "todo", "-o", "json").outputBytes
    let list = try folder.program.start(
      ["list", "todo", "-o", "json"], output: .capturedNonblocking)
    try list.waitUntilOutputStalls()
    let run = try list.finish().exits(0).reportsNothing()
    #expect(run.outputBytes == expected)

    let save = try folder.program.start(
      ["save", "todo"], input: .file(try changed(in: folder)), output: .capturedNonblocking)
    try save.waitUntilOutputStalls()
    let saved = try save.finish().exits(0)
    #expect(saved.lines.count == Self.count)
    #expect(saved.errors == "30,000 saved: 30,000 changed\n")
  }

  @Test(
    "exits at once when a signal arrives while list is blocked on a full pipe",
    arguments: [(Int32(2), Int32(130)), (15, 143)])
  func signals(signal: Int32, status: Int32) throws {
    let folder = try TestFolder()
    try folder.saveManyTodos(Self.count)
    for command in [["list", "todo"], ["list", "todo", "-o", "csv"]] {
      for output in [Output.captured, .capturedNonblocking] {
        let list = try folder.program.start(command, output: output)
        try list.waitUntilOutputStalls()
        try expectExit(of: list, after: signal, status: status)
      }
    }
  }

  @Test("exits at once when a signal arrives before list blocks on a full pipe")
  func earlySignals() throws {
    let folder = try TestFolder()
    try folder.saveManyTodos(Self.count)
    for round in 0..<100 {
      let list = try folder.program.start(["list", "todo"], output: .captured)
      try list.waitUntilOutputBegins()
      usleep(UInt32(round * 20))
      try expectExit(of: list, after: 15, status: 143)
    }
  }

  /// Sends a signal to a command and checks how it ends, without reading its output.
  ///
  /// If the command did not react to the signal, it would exit two seconds later with a different
  /// message.
  private func expectExit(of command: Child, after signal: Int32, status: Int32) throws {
    command.signal(signal)
    try command.waitUntilExit()
    try #expect(command.finish().exits(status).errors == "datactl: interrupted\n")
  }

  /// Writes a file that changes the title of each record, and returns its path.
  private func changed(in folder: TestFolder) throws -> String {
    let text = String(decoding: TestFolder.todos(Self.count, title: "another title"), as: UTF8.self)
    try folder.write("changed.ndjson", text)
    return folder.path("changed.ndjson")
  }
}
