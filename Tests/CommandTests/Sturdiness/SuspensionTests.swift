import Foundation
import ProgramHarness
import Testing

@Suite("Suspending and continuing a command")
struct SuspensionTests {
  @Test("Ctrl-Z at a password prompt restores the terminal, and fg prompts again without echo")
  func password() throws {
    let place = try Place()
    try place.prepare("schema", "create", "user", "--user")
    try place.prepare(
      "save", "user", "-o", "none", input: .text(#"{"username":"ann","password":"right one"}"#))
    // Job control of the shell requires a terminal for stdin.
    let line =
      "exec 3>&2 2>/dev/tty; set -m; '\(Binary.path)' login -u ann 2>&3; stty -a > between; fg"
    let shell = try Program(
      ["/bin/bash", "-c", line], environment: place.datactl.environment, folder: place.folder
    ).start([], input: .typed(""), errors: .terminal)
    try shell.wait(for: "the question") { Self.questionCount($0) == 1 }
    shell.send("\u{1A}")
    try shell.wait(for: "the question once more") { Self.questionCount($0) == 2 }
    shell.send("right one\n")
    let run = try shell.finish().exits(0).says("Logged in to")
    #expect(!run.echo.contains("right"))
    let between = String(decoding: try place.bytes("between"), as: UTF8.self)
    #expect(between.split(whereSeparator: \.isWhitespace).contains("echo"))
  }

  private static func questionCount(_ shell: Child) -> Int {
    let words = String(decoding: shell.errorBytes, as: UTF8.self)
    return words.components(separatedBy: "Password of ann: ").count - 1
  }
}
