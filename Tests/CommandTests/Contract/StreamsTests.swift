import ProgramHarness
import Testing

@Suite("Conventions: streams")
struct StreamsTests {
  @Test(
    "contract 1: data goes to stdout, everything else to stderr",
    arguments: Subject.allCases)
  func separateStreams(_ subject: Subject) throws {
    try subject.keeps(1) { place in
      try place.keepTodos()
      let commands: [[String]] = [
        ["get", "todo", "a"], ["list", "todo"], ["list", "todo", "-o", "json"],
        ["save", "todo", "d", "title=dates"], ["save", "todo", "d", "done=true", "-o", "json"],
        ["schema", "show", "todo"], ["help", "--json"],
      ]
      for command in commands {
        let run = try place.program.run(command).exits(0).printsSomething()
        let jq = Program(["/usr/bin/jq", "-e", "."], environment: [:], folder: place.folder)
        let read = try jq.run([], input: .bytes(run.outputBytes))
        try run.holds(read.status == 0, "jq was expected to read the output")
      }
      try place.run("save", "todo", "e", "title=eggs").exits(0).says("1 saved: 1 new")
      try place.run("get", "todo", "none").exits(3).printsNothing().says("none")
    }
  }

  @Test(
    "contract 2: prints nothing when a command has no data to print", arguments: Subject.allCases)
  func noData(_ subject: Subject) throws {
    try subject.keeps(2) { place in
      try place.keepTodos()
      let commands: [[String]] = [
        ["save", "todo", "d", "title=dates", "-o", "none"], ["delete", "todo", "d"],
        ["schema", "create", "note", "body:text"], ["schema", "drop", "note"],
      ]
      for command in commands {
        try place.program.run(command).exits(0).printsNothing()
      }
    }
  }

  @Test("contract 3: an empty result is valid in every format", arguments: Subject.allCases)
  func emptyResults(_ subject: Subject) throws {
    try subject.keeps(3) { place in
      try place.declareTodos()
      let header = [
        "todo_id,title,done,priority,price,due,tags,", "created_at,created_by,", "modified_at,",
        "modified_by,revision",
      ].joined()
      try place.run("list", "todo").exits(0).prints("")
      try place.run("list", "todo", "-o", "ndjson").exits(0).prints("")
      try place.run("list", "todo", "-o", "ids").exits(0).prints("")
      try place.run("list", "todo", "-o", "json").exits(0).prints("[]\n")
      try place.run("list", "todo", "--count").exits(0).prints("0\n")
      let csv = try place.run("list", "todo", "-o", "csv").exits(0)
      try csv.holds(
        csv.output == header + "\r\n" || csv.output == header + "\n",
        "the header alone was expected")
    }
  }

  @Test(
    "contract 4: exits at once and silently when the pipe is closed",
    arguments: Subject.allCases)
  func closedPipe(_ subject: Subject) throws {
    try subject.keeps(4) { place in
      try place.keepManyTodos(20_000)
      let list = try place.program.start(["list", "todo"])
      try list.wait(for: "a line") { $0.outputBytes.contains(10) }
      list.closeOutput()
      try list.finish().exits(141).saysNothing()
    }
  }

  @Test("contract 5: reports an error when a write fails", arguments: Subject.allCases)
  func fullDevice(_ subject: Subject) throws {
    try subject.keeps(5) { place in
      try place.keepTodos()
      for command in [["list", "todo"], ["get", "todo", "a"], ["help"], ["--version"]] {
        let run = try place.program.run(command, output: .file("/dev/full")).exits(1)
        try run.holds(!run.errors.isEmpty, "a word on standard error was expected")
      }
    }
  }

  @Test("contract 6: the last line ends with a newline", arguments: Subject.allCases)
  func lastNewline(_ subject: Subject) throws {
    try subject.keeps(6) { place in
      try place.keepTodos()
      for format in ["json", "ndjson", "csv", "table", "ids"] {
        let run = try place.run("list", "todo", "-o", format).exits(0).printsSomething()
        try run.holds(run.outputBytes.last == 10, "a newline at the end was expected")
      }
      for command in [["get", "todo", "a"], ["schema", "show", "todo"], ["help"], ["--version"]] {
        let run = try place.program.run(command).exits(0)
        try run.holds(run.outputBytes.last == 10, "a newline at the end was expected")
      }
    }
  }

