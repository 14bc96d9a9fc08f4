package import CommandSyntax
import DataModel

/// The texts of the help topics, which are also manual pages.
package enum HelpTopics {
  package static let all = [
    stores, databases, schemaFiles, accessRules, lint, conditions, functions, formats, graphs, maps,
    server, api, plugins,
    exitCodes, environment, agents,
  ]
}

extension HelpTopics {
  static let lint = Topic(
    "lint", "The rules that `schema lint` checks.",
    manual: ManualName("datactl-lint", section: 7),
    body: [
      """
      `schema lint` checks schema files against the rules on this page. It prints each finding \
      with its file, its line, its level and, in brackets, the code of the rule:
      """,
      .literal(
        """
        $ datactl schema lint schemas
        schemas/order.json:1: note: order is a reserved word of SQL [reserved-word]
          Use another name if other tools read the store.
        schemas/todo.json:8: error: steps: there is no schema stp [missing-target]
          did you mean step?
        datactl: 1 error, 1 note; see datactl help lint for details
        """),
      "There are three levels:",
      .definitions([
        Definition("error", "a schema or a map is invalid, or a change breaks existing programs"),
        Definition("warning", "a declaration or a change may cause problems later"),
        Definition("note", "information that may be useful"),
      ]),
      """
      The exit status is 1 if there are errors or warnings. With `--fail-on error`, it is 1 only \
      if there are errors.
      """,
      """
      A folder is checked completely. If you pass single files, another file may declare what a \
      relation or a condition refers to. Such relations and conditions are not checked, and a line \
      on standard error says so. To check everything, pass the folder or `--against`.
      """,
      """
      For each rule, this page shows the code and the level, the problem, the consequence, and how \
      to fix the problem. The codes do not change in later versions, so scripts may rely on them.
      """,
      .heading("Rules for schema files"),
      .definitions(LintRule.allCases.filter { !$0.comparesSchemas }.map(definition)),
      .heading("Rules for changes to deployed schemas"),
      """
      With `--against`, `schema lint` also compares the files with the deployed schemas, which \
      programs already use. It reports changes that can break these programs. Changes of access \
      rules are not reported.
      """,
      .definitions(LintRule.allCases.filter(\.comparesSchemas).map(definition)),
      .heading("Findings as JSON"),
      """
      With `-o json`, the output is an array with one object for each finding. This is the second \
      finding in the example above:
      """,
      .literal(
        """
        $ datactl schema lint schemas -o json | jq '.[1]'
        {
          "code": "missing-target",
          "level": "error",
          "message": "there is no schema stp",
          "mend": "did you mean step?",
          "schema": "todo",
          "field": "steps",
          "file": "schemas/todo.json",
          "line": 8,
          "title": "A relation refers to a schema that does not exist.",
          "why": "schema apply rejects the file."
        }
        """),
      """
      `message` is the problem in this file, and `mend` is a hint on how to fix it. The \
      keys `title` and `why` contain the problem and the consequence, as described on this page. A \
      value that is not known is null.
      """,
    ],
    seeAlso: ["schema lint", "schema-files"])

  private static func definition(_ rule: LintRule) -> Definition {
    let facts = rule.facts
    return Definition(
      "\(rule.rawValue), \(facts.level.rawValue)", "\(facts.title) \(facts.why) \(facts.fix)")
  }
}

extension HelpTopics {
  static let exitCodes = Topic(
    "exit-codes", "The exit statuses of commands.",
    manual: ManualName("datactl-exit-codes", section: 7),
    body: [
      """
      A command exits with 0 only if it did everything that was requested. For example, `get` \
      exits with 3 if there is no such record:
      """,
      .literal(
        """
        $ datactl get todo coffee 2> errors || echo "exit status $?"
        exit status 3
        """),
      """
      The first error determines the exit status, except that `save --skip-invalid` exits with 6 \
      whenever it has skipped records. These are the exit statuses:
      """,
      .definitions(ExitStatus.all.map { Definition("\($0.code)", $0.meaning) }),
      """
      For an unknown field in an argument or a condition, the exit status is 2. In the input, it \
      is 6.
      """,
      """
      Errors are printed on standard error. The first line of an error shows the location, if it \
      is known, and the problem. Indented lines below it help to fix the problem.
      """,
      .literal(
        """
        $ datactl save todo --file todos.ndjson
        datactl: todos.ndjson:350: title: required
        """),
      """
      Similar errors of more than three records are printed as one, with the number of the records \
      and the ids of three of them:
      """,
      .literal(
        """
        $ datactl delete section games
        datactl: 1,100 records of product refer to section games:
          a, b, c and 1,097 more
        """),
      .heading("Errors as JSON"),
      """
      With `--errors json`, or `DATACTL_ERRORS=json`, each error is one JSON object on its own \
      line. Other messages, such as the summary of `save`, remain text, and `--quiet` omits them. \
      This is the error in the example above, formatted by jq:
      """,
      .literal(
        """
        $ datactl save todo --file todos.ndjson --errors json 2>&1 | jq
        {
          "code": "invalid",
          "message": "required",
          "hint": null,
          "schema": "todo",
          "id": "t350",
          "field": "title",
          "file": "todos.ndjson",
          "line": 350,
          "column": null
        }
        """),
      """
      The object always has these keys. A value that is not known is null. `code` is the kind of \
      the error. Scripts can rely on it, because it does not change in later versions. `file` is \
      the name of the input file, or `-` for standard input. Lines and columns are numbered from 1.
      """,
      "Two other keys are present only if they are known:",
      .definitions([
        Definition("operation", "the number of the operation in a batch"),
        Definition(
          "path",
          "with `--deep` or `--map`, the location in the input, such as `$.steps[1]`"),
      ]),
      """
      At most 20 errors are printed. If there are more, another object follows. Its key `count` is \
      the number of remaining errors.
      """,
      """
      If `save --commit-every` fails after it has saved some records, the last object has the code \
      `stopped`. Its `line` is the number of the last line that was saved.
      """,
    ],
    seeAlso: ["environment"])
}

extension HelpTopics {
  static let environment = Topic(
    "environment", "The environment variables that datactl reads.",
    manual: ManualName("datactl-environment", section: 7),
    body: [
      "For example, this command reads from the store in the file `shop.db`:",
      .literal("$ DATACTL_STORE=shop.db datactl list todo"),
      """
      Options have precedence over environment variables, and environment variables have \
      precedence over `datactl.json`. datactl reads these variables:
      """,
      .definitions(
        Settings.environment.map { Definition("`\($0.name)`", $0.meaning) }
          + [Definition("`HOME`", "the home directory, `~`")]),
      "An XDG variable is ignored if its value is a relative path.",
      """
      datactl never writes `DATACTL_TOKEN` to disk. The token is ignored if the address of the \
      store comes from `datactl.json`, so a `datactl.json` from another person cannot send your \
      token to another server.
      """,
      """
      For PostgreSQL stores, libpq also reads its own variables, such as `PGPASSWORD`. For stores \
      on servers, `SSL_CERT_FILE`, `SSL_CERT_DIR`, `HTTPS_PROXY` and `NO_PROXY` have the same \
      effects as in curl. `TMPDIR` is the folder for temporary files.
      """,
    ],
    seeAlso: ["stores", "login"])
}
