import CommandSyntax
import DataModel
import Foundation
import Maps
import TestSupport
import Testing
import datactl

@Suite("Help topic: conditions")
struct ConditionTopicTests {
  @Test("accepts every example of the help topic `conditions` in list --where")
  func examples() async throws {
    let temporaryFolder = try TemporaryFolder()
    let folder = temporaryFolder.path
    func run(_ words: [String]) async -> (status: Int32, errors: String) {
      let testConsole = TestConsole(environment: ["DATACTL_STORE": "page.db"], folder: folder)
      return (await Program.run(on: testConsole.console(words)), testConsole.errors.text)
    }
    let schemas = [
      ["user", "--user", "full_name:text"], ["step", "title:text", "minutes:integer"],
      [
        "todo", "title:text", "note:text", "done:boolean", "priority:integer", "price:number",
        "due:datetime", "day:date", "tags:text+", "place:geopoint", "details:json", "photo:file",
        "in:text",
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

@Suite("Help topic: maps")
struct MapTopicTests {
  @Test("the example maps of the help topic `maps` are valid")
  func examples() throws {
    for text in [HelpTopics.mapExample, HelpTopics.feedExample] {
      let map = try DataMap(parsing: text)
      let layout = try MapLayout(map, inferring: map.schemaName ?? "")
      #expect(layout.lineWithoutKey == nil)
    }
  }
}

@Suite("Help topic: functions")
struct FunctionTopicTests {
  @Test("runs the terminal session and every example function in the help topic `functions`")
  func examples() async throws {
    let temporaryFolder = try TemporaryFolder()
    let folder = temporaryFolder.path
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

@Suite("Help topics: schema files and lint")
struct SchemaFileTopicTests {
  @Test("applies every example of the help topic `schema-files` without errors or warnings")
  func examples() async throws {
    let temporaryFolder = try TemporaryFolder()
    try temporaryFolder.createFolder("schemas")
    let folder = temporaryFolder.path
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
    #expect(!lint.output.contains("[reserved-word]"), "\(lint.output)")
    #expect(await run("schema apply").status == 0)
    let ann = #"{"username":"ann","password":"secret word","email":"ann@example.org"}"#
    #expect(await run("save user", input: [ann]).status == 0)
    #expect(await run("save step s code=AB12 hours=5 days:=[1,2]").status == 0)
    #expect(await run("save todo t title=Tea assignee=ann steps+=s").status == 0)
    let todo = await run("get todo t --fields done,owner,steps -o ndjson")
    #expect(
      todo.output == #"{"todo_id":"t","done":false,"owner":"ann","steps":["s"]}"# + "\n")
    #expect(await run("save step s code=ab12").status == 6)
  }

  @Test("lists every lint rule and its level, such as warning, in the help topic `lint`")
  func rules() {
    let page = Program.declaration.description.help(.topic("lint"), width: 80, style: .plain)
    for rule in LintRule.allCases {
      #expect(page.contains("\(rule.rawValue), \(rule.facts.level.rawValue)"))
    }
  }
}
