import CommandSyntax
import DataClient
import DataModel
import DataStore

/// The options of commands that change schemas: the lock timeout, and whether to roll back.
struct SchemaChange: Sendable {
  let wait: Int
  let isDryRun: Bool

  /// Makes a plan from the schemas of the store, applies it, and reports each step, or `sentence`
  /// in place of the steps. A dry run rolls back and prints the steps.
  func carryOut(
    on client: Client, with invocation: Invocation, consents: Set<String> = [],
    saying sentence: String? = nil, planning: (StoredCatalog) throws(DataError) -> SchemaPlan
  ) async throws {
    let plan = try await client.carryOut(
      consents: consents, end: isDryRun ? .rollBack : .commit,
      wait: WriteWait(seconds: Double(wait)), planning: planning)
    if plan.isEmpty { return try invocation.sayNothingToChange() }
    let lines = plan.steps.flatMap { [$0.words] + $0.consequences.map { "  " + $0 } }
    if isDryRun {
      for line in lines { try invocation.console.output.write(Excerpt.visible(line) + "\n") }
    } else {
      try invocation.say(sentence.map { [$0] } ?? lines)
      try invocation.checkInterruption(behind: "the schemas are changed")
    }
  }
}

extension Invocation {
  func sayNothingToChange() throws(DataError) {
    try say("Nothing to change: the store has these schemas already.")
  }
}

extension Input where Value == Int {
  /// The time a command that changes schemas waits for other writers.
  static var writeWait: Input {
    .integer(
      "--wait", value: "SECONDS", in: 0...86_400, default: 30,
      "Wait at most this many seconds for another writer.")
  }
}

extension Input where Value == Bool {
  static var schemaDryRun: Input {
    .flag("--dry-run", letter: "n", "Print what would be done, then roll back.")
  }
}
