import Foundation
import Testing
import datactl

@Suite("Help topic: functions")
struct FunctionTopicTests {
  @Test("runs the session, and saves and runs every example")
  func examples() async throws {
    let folder = NSTemporaryDirectory() + "datactl-page-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    // Leaving the folder in the system's temporary folder does no harm.
    defer { try? FileManager.default.removeItem(atPath: folder) }
    func run(_ words: [String]) async -> (status: Int32, errors: String) {
      let testConsole = TestConsole(environment: ["DATACTL_STORE": "page.db"], folder: folder)
      return (await Program.run(on: testConsole.console(words)), testConsole.errors.text)
    }
    let schemas = [
      ["user", "--user"], ["step", "title:text"],
      ["todo", "title:text", "done:boolean", "due:datetime", "owner:user", "steps:step+"],
    ]
    for words in schemas { #expect(await run(["schema", "create"] + words).status == 0) }
    let lines = Self.lines(of: HelpTopics.session)
    #expect(lines.count == 3)
    for words in lines {
      let outcome = await run(words)
      #expect(outcome.status == 0, "\(words): \(outcome.errors)")
    }
    #expect(HelpTopics.functionExamples.count == 4)
    for (example, _) in HelpTopics.functionExamples {
      let saved = await run(["save", "function", "f", "item_type=todo", "function:=\(example)"])
      #expect(saved.status == 0, "\(example): \(saved.errors)")
      let asked = await run(["list", "--function", "f"])
      #expect(asked.status == 0, "\(example): \(asked.errors)")
    }
  }

  /// Splits the command lines of a session into words, as a shell does.
  private static func lines(of session: [String]) -> [[String]] {
    let text = session.joined(separator: "\n").replacingOccurrences(of: "\\\n", with: "")
    return text.components(separatedBy: "$ datactl ").dropFirst().map { line in
      var words = [""]
      var isQuoted = false
      for character in line {
        if character == "'" {
          isQuoted.toggle()
        } else if !isQuoted, character.isWhitespace {
          words.append("")
        } else {
          words[words.count - 1].append(character)
        }
      }
      return words.filter { !$0.isEmpty }
    }
  }
}
