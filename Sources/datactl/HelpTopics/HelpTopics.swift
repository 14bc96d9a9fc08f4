package import CommandSyntax
import DataModel

/// The help topics and their manual pages.
package enum HelpTopics {
  package static let all = [
    stores, databases, schemaFiles, accessRules, lint, conditions, functions, formats, graphs, maps,
    server, api,
    exitCodes, environment,
  ]
}

extension HelpTopics {
  static let lint = Topic(
    "lint", "The rules that `schema lint` checks.",
    manual: ManualName("datactl-lint", section: 7),
    body: [
      """
      `schema lint` checks the following rules. For each rule, this page shows its code and its \
      level, and explains the problem, its consequence, and how to fix it. Scripts may rely on the \
      codes. The level `error` means that a schema is invalid, or that a change breaks existing \
      programs. A `warning` marks a declaration or a change that may cause problems later. A \
      `note` is only for information. `schema lint` exits with 1 if a finding has the level given \
      by `--fail-on` or a higher level. By default, this level is `warning`.
      """,
      .heading("Rules for schema files"),
      .definitions(LintRule.allCases.filter { !$0.comparesSchemas }.map(definition)),
      .heading("Rules for changes to deployed schemas"),
      """
      With `--against`, `schema lint` also reports changes that break programs that use the \
      deployed schemas:
      """,
      .definitions(LintRule.allCases.filter(\.comparesSchemas).map(definition)),
      """
      With `-o json`, the output is an array with one object for each finding. Each object has the \
      keys `code`, `level`, `message`, `schema`, `field`, `file` and `line`. It also has the keys \
      `title` (the problem that the rule finds), `why` (its consequence) and `mend` (how to fix \
      it). If a value is not known, it is null.
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
      A command exits with 0 only if it did everything that was requested. Commands use only the \
      exit statuses in this list. If there are several errors, the first one determines the exit \
      status.
      """,
      .definitions(ExitStatus.all.map { Definition("\($0.code)", $0.meaning) }),
      """
      If a signal arrives while the system is still loading the program, the program ends before \
      it has done anything. In that case, the system determines the exit status: for example, a \
      shell reports 129 for SIGHUP.
      """,
      """
      Errors are printed on standard error. The first line of an error shows the location and the \
      problem. Indented lines below it, if any, explain how to fix the problem.
      """,
      .literal(
        """
        $ datactl save todo --file todos.ndjson
        datactl: todos.ndjson:350: title: required
        """),
      .heading("Errors as JSON"),
      """
      With `--errors json`, or `DATACTL_ERRORS=json`, each error is one JSON object on its own \
      line. The object always has the keys `code`, `message`, `hint`, `schema`, `id`, `field`, \
      `file`, `line` and `column`. If a value is not known, it is null. `code` is a stable \
      identifier for scripts. `file` is the name of the input file, or `-` for standard input. \
      Lines and columns are numbered from 1. At most 20 errors are printed. If there are more, \
      another object contains the number of remaining errors. If a `save` fails after some of its \
      records were saved, the last object has the code `stopped`, and its `line` is the number of \
      the last line that was saved.
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
      .literal("$ DATACTL_STORE=sqlite:shop.db datactl list todo"),
      """
      A command-line option overrides an environment variable, an environment variable overrides \
      `datactl.json`, and `datactl.json` overrides the default. For PostgreSQL stores, libpq also \
      reads its own variables, such as `PGPASSWORD`. No other environment variables affect datactl.
      """,
      .definitions(
        Settings.environment.map { Definition("`\($0.name)`", $0.meaning) }
          + [Definition("`HOME`", "the home directory, used if an XDG variable is not set")]),
      """
      The XDG variables are ignored unless their values begin with `/`. `DATACTL_TOKEN` is never \
      written to disk. It is not used for a store that only `datactl.json` specifies, so this file \
      cannot cause the token to be sent to another server.
      """,
    ],
    seeAlso: ["stores", "login"])
}
