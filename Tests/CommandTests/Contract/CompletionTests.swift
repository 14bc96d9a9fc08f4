import Foundation
import ProgramHarness
import Testing

@Suite("Conventions: completion")
struct CompletionTests {
  @Test(
    "contract 50: completions are sound scripts and know the store, quickly and silently",
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
        let runs = try (1...5).map { _ in try Self.candidates(place.program, words) }
        let run = runs[0]
        for word in expected {
          try run.holds(
            run.lines.contains { $0.hasPrefix(word) }, "\(word) was expected among the candidates")
        }
        // The fastest of five: the machine may be busy with other tests.
        let seconds = runs.map(\.seconds).min() ?? 1
        try run.holds(seconds < 0.1, "100 ms at most were expected, not \(seconds)")
      }
      let lost = place.program.with(["DATACTL_STORE": "sqlite:none.db"])
      _ = try Self.candidates(lost, ["list", "to"])
      guard try place.files == before else { throw Violation("completing left files behind") }
    }
  }

  /// What the scripts ask of the program: the candidates for the last of these words.
  private static func candidates(_ program: Program, _ words: [String]) throws -> Run {
    let question = ["completion", "candidates", "\(words.count - 1)", "--"] + words
    return try program.run(question, input: .open).exits(0).saysNothing()
  }
}
