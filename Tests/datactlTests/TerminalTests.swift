import DataModel
import Testing
import datactl

@Suite("Terminals")
struct TerminalTests {
  private func terminal(_ columns: Int? = nil) -> MemoryChannel {
    MemoryChannel(isTerminal: true, columns: columns)
  }

  @Test("takes the output width from COLUMNS, the terminal or the default of 80, in this order")
  func width() {
    let named = TestConsole(output: terminal(100), environment: ["COLUMNS": "60"]).console()
    #expect(named.width(of: named.output) == 60)
    let known = TestConsole(output: terminal(100), environment: ["COLUMNS": "wide"]).console()
    #expect(known.width(of: known.output) == 100)
    let unknown = TestConsole().console()
    #expect(unknown.width(of: unknown.output) == 80)
  }

  @Test(
    "uses color only on a terminal that is not dumb, and only without NO_COLOR",
    arguments: [
      ([:], true), (["NO_COLOR": "1"], false), (["NO_COLOR": ""], true),
      (["TERM": "dumb"], false), (["TERM": "xterm"], true),
    ] as [([String: String], Bool)])
  func color(environment: [String: String], isExpected: Bool) {
    let console = TestConsole(output: terminal(), environment: environment).console()
    #expect(console.hasColor(console.output) == isExpected)
    let piped = TestConsole(environment: environment).console()
    #expect(!piped.hasColor(piped.output))
  }

  @Test("colors errors, ids and differences on a terminal, but not without color")
  func colored() async throws {
    let session = try TestSession()
    try session.write(
      "schemas/todo.json", TestSession.schema("todo", #", "title": {"type": "text"}"#))
    func run(_ words: String, _ variables: [String: String] = [:]) async -> (String, String) {
      let console = TestConsole(
        output: terminal(80), errors: terminal(80),
        environment: ["DATACTL_STORE": "shop.db"].merging(variables) { $1 },
        folder: session.folder)
      _ = await Program.run(on: console.console(words.split(separator: " ").map(String.init)))
      return (console.output.text, console.errors.text)
    }
    _ = await run("schema apply")
    let created = await run("save todo a title=x -o diff").0
    #expect(created.hasPrefix("\u{1B}[32mcreate a\u{1B}[39m\n"))
    #expect(await run("save todo a title=y -o diff").0.hasPrefix("\u{1B}[33mchange a\u{1B}[39m\n"))
    #expect(await run("list todo --fields title").0.contains("\n\u{1B}[36ma\u{1B}[39m"))
    _ = await run("schema create draft")
    #expect(await run("schema diff").0 == "\u{1B}[31m- schema draft\u{1B}[39m\n")
    #expect(await run("get todo none").1.hasPrefix("\u{1B}[31mdatactl:\u{1B}[39m todo none: "))
    for variables in [["NO_COLOR": "1"], ["TERM": "dumb"]] {
      for line in ["save todo a title=z -o diff", "list todo", "schema diff", "get todo none"] {
        let (output, errors) = await run(line, variables)
        #expect(!output.contains("\u{1B}") && !errors.contains("\u{1B}"), "\(line)")
      }
    }
    let help = await session.run("help environment").output.split { $0.isWhitespace }
    #expect(help.joined(separator: " ").contains("the colors of errors, ids and differences"))
  }

  @Test(
    "prompts only when stdin and stderr are terminals and CI is not set")
  func asking() {
    #expect(TestConsole(input: terminal(), errors: terminal()).console().canPrompt)
    #expect(!TestConsole(input: terminal()).console().canPrompt)
    #expect(!TestConsole(errors: terminal()).console().canPrompt)
    #expect(
      !TestConsole(input: terminal(), errors: terminal(), environment: ["CI": "true"]).console()
        .canPrompt)
    #expect(
      TestConsole(input: terminal(), errors: terminal(), environment: ["CI": ""]).console()
        .canPrompt)
  }

  @Test("escapes control characters in every output format on a terminal, but not in a pipe")
  func controlCharacters() async throws {
    let session = try TestSession()
    #expect(await session.run("schema create note body:text").status == 0)
    let body = "a\u{85}b\u{9B}31mc\u{7F}d\u{1B}[2Je\u{202E}f"
    #expect(await session.run(["save", "note", "n1", "body=" + body]).status == 0)
    for format in ["json", "ndjson", "csv", "table"] {
      let line = ["list", "note", "-o", format]
      let shown = await session.run(line, terminal: true).output
      #expect(
        shown.contains(#"a\u0085b\u009b31mc\u007fd\u001b[2Je\u202ef"#), "\(format): \(shown)")
      // Lines of CSV end with a carriage return and a line feed.
      let isHidden = shown.unicodeScalars.contains {
        $0 != "\n" && !($0 == "\r" && format == "csv") && Excerpt.isInvisible($0)
      }
      #expect(!isHidden || format == "table", "\(format)")
    }
    let csv = await session.run(
      ["list", "note", "--fields", "note_id", "-o", "csv"], terminal: true)
    #expect(csv.output == "note_id\r\nn1\r\n")
    #expect(await session.run(["save", "note", "n2", "body=a\rb\r\nc"]).status == 0)
    let lone = await session.run(
      ["get", "note", "n2", "--fields", "body", "-o", "csv"], terminal: true)
    #expect(lone.output.contains("\"a\\u000db\r\nc\"\r\n"), "\(lone.output)")
    let piped = await session.run("list note --fields body -o csv").output
    #expect(piped.contains(body))
  }

  @Test("reads a password without echo, and echoes the answer to a confirmation")
  func secrets() throws {
    let input = MemoryChannel(["hush\n", "\n"], isTerminal: true)
    let testConsole = TestConsole(input: input, errors: terminal())
    let console = testConsole.console()
    #expect(try console.askWithoutEcho("Password: ") == "hush")
    #expect(input.hiddenCount == 1)
    #expect(try !console.confirm("Really?"))
    #expect(input.hiddenCount == 1)
    #expect(testConsole.errors.text == "Password: Really? [y/N] ")
  }

  @Test(
    "confirms only when the answer is y or yes",
    arguments: [("y", true), ("YES", true), ("n", false), ("", false)])
  func confirming(answer: String, agrees: Bool) throws {
    let input = MemoryChannel([answer + "\n"], isTerminal: true)
    #expect(try TestConsole(input: input).console().confirm("Really?") == agrees)
  }
}
