import Foundation
import ProgramHarness
import Testing

@Suite("Conventions: the terminal")
struct TerminalTests {
  @Test(
    "recognizes separately whether stdin, stdout and stderr are terminals", .contract(11),
    arguments: Subject.inTier)
  func eachStream(_ subject: Subject) throws {
    try subject.checkContract(11) { folder in
      try folder.saveTodos()
      let piped = try folder.run("list", "todo", "--fields", "title").exits(0).output
      try folder.run("list", "todo", "--fields", "title", input: .typed(""), errors: .terminal)
        .exits(0).prints(piped)
      let table = try folder.run("list", "todo", "--fields", "title", output: .terminal).exits(0)
      try table.requires(
        !table.output.contains("{") && table.output.contains("bread"), "a table was expected")
      let errors = try folder.run("get", "todo", "none", output: .terminal).exits(3)
      try errors.requires(!errors.errorBytes.contains(0x1B), "no colour was expected")
    }
  }

  @Test(
    "prints no color to a pipe, or when NO_COLOR or TERM=dumb is set", .contract(12),
    arguments: Subject.inTier)
  func color(_ subject: Subject) throws {
    try subject.checkContract(12) { folder in
      try folder.saveTodos()
      let commands: [[String]] = [
        ["list", "todo"], ["get", "todo", "a"], ["help"], ["get", "--help"],
        ["get", "todo", "none"],
      ]
      for command in commands {
        try Self.expectPlain(try folder.program.run(command))
        for variables in [["NO_COLOR": "1"], ["TERM": "dumb"]] {
          try Self.expectPlain(
            try folder.program.with(variables.mapValues { $0 }).run(
              command, output: .terminal, errors: .terminal))
        }
      }
    }
  }

  private static func expectPlain(_ run: Run) throws {
    try run.requires(
      !run.outputBytes.contains(0x1B) && !run.errorBytes.contains(0x1B), "no colour was expected")
  }

  @Test(
    "takes the output width from COLUMNS, the terminal or the default of 80, in this order",
    .contract(13), arguments: Subject.inTier)
  func width(_ subject: Subject) throws {
    try subject.checkContract(13) { folder in
      try folder.createTodoSchema()
      let long = String(repeating: "w", count: 300)
      try folder.prepare("save", "todo", "a", "title=\(long)")
      let wide = try folder.program.with(["COLUMNS": "60"]).run(
        ["list", "todo"], output: .terminal(columns: 120))
      try Self.expectWidth(try wide.exits(0), 60)
      try Self.expectWidth(
        try folder.run("list", "todo", output: .terminal(columns: 50)).exits(0), 50)
      try Self.expectWidth(
        try folder.run("list", "todo", output: .terminal(columns: 0)).exits(0), 80)
      let piped = try folder.run("list", "todo", "-o", "table").exits(0)
      try piped.requires(piped.output.contains(long), "the whole text was expected")
    }
  }

  private static func expectWidth(_ run: Run, _ columns: Int) throws {
    let widest = run.lines.map(DisplayWidth.of).max() ?? 0
    try run.requires(
      widest > 0 && widest <= columns, "lines of at most \(columns) columns, found \(widest)")
  }

  @Test(
    "shows no progress when stderr is a pipe, and only errors when --quiet is given", .contract(14),
    arguments: Subject.inTier)
  func progress(_ subject: Subject) throws {
    try subject.checkContract(14) { folder in
      try folder.createTodoSchema()
      let many = TestFolder.todos(30_000)
      let save = ["save", "todo", "-o", "none"]
      let piped = try folder.program.run(save, input: .bytes(many)).exits(0)
      try piped.requires(
        piped.errors == "30,000 saved: 30,000 new\n",
        "the one line of the result was expected")
      try folder.program.run(save + ["--quiet"], input: .bytes(many), errors: .terminal).exits(0)
        .reportsNothing()
      let errors = try folder.run("get", "todo", "none", "--quiet").exits(3)
      try errors.reports("none")
    }
  }

  @Test(
    "aligns columns with wide characters and escapes control characters", .contract(15),
    arguments: Subject.inTier)
  func characters(_ subject: Subject) throws {
    try subject.checkContract(15) { folder in
      try folder.prepare("schema", "create", "word", "text:text!", "mark:text")
      for (id, text) in [("a", "日本語"), ("b", "e\u{301}te\u{301}"), ("c", "plain"), ("d", "👍")] {
        try folder.prepare("save", "word", id, "text=\(text)", "mark=MARK")
      }
      try folder.prepare("save", "word", "e", #"text:="\u001b]0;x\u0007\u009b1m""#, "mark=MARK")
      for output in [Output.captured, .terminal] {
        let run = try folder.run(
          "list", "word", "-o", "table", "--fields", "text,mark", output: output
        ).exits(0)
        try run.requires(
          !run.output.contains("\u{1B}]") && !run.outputBytes.contains(7)
            && !run.output.unicodeScalars.contains("\u{9B}"),
          "control characters were expected to be shown, not sent")
        let offsets = Set(
          run.lines.compactMap { line in
            line.range(of: "MARK").map { DisplayWidth.of(String(line[..<$0.lowerBound])) }
          })
        try run.requires(offsets.count == 1, "columns in line were expected, found \(offsets)")
      }
    }
  }
}
