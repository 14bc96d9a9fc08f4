import CommandSyntax
import Testing
import datactl

@Suite("Help and version")
struct DocumentTests {
  @Test("--version prints the name and the version, whatever else is wrong")
  func version() async {
    let stage = Stage()
    #expect(await stage.run("--version", "--nonsense") == 0)
    #expect(stage.output.text == "datactl 0.1.0\n")
    #expect(stage.errors.text == "")
  }

  @Test("a bare line prints short help and does nothing")
  func bare() async {
    let stage = Stage()
    #expect(await stage.run() == 0)
    #expect(stage.output.text.hasPrefix("Keep typed records"))
    #expect(stage.errors.text == "")
  }

  @Test("help has no line above 80 columns and no escape codes in a pipe")
  func width() async {
    let description = Program.declaration.description
    var subjects: [HelpSubject] = [.overview, .program]
    subjects += description.commands.map { .command($0.path) }
    subjects += description.topics.map { .topic($0.name) }
    for subject in subjects {
      let help = description.help(subject, width: 200, style: .plain)
      for line in help.split(separator: "\n") {
        #expect(line.count <= 80, "\(line)")
      }
      #expect(!help.contains("\u{1B}"))
    }
  }

  @Test("help is bold on a terminal and wraps at its width")
  func terminal() async {
    let stage = Stage(output: MemoryChannel(isTerminal: true, columns: 50))
    #expect(await stage.run("help", "get") == 0)
    #expect(stage.output.text.contains("\u{1B}[1m"))
  }

  @Test("every command has at least two examples")
  func examples() {
    for command in Program.declaration.description.commands {
      #expect(command.examples.count >= 2, "\(command.name)")
    }
  }

  @Test("the declarations have no mistake that the compiler cannot see")
  func mistakes() {
    #expect(Program.declaration.mistakes() == [])
  }

  @Test("the topics that the conventions name are there")
  func topics() {
    let topics = Set(Program.declaration.description.topics.map(\.name))
    #expect(
      topics == [
        "exit-codes", "environment", "conditions", "functions", "formats", "schema-files", "lint",
        "stores",
      ])
  }

  @Test("an unknown command is named with the nearest one, and nothing is printed as data")
  func unknown() async {
    let stage = Stage()
    #expect(await stage.run("lst", "todo") == 2)
    #expect(stage.output.text == "")
    #expect(stage.errors.text.hasPrefix("datactl: unknown command lst"))
    #expect(stage.errors.text.contains("did you mean list?"))
  }

  @Test("errors come as JSON when the option or the variable says so")
  func jsonErrors() async {
    let option = Stage()
    #expect(await option.run("--errors", "json", "lst") == 2)
    #expect(option.errors.text.hasPrefix("{\"code\":\"usage\","))
    let variable = Stage(environment: ["DATACTL_ERRORS": "json"])
    #expect(await variable.run("lst") == 2)
    #expect(variable.errors.text == option.errors.text)
  }
}
