import Foundation
import ProgramHarness
import Testing

@Suite("Suspending and continuing a command")
struct SuspensionTests {
  @Test("restores the terminal on Ctrl-Z at a password prompt, and prompts again after fg")
  func password() throws {
    let folder = try TestFolder()
    try folder.prepare("schema", "create", "user", "--user")
    try folder.prepare(
      "save", "user", "-o", "none", input: .text(#"{"username":"ann","password":"right one"}"#))
    // The job control of the shell requires stdin to be a terminal.
    let line =
      "exec 3>&2 2>/dev/tty; set -m; '\(Binary.path)' login -u ann 2>&3; stty -a > between; fg"
    let shell = try Program(
      ["/bin/bash", "-c", line], environment: folder.datactl.environment,
      directory: folder.directory
    ).start([], input: .typed(""), errors: .terminal)
    try shell.wait(for: "the question") { Self.promptCount($0) == 1 }
    shell.send("\u{1A}")
    try shell.wait(for: "the question once more") { Self.promptCount($0) == 2 }
    shell.send("right one\n")
    let run = try shell.finish().exits(0).reports("Logged in to")
    #expect(!run.echo.contains("right"))
    let between = String(decoding: try folder.bytes("between"), as: UTF8.self)
    #expect(between.split(whereSeparator: \.isWhitespace).contains("echo"))
  }

  private static func promptCount(_ shell: Child) -> Int {
    let text = String(decoding: shell.errorBytes, as: UTF8.self)
    return text.components(separatedBy: "Password of ann: ").count - 1
  }
}
