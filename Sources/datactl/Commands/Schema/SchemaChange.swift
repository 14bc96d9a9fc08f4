import DataClient
import DataModel
import DataStore

/// A plan for the schemas of a store, and whether it is only to be shown.
struct SchemaChange {
  private let plan: SchemaPlan
  private let isDryRun: Bool

  init(_ plan: SchemaPlan, isDryRun: Bool) {
    self.plan = plan
    self.isDryRun = isDryRun
  }

  /// Carries the plan out and says each step, or prints the steps.
  func carryOut(on client: Client, with invocation: Invocation) async throws {
    if isDryRun {
      for step in plan.steps { try invocation.console.output.write(step.plan + "\n") }
    } else {
      try await client.carryOut(plan)
      for step in plan.steps { try invocation.say(step.deed) }
    }
    if plan.steps.isEmpty { try invocation.say("Nothing to change: the store is so already.") }
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
