import ClientCore
import CommandSyntax
import DataModel
import DataStore

/// `datactl access`: says what the access rules allow a user to do.
struct AccessCommand: Command {
  let caller: Caller
  let verb: AccessVerb
  let schemaName: String
  let id: String?

  static let declaration = CommandDeclaration<any Command>(
    "access", "Say what the access rules allow a user to do.",
    discussion: [
      """
      Prints whether a server would let a user do something, and what each access rule found. The \
      exit status is 0 if it would, and 1 if not. Without ID, the question is whether the user may \
      do it with some records of the schema. With `--anonymous`, the USER operand is omitted.
      """,
      """
      VERB is `read`, `create`, `update`, `delete` or `history`. The rules are in the schema files; \
      see `datactl help access-rules`. Everyone who can open the store directly may do everything, so the \
      command works on any store, and scripts can test the rules.
      """,
    ],
    inputs:
      .operand("USER", "The id of the user; omitted with `--anonymous`."),
    .operand("VERB", "What the user would do."),
    .operands(
      "SCHEMA", kind: .schema, "The name of the schema, and optionally the id of a record."),
    .flag("--anonymous", "Ask for a caller who is not logged in."),
    examples: [
      Example("datactl access ann read todo", "Say whether ann may read some todos."),
      Example("datactl access ann update todo tea", "Say whether ann may change a todo."),
      Example("datactl access --anonymous read todo", "Ask for a caller who is not logged in."),
    ],
    exitStatuses: [.done, .findings, .usage, .notFound, .forbidden, .store, .brokenPipe],
    seeAlso: ["access-rules", "schema lint"]
  ) { first, second, rest, isAnonymous throws(UsageError) in
    let words = (isAnonymous ? [first] : []) + [second] + rest
    let caller = isAnonymous ? Caller.anonymous : .user(first)
    guard (2...3).contains(words.count) else {
      throw UsageError(
        "expected \(isAnonymous ? "" : "USER ")VERB SCHEMA [ID]",
        hint: "see datactl help access-rules")
    }
    guard let verb = AccessVerb(rawValue: words[0]) else {
      let verbs = AccessVerb.allCases.map(\.rawValue)
      throw UsageError(
        "VERB: expected \(verbs.joined(separator: ", ")), found \(Excerpt.quoted(words[0]))",
        hint: nearest(words[0], among: verbs).map { "did you mean \($0)?" })
    }
    return AccessCommand(
      caller: caller, verb: verb, schemaName: words[1], id: words.count == 3 ? words[2] : nil)
  }
}

extension AccessCommand {
  func run(with context: CommandContext) async throws {
    let client = try await context.open(for: .reading)
    let decision = try await client.access(of: caller, to: verb, schemaName, id: id)
    let name =
      switch caller {
      case .administrator: "an administrator"
      case .anonymous: "a caller who is not logged in"
      case .user(let id): id
      case .session: "the user of the session"
      }
    let object = id.map { "\(schemaName) \($0)" } ?? "some records of \(schemaName)"
    let words = decision.isAllowed ? "yes: \(name) may" : "no: \(name) may not"
    var lines = ["\(words) \(verb.rawValue) \(object)"]
    lines += decision.findings.map { "  \($0.rule): \($0.result)" }
    if decision.findings.isEmpty { lines.append("  no rule, so only administrators may") }
    let text = lines.map { Excerpt.escaped($0) + "\n" }.joined()
    try context.console.output.write(text)
    guard decision.isAllowed else {
      try context.console.output.flush()
      throw DataError(.findings, "the access rules do not allow it")
    }
  }
}
