import CommandSyntax
import DataClient
import DataModel
import DataStore

/// How the schemas of a store are changed: how long to wait, and whether all is taken back.
struct SchemaChange: Sendable {
  let wait: Int
  let isDryRun: Bool

  /// Plans with the schemas that the store has, carries the plan out and says each step; a dry run
  /// takes it back and prints the steps.
  func carryOut(
    on client: Client, with invocation: Invocation,
    planning: (StoredCatalog) throws(DataError) -> SchemaPlan
  ) async throws {
    let plan = try await client.carryOut(
      end: isDryRun ? .rollBack : .commit, wait: WriteWait(seconds: Double(wait)),
      planning: planning)
    for step in plan.steps {
      if isDryRun {
        try invocation.console.output.write(step.plan + "\n")
      } else {
        try invocation.say(step.deed)
      }
    }
    if plan.steps.isEmpty {
      try invocation.say("Nothing to change: the store has these schemas already.")
    }
  }
}

extension Input where Value == Int {
  /// How long a command that changes schemas waits for others who write.
  static var writeWait: Input {
    .integer(
      "--wait", value: "SECONDS", in: 0...86_400, default: 30,
      "Wait at most so long for another writer.")
  }
}

extension Input where Value == Bool {
  static var schemaDryRun: Input {
    .flag("--dry-run", letter: "n", "Do everything, print what it was, and take it back.")
  }
}

extension SchemaPlan.Step {
  /// The step as something to be done.
  fileprivate var plan: String {
    switch self {
    case .create(let schema): "create schema \(schema.name)"
    case .addFields(let slots, let schema): "add \(names(slots, of: schema))"
    case .changeIndexes(_, let schema): "change the indexes of \(schema.name)"
    case .describe(let schema): "change what is written of \(schema.name)"
    case .drop(let schema): "drop schema \(schema.name)"
    }
  }

  /// The step as something that has been done.
  fileprivate var deed: String {
    switch self {
    case .create(let schema): "Schema \(schema.name) created."
    case .addFields(let slots, let schema): "Added: \(names(slots, of: schema))."
    case .changeIndexes(_, let schema): "Indexes of \(schema.name) changed."
    case .describe(let schema): "What is written of \(schema.name) changed."
    case .drop(let schema): "Schema \(schema.name) dropped."
    }
  }

  private func names(_ slots: [Int], of schema: Schema) -> String {
    slots.map { "\(schema.name).\(schema.name(of: $0))" }.joined(separator: ", ")
  }
}
