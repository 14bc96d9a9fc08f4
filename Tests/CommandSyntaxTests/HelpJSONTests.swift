import CommandSyntax
import TestSupport
import Testing

@Suite("Help as JSON")
struct HelpJSONTests {
  @Test("prints all commands, options and topics in a fixed order")
  func whole() {
    #expect(
      MinimalProgram.program.description.json()
        == goldenText("minimal-help.json"))
  }
}
