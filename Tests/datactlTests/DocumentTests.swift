import CommandSyntax
import Testing
import datactl

@Suite("Help and version")
struct DocumentTests {
  @Test("prints the name and the version for --version even when the command line has errors")
  func version() async {
    let testConsole = TestConsole()
    #expect(await testConsole.run("--version", "--nonsense") == 0)
    #expect(testConsole.output.text == "datactl 0.3.0\n")
    #expect(testConsole.errors.text == "")
  }

  @Test("prints the versions of the libraries too for --version --verbose")
  func libraryVersions() async {
    let testConsole = TestConsole()
    #expect(await testConsole.run("-v", "--version") == 0)
    let lines = testConsole.output.text.split(separator: "\n")
    #expect(
      lines.map { $0.prefix { $0 != " " } } == [
        "datactl", "SQLite", "libpq", "libsodium", "libcurl", "libxml2", "zlib", "libmicrohttpd",
      ])
    for line in lines {
      #expect(line.wholeMatch(of: /\S+ (\d+(\.\d+)+.*|not found)/) != nil, "\(line)")
    }
    #expect(testConsole.errors.text == "")
  }

  @Test("prints short help when called without arguments")
  func bare() async {
    let testConsole = TestConsole()
    #expect(await testConsole.run() == 0)
    #expect(testConsole.output.text.hasPrefix("Store typed records"))
    #expect(testConsole.errors.text == "")
  }

  @Test("plain help has lines of at most 80 columns and no escape codes")
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

  @Test("prints help with bold text when stdout is a terminal")
  func terminal() async {
    let testConsole = TestConsole(output: MemoryChannel(isTerminal: true, columns: 50))
    #expect(await testConsole.run("help", "get") == 0)
    #expect(testConsole.output.text.contains("\u{1B}[1m"))
  }

  @Test("every command has at least two examples")
  func examples() {
    for command in Program.declaration.description.commands {
      #expect(command.examples.count >= 2, "\(command.name)")
    }
  }

  @Test("finds no mistakes in the declarations of all datactl commands")
  func validationErrors() {
    #expect(Program.declaration.validationErrors() == [])
  }

  @Test("the help contains exactly the expected topics")
  func topics() {
    let topics = Set(Program.declaration.description.topics.map(\.name))
    #expect(
      topics == [
        "exit-codes", "environment", "conditions", "functions", "formats", "schema-files", "lint",
        "graphs", "maps", "access-rules", "stores", "databases", "server", "api", "agents",
        "plugins",
      ])
  }

  @Test("suggests a similar command on stderr when the command is unknown")
  func unknown() async {
    let testConsole = TestConsole()
    #expect(await testConsole.run("lst", "todo") == 2)
    #expect(testConsole.output.text == "")
    #expect(testConsole.errors.text.hasPrefix("datactl: unknown command lst"))
    #expect(testConsole.errors.text.contains("did you mean list?"))
  }

  @Test("prints errors as JSON when an option or an environment variable requests it")
  func jsonErrors() async {
    let option = TestConsole()
    #expect(await option.run("--errors", "json", "lst") == 2)
    #expect(option.errors.text.hasPrefix("{\"code\":\"usage\","))
    let variable = TestConsole(environment: ["DATACTL_ERRORS": "json"])
    #expect(await variable.run("lst") == 2)
    #expect(variable.errors.text == option.errors.text)
  }
}
