import ProgramHarness
import Testing

@Suite("Test harness for running programs")
struct HarnessTests {
  private func shell(_ line: String) -> Program {
    Program(["/bin/sh", "-c", line], environment: ["WORD": "given"], directory: "/")
  }

  @Test("returns stdout, stderr and the exit status that a shell would report")
  func streams() throws {
    let run = try shell("cat; echo \"$WORD in $PWD\"; echo talk >&2; exit 3")
      .run([], input: .text("data\n"))
    #expect(run.output == "data\ngiven in /\n")
    #expect(run.errors == "talk\n")
    #expect(run.status == 3)
    #expect(try shell("kill -TERM $$").run([]).status == 143)
  }

  @Test(
    "connects a standard stream of a program to a terminal only if the test requests a terminal")
  func terminals() throws {
    let line = "for n in 0 1 2; do [ -t $n ] && printf $n; done; echo; stty size <&1"
    let run = try shell(line).run([], input: .typed(""), output: .terminal(columns: 50))
    #expect(run.output == "01\n24 50\n")
    let errors = try shell("[ -t 2 ] && stty size <&2; [ -t 1 ] || echo no").run(
      [], errors: .terminal(columns: 33))
    #expect(errors.output == "24 33\nno\n")
  }

  @Test("echoes typed text on the terminal unless the program has disabled echo")
  func typing() throws {
    let run = try shell("read a; stty -echo <&0; echo \"got $a\"").run([], input: .typed("word\n"))
    #expect(run.output == "got word\n")
    #expect(run.echo.contains("word"))
  }

  @Test("kills a program that exceeds the time limit")
  func timeLimit() throws {
    var slow = shell("exec sleep 60")
    slow.timeLimit = .milliseconds(200)
    #expect(throws: Violation.self) { try slow.run([]) }
  }

  @Test("does not block when a program ignores its large input or the test closes its output")
  func largeStreams() throws {
    let bytes = [UInt8](repeating: 65, count: 3_000_000)
    #expect(try shell("cat").run([], input: .bytes(bytes)).outputBytes == bytes)
    #expect(try shell("head -c 1 >/dev/null").run([], input: .bytes(bytes)).status == 0)
    let yes = try shell("exec yes").start([])
    try yes.wait(for: "a line") { $0.outputBytes.contains(10) }
    yes.closeOutput()
    #expect(try yes.finish().status == 141)
  }

  @Test("measures the peak memory of a program")
  func memory() throws {
    let child = try shell("a=$(head -c 30000000 /dev/zero | tr '\\0' a); echo ${#a}").start([])
    child.watchesMemory = true
    let run = try child.finish()
    #expect(run.output == "30000000\n")
    #expect(run.peakMemory > 30_000_000)
  }
}
