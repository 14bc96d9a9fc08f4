import ClientCore
import CommandSyntax
import DataModel
import DataStore

/// `datactl access`: checks whether the access rules allow a user to perform an operation.
struct AccessCommand: DeclaredCommand {
  var user = ""
  var verbName = ""
  var schemaName: String?
  var id: String?
  var isAnonymous = false
  private var verb = AccessVerb.read

  static let declaration = CommandDeclaration(
    AccessCommand.self, "access", "Check whether a user may read or change records.",
    usages: ["USER VERB SCHEMA [ID]", "--anonymous VERB SCHEMA [ID]"],
    discussion: [
      """
      Checks whether the access rules allow a user to perform an operation, and prints the result \
      of each rule. For example, `datactl access ann update todo tea` prints:
      """,
      .literal(
        """
        yes: ann may update todo tea
          owner = :user: yes
          role:staff: no
        """),
      """
      The first line is the answer, `yes` or `no`. One rule that allows the operation is enough. \
      The exit status is 0 for `yes`, and 1 for `no`.
      """,
      """
      The access rules of a schema are a part of its schema file (see `datactl help \
      access-rules`). The command checks the rules of schemas, but not those of single fields.
      """,
      """
      If the store is a file or a database, no login is needed. On a server, only administrators \
      can use the command.
      """,
      .heading("With and without an id"),
      """
      With an id, the rules are tested with the values of this record, which must exist. For \
      `update`, `delete` and `history`, the answer is `no` if the user may not read the record.
      """,
      """
      Without an id, the rules are tested without reading any record. If a rule depends on the \
      values of a record, the answer is `yes`, even if no record satisfies the rule. For \
      example, `datactl access ann update todo` prints:
      """,
      .literal(
        """
        yes: ann may update some records of todo
          owner = :user: depends on the record
          role:staff: no
        """),
      """
      With `--anonymous`, a rule that requires a user, such as `owner = :user`, results in `no`.
      """,
    ],
    inputs: [
      .operand("USER", \.user, "The id of the user."),
      .operand(
        "VERB", \.verbName,
        """
        The operation: `read`, `create`, `update`, `delete` or `history` (to read earlier versions \
        of a record).
        """),
      .optionalOperand("SCHEMA", \.schemaName, kind: .schema, "The name of the schema."),
      .optionalOperand("ID", \.id, kind: .id, "The id of a stored record."),
      .flag(
        "--anonymous", \.isAnonymous,
        "Check what a caller who is not logged in may do. USER is then omitted."),
    ],
    examples: [
      Example("datactl access ann read todo", "Check whether the rules allow ann to read todos."),
      Example("datactl access ann update todo tea", "Check whether ann may change the todo `tea`."),
      Example(
        "datactl access --anonymous read todo",
        "Check whether the rules allow callers who are not logged in to read todos."),
    ],
    exitStatuses: [
      ExitStatus(0, "the answer is `yes`"),
      ExitStatus(1, "the answer is `no`, or output could not be written"),
      .usageOfOptions, .notFound, .forbidden, .store, .brokenPipe,
    ],
    seeAlso: ["access-rules", "schema lint"])
}

extension AccessCommand {
  mutating func validate() throws(UsageError) {
    let expected = "\(isAnonymous ? "" : "USER ")VERB SCHEMA [ID]"
    if isAnonymous {
      if let id {
        throw UsageError(
          "unexpected operand \(EscapedWord(id)) for access --anonymous",
          hint: "access --anonymous expects only \(expected)")
      }
      // USER is omitted, so each word belongs to the next operand.
      (verbName, schemaName, id) = (user, verbName, schemaName)
    }
    guard schemaName != nil else { throw UsageError("expected \(expected)") }
    guard let verb = AccessVerb(rawValue: verbName) else {
      let verbs = AccessVerb.allCases.map(\.rawValue)
      throw UsageError(
        "VERB: expected \(verbs.joined(separator: ", ")), found \(Excerpt.quoted(verbName))",
        hint: nearest(verbName, among: verbs).map { "did you mean \($0)?" })
    }
    self.verb = verb
  }

  func run(with context: CommandContext) async throws {
    let caller = isAnonymous ? Caller.anonymous : .user(user)
    let schemaName = schemaName ?? ""
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
    let action =
      switch verb {
      case .read, .create, .update, .delete: verb.rawValue
      case .history: "read the history of"
      }
    var lines = ["\(words) \(action) \(object)"]
    lines += decision.findings.map { "  \($0.rule): \($0.result)" }
    if decision.findings.isEmpty { lines.append("  no rule, so only administrators may") }
    let text = lines.map { Excerpt.escaped($0) + "\n" }.joined()
    try context.console.output.write(text)
    guard decision.isAllowed else {
      try context.console.output.flush()
      throw DataError(
        .findings,
        Excerpt.escaped("the access rules do not allow \(name) to \(action) \(object)"))
    }
  }
}
