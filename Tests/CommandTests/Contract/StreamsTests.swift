import ProgramHarness
import Testing

@Suite("Conventions: streams")
struct StreamsTests {
  @Test(
    "prints data to stdout and everything else to stderr", .contract(1),
    arguments: Subject.inTier)
  func separateStreams(_ subject: Subject) throws {
    try subject.checkContract(1) { folder in
      try folder.saveTodos()
      let commands: [[String]] = [
        ["get", "todo", "a"], ["list", "todo"], ["list", "todo", "-o", "json"],
        ["save", "todo", "d", "title=dates"], ["save", "todo", "d", "done=true", "-o", "json"],
        ["schema", "show", "todo"], ["help", "--json"],
      ]
      for command in commands {
        let run = try folder.program.run(command).exits(0).printsSomething()
        let jq = Program(["/usr/bin/jq", "-e", "."], environment: [:], directory: folder.directory)
        let read = try jq.run([], input: .bytes(run.outputBytes))
        try run.requires(read.status == 0, "jq was expected to read the output")
      }
      try folder.run("save", "todo", "e", "title=eggs").exits(0).reports("1 saved: 1 new")
      try folder.run("get", "todo", "none").exits(3).printsNothing().reports("none")
    }
  }

  @Test(
    "prints nothing when a command has no data to print", .contract(2), arguments: Subject.inTier)
  func noData(_ subject: Subject) throws {
    try subject.checkContract(2) { folder in
      try folder.saveTodos()
      let commands: [[String]] = [
        ["save", "todo", "d", "title=dates", "-o", "none"], ["delete", "todo", "d"],
        ["schema", "create", "note", "body:text"], ["schema", "drop", "note"],
      ]
      for command in commands {
        try folder.program.run(command).exits(0).printsNothing()
      }
    }
  }

  @Test(
    "prints valid output in every format when the result is empty", .contract(3),
    arguments: Subject.inTier)
  func emptyResults(_ subject: Subject) throws {
    try subject.checkContract(3) { folder in
      try folder.createTodoSchema()
      let header = [
        "todo_id,title,done,priority,price,due,tags,", "created_at,created_by,", "modified_at,",
        "modified_by,revision",
      ].joined()
      try folder.run("list", "todo").exits(0).prints("")
      try folder.run("list", "todo", "-o", "ndjson").exits(0).prints("")
      try folder.run("list", "todo", "-o", "ids").exits(0).prints("")
      try folder.run("list", "todo", "-o", "json").exits(0).prints("[]\n")
      try folder.run("list", "todo", "--count").exits(0).prints("0\n")
      let csv = try folder.run("list", "todo", "-o", "csv").exits(0)
      try csv.requires(
        csv.output == header + "\r\n" || csv.output == header + "\n",
        "the header alone was expected")
    }
  }

  @Test(
    "exits at once and silently when the reader closes the pipe", .contract(4),
    arguments: Subject.inTier)
  func closedPipe(_ subject: Subject) throws {
    try subject.checkContract(4) { folder in
      try folder.saveManyTodos(20_000)
      let list = try folder.program.start(["list", "todo"])
      try list.wait(for: "a line") { $0.outputBytes.contains(10) }
      list.closeOutput()
      try list.finish().exits(141).reportsNothing()
    }
  }

  @Test("reports an error when writing output fails", .contract(5), arguments: Subject.inTier)
  func fullDevice(_ subject: Subject) throws {
    try subject.checkContract(5) { folder in
      try folder.saveTodos()
      for command in [["list", "todo"], ["get", "todo", "a"], ["help"], ["--version"]] {
        let run = try folder.program.run(command, output: .file("/dev/full")).exits(1)
        try run.requires(!run.errors.isEmpty, "a word on standard error was expected")
      }
    }
  }

  @Test("ends the last line of output with a newline", .contract(6), arguments: Subject.inTier)
  func lastNewline(_ subject: Subject) throws {
    try subject.checkContract(6) { folder in
      try folder.saveTodos()
      for format in ["json", "ndjson", "csv", "table", "ids"] {
        let run = try folder.run("list", "todo", "-o", format).exits(0).printsSomething()
        try run.requires(run.outputBytes.last == 10, "a newline at the end was expected")
      }
      for command in [["get", "todo", "a"], ["schema", "show", "todo"], ["help"], ["--version"]] {
        let run = try folder.program.run(command).exits(0)
        try run.requires(run.outputBytes.last == 10, "a newline at the end was expected")
      }
    }
  }

