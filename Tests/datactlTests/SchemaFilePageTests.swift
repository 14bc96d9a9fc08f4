import CommandSyntax
import DataModel
import Foundation
import Testing
import datactl

@Suite("Help topics: schema files and lint")
struct SchemaFileTopicTests {
  @Test("applies every example without errors or warnings")
  func examples() async throws {
    let folder = NSTemporaryDirectory() + "datactl-page-" + UUID().uuidString
    try FileManager.default.createDirectory(
      atPath: folder + "/schemas", withIntermediateDirectories: true)
    // Leaving the folder in the system's temporary folder does no harm.
    defer { try? FileManager.default.removeItem(atPath: folder) }
    func run(
      _ line: String, input: [String] = []
    ) async -> (status: Int32, output: String, errors: String) {
      let testConsole = TestConsole(
        input: MemoryChannel(input), environment: ["DATACTL_STORE": "page.db"], folder: folder)
      let status = await Program.run(
        on: testConsole.console(line.split(separator: " ").map(String.init)))
      return (status, testConsole.output.text, testConsole.errors.text)
    }
    let page = Program.declaration.description.help(
      .topic("schema-files"), width: 80, style: .plain)
    for (index, example) in SchemaFileExamples.all.enumerated() {
      let lines = example.split(separator: "\n").map { "    \($0)\n" }.joined()
      #expect(page.contains(lines))
      try Data(example.utf8).write(to: URL(filePath: "\(folder)/schemas/\(index).json"))
    }
    let lint = await run("schema lint --fail-on warning")
    #expect(lint.status == 0, "\(lint.output)")
    #expect(await run("schema apply").status == 0)
    let ann = #"{"username":"ann","password":"secret","email":"ann@example.org"}"#
    #expect(await run("save user", input: [ann]).status == 0)
    #expect(await run("save step s code=AB12 hours=5 days:=[1,2]").status == 0)
    #expect(await run("save todo t title=Tea assignee=ann steps+=s").status == 0)
    let todo = await run("get todo t --fields done,owner,steps -o ndjson")
    #expect(
      todo.output == #"{"todo_id":"t","done":false,"owner":"ann","steps":["s"]}"# + "\n")
    #expect(await run("save step s code=ab12").status == 6)
  }

  @Test("documents every lint rule with its level")
  func rules() {
    let page = Program.declaration.description.help(.topic("lint"), width: 80, style: .plain)
    for rule in LintRule.allCases {
      #expect(page.contains("\(rule.rawValue), \(rule.facts.level.rawValue)"))
    }
  }
}
