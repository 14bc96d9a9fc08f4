import ClientCore
import CommandSyntax
import DataModel
import DataStore

/// The options of commands that change schemas: the lock timeout, and whether to roll back the
/// changes.
struct SchemaChangeOptions: BoundInputs {
  var wait = WriteWait.standard
  var isDryRun = false

  static let inputs: [Input<Self>] = [
    .wait(\.wait),
    .flag(
      "--dry-run", letter: "n", \.isDryRun,
      "Print what would be changed, without changing anything."),
  ]

  static let nothingToChange = "Nothing to change: the store already has these schemas."

  /// Computes a plan from the schemas of the store, applies it, and prints its steps.
  ///
  /// In a dry run, the plan is rolled back after it was applied.
  ///
  /// - Parameters:
  ///   - message: A message to print in place of the steps, except in a dry run.
  ///   - nothing: The message to print if there is nothing to change.
  func apply(
    on client: Client, with context: CommandContext, consents: Set<String> = [],
    reporting message: String? = nil, reportingNothing nothing: String = Self.nothingToChange,
    planning: (StoredCatalog) throws(DataError) -> SchemaPlan
  ) async throws {
    let plan = try await context.change(orSay: "nothing was changed") {
      try await client.apply(
        consents: consents, end: isDryRun ? .rollBack : .commit,
        wait: WriteWait(seconds: Double(wait)), planning: planning)
    }
    if plan.isEmpty { return try context.printMessage(nothing) }
    let lines = plan.steps.flatMap { [$0.text] + $0.consequences.map { "  " + $0 } }
    if isDryRun {
      for line in lines { try context.console.output.write(Excerpt.escaped(line) + "\n") }
    } else {
      try context.printResult(of: "the schemas are changed") { () throws(DataError) in
        try context.printMessage(message.map { [$0] } ?? lines)
      }
    }
  }
}

extension Input where Root: BoundInputs {
  /// The option for the maximum time to wait for locks that other programs hold.
  static func wait(_ property: @autoclosure @escaping Property<Int>) -> Input {
    .integer(
      "--wait", property(), value: "SECONDS", in: 0...86_400,
      "The maximum number of seconds to wait for other commands that are writing.")
  }
}

/// The output formats of plans, differences and the schema log.
enum PlanFormat: String, CaseIterable, Sendable {
  case text
  case json
}

extension Input where Root: BoundInputs {
  static func planFormat(_ property: @autoclosure @escaping Property<PlanFormat>) -> Input {
    .choice("--output", letter: "o", property(), value: "FORMAT", "The output format.")
  }
}
