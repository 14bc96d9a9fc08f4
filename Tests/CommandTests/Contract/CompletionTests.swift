import Foundation
import ProgramHarness
import Testing

@Suite("Conventions: completion")
struct CompletionTests {
  @Test(
    "prints completion scripts with valid syntax, and suggests completions fast and without errors",
    .contract(50),
    arguments: Subject.inTier)
  func completion(_ subject: Subject) throws {
    try subject.checkContract(50) { folder in
      try folder.saveTodos()
      for shell in ["bash", "zsh", "fish"] {
        let script = try folder.run("completion", shell).exits(0).printsSomething().reportsNothing()
        try folder.write("script.\(shell)", script.output)
        let check = Program(
          ["/usr/bin/env", shell, "-n", "script.\(shell)"],
          environment: folder.datactl.environment, directory: folder.directory)
        let run = try check.run([])
        try run.requires(run.status == 0 && run.errorBytes.isEmpty, "a sound script was expected")
      }
      try FileManager.default.removeItem(atPath: folder.path("script.bash"))
      let before = try folder.files
      let cases: [(arguments: [String], expected: [String])] = [
        (["li"], ["list"]), (["schema", "cr"], ["create"]), (["list", "to"], ["todo"]),
        (["list", "todo", "--or"], ["--order"]), (["list", "todo", "--order", "ti"], ["title"]),
        (["list", "todo", "-o", "nd"], ["ndjson"]), (["save", "todo", "a", "ti"], ["title="]),
        (["help", "exit"], ["exit-codes"]),
      ]
      for (arguments, expected) in cases {
        let run = try Self.candidates(folder.program, arguments)
        for word in expected {
          try run.requires(
            run.lines.contains { $0.split(separator: "\t").dropFirst().first == Substring(word) },
            "\(word) was expected among the candidates")
        }
        // A completion should take less than 100 milliseconds, about 10,000 system calls. Calls are
        // counted because the count, in contrast to the time, is deterministic.
        let calls = try SystemCall.trace("all", folder, Self.candidateArguments(arguments))
        try run.requires(calls.count < 1_000, "few system calls were expected, not \(calls.count)")
        try FileManager.default.removeItem(atPath: folder.path("calls.txt"))
      }
      let lost = folder.program.with(["DATACTL_STORE": "sqlite:none.db"])
      _ = try Self.candidates(lost, ["list", "to"])
      guard try folder.files == before else { throw Violation("completing left files behind") }
    }
  }

  /// Returns the arguments with which a completion script requests the candidates for the last
  /// word.
  private static func candidateArguments(_ arguments: [String]) -> [String] {
    ["completion", "candidates", "\(arguments.count - 1)", "--"] + arguments
  }

  private static func candidates(_ program: Program, _ arguments: [String]) throws -> Run {
    try program.run(candidateArguments(arguments), input: .open).exits(0).reportsNothing()
  }

  /// A shell, and the command that loads its completion script.
  private static let shells = [
    (["bash", "--norc", "--noprofile", "-i"], "source <(datactl completion bash)"),
    (
      ["zsh", "-f", "-i"],
      "autoload -Uz compinit; compinit -u -D; source <(datactl completion zsh)"
    ),
    (["fish", "--no-config", "-i"], "datactl completion fish | source"),
  ]

  @Test("completes fields and values in each shell, also within open quotation marks")
  func quotes() throws {
    let folder = try TestFolder()
    try folder.write(
      "note.json",
      """
      {"schema": "note", "fields": {"note_id": {"type": "id"}, "name": {"type": "text"},
        "alpha": {"type": "integer"}, "type": {"type": "text"}, "open": {"type": "boolean"},
        "kind": {"type": "text", "one_of": ["at home", "travel"]}}}
      """)
    try folder.prepare("schema", "apply", "note.json")
    try folder.prepare("save", "note", "n1", "name=Tea")
    // The typed lines, and the text to type after the completion.
    let lines: [(typed: String, rest: String, words: [String])] = [
      (
        "list note --where \"name like 'S%' and alp", " > 3\"",
        ["list", "note", "--where", "name like 'S%' and alpha > 3"]
      ),
      (
        "list note --where='name = 5 and ty", " = 3'",
        ["list", "note", "--where=name = 5 and type = 3"]
      ),
      ("list note --where 'alp", " = 3'", ["list", "note", "--where", "alpha = 3"]),
      (
        "list note --where=\"name = 'x' and alp", " > 3\"",
        ["list", "note", "--where=name = 'x' and alpha > 3"]
      ),
      (
        "list note --where \"alpha = 1 and kind = 'at", "\"",
        ["list", "note", "--where", "alpha = 1 and kind = 'at home'"]
      ),
      ("delete note --where='not open = t", "'", ["delete", "note", "--where=not open = true"]),
      (
        "list note --where \"note_id in ('x', 'n", ")\"",
        ["list", "note", "--where", "note_id in ('x', 'n1')"]
      ),
      ("schema rename note.al", "", ["schema", "rename", "note.alpha"]),
      ("save note open=t", "", ["save", "note", "open=true"]),
      ("save note rev", "", ["save", "note", "rev"]),
    ]
    for (shell, setUp) in Self.shells {
      // Control-A and Control-E move the cursor to the start and the end of the line.
      let keys = lines.map { line in
        "datactl \(line.typed)\t\(line.rest)\u{1}printf '<%s>' \u{5}\n"
      }
      try folder.write("keys", "\(setUp)\n\(keys.joined())exit\n\n")
      let command = "script -qec '\(shell.joined(separator: " "))' /dev/null < keys"
      let run = try folder.withDatactlInPath("/bin/sh")
        .run(["-c", "HOME=$PWD TERM=xterm timeout 60 \(command)"])
      for line in lines {
        let expected = "<datactl>" + line.words.map { "<\($0)>" }.joined()
        try run.requires(run.output.contains(expected), "\(expected) was expected in \(shell[0])")
      }
    }
  }
}
