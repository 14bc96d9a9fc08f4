import ProgramHarness
import Testing

@Suite("Hangup signal", .onEveryStore)
struct HangUpTests {
  @Test("rolls back a save on SIGHUP unless SIGHUP is ignored")
  func hangUp() throws {
    let folder = try TestFolder()
    try folder.prepare("schema", "create", "item", "title:text!")
    let save = try folder.program.start(["save", "item"], input: .open)
    save.send("{\"title\":\"a\"}\n")
    try save.run(for: .milliseconds(300))
    save.signal(1)
    try save.finish().exits(143).printsNothing().reports("interrupted: nothing was saved")

    let shielded = try folder.datactl.prefixed(["/usr/bin/env", "--ignore-signal=HUP"])
      .start(["save", "item", "-o", "none"], input: .open)
    shielded.send("{\"title\":\"a\"}\n")
    try shielded.run(for: .milliseconds(300))
    shielded.signal(1)
    shielded.closeInput()
    try shielded.finish().exits(0)
    try folder.run("list", "item", "--count").prints("1\n")
  }

  @Test("exits with the signal's status when interrupted while opening a named pipe")
  func namedPipe() throws {
    let folder = try TestFolder()
    try folder.prepare("schema", "create", "item", "title:text!")
    try folder.tool("mkfifo", "pipe")
    for line in ["save item --file pipe", "schema apply pipe", "schema infer item --file pipe"] {
      let command = try folder.program.start(line.split(separator: " ").map(String.init))
      try command.run(for: .milliseconds(300))
      command.signal(15)
      let run = try command.finish().exits(143).printsNothing()
      #expect(run.errors == "datactl: interrupted\n")
    }
  }
}
