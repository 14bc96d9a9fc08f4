import ClientCore
import CommandSyntax
import DataModel
import DataStore
import JSONText

/// `datactl schema log`: prints the history of schema changes.
struct SchemaLogCommand: DeclaredCommand {
  var format = PlanFormat.text

  static let declaration = CommandDeclaration(
    SchemaLogCommand.self, "log", "Print the history of schema changes.",
    discussion: [
      """
      Prints all changes of schemas, the oldest first. For each change, the log shows the time, \
      the user who was logged in (if any), the version of datactl, and the steps. Changes by old \
      versions of datactl, which kept no log, are missing.
      """
    ],
    inputs: [.planFormat(\.format)],
    examples: [
      Example("datactl schema log", "Print the log."),
      Example("datactl schema log -o json | jq '.[-1]'", "Print the most recent change."),
    ],
    exitStatuses: [.done, .failed, .usageOfOptions, .forbidden, .store, .brokenPipe],
    seeAlso: ["schema apply", "schema plan"])
}

extension SchemaLogCommand {
  func run(with context: CommandContext) async throws {
    let client = try await context.open(for: .reading)
    let log = try await client.store.log()
    let output = context.console.output
    switch format {
    case .text:
      for plan in log {
        let texts = ["\(plan.time)", plan.user, plan.program].compactMap(\.self)
        for line in [texts.joined(separator: "  ")] + plan.texts.map({ "  " + $0 }) {
          try output.write(Excerpt.escaped(line) + "\n")
        }
      }
    case .json:
      let lines = log.map { plan in
        let user = plan.user.map(Value.text) ?? .null
        return """
            {"time": "\(plan.time)", "user": \(user.jsonText), \
          "program": \(Value.text(plan.program).jsonText), "steps": \(plan.steps)}
          """
      }
      try output.write(lines.isEmpty ? "[]\n" : "[\n\(lines.joined(separator: ",\n"))\n]\n")
    }
  }
}

extension AppliedPlan {
  /// The steps of the plan as sentences, as the log prints them.
  fileprivate var texts: [String] {
    guard case .array(let steps)? = try? JSONValue(parsing: steps) else { return [] }
    return steps.compactMap { step in
      if case .text(let text)? = step["text"] { text } else { nil }
    }
  }
}
