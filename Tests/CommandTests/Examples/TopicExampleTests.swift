import Foundation
import ProgramHarness
import TestSupport
import Testing

@Suite("Examples in help topics with several commands", .tags(.process))
struct TopicExampleTests {
  /// The examples show each kind of nested value of MoltenCore's page, and each mapping of
  /// Telerik's page.
  @Test(
    "prints the output that the help topics on maps and graphs show",
    arguments: [("graphs", 32), ("maps", 25), ("access-rules", 8), ("agents", 12)])
  func examples(topic: String, count: Int) throws {
    let folder = try TestFolder()
    let page = try folder.prepare("help", topic).output
    let lines =
      page.components(separatedBy: "\nExamples:\n").last?
      .components(separatedBy: "\n").filter { $0.hasPrefix("    ") }.map { $0.dropFirst(4) } ?? []
    var commands: [(text: String, output: String)] = []
    for line in lines {
      if line.hasPrefix("$ ") {
        commands.append((String(line.dropFirst(2)), ""))
      } else if let text = commands.last?.text, text.hasSuffix("|") || text.hasSuffix("\\") {
        commands[commands.count - 1].text += "\n\(line)"
      } else {
        let index = try #require(commands.indices.last, "text before the first command: \(line)")
        commands[index].output += "\(line)\n"
      }
    }
    #expect(commands.count > count)
    for (text, output) in commands {
      if text.hasPrefix("cat ") {
        try folder.write(String(text.dropFirst(4)), output)
      } else {
        #expect(try folder.shell("{ \(text)\n} 2>&1").output == output, "\(text)")
      }
    }
  }
}
