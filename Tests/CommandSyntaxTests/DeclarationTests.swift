import CommandSyntax
import Testing

@Suite("Declarations")
struct DeclarationTests {
  private protocol Command: BoundCommand where Action == any Command {
    func run() -> String
  }

  private struct Greet: Command {
    var name = ""
    var action: any Command { self }
    func run() -> String { "hello \(name)" }
  }

  private struct Leave: Command {
    var action: any Command { self }
    func run() -> String { "goodbye" }
  }

  private struct Volume: BoundInputs {
    var isLoud = false
  }

  @Test("parses the commands of a program although each command has its own Swift type")
  func commands() throws {
    let program = ProgramDeclaration<NoSettings, any Command>(
      "porter", version: "1", "Open the door.",
      commands: [
        .command(
          "greet",
          CommandDeclaration(
            Greet.self, "greet", "Greet.", inputs: [.operand("NAME", \.name, "Whom.")],
            examples: [], exitStatuses: [])),
        .command(
          "leave",
          CommandDeclaration(Leave.self, "leave", "Leave.", examples: [], exitStatuses: [])),
      ],
      exitStatuses: [])
    let greeting = program.parse(["greet", "ann"], nearest: { _, _ in nil })
    guard case .success(.run(let command)) = greeting.request else {
      Issue.record("greet is not understood")
      return
    }
    #expect(command.run() == "hello ann")
    guard
      case .success(.run(let other)) = program.parse(["leave"], nearest: { _, _ in nil }).request
    else {
      Issue.record("leave is not understood")
      return
    }
    #expect(other.run() == "goodbye")
  }

