import Foundation
import ProgramHarness
import Testing

@Suite("Conventions: completion")
struct CompletionTests {
  @Test(
    "prints completion scripts with valid syntax, and suggests completions fast and without errors",
    .contract(50),
    arguments: Subject.allCases)
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
}
