import ClientCore
import CommandSyntax
import DataModel
import DataStore

/// `datactl access`: checks whether the access rules allow a user to perform an operation.
struct AccessCommand: Command {
  let caller: Caller
  let verb: AccessVerb
  let schemaName: String
  let id: String?

  static let declaration = CommandDeclaration<any Command>(
    "access", "Check whether a user may read or change records.",
    discussion: [
      """
      Checks whether the access rules of a schema allow a user to perform an operation on its \
      records. The access rules are a part of the schema file; see `datactl help access-rules`.
      """,
      """
      The first line of the output is the answer, `yes` or `no`. The next lines show the result of \
      each rule:
      """,
      .literal(
        """
        yes: ann may update todo tea
          owner = :user: yes
          role:staff: no
        """),
      """
      The exit status is 0 if the answer is `yes`, and 1 if the answer is `no`, so scripts can use \
      the command to test the rules.
      """,
      """
      VERB is the operation: `read`, `create`, `update`, `delete` or `history`. `history` means \
      reading earlier versions of a record.
      """,
      """
      With the id of a record, the command tests the rules with the values of this record. To \
      update or delete a record, a user must also be allowed to read it.
      """,
      """
      Without an id, the command checks whether the user may perform the operation on some records \
      of the schema. If a rule is a condition that may be true for some records, its result is \
      `depends on the record`, and the answer is `yes`.
      """,
      """
      The rules do not restrict this command: everyone who can open a store directly is an \
      administrator.
      """,
    ],
    inputs:
      .operand("USER", "The id of the user. Omit it with `--anonymous`."),
    .operand("VERB", "The operation: `read`, `create`, `update`, `delete` or `history`."),
    .operands(
      "SCHEMA", kind: .schema,
      "The name of the schema, optionally followed by the id of a record."),
    .flag("--anonymous", "Check a caller who is not logged in, instead of a user."),
    examples: [
      Example("datactl access ann read todo", "Check whether ann may read some todos."),
      Example("datactl access ann update todo tea", "Check whether ann may change the todo `tea`."),
      Example(
        "datactl access --anonymous read todo",
        "Check whether callers who are not logged in may read some todos."),
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
    let object =
      id.map { "\(schemaName) \($0)" }
      ?? "\(decision.isAllowed ? "some" : "any") records of \(schemaName)"
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