  @Test("streams input and output in constant memory", .contract(7), arguments: Subject.inTier)
  func streaming(_ subject: Subject) throws {
    try subject.checkContract(7) { folder in
      let most = 40 << 20
      try folder.saveManyTodos(200_000, title: String(repeating: "long ", count: 30))
      let list = try folder.program.start(["list", "todo"])
      list.watchesMemory = true
      try list.wait(for: "the first record") { $0.outputBytes.contains(10) }
      let listed = try list.finish().exits(0)
      try listed.requires(listed.lines.count == 200_000, "200000 lines were expected")
      try Self.expectLowMemory(listed, most)

      let save = try folder.program.start(["save", "todo"], input: .open)
      save.watchesMemory = true
      for number in 0..<100 { save.send("{\"todo_id\":\"new\(number)\",\"title\":\"t\"}\n") }
      try save.run(for: .milliseconds(500))
      guard save.outputBytes.isEmpty else { throw Violation("save printed before its commit") }
      save.closeInput()
      let saved = try save.finish().exits(0)
      try saved.requires(saved.lines.count == 100, "100 records were expected")

      let many = TestFolder.todos(200_000, title: String(repeating: "next ", count: 30))
      let bulk = try folder.program.start(["save", "todo", "-o", "none"], input: .bytes(many))
      bulk.watchesMemory = true
      try Self.expectLowMemory(try bulk.finish().exits(0), most)
    }
  }

  private static func expectLowMemory(_ run: Run, _ most: Int) throws {
    guard run.peakMemory < most else {
      throw Violation("\(run.line): \(run.peakMemory >> 20) MB of memory, at most 40 expected")
    }
  }

  @Test(
    "accepts - for stdin or stdout in place of a file name", .contract(8),
    arguments: Subject.inTier)
  func hyphen(_ subject: Subject) throws {
    try subject.checkContract(8) { folder in
      try folder.saveTodos()
      try folder.run(
        "save", "todo", "--file", "-", "-o", "ids",
        input: .text(#"{"todo_id":"d","title":"dates"}"#)
      ).exits(0).prints("d\n")
      try folder.run("get", "todo", "-", "--fields", "title", input: .text("b\na\n")).exits(0)
        .prints("{\"todo_id\":\"b\",\"title\":\"bread\"}\n{\"todo_id\":\"a\",\"title\":\"tea\"}\n")
      try folder.run("delete", "todo", "-", input: .text("b\n")).exits(0).printsNothing()
      try folder.run("save", "todo", "a", "title@=-", "-o", "none", input: .text("green tea"))
        .exits(0)
      try folder.run("get", "todo", "a", "--fields", "title").exits(0)
        .prints("{\"todo_id\":\"a\",\"title\":\"green tea\"}\n")
      let rejects = try folder.run(
        "save", "todo", "--skip-invalid", "--rejects", "-", "-o", "none",
        input: .text(#"{"todo_id":"x"}"#)
      ).exits(6)
      try rejects.requires(rejects.output.contains("title"), "the rejected record was expected")
    }
  }

  @Test(
    "reads stdin only when the command line requires it", .contract(9), arguments: Subject.inTier)
  func untouchedInput(_ subject: Subject) throws {
    try subject.checkContract(9) { folder in
      try folder.saveTodos()
      try folder.write("more.ndjson", "{\"todo_id\":\"m\",\"title\":\"milk\"}\n")
      let program = folder.program
      let commands: [[String]] = [
        ["list", "todo"], ["get", "todo", "a"], ["save", "todo", "a", "title=x"],
        ["save", "todo", "--file", "more.ndjson"], ["delete", "todo", "b"], ["schema", "list"],
        ["schema", "create", "note", "body:text"], ["schema", "infer", "more.ndjson"], ["help"],
        ["--version"],
      ]
      for command in commands {
        try program.run(command, input: .open).exits(0)
      }
      try program.run(["schema", "infer", "todo"], input: .typed("")).exits(2)
      let hint = try program.run(["save", "todo"], input: .typed("")).exits(2)
      try hint.requires(hint.errors.contains("standard input"), "a hint was expected")
    }
  }

  @Test(
    "prints no escape codes in machine-readable formats", .contract(10),
    arguments: Subject.inTier)
  func noEscapes(_ subject: Subject) throws {
    try subject.checkContract(10) { folder in
      try folder.saveTodos()
      try folder.prepare("save", "todo", "e", #"title:="\u001b]0;x\u0007""#)
      for format in ["json", "ndjson", "csv", "ids"] {
        let run = try folder.run("list", "todo", "-o", format, output: .terminal, errors: .terminal)
          .exits(0).printsSomething()
        let isData = format == "csv"
        try run.requires(
          isData
            ? !run.output.contains("\u{1B}[") : !run.outputBytes.contains(0x1B),
          "no escape was expected")
      }
    }
  }
}
