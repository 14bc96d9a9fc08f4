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

  @Test("prints a command, a group or a topic with the keys that it has in the whole")
  func parts() throws {
    let description = Shop.program.description
    let whole = Self.words(of: description.json())
    for subject in [
      .command(["list"]), .command(["schema", "create"]), .group("schema"),
      .topic("formats"),
    ] as [HelpSubject] {
      let part = Self.words(of: description.json(subject))
      #expect(part.count > 8)
      #expect(whole.contains(part))
    }
  }

  /// The text without its indentation, which is deeper in the whole.
  private static func words(of text: String) -> String {
    text.split(separator: "\n").map { $0.drop { $0 == " " } }.joined(separator: "\n")
  }
}