  @Test(
    "contract 7: streams input and output in constant memory", arguments: Subject.allCases)
  func streaming(_ subject: Subject) throws {
    try subject.keeps(7) { place in
      let most = 40 << 20
      try place.keepManyTodos(200_000, title: String(repeating: "long ", count: 30))
      let list = try place.program.start(["list", "todo"])
      list.watchesMemory = true
      try list.wait(for: "the first record") { $0.outputBytes.contains(10) }
      let listed = try list.finish().exits(0)
      try listed.holds(listed.lines.count == 200_000, "200000 lines were expected")
      try Self.staysSmall(listed, most)

      let save = try place.program.start(["save", "todo"], input: .open)
      save.watchesMemory = true
      for number in 0..<100 { save.send("{\"todo_id\":\"new\(number)\",\"title\":\"t\"}\n") }
      try save.run(for: .milliseconds(500))
      guard save.outputBytes.isEmpty else { throw Violation("save printed before its commit") }
      save.closeInput()
      let saved = try save.finish().exits(0)
      try saved.holds(saved.lines.count == 100, "100 records were expected")

      let many = Place.todos(200_000, title: String(repeating: "next ", count: 30))
      let bulk = try place.program.start(["save", "todo", "-o", "none"], input: .bytes(many))
      bulk.watchesMemory = true
      try Self.staysSmall(try bulk.finish().exits(0), most)
    }
  }

  private static func staysSmall(_ run: Run, _ most: Int) throws {
    guard run.peakMemory < most else {
      throw Violation("\(run.line): \(run.peakMemory >> 20) MB of memory, at most 40 expected")
    }
  }

  @Test(
    "contract 8: accepts - as stdin or stdout in place of a file",
    arguments: Subject.allCases)
  func hyphen(_ subject: Subject) throws {
    try subject.keeps(8) { place in
      try place.keepTodos()
      try place.run(
        "save", "todo", "--file", "-", "-o", "ids",
        input: .text(#"{"todo_id":"d","title":"dates"}"#)
      ).exits(0).prints("d\n")
      try place.run("get", "todo", "-", "--fields", "title", input: .text("b\na\n")).exits(0)
        .prints("{\"todo_id\":\"b\",\"title\":\"bread\"}\n{\"todo_id\":\"a\",\"title\":\"tea\"}\n")
      try place.run("delete", "todo", "-", input: .text("b\n")).exits(0).printsNothing()
      try place.run("save", "todo", "a", "title@=-", "-o", "none", input: .text("green tea"))
        .exits(0)
      try place.run("get", "todo", "a", "--fields", "title").exits(0)
        .prints("{\"todo_id\":\"a\",\"title\":\"green tea\"}\n")
      let rejects = try place.run(
        "save", "todo", "--skip-invalid", "--rejects", "-", "-o", "none",
        input: .text(#"{"todo_id":"x"}"#)
      ).exits(6)
      try rejects.holds(rejects.output.contains("title"), "the rejected record was expected")
    }
  }

  @Test(
    "contract 9: reads stdin only when the command declares it",
    arguments: Subject.allCases)
  func untouchedInput(_ subject: Subject) throws {
    try subject.keeps(9) { place in
      try place.keepTodos()
      try place.write("more.ndjson", "{\"todo_id\":\"m\",\"title\":\"milk\"}\n")
      let program = place.program
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
      try hint.holds(hint.errors.contains("standard input"), "a hint was expected")
    }
  }

  @Test("contract 10: machine formats contain no escape codes", arguments: Subject.allCases)
  func noEscapes(_ subject: Subject) throws {
    try subject.keeps(10) { place in
      try place.keepTodos()
      try place.prepare("save", "todo", "e", #"title:="\u001b]0;x\u0007""#)
      for format in ["json", "ndjson", "csv", "ids"] {
        let run = try place.run("list", "todo", "-o", format, output: .terminal, errors: .terminal)
          .exits(0).printsSomething()
        let isData = format == "csv"
        try run.holds(
          isData
            ? !run.output.contains("\u{1B}[") : !run.outputBytes.contains(0x1B),
          "no escape was expected")
      }
    }
  }
}
