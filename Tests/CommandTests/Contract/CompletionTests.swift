import Foundation
import ProgramHarness
import Testing

@Suite("Conventions: completion")
struct CompletionTests {
  @Test(
    "contract 50: completion scripts are valid, and candidates are fast and silent",
    arguments: Subject.allCases)
  func completion(_ subject: Subject) throws {
    try subject.keeps(50) { place in
      try place.keepTodos()
      for shell in ["bash", "zsh", "fish"] {
        let script = try place.run("completion", shell).exits(0).printsSomething().saysNothing()
        try place.write("script.\(shell)", script.output)
        let check = Program(
          ["/usr/bin/env", shell, "-n", "script.\(shell)"],
          environment: place.datactl.environment, folder: place.folder)
        let run = try check.run([])
        try run.holds(run.status == 0 && run.errorBytes.isEmpty, "a sound script was expected")
      }
      try FileManager.default.removeItem(atPath: place.path("script.bash"))
      let before = try place.files
      let cases: [(words: [String], expected: [String])] = [
        (["li"], ["list"]), (["schema", "cr"], ["create"]), (["list", "to"], ["todo"]),
        (["list", "todo", "--or"], ["--order"]), (["list", "todo", "--order", "ti"], ["title"]),
        (["list", "todo", "-o", "nd"], ["ndjson"]), (["save", "todo", "a", "ti"], ["title="]),
        (["help", "exit"], ["exit-codes"]),
      ]
      for (words, expected) in cases {
        let run = try Self.candidates(place.program, words)
        for word in expected {
          try run.holds(
            run.lines.contains { $0.split(separator: "\t").dropFirst().first == Substring(word) },
            "\(word) was expected among the candidates")
        }
        // A hundred milliseconds are about ten thousand system calls, and unlike a time, a count is
        // deterministic.
        let calls = try SystemCall.trace("all", place, Self.question(words))
        try run.holds(calls.count < 1_000, "few system calls were expected, not \(calls.count)")
        try FileManager.default.removeItem(atPath: place.path("calls.txt"))
      }
      let lost = place.program.with(["DATACTL_STORE": "sqlite:none.db"])
      _ = try Self.candidates(lost, ["list", "to"])
      guard try place.files == before else { throw Violation("completing left files behind") }
    }
  }

  /// Returns the arguments with which a completion script requests the candidates for the last
  /// word.
  private static func question(_ words: [String]) -> [String] {
    ["completion", "candidates", "\(words.count - 1)", "--"] + words
  }

  private static func candidates(_ program: Program, _ words: [String]) throws -> Run {
    try program.run(question(words), input: .open).exits(0).saysNothing()
  }
}