  @Test(
    "parses a command line without building the declarations of other commands and of help topics",
    arguments: [
      ["leave"], ["--loud", "leave"], ["leave", "--loud"], ["leave", "-h"], ["--version"],
    ])
  func lazy(words: [String]) {
    @Sendable func made<Value>(_ value: Value) -> Value {
      Issue.record("it was made")
      return value
    }
    let program = ProgramDeclaration<Volume, any Command>(
      "porter", version: "1", "Open the door.", settings: [.flag("--loud", \.isLoud, "Loudly.")],
      commands: [
        .command(
          "greet",
          made(CommandDeclaration(Greet.self, "greet", "Greet.", examples: [], exitStatuses: []))),
        .command(
          "leave",
          CommandDeclaration(Leave.self, "leave", "Leave.", examples: [], exitStatuses: [])),
      ],
      exitStatuses: [], topics: made([]))
    #expect(throws: Never.self) {
      try program.parse(words, nearest: { _, _ in nil }).request.get()
    }
  }

  @Test("reports no mistakes in a valid declaration of commands")
  func sound() {
    #expect(Shop.program.validationErrors() == [])
  }

  private struct Pile: BoundCommand {
    var a: String?
    var b = ""
    var c: [String] = []
    var d: [String] = []
    var x = false
    var y = false
    var z = false
    var action: Int { 1 }
  }

  @Test("reports each mistake in the declaration of a command")
  func validationErrors() {
    let first = CommandDeclaration(
      Pile.self, "first", "First.", usages: ["A [B] --x", "--w A"],
      inputs: [
        .optionalOperand("A", \.a, "A."), .operand("B", \.b, "B."), .operands("C", \.c, "C."),
        .operands("D", \.d, "D."), .flag("--x", letter: "x", \.x, "X."),
        .flag("--x", letter: "x", \.x, "X."), .flag("--quiet", \.y, "Q."),
        .flag("--y", letter: "y", \.z, "Y."),
      ],
      rules: [.atMostOne(["--x", "--z"]), .needs("A", "E")],
      examples: [Example(String(repeating: "x", count: 79), "Too wide.")],
      exitStatuses: [], seeAlso: ["second", "nowhere", "group inner"])
    let second = CommandDeclaration(
      Pile.self, "second", "Second.",
      inputs: [.option("--x", \.a, value: "X", "X."), .flag("--z", letter: "y", \.z, "Z.")],
      examples: [Example("a", ""), Example("b", "")], exitStatuses: [])
    let third = CommandDeclaration(
      Pile.self, "third", "Third.", inputs: [.flag("--x", \.x, "X.")],
      examples: [Example("a", ""), Example("b", "")], exitStatuses: [])
    let program = ProgramDeclaration<Volume, Int>(
      "p", version: "1", "P.",
      settings: [.flag("--quiet", \.isLoud, sets: false, "Q."), .flag("--loud", \.isLoud, "L.")],
      commands: [
        .command("1st", first), .command("second", second),
        .group(
          "group",
          GroupDeclaration("group", "G.", commands: [second, second, third], seeAlso: ["gone"])),
      ],
      exitStatuses: [],
      topics: [
        Topic(
          "second", "S.", manual: ManualName("s", section: 7), body: [], seeAlso: ["lost", "first"])
      ])
    #expect(
      Set(program.validationErrors()) == [
        "1st declares first",
        "second is the name of two commands or topics",
        "group second is the name of two commands or topics",
        "--x takes a value in one command but not in another",
        "--x has different short forms",
        "-y means both --y and --z",
        "-y means both --z and --y",
        "first declares --x twice",
        "p binds --quiet and --loud to the same property",
        "first declares --quiet twice",
        "first has a rule for --z, which it does not declare",
        "first has a rule for E, which it does not declare",
        "first has a usage line with --w, which it does not declare",
        "first has B after A, which is optional",
        "first has D after C, which takes all remaining words",
        "first has fewer than two examples",
        "first has an example that is wider than 78 columns: \(String(repeating: "x", count: 79))",
        "first refers to nowhere, which is missing",
        "first refers to group inner, which is missing",
        "group refers to gone, which is missing",
        "second refers to lost, which is missing",
      ])
  }

  private struct Visit: BoundCommand {
    var words: [String] = []
    var user: String?
    var isUser = false
    var isQuick = false
    var action: String { "\(words) \(user ?? "-") \(isUser)" }
  }

  @Test(
    "lets an option take a value in one command and none in a group",
    arguments: [
      ("visit --user ann", "[] ann false"), ("visit --user=ann b", #"["b"] ann false"#),
      ("--user ann visit", "[] ann false"), ("--user=plan visit", "[] plan false"),
      ("--quick --user ann visit b", #"["b"] ann false"#),
      ("plan make --user a", #"["a"] - true"#), ("plan --user make a", #"["a"] - true"#),
      ("--user plan make a", #"["a"] - true"#), ("--quick plan make --user a", #"["a"] - true"#),
      ("--user make plan make a", nil), ("plan make --user=a", nil), ("visit --user", nil),
    ] as [(String, String?)])
  func differingOption(line: String, action: String?) {
    let operands = Input<Visit>.operands("WORD", \.words, "W.")
    let quick = Input<Visit>.flag("--quick", \.isQuick, "Q.")
    func declaration(_ name: String, _ inputs: [Input<Visit>]) -> CommandDeclaration<String> {
      CommandDeclaration(
        Visit.self, name, "V.", inputs: [operands, quick] + inputs,
        examples: [Example("a", ""), Example("b", "")], exitStatuses: [])
    }
    let visit = declaration("visit", [.option("--user", \.user, value: "NAME", "U.")])
    let make = declaration("make", [.flag("--user", \.isUser, "U.")])
    let program = ProgramDeclaration<NoSettings, String>(
      "p", version: "1", "P.",
      commands: [
        .command("visit", visit),
        .group("plan", GroupDeclaration("plan", "P.", commands: [make])),
      ],
      exitStatuses: [])
    #expect(program.validationErrors() == [])
    let words = line.split(separator: " ").map(String.init)
    let request = try? program.parse(words, nearest: { _, _ in nil }).request.get()
    #expect(request == action.map { .run($0) })
  }

  private struct Paint: BoundCommand {
    struct Can: Sendable {
      var color = "red"
      var isDry = false
    }

    var can = Can()
    var action: Can { can }
  }

  @Test("reports two inputs that set the same property, unless a rule excludes one of them")
  func sharedProperty() {
    func errors(_ rules: [InputRule]) -> [String] {
      let paint = CommandDeclaration(
        Paint.self, "paint", "Paint.",
        inputs: [
          .operand("COLOR", \.can.color, "C."), .flag("--wet", \.can.isDry, sets: false, "W."),
          .group(\.can, [.flag("--dry", \.isDry, "D.")]),
          .group(\.can, [.flag("--blue", \.color, sets: "blue", "B.")]),
        ],
        rules: rules, examples: [Example("a", ""), Example("b", "")], exitStatuses: [])
      return ProgramDeclaration<NoSettings, Paint.Can>(
        "p", version: "1", "P.", commands: [.command("paint", paint)],
        exitStatuses: []
      ).validationErrors()
    }
    #expect(
      errors([.needs("--dry", "--wet")]) == [
        "paint binds --wet and --dry to the same property",
        "paint binds COLOR and --blue to the same property",
      ])
    #expect(errors([.atMostOne(["--wet", "--dry"]), .exactlyOne(["COLOR", "--blue"])]) == [])
  }
}
