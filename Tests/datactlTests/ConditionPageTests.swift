import Foundation
import Testing
import datactl

@Suite("Help topic: conditions")
struct ConditionTopicTests {
  @Test("runs every example as a condition of a query")
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
      ["user", "--user", "full_name:text"], ["step", "title:text", "minutes:integer"],
      [
        "todo", "title:text", "note:text", "done:boolean", "priority:integer", "price:number",
        "due:datetime", "tags:text+", "place:geopoint", "details:json", "photo:file", "in:text",
        "owner:user", "steps:step+", "parent:todo",
      ],
    ]
    for words in schemas { #expect(await run(["schema", "create"] + words).status == 0) }
    #expect(HelpTopics.conditionExamples.count > 30)
    for example in HelpTopics.conditionExamples {
      let outcome = await run(["list", "todo", "--where", example])
      #expect(outcome.status == 0, "\(example): \(outcome.errors)")
    }
  }
}
